//! Rendering: writes lines as readers see them, each with its anchor, and removes the anchors again.

mod comment;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::fmt;

pub use comment::Comment;

use crate::anchor::Tag;
use crate::scheme::Scheme;
use crate::text::{Document, Line, LineNo, LineSlice, LineSpan};

/// One line as it is shown to a reader: its anchor and its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredLine<'a> {
    /// The scheme in which the line's tag was computed.
    pub scheme: Scheme,
    /// The number of the line.
    pub number: LineNo,
    /// The tag of the line.
    pub tag: Tag,
    /// The text of the line; bytes that are not UTF-8 are written as `\xNN`.
    pub text: Cow<'a, str>,
}

/// How many bytes of a page a line takes at least, however short it is. Clients cut answers by their lines too: with this, a page of 36,000 bytes
/// has at most 1,500 lines.
const LEAST_LINE: usize = 24;

/// Returns how many bytes of a page a line of `bytes` bytes takes, with its `\n`.
#[must_use]
pub fn line_cost(bytes: usize) -> usize {
    bytes.saturating_add(1).max(LEAST_LINE)
}

impl AnchoredLine<'_> {
    /// Returns how many bytes of a page the line takes, with its anchor and its `\n`.
    #[must_use]
    pub fn cost(&self) -> usize {
        let digits = self.number.get().ilog10() as usize + 1;
        line_cost(digits + 1 + self.tag.as_bytes().len() + 1 + self.text.len())
    }

    /// Returns the anchor that names the line in a request, such as `12:a3`.
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

/// Returns the lines of `span`, each with its anchor.
pub fn anchored(
    document: &Document,
    span: LineSpan,
    scheme: Scheme,
) -> impl Iterator<Item = AnchoredLine<'_>> + '_ {
    let numbers = span.range().map(LineNo::from_index);
    anchored_lines(numbers.zip(document.lines_in(span)), scheme)
}

/// Returns numbered lines, each with its anchor; they need not be lines of a [`Document`].
pub fn anchored_lines<'a>(
    lines: impl Iterator<Item = (LineNo, Line<'a>)>,
    scheme: Scheme,
) -> impl Iterator<Item = AnchoredLine<'a>> {
    let mut tagger = scheme.tagger();
    lines.map(move |(number, line)| AnchoredLine {
        scheme,
        number,
        tag: scheme.spell(tagger.value(line.text, number)),
        text: display(line.text),
    })
}

/// Appends each line with its anchor and a `\n` to `out`, and the value of each line's tag to `tags`.
///
/// This function is the fast way to show whole files, and it returns the tags so that a record of the shown lines need not compute them
/// again.
pub fn render_with_tags(
    lines: LineSlice<'_>,
    scheme: Scheme,
    out: &mut Vec<u8>,
    tags: &mut Vec<u32>,
) {
    let (bytes, span) = (lines.bytes(), lines.span());
    // One check for all lines instead of one per line: nearly every file is UTF-8.
    let all_text = std::str::from_utf8(bytes).is_ok();
    let mut tagger = scheme.tagger();
    let mut anchor = AnchorText::new(LineNo::from_index(span.start()), scheme);
    tags.reserve(span.len());
    out.reserve(bytes.len() + span.len() * AnchorText::ROOM);
    for (line, index) in lines.lines().zip(span.range()) {
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

/// Returns the lines to show when lines `first` to `last` (counted from 1, inclusive) are requested, with `context` lines before and
/// after, cut to a document of `lines` lines.
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

/// Removes one anchor from the start of each line, never more than one. Lines that do not start with an anchor stay as they are.
#[must_use]
pub fn strip(annotated: &str, scheme: Scheme) -> String {
    let lines = annotated
        .split('\n')
        .map(|line| scheme.read_shown(line).map_or(line, |(_, text)| text));
    lines.collect::<Vec<_>>().join("\n")
}

/// How many lines and bytes go into one chunk of rendered lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLimits {
    /// The maximum number of lines in a chunk; 0 counts as 1.
    pub lines: usize,
    /// The maximum number of bytes in a chunk, including the `\n`s between its lines; a line that is longer becomes a separate chunk.
    pub bytes: usize,
}

impl Default for ChunkLimits {
    fn default() -> Self {
        Self {
            lines: 200,
            bytes: 65_536,
        }
    }
}

/// Groups rendered lines into chunks, each a text of lines joined with `\n`.
pub fn chunks<S: AsRef<str>>(
    lines: impl IntoIterator<Item = S>,
    limits: ChunkLimits,
) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut chunk: Option<(String, usize)> = None;
    for line in lines {
        let line = line.as_ref();
        let full = |(text, count): &(String, usize)| {
            *count >= limits.lines || text.len().saturating_add(1 + line.len()) > limits.bytes
        };
        done.extend(chunk.take_if(|chunk| full(chunk)).map(|(text, _)| text));
        let (text, count) = chunk.get_or_insert_with(|| (String::new(), 0));
        if *count > 0 {
            text.push('\n');
        }
        text.push_str(line);
        *count += 1;
        done.extend(
            chunk
                .take_if(|(text, count)| *count >= limits.lines || text.len() >= limits.bytes)
                .map(|(text, _)| text),
        );
    }
    done.extend(chunk.map(|(text, _)| text));
    done
}

/// Returns the text as readers see it, with bytes that are not UTF-8 written as `\xNN`.
#[must_use]
pub fn display(text: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(text) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for chunk in text.utf8_chunks() {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            shown.push_str(&escape(*byte));
        }
    }
    Cow::Owned(shown)
}

/// Returns how many bytes of a line are shown by the first `displayed` bytes of its [`display`].
#[must_use]
pub fn bytes_displayed(text: &[u8], displayed: usize) -> usize {
    const ESCAPE: usize = 4;
    let (mut left, mut bytes) = (displayed, 0);
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid().len().min(left);
        let invalid = chunk.invalid().len().min((left - valid) / ESCAPE);
        bytes += valid + invalid;
        left -= valid + ESCAPE * invalid;
        if valid < chunk.valid().len() || invalid < chunk.invalid().len() {
            break;
        }
    }
    bytes
}

/// Returns the escapes (`\xE9`) with which [`display`] shows the bytes of a line that are not UTF-8, each once.
pub(crate) fn escapes(text: &[u8]) -> BTreeSet<String> {
    let invalid = text.utf8_chunks().flat_map(|chunk| chunk.invalid());
    invalid.map(|byte| escape(*byte)).collect()
}

fn escape(byte: u8) -> String {
    format!("\\x{byte:02X}")
}

/// The anchor in front of a rendered line: digits, joint, tag, separator (`12:a3|`). The number is incremented in place, digit by digit,
/// which is much cheaper than formatting it for every line.
struct AnchorText {
    text: [u8; Self::ROOM],
    /// The index in `text` where the number begins.
    start: usize,
    separator: u8,
}

impl AnchorText {
    /// The size of the longest anchor: the longest number, a joint, the longest tag, a separator.
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
