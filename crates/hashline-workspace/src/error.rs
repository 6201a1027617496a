//! Why a request was not carried out, as data: what can go wrong with files, or what the engine says. `hashline-session` puts it into
//! words.

use std::fmt;
use std::io;

use hashline_core::Code;
use hashline_core::files::FilesError;
use hashline_core::text::{Document, LineSpan};

use crate::config::bad_config::{BadConfig, ConfigSource};
use crate::system::refusal;

/// The name of this error inside the crate.
pub(crate) type Error = DiskError;

/// Why a request was not carried out, and the file it is about. Nothing was written, unless [`DiskError::may_have_written`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskError {
    /// The file, by the path the caller used; `None` if it is not about a single file.
    pub path: Option<String>,
    /// What is wrong.
    pub why: DiskFault,
}

/// What can be wrong with a file, a request over files, or the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// The path cannot name a file here.
    BadPath(PathFault),
    /// The path leads out of every root.
    Outside,
    /// No edit may write the file.
    Protected,
    /// There is no such file.
    NotFound,
    /// There is such a file already.
    Exists,
    /// It is not a regular file but a directory, a pipe, a device.
    NotAFile,
    /// It contains NUL bytes.
    Binary,
    /// It is text in an encoding other than UTF-8.
    Encoding,
    /// It has more bytes than the limit.
    TooLarge(Excess),
    /// The files of the request together have more bytes than the limit. Without a path: the files as they would be written.
    TooLargeTogether(Excess),
    /// It has more lines than the limit for a file of its size.
    TooManyLines(Excess),
    /// One of its lines has more bytes than the limit.
    LineTooLong(Excess),
    /// The request names more files than the limit.
    TooMany(Excess),
    /// The system lets the process open no more files.
    TooManyOpen {
        /// How many files the request names.
        files: usize,
    },
    /// It has no write permission for anybody.
    ReadOnly,
    /// It has more than one hard link.
    HardLinked,
    /// It cannot be replaced without losing something.
    CannotReplace(Loss),
    /// Another process held a lock for too long.
    Busy,
    /// It kept changing while it was read.
    Unstable,
    /// Twice, another program wrote it after it was read and before it was to be written. Holds the file as it is now, if it still
    /// exists.
    Changed(Option<Box<Fresh>>),
    /// The request took longer than the limit, usually because it waited for others.
    Timeout {
        /// The limit in milliseconds.
        most: u64,
    },
    /// The caller cancelled the request before anything was written.
    Cancelled,
    /// A commit failed, and so did undoing it: these files have to be recovered first.
    NeedsRecovery(Vec<String>),
    /// An earlier request was interrupted, and another program changed these files of it since.
    RecoveryConflict(Vec<String>),
    /// The program panicked while it worked on these files. What was half done has been undone.
    Internal(Vec<String>),
    /// The request names files in two roots, which cannot be written all or none.
    SeveralRoots,
    /// The configuration cannot be used.
    BadConfig(Box<BadConfig>),
    /// A part of a search cannot be used.
    BadPattern(BadPattern),
    /// A system call failed.
    System {
        /// What was being done.
        doing: &'static str,
        /// The message of the system.
        reason: String,
    },
}

/// Why a path is refused before the disk is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// It is empty.
    Empty,
    /// It contains a NUL byte.
    Nul,
    /// It has more than 4096 bytes, or a name in it more than 255.
    TooLong,
    /// It ends in a slash, so it names a directory.
    TrailingSlash,
    /// It contains `..`.
    Upward,
    /// A name in it is not a directory, or its links form a loop.
    NoDirectory,
    /// It is a link that would be moved or deleted. Moving the file it points to instead would be a surprise.
    Link,
}

/// A number that is over its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The number.
    pub found: u64,
    /// The limit.
    pub most: u64,
}

/// What would be lost if a file were replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// Its setuid or setgid bit.
    SpecialMode,
    /// Its owner, permissions, access list or attributes: they cannot be given to another file.
    Metadata,
    /// Its mount: the name is a mount point, and no other file can take it.
    MountPoint,
    /// Nothing, but no file can be created in its directory.
    Directory,
}

/// A file as it is now, and the lines of it that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// The file.
    pub document: Document,
    /// The lines.
    pub spans: Vec<LineSpan>,
}

/// A part of a search that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// Which part.
    pub part: PatternPart,
    /// What was sent.
    pub text: String,
    /// Why not.
    pub why: PatternFault,
}

/// Which part of a search cannot be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternPart {
    /// What is searched for.
    Pattern,
    /// A glob for the names of files.
    Glob,
    /// The name of a file type.
    FileType,
}

