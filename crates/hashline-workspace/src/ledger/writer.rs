//! Appends records to the log of one file.
//!
//! The end of a log holds the latest revision, so most calls read only the end. The whole log is read only if another program
//! changed the file, or the end of the log is incomplete. The writer changes nothing itself: it says how the log is to be changed
//! ([`LogChange`]), and the store of the log does it.

use std::sync::Arc;

use hashline_core::Document;
use hashline_core::shown::{History, Showing};
use hashline_core::text::{Changes, Excerpt, Fingerprint, FingerprintKey, LineSpan, Revision};
use xxhash_rust::xxh3::xxh3_64;

use super::ShownLines;
use super::difference::differences;
use super::frame::{self, SEAL, Seal};
use super::logged::LineFingerprints;
use super::record::{self, LogRecord, OwnEdit, RevisionStep};
use super::replay::entries;

/// The stored bytes of one log, wherever they are.
pub(super) trait StoredLog {
    /// Why the log could not be read.
    type Error;

    /// Returns the length of the log in bytes.
    fn size(&self) -> u64;

    /// Returns the last bytes of the log, which are the seal of its last frame; `None` if the log is shorter than a seal.
    fn end(&self) -> Result<Option<[u8; SEAL]>, Self::Error>;

    /// Reads the whole log. From then on the size is that of the bytes that were read.
    fn read(&mut self) -> Result<Vec<u8>, Self::Error>;
}

/// A log, and the frames that are to be appended to it.
#[derive(Debug)]
pub(super) struct LogWriter<L> {
    log: L,
    key: FingerprintKey,
    last: Option<Seal>,
    now: u64,
    added: Vec<u8>,
    /// How many bytes of the log are kept: all, unless its end is damaged.
    kept: u64,
    /// How many revisions the log has, if the whole log was read.
    revisions: usize,
}

/// How a log is to be changed: its first `kept` bytes stay, and `added` follows them.
#[derive(Debug)]
pub(super) struct LogChange<L> {
    /// The log as it was read.
    pub(super) log: L,
    /// How many bytes of the log stay.
    pub(super) kept: u64,
    /// The frames that are appended.
    pub(super) added: Vec<u8>,
}

impl<L: StoredLog> LogWriter<L> {
    /// Prepares to append to a log. An incomplete frame at its end will be cut off.
    pub(super) fn new(log: L, key: FingerprintKey, now: u64) -> Result<Self, L::Error> {
        let last = log.end()?.as_ref().and_then(Seal::read);
        let mut writer = Self {
            kept: log.size(),
            log,
            key,
            last,
            now,
            added: Vec::new(),
            revisions: 0,
        };
        if writer.last.is_none() && writer.log.size() > 0 {
            writer.read_all()?;
        }
        Ok(writer)
    }

    /// Reads the whole log up to a damaged frame, which will be cut off with all that follows; returns the fingerprints of the latest
    /// revision, `None` if it has none or too many lines.
    pub(super) fn read_all(&mut self) -> Result<Option<Arc<[Fingerprint]>>, L::Error> {
        let bytes = self.log.read()?;
        let mut lines = LineFingerprints::default();
        let mut valid = 0;
        (self.last, self.revisions) = (None, 0);
        for entry in entries(&bytes) {
            if let LogRecord::Revision(record) = &entry.record {
                if lines.follow(&bytes, record).is_none() {
                    break;
                }
                self.revisions += 1;
            }
            valid += entry.frame.bytes.len() as u64;
            self.last = Some(entry.frame.seal);
        }
        self.kept = valid;
        Ok(lines.all(&bytes))
    }

    /// Returns whether the log has a damaged end.
    pub(super) fn found_damage(&self) -> bool {
        self.kept < self.log.size()
    }

    /// Returns whether the whole log was read and has more revisions than a history keeps.
    pub(super) fn found_many_revisions(&self) -> bool {
        self.revisions > History::MAX_REVISIONS
    }

    /// Returns how many bytes are to be appended.
    pub(super) fn len(&self) -> u64 {
        self.added.len() as u64
    }

    /// Returns how the log is to be changed.
    pub(super) fn finish(self) -> LogChange<L> {
        LogChange {
            log: self.log,
            kept: self.kept,
            added: self.added,
        }
    }

    /// Records the content of the file as the latest revision, unless it already is.
    pub(super) fn saw(&mut self, document: &Document) -> Result<(), L::Error> {
        if self.is_at(document.revision()) {
            return Ok(());
        }
        let older = match self.last {
            None => None,
            Some(_) => self.read_all()?,
        };
        if self.is_at(document.revision()) {
            return Ok(());
        }
        let lines = document.line_count();
        let newer = self.fingerprints(document);
        let newer = newer.as_deref();
        let both = self.last.zip(older.as_deref().zip(newer));
        self.put(document.revision(), 0, |out| match both {
            Some((last, (older, newer))) => {
                let found = differences(older, newer);
                let added = || found.iter().map(|one| one.came);
                if added().map(<[_]>::len).sum::<usize>() == newer.len() {
                    return record::put_whole(out, lines, None, Some(newer));
                }
                let since = RevisionStep::found(last.revision, &found);
                record::put_since(out, None, lines, &since, added());
            }
            None => record::put_whole(out, lines, None, newer),
        });
        Ok(())
    }

