//! The fingerprints of the lines of each revision in a log, kept as pieces of the log.
//!
//! A file that another program changes all day has hundreds of revisions, and most requests need the lines of one or two. So a revision is a
//! list of pieces, which grows with the changes and not with the lines, and its fingerprints are copied out only when they are needed.

use std::fmt;
use std::iter;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use hashline_core::text::Fingerprint;

use super::record::{LogRecord, RevisionRecord, StoredFingerprints, fingerprint};
use super::replay::entries_after;

/// The bytes of a fingerprint in a log.
const WORD: usize = size_of::<u64>();

/// The fingerprints of all lines of a revision, updated revision by revision.
#[derive(Clone, Debug, Default)]
pub(super) struct LineFingerprints {
    /// The pieces in the order of the lines; `None` if the file has no revision yet or too many lines.
    pieces: Option<Vec<Piece>>,
    /// The fingerprints of an earlier revision that was copied out because it had too many pieces.
    flat: Arc<[Fingerprint]>,
}

/// Fingerprints of consecutive lines that are stored one after another.
#[derive(Clone, Copy, Debug)]
struct Piece {
    place: Place,
    len: usize,
}

/// Where the fingerprints of a piece are stored.
#[derive(Clone, Copy, Debug)]
enum Place {
    /// In the log, from this byte.
    Log(usize),
    /// In `LineFingerprints::flat`, from this index.
    Flat(usize),
}

impl Piece {
    fn in_log(at: usize, len: usize) -> Self {
        let place = Place::Log(at);
        Self { place, len }
    }

    /// Returns the part of the piece after its first `lines` lines.
    fn after(self, lines: usize) -> Self {
        let place = match self.place {
            Place::Log(at) => Place::Log(at + WORD * lines),
            Place::Flat(at) => Place::Flat(at + lines),
        };
        let len = self.len - lines;
        Self { place, len }
    }
}

impl LineFingerprints {
    /// Updates the fingerprints to the next revision of the log; `None` if the record does not fit the revision before.
    pub(super) fn follow(&mut self, log: &[u8], record: &RevisionRecord<'_>) -> Option<()> {
        match record.kept {
            StoredFingerprints::TooLong => self.pieces = None,
            StoredFingerprints::Whole(words) => {
                self.pieces = Some(vec![Piece::in_log(record.words_at, words.len())]);
            }
            StoredFingerprints::NewLines(_) => self.replace(log, record)?,
        }
        Some(())
    }

    /// Returns whether the revision has fingerprints.
    pub(super) fn are_known(&self) -> bool {
        self.pieces.is_some()
    }

    /// Copies out the fingerprints of all lines; `None` if the file has too many.
    pub(super) fn all(&self, log: &[u8]) -> Option<Arc<[Fingerprint]>> {
        let pieces = self.pieces.as_ref()?;
        let lines = pieces.iter().map(|piece| piece.len).sum();
        let mut all: Arc<[Fingerprint]> = iter::repeat_n(Fingerprint(0), lines).collect();
        let mut rest = Arc::get_mut(&mut all)?;
        for piece in pieces {
            let (out, after) = rest.split_at_mut(piece.len);
            match piece.place {
                Place::Flat(at) => out.copy_from_slice(self.flat.get(at..at + piece.len)?),
                Place::Log(at) => {
                    let (words, _) = log.get(at..at + WORD * piece.len)?.as_chunks();
                    let lines = out.iter_mut().zip(words);
                    lines.for_each(|(line, word)| *line = fingerprint(word));
                }
            }
            rest = after;
        }
        Some(all)
    }

    fn replace(&mut self, log: &[u8], record: &RevisionRecord<'_>) -> Option<()> {
        let mut old = PieceReader::of(self.pieces.as_deref()?);
        let mut new = Vec::with_capacity(old.rest.len() + 2);
        let (mut line, mut lines, mut words_at) = (0, 0, record.words_at);
        for (gone, count, _) in &record.since.as_ref()?.replaced {
            lines += gone.start().checked_sub(line)? + count;
            old.copy(gone.start() - line, &mut new)?;
            old.skip(gone.len())?;
            if *count > 0 {
                new.push(Piece::in_log(words_at, *count));
            }
            (line, words_at) = (gone.end(), words_at + WORD * count);
        }
        lines += old.copy_rest(&mut new);
        let most = Self::most_pieces(lines);
        self.pieces = Some(new);
        if self.pieces.as_ref().is_some_and(|new| new.len() > most) {
            self.flatten(log, lines)?;
        }
        (lines == record.lines).then_some(())
    }

    /// Returns how many pieces a revision of so many lines may have. With more, each step takes longer; with fewer, they are copied out more
    /// often.
    fn most_pieces(lines: usize) -> usize {
        16 + lines.isqrt()
    }

    fn flatten(&mut self, log: &[u8], lines: usize) -> Option<()> {
        self.flat = self.all(log)?;
        let place = Place::Flat(0);
        self.pieces = Some(vec![Piece { place, len: lines }]);
        Some(())
    }
}

