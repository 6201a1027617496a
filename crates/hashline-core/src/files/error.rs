//! Why a request over one or more files is refused.

use std::fmt;

use crate::code::Code;
use crate::edit::EditNo;
use crate::error::Error;
use crate::text::Document;

/// Why a request was refused; no file was changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesError {
    /// A step of the request (an edit, creation, move or deletion) cannot be done.
    Step {
        /// The number of the step in the request.
        step: EditNo,
        /// The path of the file that the step names.
        path: String,
        /// Why the step cannot be done.
        reason: StepProblem,
    },
    /// The edits of one or more files are refused.
    Edits {
        /// The file whose refused edit comes first in the request.
        first: Box<EditRefused>,
        /// The other files with refused edits: all edits must be sent again, so the caller needs the current lines of these files too.
        others: Vec<EditRefused>,
    },
}

/// Why a step of a request cannot be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepProblem {
    /// The file does not exist.
    NotFound,
    /// The step would create a file that exists already.
    Exists,
    /// The request edits lines of a file that it also creates, rewrites or deletes.
    Conflicting,
    /// The request names a revision or SHA-256 of a file that does not exist before it.
    NewFile,
    /// The request names different revisions or SHA-256 of one file, under its names before and after a move.
    TwoRevisions,
}

/// A file whose edits are refused, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditRefused {
    /// The path of the file.
    pub path: String,
    /// How many edits the whole request has, over all its files, so that an answer can say "edit 2 of 3".
    pub edits: usize,
    /// The content of the file as it is now.
    pub document: Document,
    /// Why the edits are refused.
    pub error: Error,
}

impl FilesError {
    /// Returns the code of the error, a stable name for programs.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Step { reason, .. } => match reason {
                StepProblem::NotFound | StepProblem::NewFile => Code::FileNotFound,
                StepProblem::Exists => Code::FileExists,
                StepProblem::Conflicting => Code::ConflictingOperations,
                StepProblem::TwoRevisions => Code::BadRequest,
            },
            Self::Edits { first, .. } => first.error.code(),
        }
    }

    /// Returns the path of the file that the error is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::Step { path, .. } => path,
            Self::Edits { first, .. } => &first.path,
        }
    }
}

/// Writes the path and the error's code. Sentences for readers are made in `hashline-wire`.
impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path(), self.code())
    }
}

impl std::error::Error for FilesError {}