    /// Records that an edit of ours replaced the content `before` by `after`.
    pub(super) fn wrote(
        &mut self,
        session: Option<&str>,
        before: &Document,
        after: &Document,
        changes: &Changes,
    ) -> Result<(), L::Error> {
        self.saw(before)?;
        if before.revision() == after.revision() {
            return Ok(());
        }
        let since = RevisionStep::of(before.revision(), changes);
        let lines = after.line_count();
        let (older, newer) = (self.fingerprints(before), self.fingerprints(after));
        let added = older
            .as_deref()
            .zip(newer.as_deref())
            .and_then(|(older, newer)| added_lines(older, newer, changes));
        let since = &since;
        self.put(after.revision(), 0, |out| match added {
            Some(added) => record::put_since(out, Some(session), lines, since, added),
            None => {
                let edit = OwnEdit { session, since };
                record::put_whole(out, lines, Some(edit), newer.as_deref());
            }
        });
        Ok(())
    }

    /// Records that lines were shown. The same lines, shown again to the same session within `repeat_after` seconds and with no other
    /// record in between, are not recorded again.
    pub(super) fn showed(
        &mut self,
        document: &Document,
        shows: &ShownLines<'_>,
        repeat_after: u64,
    ) -> Result<(), L::Error> {
        self.saw(document)?;
        let spans = Showing::spans_in(document, shows.spans);
        let key = self.key;
        let showing = || shows.showing(document, &spans, key);
        self.put_showing(document.revision(), shows, &spans, repeat_after, showing);
        Ok(())
    }

    /// Records that lines were shown of a file with so many lines that the hashes of its lines are not recorded.
    pub(super) fn showed_excerpt(
        &mut self,
        excerpt: &Excerpt,
        shows: &ShownLines<'_>,
        repeat_after: u64,
    ) {
        let revision = excerpt.revision;
        if !self.is_at(revision) {
            self.put(revision, 0, |out| {
                record::put_whole(out, excerpt.line_count, None, None);
            });
        }
        let (spans, key) = ([excerpt.span()], self.key);
        let showing = || Showing::of_excerpt(excerpt, shows.session, shows.scheme, key);
        self.put_showing(revision, shows, &spans, repeat_after, showing);
    }

    fn put_showing(
        &mut self,
        revision: Revision,
        shows: &ShownLines<'_>,
        spans: &[LineSpan],
        repeat_after: u64,
        showing: impl FnOnce() -> Showing,
    ) {
        let mut head = Vec::new();
        record::put_showing_head(&mut head, shows, spans);
        let shown = xxh3_64(&head).max(1);
        let again =
            |last: &Seal| last.shown == shown && self.now.saturating_sub(last.time) < repeat_after;
        if self.last.as_ref().is_some_and(again) {
            return;
        }
        self.put(revision, shown, |out| {
            let showing = showing();
            out.extend_from_slice(&head);
            record::put_tags(out, shows.scheme, showing.tags());
            record::put_fingerprints(out, showing.fingerprints());
        });
    }

    /// Returns the fingerprints of a document; `None` if it has too many lines.
    fn fingerprints(&self, document: &Document) -> Option<Arc<[Fingerprint]>> {
        (document.line_count() <= History::MAX_LINES).then(|| document.fingerprints(self.key))
    }

    fn is_at(&self, revision: Revision) -> bool {
        self.last.is_some_and(|last| last.revision == revision)
    }

    fn put(&mut self, revision: Revision, shown: u64, fill: impl FnOnce(&mut Vec<u8>)) {
        let seal = Seal {
            revision,
            shown,
            time: self.now,
        };
        frame::put(&mut self.added, seal, fill);
        self.last = Some(seal);
    }
}

/// Returns the fingerprints of the new lines of each change; `None` if the changes do not turn the older lines into the newer.
pub(super) fn added_lines<'a>(
    older: &[Fingerprint],
    newer: &'a [Fingerprint],
    changes: &Changes,
) -> Option<Vec<&'a [Fingerprint]>> {
    let mut added = Vec::new();
    let (mut old_end, mut new_end) = (0, 0);
    for change in changes.iter() {
        let kept = older.get(old_end..change.old.start())?;
        if kept != newer.get(new_end..change.new.start())? {
            return None;
        }
        added.push(newer.get(change.new.range())?);
        (old_end, new_end) = (change.old.end(), change.new.end());
    }
    (older.get(old_end..)? == newer.get(new_end..)?).then_some(added)
}
