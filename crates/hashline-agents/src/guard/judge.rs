//! The front door: a workspace in, a verdict for each command line out.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::guard::barrier;
use crate::guard::budget::Budget;
use crate::guard::places::Places;
use crate::guard::shell::Source;
use crate::guard::verdict::{Unsure, Verdict};
use crate::guard::walk;

/// Longer command lines are not parsed.
pub const LONGEST: usize = 64 * 1024;

/// The name of the threads that parse. One that is still busy when its budget is spent is left behind and ends with the process.
pub const WORKER: &str = "hashline-guard";

/// What one parse may take, unless somebody says otherwise.
const BUDGET: Budget = Budget {
    work: Duration::from_millis(50),
    wall: Duration::from_secs(1),
};

/// Judges command lines that run in one directory.
#[derive(Clone, Debug)]
pub struct Guard {
    places: Arc<Places>,
    budget: Budget,
}

impl Guard {
    /// Guards the files under `root` against commands that run in `cwd`. Both are absolute; neither is looked at on disk.
    #[must_use]
    pub fn new(root: &Path, cwd: &Path) -> Self {
        Self::over(&[root], cwd)
    }

    /// Guards the files under several roots, which are one workspace: what is copied from one to another stays in it.
    #[must_use]
    pub fn over<P: AsRef<Path>>(roots: &[P], cwd: &Path) -> Self {
        let places = Arc::new(Places::new(roots, cwd));
        Self {
            places,
            budget: BUDGET,
        }
    }

    /// Gives the parser another budget than 50 ms of work, within a second on the clock.
    #[must_use]
    pub fn with_budget(self, budget: Budget) -> Self {
        Self { budget, ..self }
    }

    /// Judges a command line. Whatever cannot be told is allowed, with the reason.
    #[must_use]
    pub fn judge(&self, command: &str) -> Verdict {
        if command.len() > LONGEST {
            return Verdict::Allow(Some(Unsure::TooLong));
        }
        let places = Arc::clone(&self.places);
        let source = Source::new(command.to_owned());
        barrier::run(self.budget, move || walk::judge(&source, &places))
            .unwrap_or_else(|unsure| Verdict::Allow(Some(unsure)))
    }
}
