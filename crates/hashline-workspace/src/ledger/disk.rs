//! The ledger (record of which lines were shown) on disk, in the user's state directory, shared by all processes of the user.
//!
//! The ledger stores hashes, tags, line numbers and session names; no text and no paths. Nothing is synced, and no error of the ledger
//! fails a read or an edit: lines whose record was not written, or was lost, count as never shown, and a [`StateNote`] says so.

use std::collections::HashSet;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use hashline_core::Document;
use hashline_core::shown::{CutLines, History};
use hashline_core::text::{Changes, Excerpt, Fingerprint, FingerprintKey};

use super::folder::{LedgerFolder, Log, LogName, Total};
use super::frame::Seal;
use super::replay::{SessionNames, replay};
use super::shorten::shortened;
use super::sweep;
use super::writer::{LogWriter, StoredLog};
use super::{
    DAY, Ledger, LedgerLimits, ShownLines, StateNote, StateNotes, TRIES, damaged, recorded_session,
    system,
};
use crate::system::Share;

/// A ledger on disk, with one log file for the history of each file.
pub struct DiskLedger {
    state: PathBuf,
    limits: LedgerLimits,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    folder: Mutex<Option<LedgerFolder>>,
    notes: StateNotes,
}

impl DiskLedger {
    /// Returns the ledger in a state directory. Nothing is created on disk before the ledger is first used.
    #[must_use]
    pub fn new(state: PathBuf, limits: LedgerLimits) -> Self {
        Self::with_clock(state, limits, SystemTime::now)
    }

    /// Returns the ledger in a state directory, with another clock, for tests.
    #[must_use]
    pub fn with_clock(
        state: PathBuf,
        limits: LedgerLimits,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        Self {
            state,
            limits,
            clock: Box::new(clock),
            folder: Mutex::default(),
            notes: StateNotes::default(),
        }
    }

    /// Returns the notes about what went wrong with the ledger since the last call, without duplicates.
    #[must_use]
    pub fn take_notes(&self) -> Vec<StateNote> {
        self.notes.take()
    }

