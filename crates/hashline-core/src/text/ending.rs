//! How a line ends.

/// What stands between a line's text and the next line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LineEnding {
    /// `\n`
    Lf,
    /// `\r\n`
    CrLf,
    /// Nothing: the last line of a file without a final newline.
    None,
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
    #[must_use]
    pub fn is_some(self) -> bool {
        self != Self::None
    }

    /// Splits a line with its terminator into its text and how it ended.
    #[must_use]
    pub fn split(line: &[u8]) -> (&[u8], Self) {
        let Some(text) = line.strip_suffix(b"\n") else {
            return (line, Self::None);
        };
        text.strip_suffix(b"\r")
            .map_or((text, Self::Lf), |text| (text, Self::CrLf))
    }
}
