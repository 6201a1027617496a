//! Records: the content of the frames in a log. A record is a revision of the file, or lines of the file that were shown.
//!
//! A revision is stored as the hashes of all its lines, or as a difference to the revision before. No text is ever stored.

use hashline_core::scheme::Scheme;
use hashline_core::shown::{CutLine, Showing};
use hashline_core::text::{Changes, Fingerprint, LineSpan, NewText, Revision};

use super::difference::Difference;
use super::frame::OVERHEAD;
use super::replay::SessionNames;
use super::{ShownBy, ShownLines};
use crate::fields::{Fields, put_number};

/// The index of a scheme in this list is its number on disk, so the order must not change.
const SCHEMES: [Scheme; 6] = [
    Scheme::Omp,
    Scheme::Push,
    Scheme::Cowboy,
    Scheme::Openagent,
    Scheme::Pi,
    Scheme::Lean,
];

const REVISION: u8 = 1;
const SHOWING: u8 = 2;

/// Who wrote a revision: another program, an edit without a session, or an edit whose session follows.
const OTHERS: u8 = 0;
const OURS: u8 = 1;
const OUR_SESSIONS: u8 = 2;

/// The decoded content of one frame of a log.
#[derive(Clone, Debug)]
pub(super) enum LogRecord<'a> {
    /// The file got new content.
    Revision(RevisionRecord<'a>),
    /// Lines of the file were shown.
    Showing(ShowingRecord<'a>),
}

/// A revision (one state of the content) of the file.
#[derive(Clone, Debug)]
pub(super) struct RevisionRecord<'a> {
    /// The number of lines of this revision.
    pub(super) lines: usize,
    /// Whether an edit of ours wrote this revision; the changes of that edit are in `since`.
    pub(super) written: WrittenBy,
    /// The session that sent the edit, if an edit of ours wrote this revision and the session has a name.
    pub(super) session: Option<&'a str>,
    /// The difference to the revision before, if it is stored.
    pub(super) since: Option<RevisionStep>,
    /// The fingerprints (hashes of lines) of this revision.
    pub(super) kept: StoredFingerprints<'a>,
    /// Where the fingerprints begin in the log.
    pub(super) words_at: usize,
}

/// Who wrote a revision of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WrittenBy {
    /// An edit of this program.
    Us,
    /// Another program: the file was found with this content.
    Others,
}

/// The difference to the revision before.
#[derive(Clone, Debug)]
pub(super) struct RevisionStep {
    /// The revision that the difference starts from.
    pub(super) from: Revision,
    /// Which lines of the revision before were replaced, by how many new lines, and whether these were sent whole. Sorted and disjoint.
    pub(super) replaced: Vec<(LineSpan, usize, NewText)>,
}

/// Which fingerprints (hashes of lines) a record holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum StoredFingerprints<'a> {
    /// No fingerprints, because the file had too many lines.
    TooLong,
    /// The fingerprints of all lines.
    Whole(&'a [[u8; 8]]),
    /// The fingerprints of the new lines only; the other lines are as in the revision before.
    NewLines(&'a [[u8; 8]]),
}

/// Lines that were shown, with their tags still encoded.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShowingRecord<'a> {
    /// The kind of answer that showed the lines.
    pub(super) by: ShownBy,
    rest: Fields<'a>,
}

impl<'a> LogRecord<'a> {
    /// Decodes the payload of a frame; `None` if it is invalid.
    pub(super) fn read(payload: &'a [u8]) -> Option<Self> {
        let mut fields = Fields(payload);
        match fields.byte()? {
            REVISION => RevisionRecord::read(fields).map(Self::Revision),
            SHOWING => Some(Self::Showing(ShowingRecord {
                by: match fields.byte()? {
                    0 => ShownBy::Read,
                    1 => ShownBy::Edit,
                    _ => return None,
                },
                rest: fields,
            })),
            _ => None,
        }
    }
}

impl<'a> RevisionRecord<'a> {
    fn read(mut fields: Fields<'a>) -> Option<Self> {
        let by = fields.byte()?;
        let written = match by {
            OTHERS => WrittenBy::Others,
            OURS | OUR_SESSIONS => WrittenBy::Us,
            _ => return None,
        };
        let form = fields.byte()?;
        let lines = fields.number()?;
        let session = match by {
            OUR_SESSIONS => take_session(&mut fields)?,
            _ => None,
        };
        let since = if written == WrittenBy::Us || form == 2 {
            Some(RevisionStep::read(&mut fields)?)
        } else {
            None
        };
        let (words, rest) = fields.0.as_chunks();
        let added = || since.iter().flat_map(|since| &since.replaced);
        let (kept, expected) = match form {
            0 => (StoredFingerprints::TooLong, 0),
            1 => (StoredFingerprints::Whole(words), lines),
            2 => (
                StoredFingerprints::NewLines(words),
                added().map(|&(_, added, _)| added).sum(),
            ),
            _ => return None,
        };
        (rest.is_empty() && words.len() == expected).then_some(Self {
            lines,
            written,
            session,
            since,
            kept,
            words_at: 0,
        })
    }

