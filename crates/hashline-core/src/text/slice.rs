//! Consecutive lines as one slice of bytes, for work that goes over each line once.
//!
//! A slice finds its lines while it goes over them. So a large file that is only shown never gets a line index.

use memchr::{memchr, memchr_iter};

use super::{Line, LineSpan};

/// Consecutive lines of a document, and their bytes.
#[derive(Clone, Copy, Debug)]
pub struct LineSlice<'a> {
    span: LineSpan,
    /// Invariant: as many lines as the span, endings included.
    bytes: &'a [u8],
}

impl<'a> LineSlice<'a> {
    pub(super) fn new(span: LineSpan, bytes: &'a [u8]) -> Self {
        Self { span, bytes }
    }

    /// Returns which lines these are.
    #[must_use]
    pub fn span(self) -> LineSpan {
        self.span
    }

    /// Returns the bytes of the lines, endings included.
    #[must_use]
    pub fn bytes(self) -> &'a [u8] {
        self.bytes
    }

    /// Lists the lines.
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

    /// Cuts it into slices of about `about` bytes, at least a line each.
    pub fn cut(self, about: usize) -> impl Iterator<Item = Self> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let (first, after) = rest.split(about)?;
            rest = after;
            Some(first)
        })
    }

    /// Splits it after the line in which byte `about` lies; `None` if there is no line.
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
