//! Why a request was not carried out, as data: what can go wrong with files, or what the engine says. `hashline-session` puts it into
//! words.

use std::fmt;
use std::io;

use hashline_core::Code;
use hashline_core::files::FilesError;
use hashline_core::text::{Document, LineSpan};

use crate::config::bad_config::{BadConfig, ConfigSource};
use crate::disk_note::DiskNote;
use crate::system::refusal;

/// The name of this error inside the crate.
pub(crate) type Error = DiskError;

/// Why a request was not done. Unless it says otherwise, nothing was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiskError {
    /// The path cannot name a file here.
    BadPath(BadPath),
    /// The path leads out of every root.
    Outside(At),
    /// The file may not be written by an edit.
    Protected(At),
    /// There is no such file.
    NotFound(At),
    /// There is such a file already.
    Exists(At),
    /// It is a directory, a pipe, a device: not a regular file.
    NotAFile(At),
    /// It holds NUL bytes.
    Binary(At),
    /// It is text of another encoding than UTF-8.
    Encoding(At),
    /// It is larger than is taken.
    TooLarge(Bound),
    /// The files of the request, together, are larger than is taken; without a path it is what would be written.
    TooLargeTogether(Bound),
    /// It has more lines than are taken of a file of its size.
    TooManyLines(Bound),
    /// One of its lines is longer than is taken.
    LineTooLong(Bound),
    /// The request names more files than are taken.
    TooMany(Bound),
    /// The system lets the program open no more files at once.
    TooManyOpen(TooManyOpen),
    /// Nobody may write it.
    ReadOnly(At),
    /// It has more than one name.
    HardLinked(At),
    /// It cannot be replaced without losing something.
    CannotReplace(CannotReplace),
    /// Somebody else kept a lock for too long.
    Busy(At),
    /// It kept changing while it was read.
    Unstable(At),
    /// It changed twice between the moment it was read and the moment it was to be written.
    Changed(Box<Changed>),
    /// The request took longer than is allowed, most of it waiting for others.
    Timeout(Timeout),
    /// The caller took the request back before anything was written.
    Cancelled,
    /// A request was broken off and could not be taken back: what it left must be settled first.
    NeedsRecovery(Unsettled),
    /// A request was broken off, and somebody changed its files since.
    RecoveryConflict(Unsettled),
    /// The program itself failed in the middle of a request; what was half done was taken back.
    Internal(Unsettled),
    /// The request names files of two roots; it cannot be all or nothing.
    SeveralRoots(At),
    /// The configuration cannot be used.
    BadConfig(Box<BadConfig>),
    /// What is searched for, or where, is spelled so that nothing can be searched for.
    BadPattern(BadPattern),
    /// The system refuses.
    System(SystemTrouble),
}

/// The file it is about, by the path the caller used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct At {
    /// The path.
    pub path: String,
}

/// A path that cannot name a file here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadPath {
    /// The path.
    pub path: String,
    /// Why not.
    pub why: PathFault,
}

/// Why a path is refused before the disk is touched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathFault {
    /// It is empty.
    Empty,
    /// It holds a NUL byte.
    Nul,
    /// It has more than 4096 bytes, or a name in it more than 255.
    TooLong,
    /// It ends in a slash: that is a directory.
    TrailingSlash,
    /// It goes up with `..`.
    Upward,
    /// A name on the way is no directory, or its links go in a circle.
    NoDirectory,
    /// It is a link, and would be moved or deleted: what it leads to must not go in its place.
    Link,
}

/// Something that is larger than is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bound {
    /// The file, if it is about one.
    pub path: Option<String>,
    /// How much it is.
    pub found: u64,
    /// How much is taken.
    pub most: u64,
}

/// More files than the system lets the program open at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TooManyOpen {
    /// The file that could not be opened.
    pub path: String,
    /// How many files the request names.
    pub files: usize,
}

/// A file that cannot be replaced without losing something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CannotReplace {
    /// The file.
    pub path: String,
    /// What would be lost.
    pub why: Loss,
}

/// What would be lost by replacing a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Loss {
    /// It runs with the rights of its owner or group.
    SpecialMode,
    /// Its owner, permissions, access list or attributes cannot be given to another file.
    Metadata,
    /// Its name is a mount point: another file cannot take it.
    MountPoint,
    /// Nothing new can be put into its directory.
    Directory,
}

/// A file that somebody wrote at the same moment, twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changed {
    /// The path.
    pub path: String,
    /// The file as it is now, if it is still there.
    pub now: Option<Fresh>,
}

/// A file as it is now, and the lines of it that matter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fresh {
    /// The file.
    pub document: Document,
    /// The lines.
    pub spans: Vec<LineSpan>,
}

/// A request that took too long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Timeout {
    /// How long it may take, in milliseconds.
    pub most: u64,
}

/// What a broken request left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Unsettled {
    /// The files, by their paths in the root.
    pub paths: Vec<String>,
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
    /// What is looked for.
    Pattern,
    /// A glob for the names of files.
    Glob,
    /// The name of a type of files.
    FileType,
}

/// Why a part of a search cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternFault {
    /// It has more bytes than are taken.
    TooLong {
        /// How many are taken.
        most: usize,
    },
    /// It needs more memory than it may have.
    TooBig {
        /// How many bytes it may have.
        most: usize,
    },
    /// It could match the end of a line: lines are searched one by one.
    LineEnd,
    /// There is no such type of files.
    Unknown,
    /// It is not well-formed.
    Malformed {
        /// What is wrong with it, in the words of the library that reads it.
        reason: String,
    },
}

