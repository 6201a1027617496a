//! A document: the bytes of one file, and where its lines begin and end.

use std::fmt;
use std::sync::{Arc, OnceLock};

use memchr::memchr_iter;

use super::{Encoding, Fingerprint, FingerprintKey, Line, LineNo, LineSlice, LineSpan, Revision};

/// The byte order mark of UTF-8.
pub(crate) const BOM: &[u8] = b"\xef\xbb\xbf";

/// Returns how many lines a file of so many bytes may have. The offsets of short lines take more memory than the lines do; the limit keeps the memory for
/// a file below four times its size plus 64 MiB.
#[must_use]
pub const fn most_lines(bytes: usize) -> usize {
    const LINES: usize = 3 << 20;
    const BYTES_A_LINE: usize = 16;
    LINES + bytes / BYTES_A_LINE
}

/// The bytes of one file, with an index of its lines. Cloning a document shares its bytes.
///
/// A line ends at `\n`; a `\r` right before that `\n` belongs to the line ending; any other `\r` is text. No line follows the final
/// newline: `"a\nb\n"` has two lines, `""` none. A byte order mark is kept but belongs to no line.
///
/// The text of a file in another encoding than UTF-8 is decoded ([`Document::decoded`]); such a document also has the bytes of the file.
//
// The mark is outside the first line because readers never see it: a tag over it would change with an invisible character, and an
// edit of line 1 would remove it.
#[derive(Clone)]
pub struct Document(Arc<DocumentData>);

// Everything but the bytes is computed when it is first needed: a file that is only shown needs no line index, and one that is only
// written needs no fingerprints.
struct DocumentData {
    bytes: Vec<u8>,
    /// The encoding of the file, if it is not UTF-8; then `bytes` is valid UTF-8.
    encoding: Option<Encoding>,
    /// The bytes of the file, if it has another encoding.
    file_bytes: OnceLock<Vec<u8>>,
    /// The offset of the first line: after the byte order mark, if there is one.
    text_start: usize,
    line_count: OnceLock<usize>,
    /// Invariant: ascending; the line `i` with its line ending is `bytes[ends[i - 1]..ends[i]]`.
    ends: OnceLock<Vec<usize>>,
    revision: OnceLock<Revision>,
    /// With the key that was used first. A program has one key.
    fingerprints: OnceLock<(FingerprintKey, Arc<[Fingerprint]>)>,
}

impl Document {
    /// Makes a document of any bytes; they need not be UTF-8.
    #[must_use]
    pub fn new(bytes: impl Into<Vec<u8>>) -> Self {
        Self::encoded(bytes.into(), None)
    }

    /// Makes a document of the text and the bytes of a file in another encoding than UTF-8. Encoding the text must give these bytes.
    #[must_use]
    pub fn decoded(text: String, file_bytes: Vec<u8>, encoding: Encoding) -> Self {
        let document = Self::encoded(text.into_bytes(), Some(encoding));
        // The document is new, so the cell cannot be set already.
        let _ = document.0.file_bytes.set(file_bytes);
        document
    }

    /// Makes a document with the encoding of this one. The characters of the text must be ones that the encoding has.
    pub(crate) fn with_text(&self, text: impl Into<Vec<u8>>) -> Self {
        Self::encoded(text.into(), self.0.encoding)
    }

    /// Makes the document that this one, which has no lines, becomes when it gets its first text. It keeps its byte order mark; without one, it gets
    /// one if its encoding calls for it and the text does not begin with one.
    pub(crate) fn filled_with(&self, text: &[u8]) -> Self {
        let is_marked = self.0.encoding.is_some_and(Encoding::has_mark);
        let mark = match self.bom() {
            _ if is_marked && text.starts_with(BOM) => b"",
            b"" if is_marked && !text.is_empty() => BOM,
            own => own,
        };
        self.with_text([mark, text].concat())
    }

    /// Makes the document with this text instead of the whole of this one. In an encoding that calls for a byte order mark, that of this document stays,
    /// because without it the file would be read as something else.
    pub(crate) fn rewritten_with(&self, text: String) -> Self {
        let is_marked = self.0.encoding.is_some_and(Encoding::has_mark);
        if self.bytes().is_empty() || is_marked && !self.bom().is_empty() && !text.is_empty() {
            self.filled_with(text.as_bytes())
        } else {
            self.with_text(text)
        }
    }

