//! What went wrong with the ledger or the counters, as data. It never fails a read or an edit: what is not recorded counts as never shown.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The most notes that are kept for a caller who never takes them.
const MOST_NOTES: usize = 32;

/// Something the ledger or the counters could not keep or could not read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateNote {
    /// Others can write to the state directory, so nothing is kept in it.
    NotPrivate {
        /// The directory.
        path: PathBuf,
        /// What is wrong with it.
        why: Exposure,
    },
    /// The record of a file was damaged; what came after the damage is lost.
    Damaged {
        /// The file.
        path: PathBuf,
    },
    /// Another process held the lock for too long; something was not recorded.
    Busy,
    /// What was shown is larger than the limit of the ledger; it was not recorded.
    TooMuch,
    /// The name of the session is too long; what it was shown was not recorded.
    SessionTooLong,
    /// A system call failed.
    System {
        /// What was being done.
        doing: &'static str,
        /// The kind of error.
        kind: io::ErrorKind,
    },
}

/// Why a directory is not the user's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// It belongs to another user.
    Foreign,
    /// Its group or everybody may write to it.
    Writable,
    /// It is a link, or not a directory.
    NotADirectory,
}

/// The notes since they were last taken, each once.
#[derive(Debug, Default)]
pub(crate) struct StateNotes(Mutex<Vec<StateNote>>);

impl StateNotes {
    pub(crate) fn add(&self, note: StateNote) {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if notes.len() < MOST_NOTES && !notes.contains(&note) {
            notes.push(note);
        }
    }

    pub(crate) fn take(&self) -> Vec<StateNote> {
        let mut notes = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::take(&mut *notes)
    }
}
