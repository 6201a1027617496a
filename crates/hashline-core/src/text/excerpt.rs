//! Excerpts: some lines of a file that is too large to be kept in memory.
//!
//! [`Excerpting`] takes the bytes of a file piece by piece and keeps only the requested lines, the revision and the number of lines. No
//! line is hashed on its own, so that a file of a million lines costs one pass over its bytes.

use memchr::{memchr, memchr_iter, memrchr};
use xxhash_rust::xxh3::Xxh3Default;

use super::document::BOM;
use super::{Document, Encoding, Line, LineNo, LineSpan, Revision};

/// Some lines of a file, with the revision (hash) of the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Excerpt {
    /// The revision of the whole file.
    pub revision: Revision,
    /// How many lines the whole file has.
    pub line_count: usize,
    /// The encoding of the file, if it is not UTF-8.
    pub encoding: Option<Encoding>,
    first: usize,
    lines: Document,
}

/// Collects some lines of a file whose bytes are read piece by piece.
pub struct Excerpting {
    wanted: LineSpan,
    hash: Xxh3Default,
    /// How many lines have ended in the pieces so far.
    ended: usize,
    /// How many bytes the last line has so far, if its newline has not been read yet.
    open: usize,
    last: u8,
    longest: usize,
    kept: Vec<u8>,
    begun: bool,
}

impl Excerpt {
    /// Returns an excerpt with the lines `span` of a document; lines past its end are left out.
    #[must_use]
    pub fn of(document: &Document, span: LineSpan) -> Self {
        let span = span.widened(0, document.line_count());
        Self {
            revision: document.revision(),
            line_count: document.line_count(),
            encoding: document.encoding(),
            first: span.start(),
            lines: Document::without_mark(document.slice(span).bytes().to_vec()),
        }
    }

    /// Returns which lines of the file the excerpt holds.
    #[must_use]
    pub fn span(&self) -> LineSpan {
        LineSpan::new(self.first..self.first + self.lines.line_count())
    }

    /// Returns the lines of the excerpt, with the numbers that they have in the file.
    pub fn lines(&self) -> impl Iterator<Item = (LineNo, Line<'_>)> + '_ {
        let numbers = self.span().range().map(LineNo::from_index);
        numbers.zip(self.lines.lines())
    }
}

impl Excerpting {
    /// Returns a collector that has read no bytes of the file yet; `wanted` are the lines to keep.
    #[must_use]
    pub fn new(wanted: LineSpan) -> Self {
        Self {
            wanted,
            hash: Xxh3Default::new(),
            ended: 0,
            open: 0,
            last: 0,
            longest: 0,
            kept: Vec::new(),
            begun: false,
        }
    }

    /// Takes the next bytes of the file. The first piece must contain the whole byte order mark, if the file has one.
    pub fn take(&mut self, bytes: &[u8]) {
        self.hash.update(bytes);
        let mark = if self.begun || !bytes.starts_with(BOM) {
            0
        } else {
            BOM.len()
        };
        self.begun = true;
        let text = &bytes[mark..];
        let ended = memchr_iter(b'\n', text).count();
        self.keep(text, ended);
        self.measure(text);
        self.ended += ended;
        self.last = text.last().copied().unwrap_or(self.last);
    }

    /// Returns the length of the longest line that is spread over several pieces. Lines inside one piece are not measured, because the
    /// caller makes its pieces shorter than its limit for lines.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.longest.max(self.open)
    }

    /// Returns the number of lines so far, including a last line that has not ended yet.
    #[must_use]
    pub(crate) fn line_count(&self) -> usize {
        self.ended + usize::from(self.open > 0)
    }

    /// Returns the excerpt, after all bytes of the file were taken.
    #[must_use]
    pub fn finish(self) -> Excerpt {
        let line_count = self.line_count();
        Excerpt {
            revision: Revision(self.hash.digest128()),
            line_count,
            encoding: None,
            first: self.wanted.start().min(line_count),
            lines: Document::without_mark(self.kept),
        }
    }

    /// Keeps the requested lines of a piece in which `ended` lines end.
    fn keep(&mut self, text: &[u8], ended: usize) {
        let (first, end) = (self.wanted.start(), self.wanted.end());
        if self.ended + ended < first || self.ended >= end {
            return;
        }
        // The line that is open here is number `self.ended`; where line `n` begins is after the newline that ends `n - 1`.
        let begins = |line: usize| match line.checked_sub(self.ended) {
            None | Some(0) => Some(0),
            Some(newlines) => memchr_iter(b'\n', text).nth(newlines - 1).map(|at| at + 1),
        };
        let Some(from) = begins(first) else { return };
        let to = begins(end).unwrap_or(text.len());
        self.kept.extend_from_slice(&text[from..to]);
    }

    /// Measures the lines that begin before this piece or continue after it.
    fn measure(&mut self, text: &[u8]) {
        match memchr(b'\n', text) {
            None => self.open += text.len(),
            Some(at) => {
                let before = if at == 0 { self.last } else { text[at - 1] };
                let carriage = usize::from(before == b'\r' && self.open + at > 0);
                self.longest = self.longest.max(self.open + at - carriage);
                let end = memrchr(b'\n', text).map_or(0, |end| end + 1);
                self.open = text.len() - end;
            }
        }
    }
}
