//! Commits: new bytes take the place of old ones, whole or not at all.
//!
//! One file is one swap and needs no journal ([`one_file`]). Several files are written down first ([`journal`]), staged, swapped one
//! after the other, and count as done when the journal has its last name ([`several`]). What a dead process left is settled by the
//! next one ([`recover`]).

mod entry;
mod journal;
mod one_file;
mod recover;
mod several;
mod staging;

use std::io;

pub(crate) use entry::{Entry, Work};
pub(crate) use journal::Area;
pub(crate) use one_file::replace_one;
pub use recover::{Recovered, Settle};
pub(crate) use recover::{pending, recover};
pub(crate) use several::{Planned, Site, commit_several};
pub use staging::staging_name;
pub(crate) use staging::{is_staging_name, move_leftovers};

/// What is promised when a commit is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Durability {
    /// It survives a power cut.
    #[default]
    Full,
    /// It survives the death of any process; nothing is synced.
    Fast,
}

/// Why a commit was not made.
#[derive(Debug)]
pub(crate) enum Failed {
    /// Somebody wrote the file (by its place in the list) after it was read; it is as they left it.
    Changed(usize),
    /// The name of a new file was taken meanwhile.
    Taken(usize),
    /// The owner, permissions or attributes of the file cannot be kept.
    Metadata(usize),
    /// The system refused; all is as it was.
    System(usize, &'static str, io::Error),
    /// The system refused, and then refused to take back what was done.
    Stuck,
}