/// A call that failed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SystemTrouble {
    /// The file it was about.
    pub path: String,
    /// What was being done.
    pub doing: &'static str,
    /// What the system said.
    pub reason: String,
}

impl DiskError {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match self {
            Self::BadPath(_) | Self::SeveralRoots(_) => Code::BadPath,
            Self::Outside(_) => Code::OutsideRoot,
            Self::Protected(_) => Code::Protected,
            Self::NotFound(_) => Code::FileNotFound,
            Self::Exists(_) => Code::FileExists,
            Self::NotAFile(_) => Code::NotAFile,
            Self::Binary(_) => Code::Binary,
            Self::Encoding(_) => Code::Encoding,
            Self::TooLarge(_) | Self::TooLargeTogether(_) | Self::TooManyLines(_) => Code::TooLarge,
            Self::LineTooLong(_) => Code::LineTooLong,
            Self::TooMany(_) | Self::TooManyOpen(_) => Code::TooMany,
            Self::ReadOnly(_) => Code::ReadOnly,
            Self::HardLinked(_) => Code::Hardlinked,
            Self::CannotReplace(_) => Code::CannotReplace,
            Self::Busy(_) => Code::Busy,
            Self::Unstable(_) => Code::Unstable,
            Self::Changed(_) => Code::Stale,
            Self::Timeout(_) => Code::Timeout,
            Self::Cancelled => Code::Cancelled,
            Self::NeedsRecovery(_) => Code::NeedsRecovery,
            Self::RecoveryConflict(_) => Code::RecoveryConflict,
            Self::Internal(_) => Code::Internal,
            Self::BadConfig(_) => Code::BadConfig,
            Self::BadPattern(_) => Code::BadPattern,
            Self::System(_) => Code::Io,
        }
    }

    /// Tells whether something may have been written after all.
    #[must_use]
    pub fn may_have_written(&self) -> bool {
        matches!(self, Self::NeedsRecovery(_) | Self::Internal(_))
    }

    /// Returns the lines that matter as they are now, if the error carries them.
    #[must_use]
    pub fn fresh(&self) -> Option<&Fresh> {
        match self {
            Self::Changed(changed) => changed.now.as_ref(),
            _ => None,
        }
    }

    /// Returns the file it is about, if it is about one.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::BadPath(bad) => Some(&bad.path),
            Self::Outside(at)
            | Self::Protected(at)
            | Self::NotFound(at)
            | Self::Exists(at)
            | Self::NotAFile(at)
            | Self::Binary(at)
            | Self::Encoding(at)
            | Self::ReadOnly(at)
            | Self::HardLinked(at)
            | Self::Busy(at)
            | Self::Unstable(at)
            | Self::SeveralRoots(at) => Some(&at.path),
            Self::Changed(changed) => Some(&changed.path),
            Self::Timeout(_) | Self::Cancelled => None,
            Self::TooLarge(bound)
            | Self::TooLargeTogether(bound)
            | Self::TooManyLines(bound)
            | Self::LineTooLong(bound)
            | Self::TooMany(bound) => bound.path.as_deref(),
            Self::TooManyOpen(open) => Some(&open.path),
            Self::CannotReplace(cannot) => Some(&cannot.path),
            Self::NeedsRecovery(left) | Self::RecoveryConflict(left) | Self::Internal(left) => {
                left.paths.first().map(String::as_str)
            }
            Self::BadConfig(bad) => match &bad.source {
                ConfigSource::Root(path) => Some(path),
                ConfigSource::User | ConfigSource::Start => None,
            },
            Self::BadPattern(_) => None,
            Self::System(trouble) => Some(&trouble.path),
        }
    }
}

impl At {
    /// Names the file.
    pub fn new(path: impl Into<String>) -> Self {
        Self { path: path.into() }
    }
}

/// The code and the path. Sentences for people are made in `hashline-session`.
impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.path() {
            Some(path) => write!(f, "{}: {path}", self.code()),
            None => self.code().fmt(f),
        }
    }
}

impl std::error::Error for DiskError {}

/// A request that was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotApplied {
    /// Why.
    pub error: ApplyError,
    /// What there is to know about the disk. What was recovered before is told here, and never again.
    pub notes: Vec<DiskNote>,
}

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ApplyError {
    /// The files cannot be read or written so.
    Disk(DiskError),
    /// The engine refuses the edits.
    Edits(FilesError),
}

impl NotApplied {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        match &self.error {
            ApplyError::Disk(error) => error.code(),
            ApplyError::Edits(error) => error.code(),
        }
    }
}

impl From<ApplyError> for NotApplied {
    fn from(error: ApplyError) -> Self {
        let notes = Vec::new();
        Self { error, notes }
    }
}

impl From<DiskError> for NotApplied {
    fn from(error: DiskError) -> Self {
        ApplyError::Disk(error).into()
    }
}

impl From<DiskError> for ApplyError {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

impl From<FilesError> for ApplyError {
    fn from(error: FilesError) -> Self {
        Self::Edits(error)
    }
}

impl fmt::Display for NotApplied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.error {
            ApplyError::Disk(error) => error.fmt(f),
            ApplyError::Edits(error) => error.fmt(f),
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
