//! What went wrong with the ledger or the counters, as data. None of it stops a read or an edit: what is not recorded counts as never
//! shown.

use std::io;
use std::path::PathBuf;

/// Something the ledger or the counters could not keep or could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateNote {
    /// The state directory is not the user's alone: nothing is kept.
    NotPrivate(NotPrivate),
    /// The record of a file was damaged; what came after the damage is forgotten.
    Damaged(Damaged),
    /// Another process held the ledger for too long; one thing was not written down.
    Busy,
    /// What was shown is too much for the bound; it was not written down.
    TooMuch,
    /// The session's name is too long to be kept; what it was shown was not written down.
    SessionTooLong,
    /// The system refused.
    System(Refused),
}

/// A directory that others could write to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotPrivate {
    /// Which one.
    pub path: PathBuf,
    /// What is wrong with it.
    pub why: Exposure,
}

/// Why a directory is not the user's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// It belongs to somebody else.
    Foreign,
    /// Its group or everybody may write to it.
    Writable,
    /// It is a link or no directory at all.
    NotADirectory,
}

/// A damaged record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damaged {
    /// The file it is about.
    pub path: PathBuf,
}

/// Something the system refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What was being done.
    pub doing: &'static str,
    /// Why not.
    pub kind: io::ErrorKind,
}
