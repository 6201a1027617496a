//! The ledger on disk, in the user's state directory, shared by all processes of the user.
//!
//! It holds hashes, tags, line numbers and session names; no text and no paths. Nothing is synced, and no error here fails a read or an
//! edit: what could not be recorded, or was lost, counts as never shown, and a [`StateNote`] says so.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hashline_core::Document;
use hashline_core::shown::History;
use hashline_core::text::{Changes, Excerpt};

use super::folder::{LedgerFolder, LogName, Total};
use super::frame::Seal;
use super::record::MAX_SESSION;
use super::replay::replay;
use super::sweep;
use super::writer::{LogWriter, SAME_FOR};
use super::{Damaged, Ledger, LedgerLimits, ShownLines, StateNote, system};
use crate::system::Share;

/// How often room is made for one record. The record can grow in between: the revision that it was a difference to may be gone.
const TRIES: usize = 3;
/// The most notes that are kept for a caller who never takes them.
const MOST_NOTES: usize = 32;
/// How often old records are looked for, in seconds.
const DAY: u64 = 24 * 60 * 60;

/// Histories on disk.
pub struct DiskLedger {
    state: PathBuf,
    bounds: LedgerLimits,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    folder: Mutex<Option<LedgerFolder>>,
    notes: Mutex<Vec<StateNote>>,
}

impl DiskLedger {
    /// Returns the ledger in a state directory. Nothing is created before it is used.
    #[must_use]
    pub fn new(state: PathBuf, bounds: LedgerLimits) -> Self {
        Self::with_clock(state, bounds, SystemTime::now)
    }

    /// The same with another clock, for tests.
    #[must_use]
    pub fn with_clock(
        state: PathBuf,
        bounds: LedgerLimits,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        Self {
            state,
            bounds,
            clock: Box::new(clock),
            folder: Mutex::default(),
            notes: Mutex::default(),
        }
    }

    /// Returns what went wrong since the last call, each thing once.
    #[must_use]
    pub fn take_notes(&self) -> Vec<StateNote> {
        std::mem::take(&mut *lock(&self.notes))
    }

    fn note(&self, note: StateNote) {
        let mut notes = lock(&self.notes);
        if notes.len() < MOST_NOTES && !notes.contains(&note) {
            notes.push(note);
        }
    }

