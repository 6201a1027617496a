//! The logs of one workspace on Redis: a string for the history of each file, the sizes of all logs, the times of their oldest records, and the
//! fingerprints of lines of which only a part was shown.
//!
//! All commands to Redis are in this file. Several machines change the same logs, and nobody holds a lock for that: a script changes a log only if
//! its length and its last frame are still those that were read, and keeps the sizes in step with it. A log expires when nothing was added to
//! it for as long as records are kept.

use std::sync::LazyLock;
use std::thread;
use std::time::{Duration, Instant};

use hashline_core::text::Fingerprint;
use redis::{Script, cmd};

use super::link::{Link, RedisFailure, RedisHealth};
use super::names::{LogId, Names};
use crate::ledger::cut_lines;
use crate::ledger::frame::SEAL;
use crate::ledger::writer::{LogChange, StoredLog};

/// How long one machine makes room at most before another may, in milliseconds.
const LEASE: u64 = 2_000;
/// How long to wait before looking whether the other has ended.
const LOOK_AGAIN: Duration = Duration::from_millis(10);
/// Among the sizes of logs, the sum of all.
const TOTAL: &str = "total";

static CHANGE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/change.lua")));
static LOOK: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/look.lua")));
static MOVE: LazyLock<Script> = LazyLock::new(|| Script::new(include_str!("scripts/move.lua")));
static REPLACE: LazyLock<Script> =
    LazyLock::new(|| Script::new(include_str!("scripts/replace.lua")));

/// The logs of one workspace.
pub(super) struct RedisLogs {
    names: Names,
    link: Link,
    /// For how many seconds records are kept.
    age: u64,
}

/// A log as it was when it was read. While nobody changes it, its length and its end stay the same.
#[derive(Clone)]
pub(super) struct RedisLog<'a> {
    logs: &'a RedisLogs,
    id: LogId,
    size: u64,
    end: Vec<u8>,
}

/// What became of a change.
pub(super) enum ChangeResult<'a> {
    /// The log was changed.
    Done,
    /// Another machine changed the log meanwhile; this is how it is now.
    Changed(RedisLog<'a>),
    /// All logs together would become too large.
    Full,
}

/// The right to make room, until it is dropped or [`LEASE`] is over.
#[must_use]
pub(super) struct Lease<'a>(&'a RedisLogs);

impl RedisLogs {
    /// Returns the logs of a workspace, whose records are kept for `age`.
    pub(super) fn new(link: Link, names: Names, age: Duration) -> Self {
        let age = age.as_secs().max(1);
        Self { names, link, age }
    }

    /// Returns the names of the workspace on Redis.
    pub(super) fn names(&self) -> &Names {
        &self.names
    }

    /// Returns how the connections to Redis fare.
    pub(super) fn health(&self) -> RedisHealth {
        self.link.health()
    }

    /// Looks at the length and the end of a log. A log that does not exist is empty.
    pub(super) fn log(&self, id: &LogId) -> Result<RedisLog<'_>, RedisFailure> {
        let mut look = LOOK.prepare_invoke();
        look.key(self.names.log(id)).arg(SEAL);
        let (size, end) = self.link.call(|redis| look.invoke(redis))?;
        Ok(RedisLog {
            logs: self,
            id: id.clone(),
            size,
            end,
        })
    }

    /// Reads a log, and returns its bytes too.
    pub(super) fn read(&self, id: &LogId) -> Result<(RedisLog<'_>, Vec<u8>), RedisFailure> {
        let mut log = RedisLog {
            logs: self,
            id: id.clone(),
            size: 0,
            end: Vec::new(),
        };
        let bytes = log.read()?;
        Ok((log, bytes))
    }

    /// Gives a log another name, and replaces the log that had it; does nothing if there is no such log.
    pub(super) fn rename(&self, from: &LogId, to: &LogId) -> Result<(), RedisFailure> {
        let names = &self.names;
        let mut rename = MOVE.prepare_invoke();
        rename
            .key(names.log(from))
            .key(names.log(to))
            .key(names.shared("sizes"))
            .key(names.shared("times"))
            .arg(&from.0)
            .arg(&to.0);
        self.link.call(|redis| rename.invoke(redis))
    }

    /// Returns the size of all logs together, in bytes.
    pub(super) fn total(&self) -> Result<u64, RedisFailure> {
        let mut score = cmd("ZSCORE");
        score.arg(self.names.shared("sizes")).arg(TOTAL);
        let total: Option<u64> = self.link.call(|redis| score.query(redis))?;
        Ok(total.unwrap_or_default())
    }

    /// Returns the sizes of all logs, the largest first.
    pub(super) fn sizes(&self) -> Result<Vec<(LogId, u64)>, RedisFailure> {
        let mut range = cmd("ZRANGE");
        range
            .arg(self.names.shared("sizes"))
            .arg("+inf")
            .arg("-inf")
            .arg("BYSCORE")
            .arg("REV")
            .arg("WITHSCORES");
        let sizes: Vec<(String, u64)> = self.link.call(|redis| range.query(redis))?;
        let logs = sizes.into_iter().filter(|(name, _)| name != TOTAL);
        Ok(logs.map(|(name, size)| (LogId(name), size)).collect())
    }

    /// Returns up to `most` logs with records from before the time `oldest`.
    pub(super) fn older_than(&self, oldest: u64, most: u64) -> Result<Vec<LogId>, RedisFailure> {
        let mut range = cmd("ZRANGE");
        range
            .arg(self.names.shared("times"))
            .arg("-inf")
            .arg(format!("({oldest}"))
            .arg("BYSCORE")
            .arg("LIMIT")
            .arg(0)
            .arg(most);
        let names: Vec<String> = self.link.call(|redis| range.query(redis))?;
        Ok(names.into_iter().map(LogId).collect())
    }

    /// Returns the fingerprints of the lines of all files of which only a part was shown.
    pub(super) fn cut_lines(&self) -> Result<Vec<Fingerprint>, RedisFailure> {
        Ok(cut_lines::read(&self.stored_cut_lines()?))
    }

    /// Adds the fingerprints of such lines that are not there yet. Returns `false` if another machine did so at the same time.
    pub(super) fn add_cut_lines(&self, new: &[Fingerprint]) -> Result<bool, RedisFailure> {
        let stored = self.stored_cut_lines()?;
        let mut lines = cut_lines::read(&stored);
        if cut_lines::add(&mut lines, new) == lines.len() {
            return Ok(true);
        }
        let mut replace = REPLACE.prepare_invoke();
        replace
            .key(self.names.shared("cut"))
            .arg(stored)
            .arg(cut_lines::stored(&lines))
            .arg(self.age);
        self.link.call(|redis| replace.invoke(redis))
    }

    fn stored_cut_lines(&self) -> Result<Vec<u8>, RedisFailure> {
        let mut get = cmd("GET");
        get.arg(self.names.shared("cut"));
        let stored: Option<Vec<u8>> = self.link.call(|redis| get.query(redis))?;
        Ok(stored.unwrap_or_default())
    }

    /// Waits until no other machine makes room; `None` if that takes longer than `wait`.
    pub(super) fn lease(&self, wait: Duration) -> Result<Option<Lease<'_>>, RedisFailure> {
        let started = Instant::now();
        let mut set = cmd("SET");
        set.arg(self.names.shared("lease")).arg(1);
        set.arg("NX").arg("PX").arg(LEASE);
        while !self.link.call(|redis| set.query::<bool>(redis))? {
            if started.elapsed() >= wait {
                return Ok(None);
            }
            thread::sleep(LOOK_AGAIN);
        }
        Ok(Some(Lease(self)))
    }
}

