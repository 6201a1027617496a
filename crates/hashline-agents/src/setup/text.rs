//! Splices of a text, which replace some ranges and keep every other byte, and small functions on lines and line endings.

use std::ops::Range;

/// A position in a text for messages: line and column, both counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line number, from 1.
    pub line: usize,
    /// The column, counted in characters from 1.
    pub column: usize,
}

impl Position {
    /// Returns the position of the byte at offset `at`.
    pub(crate) fn of(text: &str, at: usize) -> Self {
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[begin..].chars().count() + 1;
        Self { line, column }
    }
}

impl std::fmt::Display for Position {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A range of a text and its replacement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TextSplice {
    /// The range of bytes that is replaced; an empty range makes an insertion.
    pub(crate) range: Range<usize>,
    /// The replacement text.
    pub(crate) text: String,
}

impl TextSplice {
    /// Makes a splice that inserts text at a byte offset.
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }

    /// Makes a splice that removes a range.
    pub(crate) fn remove(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    /// Makes a splice that replaces a range with text.
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { range, text }
    }
}

/// Returns a text with splices applied; they must be sorted and must not overlap.
pub(crate) fn spliced(text: &str, splices: &[TextSplice]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        result.push_str(&text[at..splice.range.start]);
        result.push_str(&splice.text);
        at = splice.range.end;
    }
    result.push_str(&text[at..]);
    result
}

/// Returns the line ending of a text's first line. An unfinished first line that ends with a carriage return counts as `\r\n`.
pub(crate) fn ending(text: &str) -> &'static str {
    let first = text.find('\n').unwrap_or(text.len());
    if text[..first].ends_with('\r') {
        "\r\n"
    } else {
        "\n"
    }
}

/// Returns the indentation of the line that contains the byte at offset `at`.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[begin..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns a text without the line ending at its end; `None` if there is none.
pub(crate) fn without_ending(text: &str) -> Option<&str> {
    let bare = text.strip_suffix('\n')?;
    Some(bare.strip_suffix('\r').unwrap_or(bare))
}

/// Returns the offset of the previous line's ending, if only spaces and tabs are between it and `at`.
pub(crate) fn ending_before(text: &str, at: usize) -> Option<usize> {
    without_ending(text[..at].trim_end_matches([' ', '\t'])).map(str::len)
}

/// Returns the offset of the blank line before the line that starts at `at`; `at` itself if the previous line is not blank.
pub(crate) fn before_blank(text: &str, at: usize) -> usize {
    let bare = without_ending(&text[..at]).filter(|bare| bare.ends_with('\n'));
    bare.map_or(at, str::len)
}

/// Returns a text with all its line endings replaced by `ending`.
pub(crate) fn with_endings(text: &str, ending: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    match ending {
        "\n" => plain,
        other => plain.replace('\n', other),
    }
}

/// Returns a text with a block of lines appended after a blank line, in the text's own line endings.
pub(crate) fn appended(text: &str, block: &str) -> String {
    let ending = ending(text);
    let gap = match text {
        "" => String::new(),
        text if text.ends_with('\n') => ending.to_owned(),
        _ => format!("{ending}{ending}"),
    };
    format!("{text}{gap}{}", with_endings(block, ending))
}

#[cfg(test)]
mod tests {
    use super::{Position, ending, ending_before, indent};

    #[test]
    fn lines_are_found() {
        let text = "a\r\n\tbé c\n";
        assert_eq!(ending(text), "\r\n");
        assert_eq!(ending("a"), "\n");
        assert_eq!(indent(text, 5), "\t");
        assert_eq!(ending_before(text, 4), Some(1));
        assert_eq!(ending_before(text, 5), None);
        let column = Position::of(text, 8).column;
        assert_eq!(column, 5, "characters, not bytes");
    }
}