    fn now(&self) -> u64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    }

    /// Returns for how long the same lines are not recorded again; `None` if they cannot be recorded at all.
    fn same_for(&self, showing: &ShownLines<'_>) -> Option<u64> {
        if showing.session.is_some_and(|name| name.len() > MAX_SESSION) {
            self.note(StateNote::SessionTooLong);
            return None;
        }
        Some((self.bounds.age.as_secs() / 16).min(SAME_FOR))
    }

    /// Runs `work` on the folder, which is opened when it is first needed, or was removed. An error becomes a note.
    fn work<T>(&self, work: impl FnOnce(&LedgerFolder) -> Result<T, StateNote>) -> Option<T> {
        let mut folder = lock(&self.folder);
        let worked = match &*folder {
            Some(open) if open.is_ours() => work(open),
            _ => LedgerFolder::open(&self.state).and_then(|open| work(folder.insert(open))),
        };
        worked.map_err(|note| self.note(note)).ok()
    }

    /// Appends to the log of a file what `write` adds, and makes room for it if necessary.
    fn add(&self, file: &Path, wait: Duration, write: impl Fn(&mut LogWriter) -> io::Result<()>) {
        let name = LogName::of(file);
        self.work(|folder| {
            let _held = folder
                .lock(Share::Nobody, wait)
                .map_err(system("locking the ledger"))?
                .ok_or(StateNote::Busy)?;
            let now = self.now();
            let failed = system("making room in the ledger");
            let mut total = self.total(folder, now).map_err(&failed)?;
            for _ in 0..TRIES {
                let writer = self.writer(folder, &name, file, now)?;
                let writer = filled(writer, &write).map_err(system("reading the ledger"))?;
                if writer.len() > self.bounds.bytes {
                    break;
                }
                if writer.len() == 0 {
                    return Ok(());
                }
                let bytes = total.bytes.saturating_add(writer.len());
                if bytes <= self.bounds.bytes {
                    return Total { bytes, ..total }
                        .write(folder)
                        .and_then(|()| writer.finish())
                        .map_err(system("writing the ledger"));
                }
                total = self
                    .make_room(folder, total, writer.len(), now)
                    .map_err(&failed)?;
            }
            Err(StateNote::TooMuch)
        });
    }

    /// Tries whether the ledger can be written, by creating and removing an empty log. Returns how many bytes all logs take. Does not
    /// create a ledger that does not exist yet.
    ///
    /// # Errors
    ///
    /// Why nothing can be recorded.
    pub fn try_out(&self) -> Result<u64, StateNote> {
        if LedgerFolder::is_missing(&self.state) {
            return Ok(0);
        }
        let folder = LedgerFolder::open(&self.state)?;
        let held = folder.lock(Share::Nobody, self.bounds.wait);
        let _held = held
            .map_err(system("locking the ledger"))?
            .ok_or(StateNote::Busy)?;
        folder.try_log().map_err(system("writing the ledger"))?;
        let total = Total::read(&folder).map_or_else(|| Total::count(&folder), Ok);
        let total = total.map_err(system("listing the ledger"))?;
        Ok(total.bytes)
    }

    /// Returns the files that have a history, of all roots.
    pub(crate) fn on_record(&self) -> RecordedFiles {
        let logs = self.work(|folder| folder.logs().map_err(system("listing the ledger")));
        RecordedFiles(logs.unwrap_or_default().into_iter().collect())
    }

    /// Returns when the history of a file was last written, in seconds and nanoseconds; `None` if it has none.
    pub(crate) fn last_noted(&self, file: &Path) -> Option<(i64, i64)> {
        let name = LogName::of(file);
        self.work(|folder| Ok(folder.modified(&name))).flatten()
    }

    fn writer(
        &self,
        folder: &LedgerFolder,
        name: &LogName,
        file: &Path,
        now: u64,
    ) -> Result<LogWriter, StateNote> {
        let writer = folder
            .log_or_new(name)
            .and_then(|log| LogWriter::new(log, now))
            .map_err(system("opening the ledger"))?;
        if writer.found_damage() {
            self.note(damaged(file));
        }
        Ok(writer)
    }

    /// Returns the total. If it is time to look for old records, does one step of that.
    fn total(&self, folder: &LedgerFolder, now: u64) -> io::Result<Total> {
        let total = match Total::read(folder) {
            Some(total) => total,
            None => Total::count(folder)?,
        };
        let often = self.bounds.age.as_secs().min(DAY);
        if now.abs_diff(total.swept) <= often {
            return Ok(total);
        }
        self.step(folder, total, 0, now)
    }

    /// Sweeps until there is room for `bytes`, or every log was looked at twice.
    fn make_room(
        &self,
        folder: &LedgerFolder,
        total: Total,
        bytes: u64,
        now: u64,
    ) -> io::Result<Total> {
        let (mut total, mut rounds) = (total, 0);
        while rounds < 2 && total.bytes.saturating_add(bytes) > self.bounds.bytes {
            total = self.step(folder, total, bytes, now)?;
            rounds += usize::from(total.next == 0);
        }
        Ok(total)
    }

    fn step(
        &self,
        folder: &LedgerFolder,
        total: Total,
        reserve: u64,
        now: u64,
    ) -> io::Result<Total> {
        let swept = sweep::step(folder, &self.bounds, now, reserve, total)?;
        swept.notes.into_iter().for_each(|note| self.note(note));
        Ok(swept.total)
    }

    /// Cuts off the damaged end of a log, so that what is appended from now on can be read.
    fn mend(&self, folder: &LedgerFolder, name: &LogName, file: &Path) -> Result<(), StateNote> {
        self.note(damaged(file));
        let failed = system("mending the ledger");
        let held = folder.lock(Share::Nobody, self.bounds.wait);
        let _held = held.map_err(&failed)?.ok_or(StateNote::Busy)?;
        let Some(log) = folder.log(name).map_err(&failed)? else {
            return Ok(());
        };
        let mended = LogWriter::new(log, 0).and_then(|mut writer| writer.mend());
        mended.map(|_| ()).map_err(failed)
    }
}

