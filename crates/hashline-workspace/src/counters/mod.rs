//! Counters for `hashline stats`: how many requests were done, refused and repaired, and how long they took.
//!
//! The counters are in the user's state directory, and have numbers and codes of our own, never text or paths of files. Many processes can count at
//! the same time without losing counts. An error of the counters never fails a request: it becomes a [`StateNote`]. One call counts a request:
//!
//! ```
//! use std::time::Duration;
//!
//! use hashline_workspace::counters::totals::Work;
//! use hashline_workspace::counters::{Counters, CountedEvent};
//!
//! # let Ok(folder) = tempfile::tempdir() else { return };
//! # let state = folder.path().to_path_buf();
//! let counters = Counters::new(state);
//! counters.record(&CountedEvent::done(Work::Read, Duration::from_millis(2)));
//! assert_eq!(counters.totals().works[&Work::Read].done, 1);
//! ```

mod store;
pub mod totals;

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use crate::counters::totals::{Totals, Work};
use hashline_core::files::FilesEdited;
use hashline_core::{Code, Rule};

use crate::error::{ApplyError, DiskError};
use crate::ledger::{StateNote, StateNotes, open_state, system};
use crate::lock::Turns;
use crate::system::{IfMissing, Share};
use store::{Counts, StoredCounts};

/// The name of the counters' file in the state directory. A new format gets a new name.
const FILE: &str = "counters-1";
/// How long to wait for other processes that lock the file.
const WAIT: Duration = Duration::from_secs(2);

/// The counters of one user, shared by all processes.
#[derive(Debug, Default)]
pub struct Counters {
    /// The state directory; `None` if counting is off.
    state: Option<PathBuf>,
    notes: StateNotes,
}

/// The queue of this process for the lock of the file, which all its workspaces share.
static TURNS: Turns = Turns::new();

/// One request to count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountedEvent {
    /// The kind of request.
    pub work: Work,
    /// The error code of the refusal; `None` if the request succeeded.
    pub refused: Option<Code>,
    /// The repairs that were made to new text, by rule.
    pub repairs: Vec<Rule>,
    /// How many lines that the request named had moved since they were shown.
    pub moved: usize,
    /// How long the request took, by the caller's clock.
    pub took: Duration,
}

impl Counters {
    /// Returns the counters in a state directory. The file is created when the first request is counted or the counts are read.
    #[must_use]
    pub fn new(state: PathBuf) -> Self {
        Self {
            state: Some(state),
            ..Self::default()
        }
    }

    /// Returns counters that count nothing.
    #[must_use]
    pub fn off() -> Self {
        Self::default()
    }

    /// Counts one request.
    pub fn record(&self, event: &CountedEvent) {
        self.work(Share::Nobody, |file| {
            let failed = system("counting");
            let (mut counts, turn) = self.found(file)?;
            counts.add(event);
            store::write(file, &counts, turn.wrapping_add(1)).map_err(failed)
        });
    }

    /// Adds to numbers that are named by others: the series of a server's metrics. Names are single lines and stay few: all counts share one slot.
    pub fn add_series(&self, more: &[(String, u64)]) {
        self.work(Share::Nobody, |file| {
            let (mut counts, turn) = self.found(file)?;
            counts.add_series(more);
            let failed = system("counting");
            store::write(file, &counts, turn.wrapping_add(1)).map_err(failed)
        });
    }

    /// Returns the numbers that [`Counters::add_series`] added up.
    #[must_use]
    pub fn series(&self) -> Vec<(String, u64)> {
        let counts = self.work(Share::Readers, |file| self.found(file));
        counts
            .map(|(counts, _)| counts.series())
            .unwrap_or_default()
    }

    /// Returns the counts so far.
    #[must_use]
    pub fn totals(&self) -> Totals {
        let counts = self.work(Share::Readers, |file| self.found(file));
        counts
            .map(|(counts, _)| counts.totals())
            .unwrap_or_default()
    }

    /// Returns the errors of the counters since the last call, without duplicates.
    #[must_use]
    pub fn take_notes(&self) -> Vec<StateNote> {
        self.notes.take()
    }

    /// Runs `work` on the counters' file, opened and locked. An error becomes a note.
    fn work<T>(&self, share: Share, work: impl FnOnce(&File) -> Result<T, StateNote>) -> Option<T> {
        let worked = self.open()?.and_then(|file| {
            let locked = TURNS.lock(file, share, WAIT);
            let locked = locked.map_err(system("locking the counters"))?;
            work(locked.ok_or(StateNote::Busy)?.file())
        });
        worked.map_err(|note| self.notes.add(note)).ok()
    }

    /// Opens the counters' file, readable by the user alone; `None` if counting is off.
    fn open(&self) -> Option<Result<File, StateNote>> {
        let state = self.state.as_deref()?;
        Some(open_state(state).and_then(|folder| {
            let failed = system("opening the counters");
            let file = folder.open_file(FILE, IfMissing::Make).map_err(&failed)?;
            if !file.metadata().map_err(&failed)?.is_file() {
                return Err(failed(io::ErrorKind::InvalidInput.into()));
            }
            Ok(file)
        }))
    }

    /// Returns the stored counts and the sequence number of their slot. If the file is damaged, counting starts again at zero.
    fn found(&self, file: &File) -> Result<(Counts, u64), StateNote> {
        match store::read(file).map_err(system("reading the counters"))? {
            StoredCounts::Counts(counts, turn) => Ok((counts, turn)),
            StoredCounts::Nothing => Ok((Counts::default(), 0)),
            StoredCounts::Damaged => {
                let path = self.state.as_deref().unwrap_or(Path::new("")).join(FILE);
                self.notes.add(StateNote::Damaged { path });
                Ok((Counts::default(), 0))
            }
        }
    }
}

impl CountedEvent {
    /// Makes the event of a request that succeeded.
    #[must_use]
    pub fn done(work: Work, took: Duration) -> Self {
        Self {
            work,
            refused: None,
            repairs: Vec::new(),
            moved: 0,
            took,
        }
    }

    /// Makes the event of a request that was refused.
    #[must_use]
    pub fn refused(work: Work, code: Code, took: Duration) -> Self {
        Self {
            refused: Some(code),
            ..Self::done(work, took)
        }
    }

    /// Makes the event of a read, a search or a recovery from its result.
    #[must_use]
    pub fn of<T>(work: Work, outcome: &Result<T, DiskError>, took: Duration) -> Self {
        match outcome {
            Ok(_) => Self::done(work, took),
            Err(error) => Self::refused(work, error.code(), took),
        }
    }

    /// Makes the event of an edit request from its result, with its repairs and moved lines.
    #[must_use]
    pub fn of_edit(work: Work, result: &Result<FilesEdited, ApplyError>, took: Duration) -> Self {
        let edited = match result {
            Ok(edited) => edited,
            Err(why) => return Self::refused(work, why.code(), took),
        };
        let reports = || edited.files.iter().map(|file| &file.edited.report);
        let repairs = reports().flat_map(|report| &report.repairs);
        let moves = reports().flat_map(|report| &report.moves);
        Self {
            repairs: repairs.map(|repair| repair.rule).collect(),
            moved: moves.map(|moved| moved.to.len()).sum(),
            ..Self::done(work, took)
        }
    }
}
