//! A document: the bytes of one file and where its lines lie.

use std::fmt;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

use super::{Ending, Fingerprint, LineNo, LineSpan, Revision};

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// The bytes of one file, with an index of its lines. Cloning shares the bytes.
///
/// Lines end at `\n`; a `\r` right before it belongs to the ending; any other `\r` is text. The final newline starts no further
/// line: `"a\nb\n"` has two lines, `""` none. A byte order mark is kept but belongs to no line.
#[derive(Clone)]
pub struct Document(Arc<Inner>);

struct Inner {
    bytes: Vec<u8>,
    /// Where the first line begins: after the byte order mark, if there is one.
    text_start: usize,
    /// Invariant: ascending; line `i` with its ending is `bytes[ends[i - 1]..ends[i]]`.
    ends: Vec<usize>,
    revision: OnceLock<Revision>,
    fingerprints: OnceLock<Arc<[Fingerprint]>>,
}

/// One line: its text and how it ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text, without its ending.
    pub text: &'a [u8],
    /// The ending.
    pub ending: Ending,
}

impl<'a> Line<'a> {
    /// Returns the text if it is UTF-8.
    #[must_use]
    pub fn as_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.text).ok()
    }
}

impl Document {
    /// Takes the bytes of a file, whatever they are.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        let text_start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        let ends = line_ends(&bytes, text_start);
        Self::from_parts(bytes, text_start, ends)
    }

    /// Takes bytes from the middle of a file: what looks like a byte order mark is text there.
    pub(super) fn without_mark(bytes: Vec<u8>) -> Self {
        let ends = line_ends(&bytes, 0);
        Self::from_parts(bytes, 0, ends)
    }

    /// Takes bytes whose line index is known already, as `apply` reckons it.
    pub(crate) fn from_parts(bytes: Vec<u8>, text_start: usize, ends: Vec<usize>) -> Self {
        let (revision, fingerprints) = (OnceLock::new(), OnceLock::new());
        Self(Arc::new(Inner {
            bytes,
            text_start,
            ends,
            revision,
            fingerprints,
        }))
    }

    /// Returns all bytes, byte order mark included.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// Returns the byte order mark, or nothing.
    #[must_use]
    pub fn bom(&self) -> &[u8] {
        &self.0.bytes[..self.0.text_start]
    }

    /// Counts the lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        self.0.ends.len()
    }

    /// Returns the span of all lines.
    #[must_use]
    pub fn all(&self) -> LineSpan {
        LineSpan::new(0..self.line_count())
    }

    /// Returns the line, if the document has it.
    #[must_use]
    pub fn line(&self, number: LineNo) -> Option<Line<'_>> {
        self.line_at(number.index())
    }

    /// Returns the line at `index`, counted from 0.
    #[must_use]
    pub fn line_at(&self, index: usize) -> Option<Line<'_>> {
        let end = *self.0.ends.get(index)?;
        let (text, ending) = Ending::split(&self.0.bytes[self.offset(index)..end]);
        Some(Line { text, ending })
    }

    /// Lists all lines.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> + '_ {
        self.lines_in(self.all())
    }

    /// Lists the lines of `span`, as far as the document has them.
    pub fn lines_in(&self, span: LineSpan) -> impl ExactSizeIterator<Item = Line<'_>> + '_ {
        let last = span.end().min(self.line_count());
        let first = span.start().min(last);
        let mut start = self.offset(first);
        self.0.ends[first..last].iter().map(move |&end| {
            let (text, ending) = Ending::split(&self.0.bytes[start..end]);
            start = end;
            Line { text, ending }
        })
    }

    /// Returns the bytes of the lines of `span`, endings included.
    #[must_use]
    pub fn span_bytes(&self, span: LineSpan) -> &[u8] {
        let last = span.end().min(self.line_count());
        let first = span.start().min(last);
        &self.0.bytes[self.offset(first)..self.offset(last)]
    }

    /// Tells whether the last line is terminated.
    #[must_use]
    pub fn ends_with_newline(&self) -> bool {
        self.0.bytes.ends_with(b"\n")
    }

    /// Returns the name of these bytes.
    #[must_use]
    pub fn revision(&self) -> Revision {
        *self.0.revision.get_or_init(|| Revision::of(&self.0.bytes))
    }

    /// Returns the fingerprint of every line.
    #[must_use]
    pub fn fingerprints(&self) -> &Arc<[Fingerprint]> {
        self.0.fingerprints.get_or_init(|| {
            self.lines()
                .map(|line| Fingerprint::of(line.text))
                .collect()
        })
    }

    /// Returns where the line at `index` begins in the bytes.
    pub(crate) fn offset(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(self.0.text_start, |before| self.0.ends[before])
    }

    /// Returns where each line ends in the bytes.
    pub(crate) fn ends(&self) -> &[usize] {
        &self.0.ends
    }
}

/// Lists where the lines end, of which the first begins at `text_start`.
fn line_ends(bytes: &[u8], text_start: usize) -> Vec<usize> {
    let mut ends: Vec<usize> = memchr_iter(b'\n', bytes).map(|at| at + 1).collect();
    if ends.last().copied().unwrap_or(text_start) < bytes.len() {
        ends.push(bytes.len());
    }
    ends
}

impl fmt::Debug for Document {
    /// Names the bytes; a file is too long to be printed in passing.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document")
            .field("revision", &self.revision().short())
            .field("lines", &self.line_count())
            .field("bytes", &self.bytes().len())
            .finish()
    }
}

impl PartialEq for Document {
    fn eq(&self, other: &Self) -> bool {
        self.bytes() == other.bytes()
    }
}

impl Eq for Document {}

#[cfg(test)]
mod tests {
    use super::{Document, Ending};

    #[test]
    fn lines_keep_their_endings_and_no_phantom_line_is_shown() {
        type Case = (&'static [u8], &'static [(&'static [u8], Ending)]);
        let cases: &[Case] = &[
            (b"", &[]),
            (b"\n", &[(b"", Ending::Lf)]),
            (
                b"a\r\nb\rc",
                &[(b"a", Ending::CrLf), (b"b\rc", Ending::None)],
            ),
            (b"\xef\xbb\xbf", &[]),
            (
                b"\xef\xbb\xbfx\n\n",
                &[(b"x", Ending::Lf), (b"", Ending::Lf)],
            ),
            (b"a\r", &[(b"a\r", Ending::None)]),
        ];
        for (bytes, lines) in cases {
            let doc = Document::new(*bytes);
            let seen: Vec<_> = doc.lines().map(|line| (line.text, line.ending)).collect();
            assert_eq!(seen, *lines, "{bytes:?}");
        }
    }
}