/// Reads pieces from the first line to the last.
struct PieceReader<'a> {
    /// What is left of the piece that is being read.
    now: Option<Piece>,
    rest: &'a [Piece],
}

impl<'a> PieceReader<'a> {
    fn of(pieces: &'a [Piece]) -> Self {
        Self {
            now: None,
            rest: pieces,
        }
    }

    /// Copies the next `lines` lines to `out`; `None` if there are fewer.
    fn copy(&mut self, lines: usize, out: &mut Vec<Piece>) -> Option<()> {
        self.take(lines, |piece| out.push(piece))
    }

    /// Skips the next `lines` lines; `None` if there are fewer.
    fn skip(&mut self, lines: usize) -> Option<()> {
        self.take(lines, |_| ())
    }

    /// Copies all lines that are left to `out`, and returns their number.
    fn copy_rest(self, out: &mut Vec<Piece>) -> usize {
        let before = out.len();
        out.extend(self.now.filter(|piece| piece.len > 0));
        out.extend_from_slice(self.rest);
        out[before..].iter().map(|piece| piece.len).sum()
    }

    fn take(&mut self, mut lines: usize, mut each: impl FnMut(Piece)) -> Option<()> {
        while lines > 0 {
            let piece = match self.now.take() {
                Some(piece) => piece,
                None => {
                    let (first, rest) = self.rest.split_first()?;
                    self.rest = rest;
                    *first
                }
            };
            let len = piece.len.min(lines);
            each(Piece { len, ..piece });
            lines -= len;
            self.now = Some(piece.after(len)).filter(|left| left.len > 0);
        }
        Some(())
    }
}

/// The revisions of a log, of which the fingerprints of any can be copied out.
#[derive(Clone)]
pub(super) struct LoggedRevisions {
    log: Arc<Vec<u8>>,
    known: Arc<Mutex<KnownRevisions>>,
}

/// Revisions from which others are reached in few steps.
#[derive(Default)]
struct KnownRevisions {
    /// How many revisions were passed.
    passed: usize,
    /// Some of the revisions, in their order.
    marks: Vec<Mark>,
    /// The revisions that were copied out last: a change is followed from one revision to the next.
    recent: [Option<(Mark, Arc<[Fingerprint]>)>; 2],
}

/// A revision of the log.
#[derive(Clone)]
struct Mark {
    /// Where its frame ends in the log.
    end: usize,
    lines: LineFingerprints,
}

impl LoggedRevisions {
    /// One in so many revisions is kept as pieces.
    const APART: usize = 16;

    pub(super) fn of(log: &Arc<Vec<u8>>) -> Self {
        Self {
            log: Arc::clone(log),
            known: Arc::default(),
        }
    }

    /// Keeps the pieces of some of the revisions while the log is read from its beginning.
    pub(super) fn passed(&self, end: usize, lines: &LineFingerprints) {
        let mut known = self.known();
        if known.passed.is_multiple_of(Self::APART) {
            let lines = lines.clone();
            known.marks.push(Mark { end, lines });
        }
        known.passed += 1;
    }

    /// Returns the fingerprints of the revision whose frame ends at the byte `end`; empty if there is no such revision.
    pub(super) fn lines_at(&self, end: usize) -> Arc<[Fingerprint]> {
        let mut known = self.known();
        if let Some((_, lines)) = known.recent().find(|(mark, _)| mark.end == end) {
            return Arc::clone(lines);
        }
        let Some(mark) = self.reach(&known, end) else {
            return Arc::default();
        };
        let lines = mark.lines.all(&self.log).unwrap_or_default();
        known.recent.swap(0, 1);
        known.recent[0] = Some((mark, Arc::clone(&lines)));
        lines
    }

    /// Goes to a revision from the nearest one before it.
    fn reach(&self, known: &KnownRevisions, end: usize) -> Option<Mark> {
        let marks = known.recent().map(|(mark, _)| mark).chain(&known.marks);
        let nearest = marks.filter(|mark| mark.end <= end);
        let mut mark = nearest.max_by_key(|mark| mark.end)?.clone();
        for entry in entries_after(&self.log, mark.end) {
            if entry.end > end {
                break;
            }
            if let LogRecord::Revision(record) = &entry.record {
                mark.lines.follow(&self.log, record)?;
            }
            mark.end = entry.end;
        }
        (mark.end == end).then_some(mark)
    }

    fn known(&self) -> MutexGuard<'_, KnownRevisions> {
        // A panic of another thread does not matter: every revision in it is complete.
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl KnownRevisions {
    fn recent(&self) -> impl Iterator<Item = &(Mark, Arc<[Fingerprint]>)> {
        self.recent.iter().flatten()
    }
}

impl fmt::Debug for LoggedRevisions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LoggedRevisions").finish_non_exhaustive()
    }
}
