//! From the records of a log back to a history.
//!
//! A log counts up to the first record that is damaged or does not follow from those before it; what comes after was never shown.
//! Fingerprints are put together only where landing looks at them: on both sides of somebody else's change, and at the end.

use std::sync::Arc;

use hashline_core::shown::{Came, History};
use hashline_core::text::{Changes, Fingerprint, Revision};

use super::frame::{self, Frame};
use super::record::{Kept, Record, RevisionRecord, Written};

/// One record of a log and the frame around it.
#[derive(Clone, Debug)]
pub(super) struct Entry<'a> {
    pub(super) frame: Frame<'a>,
    pub(super) record: Record<'a>,
}

/// What a log says.
#[derive(Debug)]
pub(super) struct Replayed {
    /// The history.
    pub(super) history: History,
    /// How many bytes of the log it comes from.
    pub(super) valid: usize,
}

/// The fingerprints of one revision after another.
#[derive(Debug, Default)]
pub(super) struct Lines {
    /// Nothing when the file was too long.
    now: Option<Vec<Fingerprint>>,
    /// Room for the next ones.
    spare: Vec<Fingerprint>,
}

/// Lists the records of a log, as far as each follows from the ones before.
pub(super) fn entries(log: &[u8]) -> impl Iterator<Item = Entry<'_>> {
    let mut current: Option<Revision> = None;
    frame::frames(log).map_while(move |frame| {
        let record = Record::read(frame.payload)?;
        let follows = match &record {
            Record::Showing(_) => current == Some(frame.seal.revision),
            Record::Revision(revision) => revision
                .since
                .as_ref()
                .is_none_or(|since| current == Some(since.from)),
        };
        current = Some(frame.seal.revision);
        follows.then_some(Entry { frame, record })
    })
}

/// Puts a history together, without what was shown before `oldest`.
pub(super) fn replay(log: &Arc<Vec<u8>>, oldest: u64) -> Replayed {
    let entries: Vec<Entry<'_>> = entries(log).collect();
    let looked_at = looked_at(&entries);
    let mut replayed = Replayed {
        history: History::new(),
        valid: 0,
    };
    let mut lines = Lines::default();
    let mut session = None;
    for (index, (entry, looked_at)) in entries.iter().zip(looked_at).enumerate() {
        match &entry.record {
            Record::Revision(record) => {
                if lines.follow(record).is_none() {
                    break;
                }
                let (revision, came) = (entry.frame.seal.revision, came(record));
                if looked_at || lines.get().is_none() {
                    let fingerprints = lines.get().map(Arc::from);
                    replayed
                        .history
                        .restore_revision(revision, came, fingerprints);
                } else {
                    let log = Arc::clone(log);
                    let recall = move || fingerprints_after(&log, index);
                    replayed
                        .history
                        .restore_revision_lazily(revision, came, recall);
                }
            }
            Record::Showing(record) if entry.frame.seal.time >= oldest => {
                if let Some(showing) = record.showing(&mut session) {
                    replayed.history.restore_showing(showing);
                }
            }
            Record::Showing(_) => {}
        }
        replayed.valid += entry.frame.bytes.len();
    }
    replayed
}

impl Lines {
    /// Goes on to the next revision; nothing if the record does not fit the lines before.
    pub(super) fn follow(&mut self, record: &RevisionRecord<'_>) -> Option<()> {
        match record.kept {
            Kept::TooLong => self.now = None,
            Kept::Whole(words) => self.now = Some(words.iter().map(fingerprint).collect()),
            Kept::Came(came) => self.replace(record, came)?,
        }
        Some(())
    }

    /// Returns the fingerprints of the revision at hand.
    pub(super) fn get(&self) -> Option<&[Fingerprint]> {
        self.now.as_deref()
    }

    fn replace(&mut self, record: &RevisionRecord<'_>, mut came: &[[u8; 8]]) -> Option<()> {
        let now = self.now.as_mut()?;
        let replaced = &record.since.as_ref()?.replaced;
        if replaced.iter().all(|(old, came)| old.len() == *came) && now.len() == record.lines {
            for (old, _) in replaced {
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
        for (old, count) in replaced {
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

/// Returns the fingerprints of the revision that the record at `index` tells of; none if there is no such record.
fn fingerprints_after(log: &[u8], index: usize) -> Arc<[Fingerprint]> {
    let mut lines = Lines::default();
    for entry in entries(log).take(index + 1) {
        if let Record::Revision(record) = &entry.record
            && lines.follow(record).is_none()
        {
            break;
        }
    }
    lines.get().map(Arc::from).unwrap_or_default()
}

/// Tells of each record whether landing looks at its fingerprints: it, or the next revision, was found so, or there is no next.
fn looked_at(entries: &[Entry<'_>]) -> Vec<bool> {
    let mut next_is_ours = false;
    let mut looked_at: Vec<bool> = entries
        .iter()
        .rev()
        .map(|entry| match &entry.record {
            Record::Showing(_) => false,
            Record::Revision(record) => {
                let ours = record.written == Written::ByUs;
                !(std::mem::replace(&mut next_is_ours, ours) && ours)
            }
        })
        .collect();
    looked_at.reverse();
    looked_at
}

fn came(record: &RevisionRecord<'_>) -> Came {
    match (record.written, &record.since) {
        (Written::ByUs, Some(since)) => {
            Came::Written(Changes::from_replacements(since.replaced.iter().copied()))
        }
        _ => Came::Seen,
    }
}

fn fingerprint(word: &[u8; 8]) -> Fingerprint {
    Fingerprint(u64::from_le_bytes(*word))
}
