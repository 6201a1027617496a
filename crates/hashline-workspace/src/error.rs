//! Why a request was not carried out: the disk, or the engine.

use std::fmt;
use std::io;

pub use hashline_core::disk::{
    At, BadPath, BadPattern, Bound, CannotReplace, Changed, DiskError, Fresh, Loss, PathFault,
    PatternFault, PatternPart, SystemTrouble, Timeout, TooManyOpen, Unsettled,
};
use hashline_core::disk_note::DiskNote;
use hashline_core::files::FilesError;

use crate::system::refusal;

/// What the rooms of this crate say to each other.
pub(crate) type Error = DiskError;

/// A request that was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplied {
    /// Why.
    pub why: WhyNot,
    /// What there is to know beside: what was settled before it is told here, and never again.
    pub notes: Vec<DiskNote>,
}

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyNot {
    /// The files cannot be read or written so.
    Disk(DiskError),
    /// The engine refuses the edits.
    Refused(FilesError),
}

impl NotApplied {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match &self.why {
            WhyNot::Disk(error) => error.code(),
            WhyNot::Refused(error) => error.code(),
        }
    }
}

impl From<WhyNot> for NotApplied {
    fn from(why: WhyNot) -> Self {
        let notes = Vec::new();
        Self { why, notes }
    }
}

impl From<DiskError> for NotApplied {
    fn from(error: DiskError) -> Self {
        WhyNot::Disk(error).into()
    }
}

impl From<DiskError> for WhyNot {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

impl From<FilesError> for WhyNot {
    fn from(error: FilesError) -> Self {
        Self::Refused(error)
    }
}

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.why {
            WhyNot::Disk(error) => error.fmt(f),
            WhyNot::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NotApplied {}

/// Says what was being done to which file when the system refused.
pub(crate) fn io_error(path: &str, doing: &'static str, error: &io::Error) -> DiskError {
    if refusal::is_too_many_open(error) {
        return DiskError::TooManyOpen(TooManyOpen {
            path: path.to_owned(),
            files: 1,
        });
    }
    DiskError::System(SystemTrouble {
        path: path.to_owned(),
        doing,
        reason: error.to_string(),
    })
}

/// Says how many files the request names, where that matters.
pub(crate) fn naming(files: usize, error: DiskError) -> DiskError {
    match error {
        DiskError::TooManyOpen(open) => DiskError::TooManyOpen(TooManyOpen { files, ..open }),
        error => error,
    }
}
