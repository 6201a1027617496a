//! Exit codes.

use std::process::ExitCode;

use hashline_core::Code;

/// How the program ends, the worst last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// It was done.
    Done,
    /// Anchors are not what they were: nothing was written, and fresh ones were handed out.
    Stale,
    /// The guard objects.
    Bypass,
    /// Anything else; nothing was written.
    Failed,
}

impl Exit {
    /// Returns how the program ends that was refused with a code.
    pub(crate) fn of_code(code: Code) -> Self {
        match code.exit_code() {
            1 => Self::Stale,
            _ => Self::Failed,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(match exit {
            Exit::Done => 0,
            Exit::Stale | Exit::Bypass => 1,
            Exit::Failed => 2,
        })
    }
}