    fn now(&self) -> u64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    }

    /// Returns the time before which the record of shown lines no longer counts.
    fn oldest(&self) -> u64 {
        self.limits.oldest(self.now())
    }

    /// Runs `work` on the ledger's folder, which is opened (again) if it is not open or was removed. An error becomes a note.
    fn work<T>(&self, work: impl FnOnce(&LedgerFolder) -> Result<T, StateNote>) -> Option<T> {
        // A panic of another thread does not matter: what is behind the mutex is always complete.
        let mut folder = self.folder.lock().unwrap_or_else(PoisonError::into_inner);
        let worked = match &*folder {
            Some(open) if open.is_ours() => work(open),
            _ => LedgerFolder::open(&self.state).and_then(|open| work(folder.insert(open))),
        };
        worked.map_err(|note| self.notes.add(note)).ok()
    }

    /// Appends the records that `write` adds to the log of a file, and evicts old records if the ledger would become too large.
    fn add(
        &self,
        file: &Path,
        wait: Duration,
        write: impl Fn(&mut LogWriter<Log>) -> io::Result<()>,
    ) {
        self.work(|folder| {
            let name = folder.name_of(file);
            let _held = folder
                .lock(Share::Nobody, wait)
                .map_err(system("locking the ledger"))?
                .ok_or(StateNote::Busy)?;
            let now = self.now();
            let failed = system("making room in the ledger");
            let mut total = self.total(folder, now).map_err(&failed)?;
            for _ in 0..TRIES {
                let mut writer = self.writer(folder, &name, file, now)?;
                write(&mut writer).map_err(system("reading the ledger"))?;
                if writer.len() > self.limits.bytes {
                    break;
                }
                if writer.len() == 0 && !writer.found_damage() {
                    return Ok(());
                }
                let bytes = total.bytes.saturating_add(writer.len());
                if bytes <= self.limits.bytes {
                    // The total first: a crash in between makes it too large, which costs room, and not too small, which would let the
                    // ledger outgrow its limit.
                    let is_long = writer.found_many_revisions();
                    Total { bytes, ..total }
                        .write(folder)
                        .and_then(|()| writer.finish().write())
                        .map_err(system("writing the ledger"))?;
                    if is_long {
                        // The record is written. If the log stays too long, the next one who reads it shortens it.
                        let _ = shorten(folder, &name, self.oldest());
                    }
                    return Ok(());
                }
                total = self
                    .make_room(folder, total, writer.len(), now)
                    .map_err(&failed)?;
            }
            Err(StateNote::TooMuch)
        });
    }

    /// Records the fingerprints of the lines that were shown only in part.
    fn add_cut(
        &self,
        fingerprints: impl FnOnce(FingerprintKey) -> Vec<Fingerprint>,
        showing: &ShownLines<'_>,
    ) {
        if showing.cut.is_empty() {
            return;
        }
        self.work(|folder| {
            let held = folder.lock(Share::Nobody, self.limits.wait);
            let _held = held
                .map_err(system("locking the ledger"))?
                .ok_or(StateNote::Busy)?;
            folder
                .add_cut_lines(&fingerprints(folder.key()))
                .map_err(system("writing the ledger"))
        });
    }

    /// Checks whether the ledger can be written, by creating and removing an empty log. Returns how many bytes all logs take. Does not
    /// create a ledger that does not exist yet.
    ///
    /// # Errors
    ///
    /// Why the ledger cannot be written.
    pub fn check_writable(&self) -> Result<u64, StateNote> {
        if LedgerFolder::is_missing(&self.state) {
            return Ok(0);
        }
        let folder = LedgerFolder::open(&self.state)?;
        let held = folder.lock(Share::Nobody, self.limits.wait);
        let _held = held
            .map_err(system("locking the ledger"))?
            .ok_or(StateNote::Busy)?;
        folder.try_log().map_err(system("writing the ledger"))?;
        let total = Total::read(&folder).map_or_else(|| Total::count(&folder), Ok);
        let total = total.map_err(system("listing the ledger"))?;
        Ok(total.bytes)
    }

    /// Returns the set of all files that have a history, in any root.
    pub(crate) fn recorded_files(&self) -> RecordedFiles {
        let listed = self.work(|folder| {
            let logs = folder.logs().map_err(system("listing the ledger"))?;
            let logs = logs.into_iter().collect();
            let secret = folder.secret();
            Ok(RecordedFiles { logs, secret })
        });
        listed.unwrap_or_default()
    }

    /// Returns when the history of a file was last written, in seconds and nanoseconds; `None` if the file has no history.
    pub(crate) fn last_recorded(&self, file: &Path) -> Option<(i64, i64)> {
        self.work(|folder| Ok(folder.modified(&folder.name_of(file))))
            .flatten()
    }

    fn writer(
        &self,
        folder: &LedgerFolder,
        name: &LogName,
        file: &Path,
        now: u64,
    ) -> Result<LogWriter<Log>, StateNote> {
        let writer = folder
            .log_or_new(name)
            .and_then(|log| LogWriter::new(log, folder.key(), now))
            .map_err(system("opening the ledger"))?;
        if writer.found_damage() {
            self.notes.add(damaged(file));
        }
        Ok(writer)
    }

    /// Returns the total size of all logs. If the last removal of old records is too long ago, first removes old records from some of the
    /// logs.
    fn total(&self, folder: &LedgerFolder, now: u64) -> io::Result<Total> {
        let total = match Total::read(folder) {
            Some(total) => total,
            None => Total::count(folder)?,
        };
        let often = self.limits.age.as_secs().min(DAY);
        if now.abs_diff(total.swept) <= often {
            return Ok(total);
        }
        sweep::step(folder, &self.limits, now, 0, total, &self.notes)
    }

    /// Evicts records until there is room for `bytes`, or every log was looked at twice.
    fn make_room(
        &self,
        folder: &LedgerFolder,
        total: Total,
        bytes: u64,
        now: u64,
    ) -> io::Result<Total> {
        let (mut total, mut rounds) = (total, 0);
        while rounds < 2 && total.bytes.saturating_add(bytes) > self.limits.bytes {
            total = sweep::step(folder, &self.limits, now, bytes, total, &self.notes)?;
            rounds += usize::from(total.next == 0);
        }
        Ok(total)
    }

    /// Shortens the log of a file whose history dropped records. If other processes are busy, or the log cannot be written, the next one does it:
    /// nothing is lost meanwhile.
    fn shorten(&self, folder: &LedgerFolder, name: &LogName) {
        if let Ok(Some(_held)) = folder.lock(Share::Nobody, self.limits.wait) {
            let _ = shorten(folder, name, self.oldest());
        }
    }

    /// Cuts off the damaged end of a log, so that records appended from now on can be read.
    fn cut_damage(
        &self,
        folder: &LedgerFolder,
        name: &LogName,
        file: &Path,
    ) -> Result<(), StateNote> {
        self.notes.add(damaged(file));
        let failed = system("repairing the ledger");
        let held = folder.lock(Share::Nobody, self.limits.wait);
        let _held = held.map_err(&failed)?.ok_or(StateNote::Busy)?;
        let Some(log) = folder.log(name).map_err(&failed)? else {
            return Ok(());
        };
        let mut writer = LogWriter::new(log, folder.key(), 0).map_err(&failed)?;
        writer.read_all().map_err(&failed)?;
        writer.finish().write().map_err(failed)
    }
}

