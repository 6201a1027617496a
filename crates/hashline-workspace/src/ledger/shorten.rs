//! Shortens a log to what its history kept, so that reading the log of a file that is edited all day always takes about as long.
//!
//! A history drops revisions to keep to its limit, and the log from which it was replayed still has them.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use hashline_core::shown::{History, Origin, Recorded};
use hashline_core::text::{Fingerprint, FingerprintKey, Revision};

use super::difference::differences;
use super::frame::{self, Seal};
use super::logged::LineFingerprints;
use super::record::{self, LogRecord, OwnEdit, RevisionRecord, RevisionStep};
use super::replay::{SessionNames, entries, replay};
use super::writer::added_lines;

/// The last revision in the new log, to which the next one is stored as a difference.
struct LastRevision {
    number: usize,
    revision: Revision,
    /// The fingerprints of its lines.
    lines: LineFingerprints,
}

/// Returns a log with the revisions that the history of a log keeps, and what was shown of them; `None` if the history drops none, or the log is
/// damaged.
pub(super) fn shortened(log: &Arc<Vec<u8>>, key: FingerprintKey, oldest: u64) -> Option<Vec<u8>> {
    let (history, valid) = replay(log, key, oldest, SessionNames::as_stored());
    let is_long = history.dropped() > 0 && valid == log.len();
    is_long.then(|| kept_log(log, &history))
}

/// Returns a log with the revisions of `history`, which was replayed from `log`, and what was shown of them.
fn kept_log(log: &[u8], history: &History) -> Vec<u8> {
    let mut out = Vec::new();
    let mut showings = showings(log);
    let kept = || history.recorded().iter();
    // A showing is stored after the last record of its revision.
    let latest: HashMap<Revision, usize> = kept().map(|one| (one.revision, one.number())).collect();
    let (mut kept, mut lines) = (kept().peekable(), LineFingerprints::default());
    let mut last: Option<LastRevision> = None;
    for (number, (seal, bytes, record)) in revisions(log).enumerate() {
        if lines.follow(log, &record).is_none() {
            break;
        }
        let Some(recorded) = kept.next_if(|kept| kept.number() == number) else {
            continue;
        };
        if last.as_ref().is_some_and(|last| last.number + 1 == number) {
            out.extend_from_slice(bytes);
        } else {
            let since = last
                .as_ref()
                .map(|last| (last.revision, last.lines.all(log)));
            frame::put(&mut out, Seal { shown: 0, ..seal }, |out| {
                let lines = lines.all(log);
                put(out, since, recorded, record.lines, lines.as_deref());
            });
        }
        if latest.get(&recorded.revision) == Some(&number) {
            let frames = showings.remove(&recorded.revision);
            out.extend(frames.unwrap_or_default().concat());
        }
        last = Some(LastRevision {
            number,
            revision: recorded.revision,
            lines: lines.clone(),
        });
    }
    out
}

/// Writes the record of a revision whose predecessor was dropped, as a difference to the last one if both are known.
fn put(
    out: &mut Vec<u8>,
    last: Option<(Revision, Option<Arc<[Fingerprint]>>)>,
    recorded: &Recorded,
    count: usize,
    lines: Option<&[Fingerprint]>,
) {
    let Some((from, older)) = last else {
        return record::put_whole(out, count, None, lines);
    };
    let both = older.as_deref().zip(lines);
    match &recorded.origin {
        Origin::Written { changes, by } => {
            let (session, since) = (by.as_deref(), RevisionStep::of(from, changes));
            match both.and_then(|(older, newer)| added_lines(older, newer, changes)) {
                Some(added) => record::put_since(out, Some(session), count, &since, added),
                None => {
                    let since = &since;
                    record::put_whole(out, count, Some(OwnEdit { session, since }), lines);
                }
            }
        }
        Origin::Seen => match both {
            Some((older, newer)) => {
                let found = differences(older, newer);
                let since = RevisionStep::found(from, &found);
                let added = found.iter().map(|one| one.came);
                record::put_since(out, None, count, &since, added);
            }
            None => record::put_whole(out, count, None, lines),
        },
    }
}

/// Returns the revisions in a log, each with its seal and its frame.
fn revisions(log: &[u8]) -> impl Iterator<Item = (Seal, &[u8], RevisionRecord<'_>)> {
    entries(log).filter_map(|entry| match entry.record {
        LogRecord::Revision(record) => Some((entry.frame.seal, entry.frame.bytes, record)),
        LogRecord::Showing(_) => None,
    })
}

/// Returns the frames with what was shown of each revision, in their order; of equal ones the newest.
fn showings(log: &[u8]) -> HashMap<Revision, Vec<&[u8]>> {
    let mut known = HashSet::new();
    let mut frames: HashMap<Revision, Vec<&[u8]>> = HashMap::new();
    let entries: Vec<_> = entries(log).collect();
    for entry in entries.iter().rev() {
        let LogRecord::Showing(record) = &entry.record else {
            continue;
        };
        let revision = entry.frame.seal.revision;
        if let Some(showing) = record.showing(&mut SessionNames::as_stored())
            && known.insert((revision, showing))
        {
            frames.entry(revision).or_default().push(entry.frame.bytes);
        }
    }
    frames.values_mut().for_each(|frames| frames.reverse());
    frames
}
