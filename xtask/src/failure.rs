//! Why a task stopped, and the words for it.

use std::fmt;
use std::io;
use std::process::{ExitCode, ExitStatus};

use crate::command::Command;

/// Why a task stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The arguments do not name anything that can be done.
    Usage(String),
    /// A command could not be started at all.
    NotStarted { command: Command, source: io::Error },
    /// A command ran and ended badly.
    Ended {
        command: Command,
        status: ExitStatus,
    },
    /// Some fuzz targets found an input that breaks them.
    Broken { targets: Vec<String> },
}

impl Failure {
    /// Returns 2 when the call was wrong, 1 when the work was.
    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Usage(_) => ExitCode::from(2),
            Self::NotStarted { .. } | Self::Ended { .. } | Self::Broken { .. } => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Usage(problem) => write!(f, "error: {problem}"),
            Self::NotStarted { command, source } => {
                write!(
                    f,
                    "error: not started: {source}\nhint: run it alone: {command}"
                )
            }
            Self::Ended { command, status } => {
                write!(
                    f,
                    "error: failed with {status}\nhint: run it alone: {command}"
                )
            }
            Self::Broken { targets } => {
                write!(f, "error: broken by fuzzing: {}", targets.join(", "))
            }
        }
    }
}
