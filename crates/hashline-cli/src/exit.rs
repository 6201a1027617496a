//! The exit codes of the program.

use std::process::ExitCode;

use hashline_core::Code;

/// How the program ends, from the best to the worst outcome.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Exit {
    /// The command succeeded.
    Done,
    /// An anchor no longer matches the file: nothing was written, and the answer shows the current anchors.
    Stale,
    /// `hashline guard` found that the shell command reads or writes files without anchors.
    Bypass,
    /// `hashline stats --gate` found a gate that does not pass.
    FallsShort,
    /// Any other failure, such as invalid arguments or a file that cannot be read.
    Failed,
}

impl Exit {
    /// Returns how the program ends if its request was refused with this error code.
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
            Exit::Stale | Exit::Bypass | Exit::FallsShort => 1,
            Exit::Failed => 2,
        })
    }
}
