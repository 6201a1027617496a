//! Commits: new bytes replace old ones, completely or not at all.
//!
//! New bytes are written to a staging file beside the target, which is then exchanged with the target in one system call, so that
//! every file is wholly old or wholly new at every moment. One file is one such swap and needs no journal ([`one_file`]).
//!
//! Several files need one ([`several`]): the journal says what will be done ([`journal`]), then all files are staged, then swapped one
//! after the other. The commit point is the rename of `journal` to `journal.done`. What a process left that died before it is undone,
//! after it is finished, by the next process ([`recover`], [`settle`]).
//!
//! A file that cannot be replaced by another one, such as one with several hard links, is overwritten instead ([`in_place`]).

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

/// What a successful answer promises.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives a power cut.
    #[default]
    Full,
    /// It survives the death of any process; nothing is synced.
    Fast,
}

impl Durability {
    // `Fast` leaves out the syncs and nothing else: the calls stay in the order that protects against a killed process.

    /// Makes the bytes of a file durable, if that is promised.
    fn sync<S: System>(self, system: &S, file: &S::File) -> io::Result<()> {
        match self {
            Self::Full => system.sync(file),
            Self::Fast => Ok(()),
        }
    }

    /// Makes the names in a directory durable, if that is promised.
    fn sync_dir<S: System>(self, system: &S, dir: &S::Dir) -> io::Result<()> {
        match self {
            Self::Full => system.sync_dir(dir),
            Self::Fast => Ok(()),
        }
    }
}

/// Whether the old files were removed after a commit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanup {
    /// They were.
    Done,
    /// One could not be removed; the next command does it.
    Left,
}

/// Why a commit was not made, and the file it failed at.
#[derive(Debug)]
pub(crate) struct CommitFailure {
    /// The index of the file in the list.
    pub(crate) entry: usize,
    pub(crate) why: CommitFault,
}

/// Why a commit was not made.
#[derive(Debug)]
pub(crate) enum CommitFault {
    /// Another program wrote the file after it was read. Its bytes were kept.
    Changed,
    /// The name of a new file is taken by now.
    Taken,
    /// The owner, permissions or attributes of the file cannot be kept.
    Metadata,
    /// No file can be created in the directory.
    Closed,
    /// A system call failed; all files are as they were.
    System(&'static str, io::Error),
    /// The time was up or the request was cancelled before the first swap; all files are as they were.
    Stopped(Error),
    /// A system call failed, and so did undoing what was done before it. Recovery has to finish it.
    Stuck,
}

impl CommitFault {
    /// Adds the index of the file in the commit.
    fn at(self, entry: usize) -> CommitFailure {
        CommitFailure { entry, why: self }
    }

    /// Returns a function that wraps the error of a system call, by what was being done.
    fn system(doing: &'static str) -> impl Fn(io::Error) -> Self + Copy {
        move |error| Self::System(doing, error)
    }
}
