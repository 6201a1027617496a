//! Replays a log: turns its records back into the history of a file.
//!
//! A log is read up to the first record that is damaged or does not follow from the records before; lines in later records count as never
//! shown. The fingerprints of a revision are computed only where resolving an anchor needs them: before and after another program's change,
//! and for the last revision.

use std::sync::Arc;

use hashline_core::shown::{History, Origin};
use hashline_core::text::{Changes, Fingerprint, FingerprintKey, Revision};

use super::frame::{self, Frame};
use super::record::{
    LogRecord, RevisionRecord, RevisionStep, StoredFingerprints, WrittenBy, fingerprint,
};

/// One record of a log and the frame that contains it.
#[derive(Clone, Debug)]
pub(super) struct LogEntry<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) record: LogRecord<'a>,
}

/// The fingerprints of all lines of a file, updated revision by revision.
#[derive(Debug, Default)]
pub(super) struct LineFingerprints {
    /// The fingerprints of the current revision; `None` if it has too many lines.
    now: Option<Vec<Fingerprint>>,
    /// A buffer for the next revision, reused to save allocations.
    spare: Vec<Fingerprint>,
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
    frame::frames(log).map_while(move |frame| {
        let record = LogRecord::read(frame.payload)?;
        let follows = match &record {
            LogRecord::Showing(_) => current == Some(frame.seal.revision),
            LogRecord::Revision(revision) => revision
                .since
                .as_ref()
                .is_none_or(|since| current == Some(since.from)),
        };
        current = Some(frame.seal.revision);
        follows.then_some(LogEntry { frame, record })
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
    for (index, entry) in entries(log).enumerate() {
        match &entry.record {
            LogRecord::Revision(record) => {
                // Resolving anchors needs the fingerprints before and after another program's change, and the last ones.
                let is_ours = record.written == WrittenBy::Us;
                if !is_ours {
                    restore(&mut history, &lines);
                }
                if lines.follow(record).is_none() {
                    return (history, valid);
                }
                let by = names.get(record.session);
                let (revision, came) = (entry.frame.seal.revision, origin(record, by));
                if is_ours && lines.get().is_some() {
                    let log = Arc::clone(log);
                    let recall = move || fingerprints_after(&log, index);
                    history.restore_revision_lazily(revision, came, recall);
                } else {
                    let fingerprints = lines.get().map(Arc::from);
                    history.restore_revision(revision, came, fingerprints);
                }
            }
            LogRecord::Showing(record) if entry.frame.seal.time >= oldest => {
                if let Some(showing) = record.showing(&mut names) {
                    history.restore_showing(showing);
                }
            }
            LogRecord::Showing(_) => {}
        }
        valid += entry.frame.bytes.len();
    }
    restore(&mut history, &lines);
    (history, valid)
}

/// Sets the fingerprints of the latest revision.
fn restore(history: &mut History, lines: &LineFingerprints) {
    if let Some(lines) = lines.get() {
        history.restore_fingerprints(lines);
    }
}

impl LineFingerprints {
    /// Updates the fingerprints to the next revision; `None` if the record does not fit the revision before.
    pub(super) fn follow(&mut self, record: &RevisionRecord<'_>) -> Option<()> {
        match record.kept {
            StoredFingerprints::TooLong => self.now = None,
            StoredFingerprints::Whole(words) => {
                self.now = Some(words.iter().map(fingerprint).collect());
            }
            StoredFingerprints::NewLines(came) => self.replace(record, came)?,
        }
        Some(())
    }

    /// Returns the fingerprints of the current revision; `None` if it has too many lines.
    pub(super) fn get(&self) -> Option<&[Fingerprint]> {
        self.now.as_deref()
    }

    fn replace(&mut self, record: &RevisionRecord<'_>, mut came: &[[u8; 8]]) -> Option<()> {
        let now = self.now.as_mut()?;
        let replaced = &record.since.as_ref()?.replaced;
        // If no line moves, the changed ones are overwritten in place, and the others need not be copied.
        if replaced.iter().all(|(old, came, _)| old.len() == *came) && now.len() == record.lines {
            for (old, ..) in replaced {
                let lines = now.get_mut(old.range())?;
                let (words, rest) = came.split_at_checked(lines.len())?;
                lines
                    .iter_mut()
                    .zip(words)
                    .for_each(|(line, word)| *line = fingerprint(word));
                came = rest;
            }
            return Some(());
        }
        self.spare.clear();
        let mut last = 0;
        for (old, count, _) in replaced {
            let (words, rest) = came.split_at_checked(*count)?;
            self.spare.extend_from_slice(now.get(last..old.start())?);
            self.spare.extend(words.iter().map(fingerprint));
            (last, came) = (old.end(), rest);
        }
        self.spare.extend_from_slice(now.get(last..)?);
        std::mem::swap(now, &mut self.spare);
        (now.len() == record.lines).then_some(())
    }
}

/// Returns the fingerprints of the revision in the record at `index`; empty if there is no such record.
fn fingerprints_after(log: &[u8], index: usize) -> Arc<[Fingerprint]> {
    let mut lines = LineFingerprints::default();
    for entry in entries(log).take(index + 1) {
        if let LogRecord::Revision(record) = &entry.record
            && lines.follow(record).is_none()
        {
            break;
        }
    }
    lines.get().map(Arc::from).unwrap_or_default()
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
