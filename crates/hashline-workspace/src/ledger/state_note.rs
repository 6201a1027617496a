//! Notes about what went wrong with the ledger or the counters, as data. Such an error never fails a read or an edit: lines that are not
//! recorded count as never shown.

use std::io;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// The maximum number of notes that are kept for a caller who never takes them.
const MOST_NOTES: usize = 32;

/// A note that the ledger or the counters could not write or read a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StateNote {
    /// Others can write to the state directory, so nothing is stored in it.
    NotPrivate {
        /// The state directory, or the folder in it.
        path: PathBuf,
        /// Why other users can change the directory.
        why: Exposure,
    },
    /// The log of a file was damaged; the records after the damage are lost.
    Damaged {
        /// The file whose history was damaged.
        path: PathBuf,
    },
    /// Another process held the lock of the ledger or the counters for too long; a record was not written.
    Busy,
    /// The record of shown lines is larger than the limit of the whole ledger, so it was not written.
    TooMuch,
    /// The name of the session is too long, so lines shown to it were not recorded.
    SessionTooLong,
    /// Redis did not answer, now or in the last second.
    RedisDown {
        /// The kind of I/O error.
        kind: io::ErrorKind,
    },
    /// Redis refused a command.
    RedisRefused {
        /// The code of the refusal, such as "OOM".
        code: String,
    },
    /// A system call failed.
    System {
        /// What was being done, such as "opening the ledger".
        doing: &'static str,
        /// The kind of I/O error.
        kind: io::ErrorKind,
    },
}

/// Why other users can change a directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exposure {
    /// The directory belongs to another user.
    Foreign,
    /// The directory is writable by its group or by everyone.
    Writable,
    /// The path is a symbolic link, or not a directory.
    NotADirectory,
}

/// The notes since they were last taken, without duplicates.
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
