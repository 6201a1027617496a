//! Commits: files get their new bytes, all of them or none.
//!
//! New bytes are written to a staging file beside the target, which is then exchanged with the target in one system call, so that
//! every file is wholly old or wholly new at every moment. A commit of one file is one such swap and needs no journal ([`one_file`]).
//!
//! A commit of several files needs a journal ([`several`]): the journal lists what will be done ([`journal`]), then all files are staged,
//! then swapped one after the other. The commit point is the rename of `journal` to `journal.done`. If a process dies before the commit
//! point, the next process undoes the commit (or finishes it, if all files were replaced already); if it dies after the commit point, the
//! next process only cleans up ([`recover`], [`settle`]).
//!
//! A file that cannot be replaced by a new one, such as a file with several hard links, is overwritten instead ([`in_place`]).

mod area;
mod entry;
mod in_place;
mod journal;
mod one_file;
mod recover;
mod settle;
mod several;
mod staging;
mod whole_files;

use std::io;

use crate::error::Error;
use crate::system::System;

pub(crate) use area::{AREA, Area, FoundArea};
pub(crate) use entry::{CommitAction, CommitEntry};
pub(crate) use in_place::Copies;
pub(crate) use journal::MOST_ENTRIES;
pub(crate) use one_file::replace_one;
pub use recover::{ConflictChoice, Pending, Recovered};
pub(crate) use recover::{Recovery, pending};
pub(crate) use several::{CommitSite, Planned, commit_several};
pub use staging::staging_name;
pub(crate) use staging::{is_staging_name, leftovers, move_leftovers};
pub use whole_files::{ReplaceError, WholeFile, replace_files};

/// What a successful commit survives.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// A commit survives a power cut: files and directories are synced.
    #[default]
    Full,
    /// A commit survives the death of any process, but not a power cut, because nothing is synced.
    Fast,
}

impl Durability {
    // `Fast` leaves out the syncs and nothing else: the calls stay in the order that protects against a killed process.

    /// Syncs the bytes of a file; does nothing with `Fast`.
    fn sync<S: System>(self, system: &S, file: &S::File) -> io::Result<()> {
        match self {
            Self::Full => system.sync(file),
            Self::Fast => Ok(()),
        }
    }

    /// Syncs the names in a directory; does nothing with `Fast`.
    fn sync_dir<S: System>(self, system: &S, dir: &S::Dir) -> io::Result<()> {
        match self {
            Self::Full => system.sync_dir(dir),
            Self::Fast => Ok(()),
        }
    }
}

/// Whether the displaced old files were removed after a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanup {
    /// All old files were removed.
    Done,
    /// An old file could not be removed; the next command removes it.
    Left,
}

/// Why a commit failed, and at which file.
#[derive(Debug)]
pub(crate) struct CommitFailure {
    /// The index of the file in the list of files to commit.
    pub(crate) entry: usize,
    pub(crate) why: CommitFault,
}

/// Why a commit failed.
#[derive(Debug)]
pub(crate) enum CommitFault {
    /// Another program wrote the file after it was read. The other program's bytes were kept.
    Changed,
    /// A file that was to be created already exists.
    Taken,
    /// The owner, permissions or attributes of the old file cannot be given to the new one.
    Metadata,
    /// We have no permission to create files in the directory.
    Closed,
    /// A system call failed; the text names the step. All files are unchanged.
    System(&'static str, io::Error),
    /// The deadline passed or the request was cancelled before the first file was replaced; all files are as they were.
    Stopped(Error),
    /// A system call failed, and so did undoing the steps before it. Recovery has to undo or finish the commit.
    Stuck,
}

impl CommitFault {
    /// Adds the index of the file in the commit to the fault.
    fn at(self, entry: usize) -> CommitFailure {
        CommitFailure { entry, why: self }
    }

    /// Returns a function that wraps the I/O error of a failed step; `doing` describes the step.
    fn system(doing: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::System(doing, error)
    }
}
