//! Why a request over files is refused.

use std::fmt;

use crate::code::Code;
use crate::edit::EditNo;
use crate::error::Error;
use crate::text::Document;

/// Why a request was refused. Nothing was done to any file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesError {
    /// A step cannot be taken.
    Step {
        /// The step.
        step: EditNo,
        /// The file.
        path: String,
        /// Why.
        reason: StepProblem,
    },
    /// The edits of one or more files are refused.
    Edits {
        /// The file whose refusal comes first in the request.
        first: Box<EditRefused>,
        /// The other files. They are reported too, because all edits must be sent again and the caller needs their lines as well.
        others: Vec<EditRefused>,
    },
}

/// Why a step cannot be taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepProblem {
    /// There is no such file.
    NotFound,
    /// It would create a file that exists.
    Exists,
    /// It edits lines of a file that the request also creates or deletes.
    Conflicting,
}

/// A file whose edits are refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRefused {
    /// The file.
    pub path: String,
    /// How many edits the whole request has, over all its files, as its reader counts them.
    pub edits: usize,
    /// The file as it is now.
    pub document: Document,
    /// Why.
    pub error: Error,
}

impl FilesError {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Step { reason, .. } => match reason {
                StepProblem::NotFound => Code::FileNotFound,
                StepProblem::Exists => Code::FileExists,
                StepProblem::Conflicting => Code::ConflictingOperations,
            },
            Self::Edits { first, .. } => first.error.code(),
        }
    }

    /// Returns the file it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Step { path, .. } => path,
            Self::Edits { first, .. } => &first.path,
        }
    }
}

/// Writes the path and the code. Sentences for readers are made in `hashline-wire`.
impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path(), self.code())
    }
}

impl std::error::Error for FilesError {}
