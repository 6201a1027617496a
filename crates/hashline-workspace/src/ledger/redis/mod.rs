//! The ledger (record of which lines were shown) on Redis, shared by all machines of a fleet that have the same workspace.
//!
//! A file is identified by the name of its workspace and its path below the root, so that it has the same history on every machine. Paths, session
//! names and lines are stored under keys that are computed from the fleet's key; no text is stored. The logs are those of the ledger on disk.
//!
//! An error of Redis fails no read and no edit: lines whose record was not written, or cannot be read, count as never shown, and a
//! [`StateNote`] says so.

mod evict;
mod fleet;
mod link;
mod logs;
mod names;

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use hashline_core::Document;
use hashline_core::shown::{CutLines, History};
use hashline_core::text::{Changes, Excerpt, Fingerprint};

pub use fleet::{BadRedisUrl, FleetKey, FleetOptions, RedisNode};
pub use link::RedisHealth;

use super::frame::Seal;
use super::replay::{SessionNames, replay};
use super::shorten::shortened;
use super::writer::{LogWriter, StoredLog as _};
use super::{
    DAY, Ledger, LedgerLimits, ShownLines, StateNote, StateNotes, TRIES, damaged, recorded_session,
};
use link::{Link, RedisFailure};
use logs::{ChangeResult, RedisLog, RedisLogs};
use names::{LogId, Names};

/// A ledger on Redis, with one log for the history of each file of a workspace.
pub struct RedisLedger {
    logs: RedisLogs,
    limits: LedgerLimits,
    clock: Box<dyn Fn() -> SystemTime + Send + Sync>,
    /// When this process last removed old records, in seconds since 1970.
    swept: AtomicU64,
    /// How many times this process made room.
    turn: AtomicU64,
    notes: StateNotes,
}

impl RedisLedger {
    /// Returns the ledger of a workspace. Nothing is connected before the ledger is first used.
    #[must_use]
    pub fn new(options: &FleetOptions, limits: LedgerLimits) -> Self {
        Self::with_clock(options, limits, SystemTime::now)
    }

    /// Returns the ledger of a workspace, with another clock, for tests.
    #[must_use]
    pub fn with_clock(
        options: &FleetOptions,
        limits: LedgerLimits,
        clock: impl Fn() -> SystemTime + Send + Sync + 'static,
    ) -> Self {
        let link = Link::new(options.nodes.clone(), options.patience);
        Self {
            logs: RedisLogs::new(link, Names::new(options), limits.age),
            limits,
            clock: Box::new(clock),
            swept: AtomicU64::new(0),
            turn: AtomicU64::new(0),
            notes: StateNotes::default(),
        }
    }

    /// Returns the notes about what went wrong with the ledger since the last call, without duplicates.
    #[must_use]
    pub fn take_notes(&self) -> Vec<StateNote> {
        self.notes.take()
    }

    /// Returns how the connections to Redis fare, for metrics.
    #[must_use]
    pub fn health(&self) -> RedisHealth {
        self.logs.health()
    }

    /// Checks whether the ledger can be written. Returns how many bytes all logs of the workspace take.
    ///
    /// # Errors
    ///
    /// Why the ledger cannot be written.
    pub fn check_writable(&self) -> Result<u64, StateNote> {
        let lease = self.logs.lease(self.limits.wait)?;
        let _lease = lease.ok_or(StateNote::Busy)?;
        Ok(self.logs.total()?)
    }

    fn now(&self) -> u64 {
        let since = (self.clock)().duration_since(UNIX_EPOCH);
        since.map_or(0, |since| since.as_secs())
    }

    fn oldest(&self) -> u64 {
        self.limits.oldest(self.now())
    }

    /// Runs `work` on the log of a file; on nothing if the file is not below the root. An error becomes a note.
    fn work<T>(&self, file: &Path, work: impl FnOnce(&LogId) -> Result<T, StateNote>) -> Option<T> {
        let id = self.logs.names().log_of(file)?;
        work(&id).map_err(|note| self.notes.add(note)).ok()
    }

