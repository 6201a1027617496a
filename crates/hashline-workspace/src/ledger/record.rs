//! Records: what a frame says. A revision of the file, or lines of it that were shown.
//!
//! Fingerprints are written once: whole for a revision that has nothing to lean on, else only those that the revision before lacks.
//! No text is ever written.

use std::sync::Arc;

use hashline_core::scheme::Scheme;
use hashline_core::shown::Showing;
use hashline_core::text::{Changes, Fingerprint, LineSpan, Revision};

use super::ShownBy;
use super::fields::{Fields, put_number};
use super::frame::OVERHEAD;

/// The longest session name that is kept, in bytes.
pub(super) const MAX_SESSION: usize = 256;

/// The place of a scheme in this list is its number on disk.
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

/// What one frame says.
#[derive(Clone, Debug)]
pub(super) enum Record<'a> {
    /// The file came to have other bytes.
    Revision(RevisionRecord<'a>),
    /// Lines were shown.
    Showing(ShowingRecord<'a>),
}

/// A revision of the file.
#[derive(Clone, Debug)]
pub(super) struct RevisionRecord<'a> {
    /// The number of its lines.
    pub(super) lines: usize,
    /// Whether we wrote it, by the steps of `since`.
    pub(super) written: Written,
    /// What leads to it from the revision before, if that is told.
    pub(super) since: Option<Since>,
    /// Its fingerprints.
    pub(super) kept: Kept<'a>,
}

/// Whether a revision is our own work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// We wrote it.
    ByUs,
    /// It was found so.
    BySomebody,
}

/// The way from the revision before.
#[derive(Clone, Debug)]
pub(super) struct Since {
    /// The revision before.
    pub(super) from: Revision,
    /// Which of its lines went, and how many came instead. Sorted and disjoint.
    pub(super) replaced: Vec<(LineSpan, usize)>,
}

/// Which fingerprints a record holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Kept<'a> {
    /// None: the file was too long.
    TooLong,
    /// All.
    Whole(&'a [[u8; 8]]),
    /// Those of the lines that came since the revision before.
    Came(&'a [[u8; 8]]),
}

/// Lines that were shown.
#[derive(Clone, Copy, Debug)]
pub(super) struct ShowingRecord<'a> {
    /// By what kind of answer.
    pub(super) by: ShownBy,
    rest: Fields<'a>,
}

impl<'a> Record<'a> {
    /// Reads a payload.
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
        let written = match fields.byte()? {
            0 => Written::BySomebody,
            1 => Written::ByUs,
            _ => return None,
        };
        let form = fields.byte()?;
        let lines = fields.number()?;
        let since = if written == Written::ByUs || form == 2 {
            Some(Since::read(&mut fields)?)
        } else {
            None
        };
        let (words, rest) = fields.0.as_chunks();
        let came = || since.iter().flat_map(|since| &since.replaced);
        let (kept, expected) = match form {
            0 => (Kept::TooLong, 0),
            1 => (Kept::Whole(words), lines),
            2 => (Kept::Came(words), came().map(|&(_, came)| came).sum()),
            _ => return None,
        };
        (rest.is_empty() && words.len() == expected).then_some(Self {
            lines,
            written,
            since,
            kept,
        })
    }

    /// Returns how many bytes a frame takes that holds the same revision and leans on none.
    pub(super) fn whole_frame(&self) -> u64 {
        let mut head = Vec::new();
        put_revision_head(&mut head, Written::BySomebody, 0, self.lines);
        let words = match self.kept {
            Kept::TooLong => 0,
            Kept::Whole(_) | Kept::Came(_) => self.lines,
        };
        (OVERHEAD + head.len()) as u64 + 8 * words as u64
    }
}

impl Since {
    fn read(fields: &mut Fields<'_>) -> Option<Self> {
        let from = Revision(u128::from_le_bytes(fields.word()?));
        let count = fields.number()?;
        let mut replaced = Vec::new();
        let mut last: usize = 0;
        for _ in 0..count {
            let start = last.checked_add(fields.number()?)?;
            last = start.checked_add(fields.number()?)?;
            replaced.push((LineSpan::new(start..last), fields.number()?));
        }
        // Where the lines that came stand can be reckoned: at most as far as everything, old and new.
        let far = replaced
            .iter()
            .try_fold(last, |sum, (_, came)| sum.checked_add(*came));
        far.map(|_| Self { from, replaced })
    }
}

