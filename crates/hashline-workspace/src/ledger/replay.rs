//! Replays a log: turns its records back into the history of a file.
//!
//! A log is read up to the first record that is damaged or does not follow from the records before; lines in later records count as never
//! shown. The fingerprints of a revision are copied from the log only when resolving an anchor needs them (`logged`), so that a load costs as
//! much as the records are long, however many lines the file has.

use std::sync::Arc;

use hashline_core::shown::{History, Origin};
use hashline_core::text::{Changes, FingerprintKey, Revision};

use super::frame::{self, Frame};
use super::logged::{LineFingerprints, LoggedRevisions};
use super::record::{LogRecord, RevisionRecord, RevisionStep, WrittenBy};

/// One record of a log and the frame that contains it.
#[derive(Clone, Debug)]
pub(super) struct LogEntry<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) record: LogRecord<'a>,
    /// Where the frame ends in the log.
    pub(super) end: usize,
}

impl<'a> LogEntry<'a> {
    /// Reads the record in a frame that ends at `end`; `None` if it is invalid.
    fn read(frame: Frame<'a>, end: usize) -> Option<Self> {
        let mut record = LogRecord::read(frame.payload)?;
        if let LogRecord::Revision(record) = &mut record {
            // The fingerprints are the last of the payload.
            record.words_at = end - frame::SEAL - 8 * record.words();
        }
        Some(Self { frame, record, end })
    }
}

/// Turns the stored names of sessions into those that callers use.
pub(super) struct SessionNames<'a> {
    open: &'a dyn Fn(&str) -> Arc<str>,
    /// The last name, as it is stored and opened: the next record often has the same.
    last: Option<(String, Arc<str>)>,
}

impl<'a> SessionNames<'a> {
    /// The names are stored as callers use them.
    pub(super) fn as_stored() -> Self {
        Self::opened_by(&|name| Arc::from(name))
    }

    /// `open` returns the name for a stored one.
    pub(super) fn opened_by(open: &'a dyn Fn(&str) -> Arc<str>) -> Self {
        Self { open, last: None }
    }

    /// Returns the name for a stored one, as a shared string.
    pub(super) fn get(&mut self, stored: Option<&str>) -> Option<Arc<str>> {
        let stored = stored?;
        if let Some((last, name)) = &self.last
            && last == stored
        {
            return Some(Arc::clone(name));
        }
        let name = (self.open)(stored);
        self.last = Some((stored.to_owned(), Arc::clone(&name)));
        Some(name)
    }
}

/// Iterates over the records of a log, up to the first that does not follow from the record before.
pub(super) fn entries(log: &[u8]) -> impl Iterator<Item = LogEntry<'_>> {
    let mut current: Option<Revision> = None;
    entries_after(log, 0).map_while(move |entry| {
        let follows = match &entry.record {
            LogRecord::Showing(_) => current == Some(entry.frame.seal.revision),
            LogRecord::Revision(revision) => revision
                .since
                .as_ref()
                .is_none_or(|since| current == Some(since.from)),
        };
        current = Some(entry.frame.seal.revision);
        follows.then_some(entry)
    })
}

/// Iterates over the records of a log after its first `start` bytes, which are whole frames.
pub(super) fn entries_after(log: &[u8], start: usize) -> impl Iterator<Item = LogEntry<'_>> {
    let mut end = start;
    frame::frames(log.get(start..).unwrap_or_default()).map_while(move |frame| {
        end += frame.bytes.len();
        LogEntry::read(frame, end)
    })
}

/// Builds the history from a log, without the lines that were shown before the time `oldest`. Also returns how many bytes of the log are
/// valid.
pub(super) fn replay(
    log: &Arc<Vec<u8>>,
    key: FingerprintKey,
    oldest: u64,
    mut names: SessionNames<'_>,
) -> (History, usize) {
    let (mut history, mut valid) = (History::keyed(key), 0);
    let mut lines = LineFingerprints::default();
    let logged = LoggedRevisions::of(log);
    for entry in entries(log) {
        match &entry.record {
            LogRecord::Revision(record) => {
                if lines.follow(log, record).is_none() {
                    return (history, valid);
                }
                logged.passed(entry.end, &lines);
                let by = names.get(record.session);
                let (revision, came) = (entry.frame.seal.revision, origin(record, by));
                if lines.are_known() {
                    let (logged, end) = (logged.clone(), entry.end);
                    history.restore_revision_lazily(revision, came, move || logged.lines_at(end));
                } else {
                    history.restore_revision(revision, came, None);
                }
            }
            LogRecord::Showing(record) if entry.frame.seal.time >= oldest => {
                if let Some(showing) = record.showing(&mut names) {
                    history.restore_showing(showing);
                }
            }
            LogRecord::Showing(_) => {}
        }
        valid = entry.end;
    }
    (history, valid)
}

fn changes(since: &RevisionStep) -> Changes {
    since.replaced.iter().copied().collect()
}

fn origin(record: &RevisionRecord<'_>, by: Option<Arc<str>>) -> Origin {
    match (record.written, &record.since) {
        (WrittenBy::Us, Some(since)) => Origin::Written {
            changes: changes(since),
            by,
        },
        _ => Origin::Seen,
    }
}
