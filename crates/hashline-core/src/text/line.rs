//! A line: its text and its line ending.

/// One line of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text of the line, without its line ending.
    pub text: &'a [u8],
    /// The line ending.
    pub ending: LineEnding,
}

/// The bytes that end a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// The line ends with `\n`.
    Lf,
    /// The line ends with `\r\n`.
    CrLf,
    /// The line has no ending, as the last line of a file without a final newline.
    None,
}

impl<'a> Line<'a> {
    /// Makes a line of its bytes, which include the line ending.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (text, ending) = LineEnding::split(bytes);
        Self { text, ending }
    }

    /// Returns the text of the line; `None` if it is not UTF-8.
    pub(crate) fn as_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.text).ok()
    }
}

impl LineEnding {
    /// Returns the bytes of this line ending.
    #[must_use]
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }

    /// Returns whether the line has an ending.
    pub(crate) fn is_some(self) -> bool {
        self != Self::None
    }

    /// Splits the bytes of a line into its text and its line ending. A `\r` without a `\n` after it is text.
    #[must_use]
    pub fn split(line: &[u8]) -> (&[u8], Self) {
        let Some(text) = line.strip_suffix(b"\n") else {
            return (line, Self::None);
        };
        text.strip_suffix(b"\r")
            .map_or((text, Self::Lf), |text| (text, Self::CrLf))
    }
}
