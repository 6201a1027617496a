//! Where lines begin and end in a text, and what stands before its first word.

/// Where something stands in a text, as people count: both from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    /// The line.
    pub line: usize,
    /// The character in it.
    pub column: usize,
}

impl Position {
    /// Returns the position of a byte.
    pub(crate) fn of(text: &str, at: usize) -> Self {
        let before = &text[..text.floor_char_boundary(at)];
        let line = before.matches('\n').count() + 1;
        let begin = before.rfind('\n').map_or(0, |newline| newline + 1);
        let column = before[begin..].chars().count() + 1;
        Self { line, column }
    }
}

/// Returns the ending that the lines of a text have: that of the first line. A last line that ends half counts as well, since with a line
/// feed behind it it would be whole.
pub(crate) fn ending(text: &str) -> &'static str {
    let first = text.find('\n').unwrap_or(text.len());
    match text[..first].ends_with('\r') {
        true => "\r\n",
        false => "\n",
    }
}

/// Returns the blanks at the beginning of the line that a byte stands in.
pub(crate) fn indent(text: &str, at: usize) -> &str {
    let begin = text[..at].rfind('\n').map_or(0, |newline| newline + 1);
    let line = &text[begin..];
    &line[..line.len() - line.trim_start_matches([' ', '\t']).len()]
}

/// Returns where the ending of the line before lies, if only blanks stand before a byte in its own line.
pub(crate) fn ending_before(text: &str, at: usize) -> Option<usize> {
    let before = text[..at].trim_end_matches([' ', '\t']);
    let bare = before.strip_suffix('\n')?;
    Some(bare.strip_suffix('\r').unwrap_or(bare).len())
}

/// Returns where a blank line before a byte begins, which stands at the beginning of a line; without one, the byte itself.
pub(crate) fn before_blank(text: &str, at: usize) -> usize {
    let bare = text[..at].strip_suffix('\n');
    let bare = bare.map(|bare| bare.strip_suffix('\r').unwrap_or(bare));
    bare.filter(|bare| bare.ends_with('\n'))
        .map_or(at, str::len)
}

/// Returns a text with every ending as given.
pub(crate) fn with_endings(text: &str, ending: &str) -> String {
    let plain = text.replace("\r\n", "\n");
    match ending {
        "\n" => plain,
        other => plain.replace('\n', other),
    }
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
