//! What can go wrong with files on a disk, as data: `hashline-workspace` finds it out, `hashline-wire` puts it into words.
//!
//! Nothing here touches a disk.

use std::fmt;

use crate::text::{Document, LineSpan};

use crate::bad_config::{BadConfig, ConfigSource};

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
    pub fn code(&self) -> &'static str {
        match self {
            Self::BadPath(_) | Self::SeveralRoots(_) => "bad_path",
            Self::Outside(_) => "outside_root",
            Self::Protected(_) => "protected",
            Self::NotFound(_) => "file_not_found",
            Self::Exists(_) => "file_exists",
            Self::NotAFile(_) => "not_a_file",
            Self::Binary(_) => "binary",
            Self::Encoding(_) => "encoding",
            Self::TooLarge(_) | Self::TooLargeTogether(_) | Self::TooManyLines(_) => "too_large",
            Self::LineTooLong(_) => "line_too_long",
            Self::TooMany(_) | Self::TooManyOpen(_) => "too_many",
            Self::ReadOnly(_) => "read_only",
            Self::HardLinked(_) => "hardlinked",
            Self::CannotReplace(_) => "cannot_replace",
            Self::Busy(_) => "busy",
            Self::Unstable(_) => "unstable",
            Self::Changed(_) => "stale",
            Self::Timeout(_) => "timeout",
            Self::Cancelled => "cancelled",
            Self::NeedsRecovery(_) => "needs_recovery",
            Self::RecoveryConflict(_) => "recovery_conflict",
            Self::Internal(_) => "internal",
            Self::BadConfig(_) => "bad_config",
            Self::BadPattern(_) => "bad_pattern",
            Self::System(_) => "io",
        }
    }

    /// Tells whether the same request may be done if it is sent again.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(
            self,
            Self::Busy(_) | Self::Unstable(_) | Self::Changed(_) | Self::Timeout(_)
        )
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

impl fmt::Display for DiskError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BadPath(bad) => write!(f, "{:?} cannot name a file here", bad.path),
            Self::Outside(at) => write!(f, "{} lies outside", at.path),
            Self::Protected(at) => write!(f, "{} is protected", at.path),
            Self::NotFound(at) => write!(f, "there is no file {}", at.path),
            Self::Exists(at) => write!(f, "there is a file {} already", at.path),
            Self::NotAFile(at) => write!(f, "{} is no regular file", at.path),
            Self::Binary(at) => write!(f, "{} is binary", at.path),
            Self::Encoding(at) => write!(f, "{} is not UTF-8", at.path),
            Self::TooLarge(bound)
            | Self::TooLargeTogether(bound)
            | Self::TooManyLines(bound)
            | Self::LineTooLong(bound)
            | Self::TooMany(bound) => {
                write!(f, "{} are more than {}", bound.found, bound.most)
            }
            Self::TooManyOpen(open) => write!(f, "{} is one open file too many", open.path),
            Self::ReadOnly(at) => write!(f, "{} is read-only", at.path),
            Self::HardLinked(at) => write!(f, "{} has more than one name", at.path),
            Self::CannotReplace(cannot) => write!(f, "{} cannot be replaced", cannot.path),
            Self::Busy(at) => write!(f, "{} is locked", at.path),
            Self::Unstable(at) => write!(f, "{} keeps changing", at.path),
            Self::Changed(changed) => write!(f, "{} keeps changing", changed.path),
            Self::Timeout(timeout) => write!(f, "it took longer than {} ms", timeout.most),
            Self::Cancelled => f.write_str("it was cancelled"),
            Self::Internal(left) => {
                write!(
                    f,
                    "the program failed while it changed {}",
                    left.paths.join(", ")
                )
            }
            Self::NeedsRecovery(left) | Self::RecoveryConflict(left) => {
                write!(f, "a broken request left {}", left.paths.join(", "))
            }
            Self::SeveralRoots(at) => write!(f, "{} lies in another root", at.path),
            Self::BadConfig(_) => write!(f, "the configuration cannot be used"),
            Self::BadPattern(bad) => write!(f, "{:?} cannot be searched for", bad.text),
            Self::System(trouble) => {
                write!(f, "{}: {}: {}", trouble.path, trouble.doing, trouble.reason)
            }
        }
    }
}

impl std::error::Error for DiskError {}