    /// Appends the records that `write` adds to the log of a file, and evicts old records if the ledger would become too large. Goes on for `wait` if
    /// other machines change the log at the same time.
    fn add(
        &self,
        file: &Path,
        wait: Duration,
        write: impl Fn(&mut LogWriter<RedisLog<'_>>) -> Result<(), RedisFailure>,
    ) {
        self.work(file, |id| {
            self.remove_old()?;
            let (now, started) = (self.now(), Instant::now());
            let mut full = 0;
            let mut log = self.logs.log(id)?;
            loop {
                let mut writer = LogWriter::new(log, self.logs.names().key(), now)?;
                write(&mut writer)?;
                if writer.found_damage() {
                    self.notes.add(damaged(file));
                }
                let bytes = writer.len();
                if bytes > self.limits.bytes || full == TRIES {
                    return Err(StateNote::TooMuch);
                }
                if bytes == 0 && !writer.found_damage() {
                    return Ok(());
                }
                let is_long = writer.found_many_revisions();
                log = match writer.finish().write(self.limits.bytes, now)? {
                    ChangeResult::Done if is_long => return Ok(self.shorten(id)?),
                    ChangeResult::Done => return Ok(()),
                    ChangeResult::Changed(_) if started.elapsed() >= wait => {
                        return Err(StateNote::Busy);
                    }
                    ChangeResult::Changed(log) => log,
                    ChangeResult::Full => {
                        full += 1;
                        self.make_room(bytes, now)?;
                        self.logs.log(id)?
                    }
                };
            }
        });
    }

    /// Removes old records, if that was not done for a day.
    fn remove_old(&self) -> Result<(), RedisFailure> {
        let now = self.now();
        let often = self.limits.age.as_secs().min(DAY);
        if now.abs_diff(self.swept.load(Ordering::Relaxed)) > often
            && evict::remove_old(&self.logs, self.oldest(), now)?
        {
            self.swept.store(now, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Evicts records until there is room for `bytes`. Waits while another machine does so.
    fn make_room(&self, bytes: u64, now: u64) -> Result<(), StateNote> {
        let lease = self.logs.lease(self.limits.wait)?;
        let _lease = lease.ok_or(StateNote::Busy)?;
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        Ok(evict::make_room(
            &self.logs,
            &self.limits,
            now,
            bytes,
            turn,
        )?)
    }

    /// Shortens a log to what its history keeps. If another machine changes it meanwhile, the next one who reads it does it.
    fn shorten(&self, id: &LogId) -> Result<(), RedisFailure> {
        let (log, bytes) = self.logs.read(id)?;
        let bytes = Arc::new(bytes);
        if let Some(shortened) = shortened(&bytes, self.logs.names().key(), self.oldest()) {
            log.replace(shortened).write(0, self.now())?;
        }
        Ok(())
    }

    /// Records the fingerprints of the lines that were shown only in part.
    fn add_cut(
        &self,
        file: &Path,
        fingerprints: impl FnOnce() -> Vec<Fingerprint>,
        showing: &ShownLines<'_>,
    ) {
        if showing.cut.is_empty() {
            return;
        }
        self.work(file, |_| {
            let (lines, started) = (fingerprints(), Instant::now());
            while !self.logs.add_cut_lines(&lines)? {
                if started.elapsed() >= self.limits.wait {
                    return Err(StateNote::Busy);
                }
            }
            Ok(())
        });
    }

    /// Calls `record` with what was shown, under the name by which the session is stored.
    fn with_sealed_session(
        &self,
        showing: &ShownLines<'_>,
        record: impl FnOnce(&ShownLines<'_>, u64),
    ) {
        if showing.has_short_session(&self.notes) {
            let sealed = self.sealed(showing.session);
            let session = sealed.as_deref();
            let showing = ShownLines {
                session,
                ..*showing
            };
            record(&showing, self.limits.repeat_after());
        }
    }

    fn sealed(&self, session: Option<&str>) -> Option<String> {
        session.map(|name| self.logs.names().seal_session(name))
    }
}

impl Ledger for RedisLedger {
    fn history(&self, file: &Path) -> History {
        let names = self.logs.names();
        let history = self.work(file, |id| {
            let (log, bytes) = self.logs.read(id)?;
            let bytes = Arc::new(bytes);
            let open = |sealed: &str| names.open_session(sealed);
            let sessions = SessionNames::opened_by(&open);
            let (history, valid) = replay(&bytes, names.key(), self.oldest(), sessions);
            if valid < bytes.len() {
                self.notes.add(damaged(file));
                log.cut(valid as u64).write(0, self.now())?;
            } else if history.dropped() > 0 {
                self.shorten(id)?;
            }
            Ok(history)
        });
        history.unwrap_or_else(|| History::keyed(names.key()))
    }

    fn showed(&self, file: &Path, document: &Document, showing: &ShownLines<'_>) {
        let key = self.logs.names().key();
        self.add_cut(file, || showing.cut_fingerprints(document, key), showing);
        self.with_sealed_session(showing, |showing, repeat_after| {
            self.add(file, self.limits.wait, |writer| {
                writer.showed(document, showing, repeat_after)
            });
        });
    }

    fn showed_excerpt(&self, file: &Path, excerpt: &Excerpt, showing: &ShownLines<'_>) {
        let key = self.logs.names().key();
        self.add_cut(file, || showing.cut_fingerprints_in(excerpt, key), showing);
        self.with_sealed_session(showing, |showing, repeat_after| {
            self.add(file, self.limits.wait, |writer| {
                writer.showed_excerpt(excerpt, showing, repeat_after);
                Ok(())
            });
        });
    }

    fn wrote(
        &self,
        file: &Path,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    ) {
        let session = self.sealed(recorded_session(session));
        self.add(file, self.limits.wait_to_write(), |writer| {
            writer.wrote(session.as_deref(), before, after, changes)
        });
    }

    fn noticed(&self, file: &Path, document: &Document) -> bool {
        let is_news = self.work(file, |id| {
            let last = self.logs.log(id)?.end()?;
            let last = last.as_ref().and_then(Seal::read);
            Ok(last.is_some_and(|last| last.revision != document.revision()))
        });
        if is_news == Some(true) {
            self.add(file, self.limits.wait, |writer| writer.saw(document));
        }
        is_news == Some(true)
    }

    fn moved(&self, from: &Path, to: &Path) {
        let to = self.logs.names().log_of(to);
        self.work(from, |from| match &to {
            Some(to) if to == from => Ok(()),
            Some(to) => Ok(self.logs.rename(from, to)?),
            None => {
                // Files elsewhere have no record.
                let log = self.logs.log(from)?;
                log.replace(Vec::new()).write(0, self.now())?;
                Ok(())
            }
        });
    }

    fn partly_shown(&self) -> CutLines {
        let lines = self.logs.cut_lines();
        let lines = lines.map_err(|failure| self.notes.add(failure.into()));
        CutLines::new(self.logs.names().key(), lines.unwrap_or_default())
    }
}

impl fmt::Debug for RedisLedger {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RedisLedger")
            .field("limits", &self.limits)
            .field("health", &self.health())
            .finish_non_exhaustive()
    }
}
