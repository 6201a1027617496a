//! What the program knows beside the event: environment, command line, time.

use std::path::PathBuf;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_session::ServiceOptions;

/// Options of the hook.
#[derive(Clone, Debug)]
pub struct HookOptions {
    /// Whether the user turned hooks off.
    pub off: bool,
    /// How the workspace is opened. Without roots, the project around the client's folder is used.
    pub start: ServiceOptions,
    /// The session that the user named; it overrides the client's own.
    pub session: Option<String>,
    /// The working directory of the program, for a client that names none.
    pub cwd: Option<PathBuf>,
    /// The folder that was opened in the client, if the environment names it.
    pub project: Option<PathBuf>,
    /// The prefix of our tools, if it is not the client's usual one.
    pub tool_prefix: Option<String>,
    /// The dialect that the server was started with; it overrides the configured one.
    pub dialect: Option<Dialect>,
    /// How much processor time our own work may take; on the clock, five times that.
    pub time: Duration,
}

impl Default for HookOptions {
    fn default() -> Self {
        Self {
            off: false,
            start: ServiceOptions::default(),
            session: None,
            cwd: None,
            project: None,
            tool_prefix: None,
            dialect: None,
            time: Duration::from_millis(50),
        }
    }
}
