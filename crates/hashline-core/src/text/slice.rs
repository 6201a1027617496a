//! Consecutive lines as one slice of bytes, for code that goes over each line once.
//!
//! The lines are found while iterating, so that a large file that is only shown needs no line index.

use memchr::{memchr, memchr_iter};

use super::{Line, LineSpan};

/// Consecutive lines of a document, with their numbers and their bytes.
#[derive(Clone, Copy, Debug)]
pub struct LineSlice<'a> {
    span: LineSpan,
    /// Invariant: the bytes have as many lines as the span; line endings are included.
    bytes: &'a [u8],
}

impl<'a> LineSlice<'a> {
    pub(super) fn new(span: LineSpan, bytes: &'a [u8]) -> Self {
        Self { span, bytes }
    }

    /// Returns the place of these lines in the document.
    #[must_use]
    pub fn span(self) -> LineSpan {
        self.span
    }

    /// Returns the bytes of the lines, including their line endings.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Returns the lines one by one.
    pub(crate) fn lines(self) -> impl Iterator<Item = Line<'a>> {
        let mut rest = self.bytes;
        let mut newlines = memchr_iter(b'\n', self.bytes);
        std::iter::from_fn(move || {
            if rest.is_empty() {
                return None;
            }
            let done = self.bytes.len() - rest.len();
            let length = newlines.next().map_or(rest.len(), |at| at + 1 - done);
            let (line, after) = rest.split_at(length);
            rest = after;
            Some(Line::new(line))
        })
    }

    /// Cuts the lines into slices of about `about` bytes each, always after whole lines and with at least one line.
    pub fn cut(self, about: usize) -> impl Iterator<Item = Self> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (first, after) = rest.split(about)?;
            rest = after;
            Some(first)
        })
    }

    /// Splits the slice after the line that contains the byte number `about`; `None` if the slice is empty.
    fn split(self, about: usize) -> Option<(Self, Self)> {
        if self.bytes.is_empty() {
            return None;
        }
        let from = about.clamp(1, self.bytes.len()) - 1;
        let end = memchr(b'\n', &self.bytes[from..]).map_or(self.bytes.len(), |at| from + at + 1);
        let (first, after) = self.bytes.split_at(end);
        let middle = match after {
            [] => self.span.end(),
            _ => self.span.start() + memchr_iter(b'\n', first).count(),
        };
        Some((
            Self::new(LineSpan::new(self.span.start()..middle), first),
            Self::new(LineSpan::new(middle..self.span.end()), after),
        ))
    }
}

#[cfg(test)]
mod tests {
    use crate::text::{Document, LineSpan};

    #[test]
    fn cut_anywhere_it_has_the_same_lines() {
        let cases: [&[u8]; 7] = [
            b"",
            b"\n",
            b"a",
            b"a\r\nb\rc",
            b"\xef\xbb\xbfx\n\n",
            b"\n\nlonger line\r\n\nx",
            b"one\ntwo\nthree\n",
        ];
        for bytes in cases {
            let document = Document::new(bytes);
            for span in [document.all(), LineSpan::new(1..2), LineSpan::new(1..9)] {
                let whole: Vec<_> = document.lines_in(span).collect();
                for about in 0..=bytes.len() + 1 {
                    let (mut lines, mut next) = (Vec::new(), span.start());
                    for part in document.slice(span).cut(about) {
                        assert_eq!(part.span().start(), next, "{bytes:?} {span} {about}");
                        assert_eq!(part.span().len(), part.lines().count());
                        next = part.span().end();
                        lines.extend(part.lines());
                    }
                    assert_eq!(lines, whole, "{bytes:?} {span} {about}");
                }
            }
        }
    }
}