    fn encoded(bytes: Vec<u8>, encoding: Option<Encoding>) -> Self {
        let text_start = if bytes.starts_with(BOM) { BOM.len() } else { 0 };
        Self::unindexed(bytes, text_start, encoding)
    }

    /// Makes a document of bytes from the middle of a file, where the bytes of a byte order mark are text.
    pub(super) fn without_mark(bytes: Vec<u8>) -> Self {
        Self::unindexed(bytes, 0, None)
    }

    /// Makes a document of an edited text whose line index is known already, because `apply` computed it while copying. Byte order mark and
    /// encoding are those of this document.
    pub(crate) fn with_lines(&self, bytes: Vec<u8>, ends: Vec<usize>) -> Self {
        let document = Self::unindexed(bytes, self.0.text_start, self.0.encoding);
        // The document is new, so neither cell can be set already.
        let _ = document.0.line_count.set(ends.len());
        let _ = document.0.ends.set(ends);
        document
    }

    fn unindexed(bytes: Vec<u8>, text_start: usize, encoding: Option<Encoding>) -> Self {
        Self(Arc::new(DocumentData {
            bytes,
            encoding,
            file_bytes: OnceLock::new(),
            text_start,
            line_count: OnceLock::new(),
            ends: OnceLock::new(),
            revision: OnceLock::new(),
            fingerprints: OnceLock::new(),
        }))
    }

    /// Returns all bytes of the text, including the byte order mark: the bytes of the file, unless it has another encoding than UTF-8.
    #[must_use]
    pub fn bytes(&self) -> &[u8] {
        &self.0.bytes
    }

    /// Returns the encoding of the file, if it is not UTF-8.
    #[must_use]
    pub fn encoding(&self) -> Option<Encoding> {
        self.0.encoding
    }

    /// Returns the bytes of the file: those of the text, in the encoding of the file.
    ///
    /// # Panics
    ///
    /// If the text has a character that the encoding does not have. Edits are refused before that ([`crate::Error::NotEncodable`]).
    #[must_use]
    pub fn file_bytes(&self) -> &[u8] {
        let Some(encoding) = self.0.encoding else {
            return &self.0.bytes;
        };
        self.0.file_bytes.get_or_init(|| {
            let text = str::from_utf8(&self.0.bytes).expect("because decoded text is UTF-8");
            let encoded = encoding.encode(text);
            encoded.expect("because new text is checked before it is applied")
        })
    }

    /// Returns the byte order mark; empty if there is none.
    #[must_use]
    pub fn bom(&self) -> &[u8] {
        &self.0.bytes[..self.0.text_start]
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn line_count(&self) -> usize {
        *self.0.line_count.get_or_init(|| self.count_lines())
    }

    /// Returns the span of all lines of the document.
    #[must_use]
    pub fn all(&self) -> LineSpan {
        LineSpan::new(0..self.line_count())
    }

    /// Returns the line with this number, if the document has it.
    #[must_use]
    pub fn line(&self, number: LineNo) -> Option<Line<'_>> {
        self.line_at(number.index())
    }