impl Ledger for DiskLedger {
    fn history(&self, file: &Path) -> History {
        let oldest = self.oldest();
        let history = self.work(|folder| {
            let failed = system("reading the ledger");
            let name = folder.name_of(file);
            // Without the lock the log may be half written, which is harmless: an incomplete frame has no valid checksum.
            let held = folder
                .lock(Share::Readers, self.limits.wait)
                .map_err(&failed)?;
            let Some(log) = folder.log(&name).map_err(&failed)? else {
                return Ok(History::keyed(folder.key()));
            };
            let bytes = Arc::new(log.bytes().map_err(&failed)?);
            let alone = held.is_some();
            drop(held);
            let names = SessionNames::as_stored();
            let (history, valid) = replay(&bytes, folder.key(), oldest, names);
            if alone && valid < bytes.len() {
                self.cut_damage(folder, &name, file)?;
            } else if alone && history.dropped() > 0 {
                self.shorten(folder, &name);
            }
            Ok(history)
        });
        history.unwrap_or_default()
    }

    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>) {
        self.add_cut(|key| showing.cut_fingerprints(document, key), showing);
        if showing.has_short_session(&self.notes) {
            let repeat_after = self.limits.repeat_after();
            self.add(file, self.limits.wait, |writer| {
                writer.showed(document, showing, repeat_after)
            });
        }
    }

    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>) {
        self.add_cut(|key| showing.cut_fingerprints_in(excerpt, key), showing);
        if showing.has_short_session(&self.notes) {
            let repeat_after = self.limits.repeat_after();
            self.add(file, self.limits.wait, |writer| {
                writer.showed_excerpt(excerpt, showing, repeat_after);
                Ok(())
            });
        }
    }

    fn wrote(
        &self,
        file: &Path,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    ) {
        self.add(file, self.limits.wait_to_write(), |writer| {
            writer.wrote(recorded_session(session), before, after, changes)
        });
    }

    fn noticed(&self, file: &Path, document: &Document) -> bool {
        let is_news = self.work(|folder| {
            let failed = system("reading the ledger");
            let Some(log) = folder.log(&folder.name_of(file)).map_err(&failed)? else {
                return Ok(false);
            };
            let last = log.end().map_err(failed)?;
            let last = last.as_ref().and_then(Seal::read);
            Ok(last.is_some_and(|last| last.revision != document.revision()))
        });
        if is_news == Some(true) {
            self.add(file, self.limits.wait, |writer| writer.saw(document));
        }
        is_news == Some(true)
    }

    fn moved(&self, from: &Path, to: &Path) {
        self.work(|folder| {
            let failed = system("moving a record");
            let held = folder.lock(Share::Nobody, self.limits.wait_to_write());
            let _held = held.map_err(&failed)?.ok_or(StateNote::Busy)?;
            folder
                .rename(&folder.name_of(from), &folder.name_of(to))
                .map_err(failed)
        });
    }

    fn partly_shown(&self) -> CutLines {
        // A ledger that cannot be read is reported with the history.
        let known = self.work(|folder| Ok(CutLines::new(folder.key(), folder.cut_lines())));
        known.unwrap_or_default()
    }
}

/// The set of files that have a history. The files cannot be listed, only looked up, because logs are named by a hash of the path.
#[derive(Debug, Default)]
pub(crate) struct RecordedFiles {
    logs: HashSet<LogName>,
    secret: u64,
}

impl RecordedFiles {
    /// Returns how many files have a history.
    pub(crate) fn len(&self) -> usize {
        self.logs.len()
    }

    /// Returns whether a file has a history. `file` is its canonical path.
    pub(crate) fn holds(&self, file: &Path) -> bool {
        !self.logs.is_empty() && self.logs.contains(&LogName::of(file, self.secret))
    }
}

impl fmt::Debug for DiskLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DiskLedger")
            .field("state", &self.state)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// Shortens a log to what its history keeps. The caller holds the lock.
fn shorten(folder: &LedgerFolder, name: &LogName, oldest: u64) -> io::Result<()> {
    let Some(log) = folder.log(name)? else {
        return Ok(());
    };
    let bytes = Arc::new(log.bytes()?);
    let Some(shortened) = shortened(&bytes, folder.key(), oldest) else {
        return Ok(());
    };
    folder.write_unfinished(name, &shortened)?;
    folder.finish(name)?;
    // The log first: a crash in between leaves the total too high, and the next sweep counts it anew.
    let Some(total) = Total::read(folder) else {
        return Ok(());
    };
    let without = total.bytes.saturating_sub(log.size);
    let bytes = without.saturating_add(shortened.len() as u64);
    Total { bytes, ..total }.write(folder)
}