    /// Returns how many fingerprints the record holds.
    pub(super) fn words(&self) -> usize {
        match self.kept {
            StoredFingerprints::TooLong => 0,
            StoredFingerprints::Whole(words) | StoredFingerprints::NewLines(words) => words.len(),
        }
    }

    /// Returns the size of a frame that stores this revision in full instead of as a difference.
    pub(super) fn whole_frame(&self) -> u64 {
        let mut head = Vec::new();
        put_revision_head(&mut head, None, 0, self.lines);
        let words = match self.kept {
            StoredFingerprints::TooLong => 0,
            StoredFingerprints::Whole(_) | StoredFingerprints::NewLines(_) => self.lines,
        };
        (OVERHEAD + head.len()) as u64 + 8 * words as u64
    }
}

impl RevisionStep {
    /// Returns the step from the revision `from` by these changes.
    pub(super) fn of(from: Revision, changes: &Changes) -> Self {
        let replaced = changes
            .iter()
            .map(|change| (change.old, change.new.len(), change.text));
        Self {
            from,
            replaced: replaced.collect(),
        }
    }

    /// Returns the step from the revision `from` by the differences that another program made.
    pub(super) fn found(from: Revision, differences: &[Difference<'_>]) -> Self {
        let replaced = differences
            .iter()
            .map(|one| (one.gone, one.came.len(), NewText::Whole));
        Self {
            from,
            replaced: replaced.collect(),
        }
    }

    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let from = Revision(u128::from_le_bytes(fields.word()?));
        let count = fields.number()?;
        let mut replaced = Vec::with_capacity(count.min(fields.0.len()));
        let mut last = 0;
        for _ in 0..count {
            let old = take_span(fields, &mut last)?;
            // Twice the number of new lines, and one more if only a part of them was sent.
            let added = fields.number()?;
            let text = match added % 2 {
                0 => NewText::Whole,
                _ => NewText::Part,
            };
            replaced.push((old, added / 2, text));
        }
        // The places of the new lines must not overflow: at most they end after all old and all new lines.
        let far = replaced
            .iter()
            .try_fold(last, |sum, (_, added, _)| sum.checked_add(*added));
        far.map(|_| Self { from, replaced })
    }
}

impl ShowingRecord<'_> {
    /// Decodes the shown lines and their tags; `None` if the record is invalid.
    pub(super) fn showing(&self, names: &mut SessionNames<'_>) -> Option<Showing> {
        let mut fields = self.rest;
        let scheme = *SCHEMES.get(usize::from(fields.byte()?))?;
        let session = names.get(take_session(&mut fields)?);
        let count = fields.number()?;
        let mut spans = Vec::with_capacity(count.min(fields.0.len()));
        let mut last = 0;
        for _ in 0..count {
            spans.push(take_span(&mut fields, &mut last)?);
        }
        let mut cut = Vec::new();
        for _ in 0..fields.number()? {
            let (index, bytes) = (fields.number()?, fields.number()?);
            cut.push(CutLine { index, bytes });
        }
        let width = tag_width(scheme);
        let lines = spans
            .iter()
            .try_fold(0_usize, |sum, span| sum.checked_add(span.len()))?;
        let tags = unpacked(fields.bytes(lines.checked_mul(width)?)?, width);
        let (words, rest) = fields.0.as_chunks();
        let fingerprints = words.iter().map(fingerprint).collect();
        let showing = Showing::restored(session, scheme, spans, tags, fingerprints)?;
        rest.is_empty().then(|| showing.with_cut_lines(cut))
    }
}

/// Decodes a fingerprint.
pub(super) fn fingerprint(word: &[u8; 8]) -> Fingerprint {
    Fingerprint(u64::from_le_bytes(*word))
}

/// An edit of ours: the session that sent it, and how it changed the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct OwnEdit<'a> {
    pub(super) session: Option<&'a str>,
    pub(super) since: &'a RevisionStep,
}

/// Writes a revision with the fingerprints of all lines, or with none for a file with too many lines. `written` holds the changes of the
/// edit, if an edit of ours wrote the revision.
pub(super) fn put_whole(
    out: &mut Vec<u8>,
    lines: usize,
    written: Option<OwnEdit<'_>>,
    fingerprints: Option<&[Fingerprint]>,
) {
    let form = u8::from(fingerprints.is_some());
    // Eight bytes for a fingerprint and one for the tag that a first showing adds right after: allocated once.
    let fingerprints = fingerprints.unwrap_or_default();
    out.reserve(9 * fingerprints.len() + 256);
    put_revision_head(out, written.map(|edit| edit.session), form, lines);
    if let Some(edit) = written {
        put_step(out, edit.since);
    }
    put_fingerprints(out, fingerprints);
}

