//! Why a request was not carried out, as data: an error of the disk, or a refusal of the editing engine. `hashline-session` turns these
//! errors into sentences.

use std::fmt;
use std::io;

use hashline_core::Code;
use hashline_core::files::FilesError;
use hashline_core::text::{Document, LineSpan};

use crate::config::bad_config::{BadConfig, ConfigSource};
use crate::encoding::EncodingFault;
use crate::system::refusal;

/// Short name of [`DiskError`] for use inside this crate.
pub(crate) type Error = DiskError;

/// Why a request was not carried out, and the file at fault. Nothing was written, unless [`DiskError::may_have_written`] returns `true`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiskError {
    /// The file at fault, by the path the caller used; `None` if the error is not about a single file.
    pub path: Option<String>,
    /// The kind of error, and its details.
    pub why: DiskFault,
}

/// What can be wrong with a file, a request over files, or the disk.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskFault {
    /// The path cannot name a file of a workspace.
    BadPath(PathFault),
    /// The path leads out of every root.
    Outside,
    /// The file is protected: no edit may write it.
    Protected,
    /// The file does not exist.
    NotFound,
    /// A file that the request creates exists already.
    Exists,
    /// The path names a directory, a pipe or a device, not a regular file.
    NotAFile,
    /// The file contains NUL bytes.
    Binary,
    /// The file, or the new content, does not fit its encoding, or the encoding is not known.
    Encoding(EncodingFault),
    /// The file has more bytes than the limit.
    TooLarge(Excess),
    /// The files of the request together have more bytes than the limit. If the error has no path, the files as they would be written are
    /// too large.
    TooLargeTogether(Excess),
    /// The file has more lines than the limit for a file of its size.
    TooManyLines(Excess),
    /// A line of the file has more bytes than the limit.
    LineTooLong(Excess),
    /// With the edits of the request, the file would be over this limit ([`DiskFault::TooLarge`], [`DiskFault::TooManyLines`] or
    /// [`DiskFault::LineTooLong`]) and could not be read again.
    WouldBe(Box<DiskFault>),
    /// The request names more files than the limit, or would create more directories than the limit.
    TooMany(Excess),
    /// The process has as many open files as the system allows.
    TooManyOpen {
        /// How many files the request names.
        files: usize,
    },
    /// The file has no write permission bits, or the file system is read-only.
    ReadOnly,
    /// The file has more than one hard link.
    HardLinked,
    /// Two paths of the request lead to one file, as through a bind mount.
    SameFile {
        /// The other path, as the request has it.
        other: String,
    },
    /// Two paths of the request lead to one file, and the request does not say the same about its bytes for both.
    TwoPaths {
        /// The other path, as the request has it.
        other: String,
        /// The field that differs: `rev` or `file_hash`.
        field: &'static str,
    },
    /// The file cannot be replaced without losing a property, or cannot be replaced at all.
    CannotReplace(Loss),
    /// Another process held a lock for too long.
    Busy,
    /// The file kept changing while it was read.
    Unstable,
    /// Twice, another program wrote the file between our read and our commit. Holds the file as it is now, if it still
    /// exists.
    Changed(Option<Box<Fresh>>),
    /// The request took longer than the limit, usually because it waited for a lock.
    Timeout {
        /// The limit in milliseconds.
        most: u64,
    },
    /// The caller cancelled the request before anything was written.
    Cancelled,
    /// A commit failed, and so did undoing it: these files have to be recovered first.
    NeedsRecovery(Vec<String>),
    /// The commit of an earlier request was interrupted, and another program changed these files of that commit since.
    RecoveryConflict(Vec<String>),
    /// The program panicked while it worked on these files. A commit that was half done has been undone.
    Internal(Vec<String>),
    /// The request names files in two roots, which cannot be committed together.
    SeveralRoots,
    /// The change needs a journal, and the file is on another file system than the journal of its root.
    OtherDevice,
    /// The configuration is invalid.
    BadConfig(Box<BadConfig>),
    /// The pattern, a glob or a file type of a search is invalid.
    BadPattern(BadPattern),
    /// A system call failed.
    System {
        /// What was being done, such as "opening the file".
        doing: &'static str,
        /// The message of the operating system.
        reason: String,
    },
}

/// Why a path is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// The path is empty.
    Empty,
    /// The path contains a NUL byte.
    Nul,
    /// The path has more than 4096 bytes, or a name in the path has more than 255.
    TooLong,
    /// The path ends in a slash, so it names a directory.
    TrailingSlash,
    /// The path contains `..`.
    Upward,
    /// A parent in the path is not a directory, or symbolic links in the path form a loop.
    NoDirectory,
    /// The path is a symbolic link that would be moved or deleted. Moving the file that the link points to instead would be a surprise.
    Link,
}