    /// Returns the line at `index`, counted from 0, if the document has it.
    pub(crate) fn line_at(&self, index: usize) -> Option<Line<'_>> {
        let end = *self.ends().get(index)?;
        Some(Line::new(&self.0.bytes[self.offset(index)..end]))
    }

    /// Returns all lines.
    pub fn lines(&self) -> impl ExactSizeIterator<Item = Line<'_>> + '_ {
        self.lines_in(self.all())
    }

    /// Returns the lines of `span`; those past the end of the document are left out.
    pub fn lines_in(&self, span: LineSpan) -> impl ExactSizeIterator<Item = Line<'_>> + '_ {
        let last = span.end().min(self.line_count());
        let first = span.start().min(last);
        let mut start = self.offset(first);
        self.ends()[first..last].iter().map(move |&end| {
            let line = Line::new(&self.0.bytes[start..end]);
            start = end;
            line
        })
    }

    /// Returns the lines of `span` as one slice of bytes; lines past the end of the document are left out.
    #[must_use]
    pub fn slice(&self, span: LineSpan) -> LineSlice<'_> {
        let last = span.end().min(self.line_count());
        let first = span.start().min(last);
        let text = match (first, last) {
            // All lines are all bytes: no line index is needed, and a large file that is only shown never gets one.
            (0, last) if last == self.line_count() => &self.0.bytes[self.0.text_start..],
            _ => &self.0.bytes[self.offset(first)..self.offset(last)],
        };
        LineSlice::new(LineSpan::new(first..last), text)
    }

    /// Returns the revision, a hash that identifies exactly the bytes of the file and how they were decoded.
    #[must_use]
    pub fn revision(&self) -> Revision {
        *self.0.revision.get_or_init(|| {
            let revision = Revision::of(self.file_bytes());
            let decoded = |encoding: Encoding| revision.decoded_as(encoding.name());
            self.0.encoding.map_or(revision, decoded)
        })
    }

    /// Returns the fingerprint (64-bit hash) of every line.
    #[must_use]
    pub fn fingerprints(&self, key: FingerprintKey) -> Arc<[Fingerprint]> {
        let compute = || self.fingerprints_in(self.all(), key).collect();
        let (known, lines) = self.0.fingerprints.get_or_init(|| (key, compute()));
        if *known == key {
            Arc::clone(lines)
        } else {
            compute()
        }
    }

    /// Returns the fingerprints of the lines of `span`; lines past the end of the document are left out.
    pub(crate) fn fingerprints_in(
        &self,
        span: LineSpan,
        key: FingerprintKey,
    ) -> impl ExactSizeIterator<Item = Fingerprint> + '_ {
        self.lines_in(span)
            .map(move |line| Fingerprint::of(line.text, key))
    }

    /// Returns the offset in the bytes at which the line at `index` begins.
    pub(crate) fn offset(&self, index: usize) -> usize {
        index
            .checked_sub(1)
            .map_or(self.0.text_start, |before| self.ends()[before])
    }

    /// Returns, for each line, the offset in the bytes after its line ending.
    pub(crate) fn ends(&self) -> &[usize] {
        self.0.ends.get_or_init(|| self.find_ends())
    }

    /// Counts the lines without building the line index, which is much faster.
    fn count_lines(&self) -> usize {
        let text = &self.0.bytes[self.0.text_start..];
        let newlines = memchr_iter(b'\n', text).count();
        newlines + usize::from(text.last().is_some_and(|&byte| byte != b'\n'))
    }

    fn find_ends(&self) -> Vec<usize> {
        let bytes = &self.0.bytes;
        let mut ends = Vec::with_capacity(self.line_count());
        ends.extend(memchr_iter(b'\n', bytes).map(|at| at + 1));
        if ends.len() < self.line_count() {
            ends.push(bytes.len());
        }
        ends
    }
}

impl fmt::Debug for Document {
    /// Writes revision, number of lines and number of bytes, because a whole file is too long for a debug message.
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
        self.bytes() == other.bytes() && self.encoding() == other.encoding()
    }
}

impl Eq for Document {}

#[cfg(test)]
mod tests {
    use super::Document;
    use crate::text::LineEnding;

    #[test]
    fn lines_keep_their_endings_and_no_phantom_line_is_shown() {
        type Case = (&'static [u8], &'static [(&'static [u8], LineEnding)]);
        let cases: &[Case] = &[
            (b"", &[]),
            (b"\n", &[(b"", LineEnding::Lf)]),
            (
                b"a\r\nb\rc",
                &[(b"a", LineEnding::CrLf), (b"b\rc", LineEnding::None)],
            ),
            (b"\xef\xbb\xbf", &[]),
            (
                b"\xef\xbb\xbfx\n\n",
                &[(b"x", LineEnding::Lf), (b"", LineEnding::Lf)],
            ),
            (b"a\r", &[(b"a\r", LineEnding::None)]),
        ];
        for (bytes, lines) in cases {
            let doc = Document::new(*bytes);
            let seen: Vec<_> = doc.lines().map(|line| (line.text, line.ending)).collect();
            assert_eq!(seen, *lines, "{bytes:?}");
            assert_eq!(doc.line_count(), lines.len(), "{bytes:?}");
        }
    }
}
