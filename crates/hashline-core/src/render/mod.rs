//! Rendering: lines as readers see them, each with its anchor.

mod chunk;
mod comment;
mod strip;

use std::borrow::Cow;
use std::fmt;

pub use chunk::{ChunkLimits, chunks};
pub use comment::{Comment, with_comments};
pub use strip::strip;

use crate::anchor::Tag;
use crate::scheme::Scheme;
use crate::text::{Document, LineNo, LineSpan};

/// One line as it is shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredLine<'a> {
    /// The scheme of its tag.
    pub scheme: Scheme,
    /// Its number.
    pub number: LineNo,
    /// Its tag.
    pub tag: Tag,
    /// Its text; bytes that are not UTF-8 as `\xNN`.
    pub text: Cow<'a, str>,
}

impl AnchoredLine<'_> {
    /// Returns the anchor that names the line.
    #[must_use]
    pub fn anchor(&self) -> String {
        self.scheme.anchor(self.number, self.tag)
    }
}

impl fmt::Display for AnchoredLine<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (joint, separator) = (
            char::from(self.scheme.joint()),
            char::from(self.scheme.separator()),
        );
        write!(
            f,
            "{}{joint}{}{separator}{}",
            self.number, self.tag, self.text
        )
    }
}

/// Lists the lines of `span` with their anchors.
pub fn anchored(
    document: &Document,
    span: LineSpan,
    scheme: Scheme,
) -> impl Iterator<Item = AnchoredLine<'_>> + '_ {
    let mut tagger = scheme.tagger();
    document
        .lines_in(span)
        .zip(span.range())
        .map(move |(line, index)| {
            let number = LineNo::from_index(index);
            let tag = scheme.spell(tagger.value(line.text, number));
            AnchoredLine {
                scheme,
                number,
                tag,
                text: display(line.text),
            }
        })
}

/// Appends the lines of `span` with their anchors to `out`, each followed by `\n`. The fast way for whole files.
pub fn render_into(document: &Document, span: LineSpan, scheme: Scheme, out: &mut Vec<u8>) {
    let mut tagger = scheme.tagger();
    let mut number = Decimal::new(LineNo::from_index(span.start()));
    for (line, index) in document.lines_in(span).zip(span.range()) {
        let tag = scheme.spell(tagger.value(line.text, LineNo::from_index(index)));
        out.extend_from_slice(number.digits());
        out.push(scheme.joint());
        out.extend_from_slice(tag.as_bytes());
        out.push(scheme.separator());
        out.extend_from_slice(display(line.text).as_bytes());
        out.push(b'\n');
        number.increment();
    }
}

/// Returns the text of a line as readers see it: bytes that are not UTF-8 as `\xNN`.
#[must_use]
pub fn display(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            shown.push_str(&format!("\\x{byte:02X}"));
        }
    }
    Cow::Owned(shown)
}

/// A line number as decimal digits, counted up in place.
struct Decimal {
    digits: [u8; 20],
    start: usize,
}

impl Decimal {
    fn new(number: LineNo) -> Self {
        let text = number.to_string();
        let mut digits = [b'0'; 20];
        let start = digits.len() - text.len();
        digits[start..].copy_from_slice(text.as_bytes());
        Self { digits, start }
    }

    fn digits(&self) -> &[u8] {
        &self.digits[self.start..]
    }

    fn increment(&mut self) {
        for at in (0..self.digits.len()).rev() {
            self.start = self.start.min(at);
            if self.digits[at] < b'9' {
                self.digits[at] += 1;
                return;
            }
            self.digits[at] = b'0';
        }
    }
}
