//! Commits: new bytes take the place of old ones, whole or not at all.
//!
//! One file is one swap and needs no journal ([`one_file`]). Several files are written down first ([`journal`]), staged, swapped one
//! after the other, and count as done when the journal has its last name ([`several`]). What a dead process left is settled by the
//! next one ([`recover`]).

mod area;
mod entry;
mod in_place;
mod journal;
mod one_file;
mod recover;
mod settle;
mod several;
mod staging;

use std::io;

use crate::error::Error;
use crate::system::System;

pub(crate) use area::{AREA, Area, FoundArea};
pub(crate) use entry::{CommitAction, CommitEntry};
pub use hashline_core::recovered::Recovered;
pub(crate) use in_place::Copies;
pub(crate) use journal::MOST_ENTRIES;
pub(crate) use one_file::replace_one;
pub use recover::{ConflictChoice, Pending};
pub(crate) use recover::{Recovery, pending};
pub(crate) use several::{CommitSite, Planned, commit_several};
pub use staging::staging_name;
pub(crate) use staging::{is_staging_name, leftovers, move_leftovers};

/// What is promised when a commit is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives a power cut.
    #[default]
    Full,
    /// It survives the death of any process; nothing is synced.
    Fast,
}

impl Durability {
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

/// What became of what a commit displaced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cleanup {
    /// It is gone.
    Done,
    /// It could not be removed; the next command does it.
    Left,
}

/// Why a commit was not made.
#[derive(Debug)]
pub(crate) enum CommitFailure {
    /// Somebody wrote the file (by its place in the list) after it was read; it is as they left it.
    Changed(usize),
    /// The name of a new file was taken meanwhile.
    Taken(usize),
    /// The owner, permissions or attributes of the file cannot be kept.
    Metadata(usize),
    /// No file can be made in the directory.
    Closed(usize),
    /// The system refused; all is as it was.
    System(usize, &'static str, io::Error),
    /// The time was up before the first swap; all is as it was.
    Late(Error),
    /// The system refused, and then refused to take back what was done.
    Stuck,
}

impl CommitFailure {
    /// Returns which file it is about, by its place in the list.
    pub(crate) fn entry(&self) -> Option<usize> {
        match self {
            Self::Changed(at)
            | Self::Taken(at)
            | Self::Metadata(at)
            | Self::Closed(at)
            | Self::System(at, ..) => Some(*at),
            Self::Late(_) | Self::Stuck => None,
        }
    }
}