/// Why a part of a search cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// It has more bytes than the limit.
    TooLong {
        /// The limit.
        most: usize,
    },
    /// It needs more memory than the limit.
    TooBig {
        /// The limit in bytes.
        most: usize,
    },
    /// It could match the end of a line, and lines are searched one by one.
    LineEnd,
    /// There is no such file type.
    Unknown,
    /// It is not well-formed.
    Malformed {
        /// The message of the library that parses it.
        reason: String,
    },
}

/// Why a request was not carried out: the disk refuses, or the engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The files cannot be read or written as the request asks.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The engine refuses the edits.
    #[error(transparent)]
    Edits(#[from] FilesError),
}

impl DiskFault {
    /// Names the file that it is about.
    pub fn at(self, path: impl Into<String>) -> DiskError {
        DiskError {
            path: Some(path.into()),
            why: self,
        }
    }

    /// Returns the stable code of the error.
    fn code(&self) -> Code {
        match self {
            Self::BadPath(_) | Self::SeveralRoots => Code::BadPath,
            Self::Outside => Code::OutsideRoot,
            Self::Protected => Code::Protected,
            Self::NotFound => Code::FileNotFound,
            Self::Exists => Code::FileExists,
            Self::NotAFile => Code::NotAFile,
            Self::Binary => Code::Binary,
            Self::Encoding => Code::Encoding,
            Self::TooLarge(_) | Self::TooLargeTogether(_) | Self::TooManyLines(_) => Code::TooLarge,
            Self::LineTooLong(_) => Code::LineTooLong,
            Self::TooMany(_) | Self::TooManyOpen { .. } => Code::TooMany,
            Self::ReadOnly => Code::ReadOnly,
            Self::HardLinked => Code::Hardlinked,
            Self::CannotReplace(_) => Code::CannotReplace,
            Self::Busy => Code::Busy,
            Self::Unstable => Code::Unstable,
            Self::Changed(_) => Code::Stale,
            Self::Timeout { .. } => Code::Timeout,
            Self::Cancelled => Code::Cancelled,
            Self::NeedsRecovery(_) => Code::NeedsRecovery,
            Self::RecoveryConflict(_) => Code::RecoveryConflict,
            Self::Internal(_) => Code::Internal,
            Self::BadConfig(_) => Code::BadConfig,
            Self::BadPattern(_) => Code::BadPattern,
            Self::System { .. } => Code::Io,
        }
    }
}

impl Excess {
    /// Refuses a number that is over its limit.
    pub(crate) fn refuse(
        found: u64,
        most: u64,
        fault: impl FnOnce(Self) -> DiskFault,
    ) -> Result<(), DiskFault> {
        if found <= most {
            Ok(())
        } else {
            Err(fault(Self { found, most }))
        }
    }
}

/// An error that is not about a single file, or names its files itself.
impl From<DiskFault> for DiskError {
    fn from(why: DiskFault) -> Self {
        let path = match &why {
            DiskFault::NeedsRecovery(paths)
            | DiskFault::RecoveryConflict(paths)
            | DiskFault::Internal(paths) => paths.first().cloned(),
            DiskFault::BadConfig(bad) => match &bad.source {
                ConfigSource::Root(path) => Some(path.clone()),
                ConfigSource::User | ConfigSource::Start => None,
            },
            _ => None,
        };
        Self { path, why }
    }
}

impl DiskError {
    /// Returns the stable code of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        self.why.code()
    }

    /// Returns whether something may have been written nevertheless.
    #[must_use]
    pub fn may_have_written(&self) -> bool {
        matches!(
            self.why,
            DiskFault::NeedsRecovery(_) | DiskFault::Internal(_)
        )
    }

    /// Returns the lines that matter as they are now, if the error has them.
    #[must_use]
    pub fn fresh(&self) -> Option<&Fresh> {
        match &self.why {
            DiskFault::Changed(now) => now.as_deref(),
            _ => None,
        }
    }

    /// Adds how many files the request names, which explains why too many are open.
    pub(crate) fn of_several(mut self, request_files: usize) -> Self {
        if let DiskFault::TooManyOpen { files } = &mut self.why {
            *files = request_files;
        }
        self
    }
}

/// The code and the path. Sentences for people are made in `hashline-session`.
impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.path {
            Some(path) => write!(f, "{}: {path}", self.code()),
            None => self.code().fmt(f),
        }
    }
}

impl std::error::Error for DiskError {}

impl ApplyError {
    /// Returns the stable code of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Disk(error) => error.code(),
            Self::Edits(error) => error.code(),
        }
    }
}

/// Returns the error for a failed system call, by what was being done to which file.
pub(crate) fn io_error(path: &str, doing: &'static str, error: &io::Error) -> DiskError {
    let why = if refusal::is_too_many_open(error) {
        DiskFault::TooManyOpen { files: 1 }
    } else {
        DiskFault::System {
            doing,
            reason: error.to_string(),
        }
    };
    why.at(path)
}