/// A number that is over its limit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Excess {
    /// The number that was found.
    pub found: u64,
    /// The limit, which itself is still allowed.
    pub most: u64,
}

/// What would be lost if a file were replaced by a new file, or why it cannot be replaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// The setuid or setgid bit of the file.
    SpecialMode,
    /// The owner, permissions, access control list or attributes of the file, which cannot be given to the new file.
    Metadata,
    /// The mount: the path is a mount point, and no other file can take its place.
    MountPoint,
    /// Nothing would be lost, but no file can be created in the directory.
    Directory,
}

/// A file as it is now, and the lines of it that the refused request would have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// The content of the file.
    pub document: Document,
    /// The lines around the refused edits.
    pub spans: Vec<LineSpan>,
}

/// The part of a search query that is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPattern {
    /// Which part of the query is invalid.
    pub part: PatternPart,
    /// The text of that part, as the caller sent it.
    pub text: String,
    /// Why the part is invalid.
    pub why: PatternFault,
}

/// A part of a search query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatternPart {
    /// The text or regular expression to search for.
    Pattern,
    /// A glob that selects files by name.
    Glob,
    /// The name of a file type, such as `rust`.
    FileType,
}

/// Why a part of a search query is invalid.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// The part has more bytes than the limit.
    TooLong {
        /// The limit in bytes.
        most: usize,
    },
    /// The compiled regular expression needs more memory than the limit.
    TooBig {
        /// The limit in bytes.
        most: usize,
    },
    /// The pattern could match the end of a line, but lines are searched one by one, without their ends.
    LineEnd,
    /// There is no file type with that name.
    Unknown,
    /// The pattern or glob has a syntax error.
    Malformed {
        /// The message of the library that parses the pattern.
        reason: String,
    },
}

/// Why a request was not carried out: an error of the disk, or a refusal of the editing engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ApplyError {
    /// The files cannot be read or written as the request asks.
    #[error(transparent)]
    Disk(#[from] DiskError),
    /// The engine refuses the edits, for example because an anchor is stale.
    #[error(transparent)]
    Edits(#[from] FilesError),
}

impl DiskFault {
    /// Adds the path of the file at fault.
    pub fn at(self, path: impl Into<String>) -> DiskError {
        DiskError {
            path: Some(path.into()),
            why: self,
        }
    }

    /// Returns the stable code of the error, as it appears in answers.
    fn code(&self) -> Code {
        match self {
            Self::BadPath(_) | Self::SeveralRoots | Self::OtherDevice => Code::BadPath,
            Self::Outside => Code::OutsideRoot,
            Self::Protected => Code::Protected,
            Self::NotFound => Code::FileNotFound,
            Self::Exists => Code::FileExists,
            Self::NotAFile => Code::NotAFile,
            Self::Binary => Code::Binary,
            Self::Encoding(_) => Code::Encoding,
            Self::TooLarge(_) | Self::TooLargeTogether(_) | Self::TooManyLines(_) => Code::TooLarge,
            Self::LineTooLong(_) => Code::LineTooLong,
            Self::WouldBe(why) => why.code(),
            Self::TooMany(_) | Self::TooManyOpen { .. } => Code::TooMany,
            Self::ReadOnly => Code::ReadOnly,
            Self::HardLinked | Self::SameFile { .. } => Code::Hardlinked,
            Self::TwoPaths { .. } => Code::BadRequest,
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
    /// Returns `Ok` if `found` is at most `most`, else an error made by `fault`.
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

/// Converts an error that is not about a single file, or that lists its files itself (then the first of them is the path).
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
    /// Returns the stable code of the error, as it appears in answers.
    #[must_use]
    pub fn code(&self) -> Code {
        self.why.code()
    }

    /// Returns whether files may have been written although the request failed.
    #[must_use]
    pub fn may_have_written(&self) -> bool {
        matches!(
            self.why,
            DiskFault::NeedsRecovery(_) | DiskFault::Internal(_)
        )
    }

    /// Returns the file as it is now and the lines around the refused edits, if the error is [`DiskFault::Changed`].
    #[must_use]
    pub fn fresh(&self) -> Option<&Fresh> {
        match &self.why {
            DiskFault::Changed(now) => now.as_deref(),
            _ => None,
        }
    }

    /// Sets how many files the request names, which explains why too many files are open.
    pub(crate) fn of_several(mut self, request_files: usize) -> Self {
        if let DiskFault::TooManyOpen { files } = &mut self.why {
            *files = request_files;
        }
        self
    }
}

/// Writes the code and the path. Sentences for users are made in `hashline-session`.
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
    /// Returns the stable code of the error, as it appears in answers.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::Disk(error) => error.code(),
            Self::Edits(error) => error.code(),
        }
    }
}

/// Returns the error for a failed system call; `doing` describes the call and `path` is the file.
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
