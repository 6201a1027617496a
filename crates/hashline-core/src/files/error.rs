//! Why a request over files is refused.

use std::fmt;

use crate::code::Code;
use crate::edit::EditNo;
use crate::error::Error;
use crate::text::Document;

/// Why a request was refused. Nothing was done to any file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FilesError {
    /// A step names a file that is not there.
    NotFound(FileTrouble),
    /// A step makes a file that is there already.
    Exists(FileTrouble),
    /// A step edits lines of a file that the request also makes or deletes.
    Conflicting(FileTrouble),
    /// The edits of one file are refused.
    Edit(Box<EditRefused>),
}

/// The step and the file that are in trouble.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileTrouble {
    /// The step.
    pub step: EditNo,
    /// The file.
    pub path: String,
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
    /// The other files of the request whose edits are refused as well, in its order: whoever sends all of it again needs their lines
    /// too. These have no others of their own.
    pub also: Vec<EditRefused>,
}

impl EditRefused {
    /// Lists the file and the others that are refused with it.
    pub fn each(&self) -> impl Iterator<Item = &Self> {
        std::iter::once(self).chain(&self.also)
    }
}

impl FilesError {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::NotFound(_) => Code::FileNotFound,
            Self::Exists(_) => Code::FileExists,
            Self::Conflicting(_) => Code::ConflictingOperations,
            Self::Edit(refused) => refused.error.code(),
        }
    }

    /// Returns the file it is about.
    #[must_use]
    pub fn path(&self) -> &str {
        match self {
            Self::NotFound(step) | Self::Exists(step) | Self::Conflicting(step) => &step.path,
            Self::Edit(refused) => &refused.path,
        }
    }
}

/// The path and the code. Sentences for readers are made in `hashline-wire`.
impl fmt::Display for FilesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.path(), self.code())
    }
}

impl std::error::Error for FilesError {}
