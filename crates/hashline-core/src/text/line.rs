//! A line: its text and how it ends.

/// One line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line<'a> {
    /// The text, without its ending.
    pub text: &'a [u8],
    /// The ending.
    pub ending: LineEnding,
}

/// How a line ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Nothing: the last line of a file without a final newline.
    None,
}

impl<'a> Line<'a> {
    /// Splits the bytes of a line, ending included.
    pub(super) fn new(bytes: &'a [u8]) -> Self {
        let (text, ending) = LineEnding::split(bytes);
        Self { text, ending }
    }

    /// Returns the text if it is UTF-8.
    pub(crate) fn as_str(self) -> Option<&'a str> {
        std::str::from_utf8(self.text).ok()
    }
}

impl LineEnding {
    /// Returns the bytes of this ending.
    #[must_use]
    pub fn as_bytes(self) -> &'static [u8] {
        match self {
            Self::Lf => b"\n",
            Self::CrLf => b"\r\n",
            Self::None => b"",
        }
    }

    /// Tells whether the line is terminated.
    pub(crate) fn is_some(self) -> bool {
        self != Self::None
    }

    /// Splits the bytes of a line into its text and its ending. A `\r` that no `\n` follows is text.
    #[must_use]
    pub fn split(line: &[u8]) -> (&[u8], Self) {
        let Some(text) = line.strip_suffix(b"\n") else {
            return (line, Self::None);
        };
        text.strip_suffix(b"\r")
            .map_or((text, Self::Lf), |text| (text, Self::CrLf))
    }
}