impl Ledger for DiskLedger {
    fn history(&self, file: &Path) -> History {
        let name = LogName::of(file);
        let oldest = self.now().saturating_sub(self.bounds.age.as_secs());
        let history = self.work(|folder| {
            let failed = system("reading the ledger");
            // Without the lock the log may be half written, which is harmless: an incomplete frame has no valid checksum.
            let held = folder
                .lock(Share::Readers, self.bounds.wait)
                .map_err(&failed)?;
            let Some(log) = folder.log(&name).map_err(&failed)? else {
                return Ok(History::default());
            };
            let bytes = Arc::new(log.read().map_err(&failed)?);
            let alone = held.is_some();
            drop(held);
            let replayed = replay(&bytes, oldest);
            if alone && replayed.valid < bytes.len() {
                self.mend(folder, &name, file)?;
            }
            Ok(replayed.history)
        });
        history.unwrap_or_default()
    }

    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>) {
        if let Some(same_for) = self.same_for(showing) {
            self.add(file, self.bounds.wait, |writer| {
                writer.showed(document, showing, same_for)
            });
        }
    }

    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>) {
        if let Some(same_for) = self.same_for(showing) {
            self.add(file, self.bounds.wait, |writer| {
                writer.showed_excerpt(excerpt, showing, same_for);
                Ok(())
            });
        }
    }

    fn wrote(&self, file: &Path, before: &Document, after: &Document, changes: &Changes) {
        let wait = self.bounds.wait_to_write();
        self.add(file, wait, |writer| writer.wrote(before, after, changes));
    }

    fn noticed(&self, file: &Path, document: &Document) -> bool {
        let name = LogName::of(file);
        let is_news = self.work(|folder| {
            let failed = system("reading the ledger");
            let Some(log) = folder.log(&name).map_err(&failed)? else {
                return Ok(false);
            };
            let last = log.read_end().map_err(failed)?;
            let last = last.as_ref().and_then(Seal::read);
            Ok(last.is_some_and(|last| last.revision != document.revision()))
        });
        if is_news == Some(true) {
            self.add(file, self.bounds.wait, |writer| writer.saw(document));
        }
        is_news == Some(true)
    }

    fn moved(&self, from: &Path, to: &Path) {
        self.work(|folder| {
            let failed = system("moving a record");
            let held = folder.lock(Share::Nobody, self.bounds.wait_to_write());
            let _held = held.map_err(&failed)?.ok_or(StateNote::Busy)?;
            folder
                .rename(&LogName::of(from), &LogName::of(to))
                .map_err(failed)
        });
    }
}

/// The files that have a history. They cannot be listed, only asked for: logs are named by a hash of the path.
#[derive(Debug, Default)]
pub(crate) struct RecordedFiles(HashSet<LogName>);

impl RecordedFiles {
    /// Returns how many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns whether a file is one of them, by its canonical path.
    pub(crate) fn holds(&self, file: &Path) -> bool {
        !self.0.is_empty() && self.0.contains(&LogName::of(file))
    }
}

impl fmt::Debug for DiskLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskLedger")
            .field("state", &self.state)
            .field("bounds", &self.bounds)
            .finish_non_exhaustive()
    }
}

/// A panic of another thread does not matter: what is behind the mutex is always complete.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn filled(
    mut writer: LogWriter,
    write: impl Fn(&mut LogWriter) -> io::Result<()>,
) -> io::Result<LogWriter> {
    write(&mut writer)?;
    Ok(writer)
}

fn damaged(file: &Path) -> StateNote {
    StateNote::Damaged(Damaged {
        path: file.to_path_buf(),
    })
}