/// Writes a revision as a difference to the one before; `added` holds the fingerprints of the new lines. `own` is the session whose edit
/// wrote it, if an edit of ours did.
pub(super) fn put_since<'a>(
    out: &mut Vec<u8>,
    own: Option<Option<&str>>,
    lines: usize,
    since: &RevisionStep,
    added: impl IntoIterator<Item = &'a [Fingerprint]>,
) {
    put_revision_head(out, own, 2, lines);
    put_step(out, since);
    for added in added {
        put_fingerprints(out, added);
    }
}

/// Writes the record of shown lines without their tags. Two such records of one revision are equal if these bytes are.
pub(super) fn put_showing_head(out: &mut Vec<u8>, shows: &ShownLines<'_>, spans: &[LineSpan]) {
    let number = SCHEMES.iter().position(|known| *known == shows.scheme);
    let [scheme, ..] = number.unwrap_or_default().to_le_bytes();
    out.extend([SHOWING, u8::from(shows.by == ShownBy::Edit), scheme]);
    put_session(out, shows.session);
    put_number(out, spans.len());
    let mut last = 0;
    for span in spans {
        put_span(out, *span, &mut last);
    }
    put_number(out, shows.cut.len());
    for line in shows.cut {
        put_number(out, line.index);
        put_number(out, line.bytes);
    }
}

/// Writes tags, each in as few bytes as its scheme allows.
pub(super) fn put_tags(out: &mut Vec<u8>, scheme: Scheme, tags: &[u32]) {
    match tag_width(scheme) {
        1 => out.extend(tags.iter().map(|tag| tag.to_le_bytes()[0])),
        width => {
            let narrow = tags.iter().map(|tag| tag.to_le_bytes());
            narrow.for_each(|tag| out.extend_from_slice(&tag[..width]));
        }
    }
}

fn put_revision_head(out: &mut Vec<u8>, own: Option<Option<&str>>, form: u8, lines: usize) {
    let by = match own {
        None => OTHERS,
        Some(None) => OURS,
        Some(Some(_)) => OUR_SESSIONS,
    };
    out.extend([REVISION, by, form]);
    put_number(out, lines);
    if by == OUR_SESSIONS {
        put_session(out, own.flatten());
    }
}

/// Writes the name of a session, if there is one.
fn put_session(out: &mut Vec<u8>, session: Option<&str>) {
    put_number(out, session.map_or(0, |name| name.len() + 1));
    out.extend_from_slice(session.unwrap_or_default().as_bytes());
}

fn take_session<'a>(fields: &mut Fields<'a>) -> Option<Option<&'a str>> {
    match fields.number()?.checked_sub(1) {
        None => Some(None),
        Some(length) => std::str::from_utf8(fields.bytes(length)?).ok().map(Some),
    }
}

fn put_step(out: &mut Vec<u8>, since: &RevisionStep) {
    out.extend_from_slice(&since.from.0.to_le_bytes());
    put_number(out, since.replaced.len());
    let mut last = 0;
    for (old, added, text) in &since.replaced {
        put_span(out, *old, &mut last);
        put_number(out, 2 * added + usize::from(*text == NewText::Part));
    }
}

/// Writes a span as its distance from the end of the span before, and its length: small numbers take fewer bytes.
fn put_span(out: &mut Vec<u8>, span: LineSpan, last: &mut usize) {
    put_number(out, span.start() - *last);
    put_number(out, span.len());
    *last = span.end();
}

fn take_span(fields: &mut Fields<'_>, last: &mut usize) -> Option<LineSpan> {
    let start = last.checked_add(fields.number()?)?;
    *last = start.checked_add(fields.number()?)?;
    Some(LineSpan::new(start..*last))
}

pub(super) fn put_fingerprints(out: &mut Vec<u8>, fingerprints: &[Fingerprint]) {
    let start = out.len();
    out.resize(start + 8 * fingerprints.len(), 0);
    let (words, _) = out[start..].as_chunks_mut();
    for (word, fingerprint) in words.iter_mut().zip(fingerprints) {
        *word = fingerprint.0.to_le_bytes();
    }
}

fn tag_width(scheme: Scheme) -> usize {
    match scheme {
        Scheme::Omp | Scheme::Cowboy | Scheme::Openagent | Scheme::Pi => 1,
        Scheme::Lean => 2,
        Scheme::Push => 4,
    }
}

fn unpacked(tags: &[u8], width: usize) -> Vec<u32> {
    if width == 1 {
        return tags.iter().copied().map(u32::from).collect();
    }
    let widened = |tag: &[u8]| {
        tag.iter()
            .rev()
            .fold(0, |value, byte| value << 8 | u32::from(*byte))
    };
    tags.chunks_exact(width).map(widened).collect()
}