impl ShowingRecord<'_> {
    /// Returns what was shown; nothing if the record makes no sense. A name like the last one is shared with it.
    pub(super) fn showing(&self, last_session: &mut Option<Arc<str>>) -> Option<Showing> {
        let mut fields = self.rest;
        let scheme = *SCHEMES.get(usize::from(fields.byte()?))?;
        let session = match fields.number()?.checked_sub(1) {
            None => None,
            Some(length) => {
                let name = std::str::from_utf8(fields.bytes(length)?).ok()?;
                if last_session.as_deref() != Some(name) {
                    *last_session = Some(Arc::from(name));
                }
                last_session.clone()
            }
        };
        let count = fields.number()?;
        let mut spans = Vec::new();
        let mut last: usize = 0;
        for _ in 0..count {
            let start = last.checked_add(fields.number()?)?;
            last = start.checked_add(fields.number()?)?;
            spans.push(LineSpan::new(start..last));
        }
        let width = tag_width(scheme);
        let mut parts = Vec::with_capacity(spans.len());
        for span in spans {
            let tags = fields.bytes(span.len().checked_mul(width)?)?;
            parts.push((span, unpacked(tags, width)));
        }
        Showing::restored(session, scheme, parts)
    }
}

/// Writes a revision with all its fingerprints; without any for a file that is too long.
pub(super) fn put_whole(out: &mut Vec<u8>, lines: usize, fingerprints: Option<&[Fingerprint]>) {
    let form = u8::from(fingerprints.is_some());
    // Eight bytes for a fingerprint and one for the tag that a first showing adds right after: allocated once.
    let fingerprints = fingerprints.unwrap_or_default();
    out.reserve(9 * fingerprints.len() + 256);
    put_revision_head(out, Written::BySomebody, form, lines);
    put_fingerprints(out, fingerprints);
}

/// Writes a revision that leans on the one before; `came` holds the fingerprints of all lines that came.
pub(super) fn put_since<'a>(
    out: &mut Vec<u8>,
    written: Written,
    lines: usize,
    since: &Since,
    came: impl IntoIterator<Item = &'a [Fingerprint]>,
) {
    put_revision_head(out, written, 2, lines);
    put_way(out, since);
    for came in came {
        put_fingerprints(out, came);
    }
}

/// Writes a revision of ours that leans on no fingerprints of the one before.
pub(super) fn put_written_whole(
    out: &mut Vec<u8>,
    lines: usize,
    since: &Since,
    fingerprints: Option<&[Fingerprint]>,
) {
    let form = u8::from(fingerprints.is_some());
    put_revision_head(out, Written::ByUs, form, lines);
    put_way(out, since);
    put_fingerprints(out, fingerprints.unwrap_or_default());
}

/// Writes all of a showing but its tags: whatever makes it the same as another of the same revision.
pub(super) fn put_showing_head(
    out: &mut Vec<u8>,
    by: ShownBy,
    session: Option<&str>,
    scheme: Scheme,
    spans: &[LineSpan],
) {
    let number = SCHEMES.iter().position(|known| *known == scheme);
    let [scheme, ..] = number.unwrap_or_default().to_le_bytes();
    out.extend([SHOWING, u8::from(by == ShownBy::Edit), scheme]);
    put_number(out, session.map_or(0, |name| name.len() + 1));
    out.extend_from_slice(session.unwrap_or_default().as_bytes());
    put_number(out, spans.len());
    let mut last = 0;
    for span in spans {
        put_number(out, span.start() - last);
        put_number(out, span.len());
        last = span.end();
    }
}

/// Writes tags, as narrow as their scheme allows.
pub(super) fn put_tags(out: &mut Vec<u8>, scheme: Scheme, tags: &[u32]) {
    match tag_width(scheme) {
        1 => out.extend(tags.iter().map(|tag| tag.to_le_bytes()[0])),
        width => {
            let narrow = tags.iter().map(|tag| tag.to_le_bytes());
            narrow.for_each(|tag| out.extend_from_slice(&tag[..width]));
        }
    }
}

/// Returns the replacements that a list of changes stands for.
pub(super) fn replacements(changes: &Changes) -> Vec<(LineSpan, usize)> {
    changes
        .iter()
        .map(|change| (change.old, change.new.len()))
        .collect()
}

fn put_revision_head(out: &mut Vec<u8>, written: Written, form: u8, lines: usize) {
    out.extend([REVISION, u8::from(written == Written::ByUs), form]);
    put_number(out, lines);
}

fn put_way(out: &mut Vec<u8>, since: &Since) {
    out.extend_from_slice(&since.from.0.to_le_bytes());
    put_number(out, since.replaced.len());
    let mut last = 0;
    for (old, came) in &since.replaced {
        put_number(out, old.start() - last);
        put_number(out, old.len());
        put_number(out, *came);
        last = old.end();
    }
}

fn put_fingerprints(out: &mut Vec<u8>, fingerprints: &[Fingerprint]) {
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
