//! Rendering: lines as readers see them, each with its anchor.

mod chunk;
mod comment;
mod strip;

use std::borrow::Cow;
use std::fmt;

pub use chunk::{ChunkLimits, chunks};
pub use comment::Comment;
pub use strip::strip;

use crate::anchor::Tag;
use crate::scheme::Scheme;
use crate::text::{Document, Excerpt, LineNo, LineSlice, LineSpan};

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

/// Lists the lines of an excerpt with their anchors.
pub fn anchored_excerpt(
    excerpt: &Excerpt,
    scheme: Scheme,
) -> impl Iterator<Item = AnchoredLine<'_>> + '_ {
    let mut tagger = scheme.tagger();
    excerpt.lines().map(move |(number, line)| AnchoredLine {
        scheme,
        number,
        tag: scheme.spell(tagger.value(line.text, number)),
        text: display(line.text),
    })
}

/// Appends lines with their anchors to `out`, each followed by `\n`, and the value of each line's tag to `tags`.
///
/// The fast way for whole files; with the tags a ledger need not compute them again.
pub fn render_with_tags(
    stretch: LineSlice<'_>,
    scheme: Scheme,
    out: &mut Vec<u8>,
    tags: &mut Vec<u32>,
) {
    let (bytes, span) = (stretch.bytes(), stretch.span());
    let all_text = std::str::from_utf8(bytes).is_ok();
    let mut tagger = scheme.tagger();
    let mut anchor = AnchorText::new(LineNo::from_index(span.start()), scheme);
    tags.reserve(span.len());
    out.reserve(bytes.len() + span.len() * AnchorText::ROOM);
    for (line, index) in stretch.lines().zip(span.range()) {
        let value = tagger.value(line.text, LineNo::from_index(index));
        tags.push(value);
        out.extend_from_slice(anchor.with_tag(scheme.spell(value)));
        if all_text {
            out.extend_from_slice(line.text);
        } else {
            out.extend_from_slice(display(line.text).as_bytes());
        }
        out.push(b'\n');
        anchor.next_line();
    }
}

/// Returns the span a range of a document is shown as: `first` to `last` as people count, widened by `context`, clamped.
#[must_use]
pub fn shown_range(
    first: Option<usize>,
    last: Option<usize>,
    context: usize,
    lines: usize,
) -> LineSpan {
    let start = first.unwrap_or(1).max(1) - 1;
    let end = last.unwrap_or(lines);
    LineSpan::new(start..end).widened(context, lines)
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

/// The text before a line's own, counted up in place: digits, joint, tag, separator.
struct AnchorText {
    text: [u8; Self::ROOM],
    /// Where the number begins.
    start: usize,
    separator: u8,
}

impl AnchorText {
    /// The longest number, a joint, the longest tag, a separator.
    const ROOM: usize = Self::DIGITS + 1 + Tag::MAX + 1;
    const DIGITS: usize = 20;

    fn new(number: LineNo, scheme: Scheme) -> Self {
        let digits = number.to_string();
        let mut text = [b'0'; Self::ROOM];
        let start = Self::DIGITS - digits.len();
        text[start..Self::DIGITS].copy_from_slice(digits.as_bytes());
        text[Self::DIGITS] = scheme.joint();
        Self {
            text,
            start,
            separator: scheme.separator(),
        }
    }

    fn with_tag(&mut self, tag: Tag) -> &[u8] {
        let spelled = tag.as_bytes();
        let end = Self::DIGITS + 1 + spelled.len();
        self.text[Self::DIGITS + 1..end].copy_from_slice(spelled);
        self.text[end] = self.separator;
        &self.text[self.start..=end]
    }

    fn next_line(&mut self) {
        for at in (0..Self::DIGITS).rev() {
            self.start = self.start.min(at);
            if self.text[at] < b'9' {
                self.text[at] += 1;
                return;
            }
            self.text[at] = b'0';
        }
    }
}
