//! The new text of an edit as the request sends it, before it is split into lines.

use std::iter;

use super::{Line, LineEnding};

/// The new text of an edit as it was sent: one string, or a list of strings.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Payload {
    /// One string, which may contain several lines.
    Text(String),
    /// A list of strings, each of which may contain several lines too.
    Lines(Vec<String>),
}

impl Payload {
    /// Splits the new text into lines.
    ///
    /// `\r\n` counts as `\n`; one `\n` at the end of the text is dropped, and one `\r` at the end of each line. So in new text `"x"` and
    /// `"x\n"` are one line, and `""` is one blank line. Each element of a list is split in the same way.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        self.lines_replacing(iter::empty())
    }

    /// Splits the new text of lines that replace others into lines, like [`Payload::lines`], but keeps each `\r` at the end of a new line that the
    /// text of the line that it replaces has too, so that such a line can be replaced by itself.
    #[must_use]
    pub fn lines_replacing<'a>(&self, replaced: impl Iterator<Item = Line<'a>>) -> Vec<String> {
        let pieces: Vec<Piece<'_>> = match self {
            Self::Text(text) => pieces(text).collect(),
            Self::Lines(list) => list.iter().flat_map(|text| pieces(text)).collect(),
        };
        let last = pieces.len().saturating_sub(1);
        // Without an ending, a line may end in `\r`. A line that is not the last gets an ending, and `\r` and `\n` would become one.
        let own = replaced.enumerate().map(|(at, line)| match line.ending {
            LineEnding::None if at != last => 0,
            _ => carriages(line.text),
        });
        let own = own.chain(iter::repeat(0));
        let lines = pieces.iter().zip(own);
        lines.map(|(piece, own)| piece.line(own)).collect()
    }

    /// Returns the text exactly as it was sent; a list is joined with `\n`.
    #[must_use]
    pub fn verbatim(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Lines(list) => list.join("\n"),
        }
    }
}

impl From<&str> for Payload {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Payload {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<Vec<String>> for Payload {
    fn from(lines: Vec<String>) -> Self {
        Self::Lines(lines)
    }
}

impl<const N: usize> From<[&str; N]> for Payload {
    fn from(lines: [&str; N]) -> Self {
        Self::Lines(lines.map(str::to_owned).to_vec())
    }
}

/// One line of new text as it was sent, without its `\n`.
struct Piece<'a> {
    text: &'a str,
    is_ended: bool,
}

impl Piece<'_> {
    /// Returns the line, with as many `\r` at its end as are meant. `own` is how many the line has that it replaces.
    fn line(&self, own: usize) -> String {
        // One belongs to `\r\n`, and one more is dropped from the line.
        let dropped = if self.is_ended { 2 } else { 1 };
        let sent = carriages(self.text.as_bytes());
        let kept = sent.saturating_sub(dropped).max(own.min(sent));
        self.text[..self.text.len() - (sent - kept)].to_owned()
    }
}

/// Splits a text at its line endings; one at the end of the text begins no further line.
fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let (text, is_ended) = match text.strip_suffix('\n') {
        Some(text) => (text, true),
        None => (text, false),
    };
    let mut pieces = text.split('\n').peekable();
    iter::from_fn(move || {
        Some(Piece {
            text: pieces.next()?,
            is_ended: is_ended || pieces.peek().is_some(),
        })
    })
}

/// Returns how many `\r` are at the end of a line.
fn carriages(line: &[u8]) -> usize {
    line.iter().rev().take_while(|&&byte| byte == b'\r').count()
}

#[cfg(test)]
mod tests {
    use crate::text::{Document, Payload};

    #[test]
    fn text_is_split_into_lines() {
        let cases: &[(&str, &[&str])] = &[
            ("x", &["x"]),
            ("x\n", &["x"]),
            ("x\r\n", &["x"]),
            ("", &[""]),
            ("\n", &[""]),
            ("\nx", &["", "x"]),
            ("x\n\n", &["x", ""]),
            ("a\r\nb\r", &["a", "b"]),
            ("a\r\r\nb", &["a", "b"]),
            ("a\r\r\r\nb", &["a\r", "b"]),
        ];
        for (text, lines) in cases {
            assert_eq!(Payload::from(*text).lines(), *lines, "{text:?}");
        }
    }

    #[test]
    fn a_carriage_return_of_the_replaced_line_is_kept() {
        let cases: &[(&str, &str, &[&str])] = &[
            ("a\r", "a\r\r\n", &["a\r"]),
            ("a\r\n", "a\r\r\n", &["a\r"]),
            ("a\r\r\n", "a\r\r\n", &["a\r"]),
            ("b\r\nc\r", "a\r\r\na\n", &["b\r", "c"]),
            ("b\r\nc\r", "a\na\r\r\r\n", &["b", "c\r"]),
            ("b\nc\r", "a\r\r\n", &["b", "c"]),
            ("\r\r\r\n", "\r\r\r\r\n", &["\r\r\r"]),
            ("\r\r\r\n", "", &["\r"]),
            ("b\r", "a\r", &["b\r"]),
            ("b\r\nc\r", "a\na\r", &["b", "c\r"]),
            ("b\r\nc\r", "a\r", &["b", "c"]),
        ];
        for (text, replaced, lines) in cases {
            let old = Document::new(replaced.as_bytes());
            let new = Payload::from(*text).lines_replacing(old.lines());
            assert_eq!(new, *lines, "{text:?}");
        }
    }

    #[test]
    fn elements_of_a_list_are_split_too() {
        assert_eq!(
            Payload::from(["a\nb\n", "", "c"]).lines(),
            ["a", "b", "", "c"]
        );
    }
}