impl PartialEq for RedisLog<'_> {
    fn eq(&self, other: &Self) -> bool {
        (&self.id, self.size, &self.end) == (&other.id, other.size, &other.end)
    }
}

impl RedisLog<'_> {
    /// Returns the name of the log.
    pub(super) fn id(&self) -> &LogId {
        &self.id
    }

    /// Removes a damaged end: keeps only the first `kept` bytes.
    pub(super) fn cut(self, kept: u64) -> LogChange<Self> {
        let added = Vec::new();
        LogChange {
            log: self,
            kept,
            added,
        }
    }

    /// Replaces the whole log. An empty one is removed.
    pub(super) fn replace(self, bytes: Vec<u8>) -> LogChange<Self> {
        LogChange {
            log: self,
            kept: 0,
            added: bytes,
        }
    }
}

impl StoredLog for RedisLog<'_> {
    type Error = RedisFailure;

    fn size(&self) -> u64 {
        self.size
    }

    fn end(&self) -> Result<Option<[u8; SEAL]>, RedisFailure> {
        Ok(self.end.as_slice().try_into().ok())
    }

    fn read(&mut self) -> Result<Vec<u8>, RedisFailure> {
        let mut get = cmd("GET");
        get.arg(self.logs.names.log(&self.id));
        let stored: Option<Vec<u8>> = self.logs.link.call(|redis| get.query(redis))?;
        let bytes = stored.unwrap_or_default();
        self.size = bytes.len() as u64;
        self.end = end_of(&bytes).to_vec();
        Ok(bytes)
    }
}

impl<'a> LogChange<RedisLog<'a>> {
    /// Changes the log, unless another machine changed it meanwhile, or all logs together would take more than `limit` bytes. `oldest` is the time
    /// of the oldest record among those that are added.
    pub(super) fn write(self, limit: u64, oldest: u64) -> Result<ChangeResult<'a>, RedisFailure> {
        let (logs, id) = (self.log.logs, &self.log.id);
        let names = &logs.names;
        let mut change = CHANGE.prepare_invoke();
        change
            .key(names.log(id))
            .key(names.shared("sizes"))
            .key(names.shared("times"))
            .key(names.shared("cut"))
            .arg(self.log.size)
            .arg(self.log.end.as_slice())
            .arg(self.kept)
            .arg(self.added.as_slice())
            .arg(limit)
            .arg(&id.0)
            .arg(oldest)
            .arg(logs.age);
        let answer = logs.link.call(|redis| change.invoke(redis))?;
        let (outcome, size, end): (String, u64, Vec<u8>) = answer;
        Ok(match outcome.as_str() {
            "done" => ChangeResult::Done,
            "full" => ChangeResult::Full,
            // The connection was lost before the answer came, and the same change was sent again.
            _ if size == self.kept + self.added.len() as u64
                && !self.added.is_empty()
                && end == end_of(&self.added) =>
            {
                ChangeResult::Done
            }
            _ => ChangeResult::Changed(RedisLog {
                logs,
                id: id.clone(),
                size,
                end,
            }),
        })
    }
}

impl Drop for Lease<'_> {
    fn drop(&mut self) {
        let mut remove = cmd("DEL");
        remove.arg(self.0.names.shared("lease"));
        // If it cannot be removed, it expires.
        let _ = self.0.link.call(|redis| remove.exec(redis));
    }
}

/// Returns the end of a log: the seal of its last frame.
fn end_of(log: &[u8]) -> &[u8] {
    &log[log.len().saturating_sub(SEAL)..]
}
