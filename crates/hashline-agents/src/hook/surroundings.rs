//! What the program knows beside what the client says: where state lies, what is set, who was named.

mod scene;

use std::path::PathBuf;
use std::time::Duration;

use crate::hook::budget::Budget;
use hashline_core::dialect::Dialect;
use hashline_session::Start;

pub(crate) use scene::{Roots, Scene};

/// So many times as long as it may work it may take in all, waiting for a processor, a disk or a lock.
const WAITING: u32 = 5;

/// What the program knows beside what the client says.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Whether the person turned hooks off.
    pub off: bool,
    /// How a service is opened. Roots that are not named are found from where the client works.
    pub start: Start,
    /// The session the person named; it goes before the client's own.
    pub session: Option<String>,
    /// The working directory of the program, for a client that names none.
    pub cwd: Option<PathBuf>,
    /// The folder that was opened in the client, if the environment names it.
    pub project: Option<PathBuf>,
    /// What stands before the names of our tools, if it is not what the client usually puts there.
    pub tool_prefix: Option<String>,
    /// The dialect the server was told, if it was told one; it goes before what is configured.
    pub dialect: Option<Dialect>,
    /// How much processor time our own work may take; on the clock, five times that.
    pub time: Duration,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            off: false,
            start: Start::default(),
            session: None,
            cwd: None,
            project: None,
            tool_prefix: None,
            dialect: None,
            time: Duration::from_millis(50),
        }
    }
}

/// Returns what work may take that may use so much processor time.
pub(crate) fn budget(time: Duration) -> Budget {
    Budget {
        work: time,
        wall: time.saturating_mul(WAITING),
    }
}
