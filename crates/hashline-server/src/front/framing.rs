//! Where the body of a request ends.

use crate::front::head::Head;

/// How a body is framed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Framing {
    /// Neither header was sent.
    Unsaid,
    /// So many bytes.
    Length(u64),
    /// Chunks, up to an empty one.
    Chunked,
}

impl Framing {
    /// Reads the framing as the protocol library does, which is lenient; `checks::framing` refuses what can be read in two ways.
    pub(crate) fn of(head: &Head<'_, '_>) -> Self {
        if head.values("transfer-encoding").next().is_some() {
            Self::Chunked
        } else {
            let length = head.values("content-length").next();
            length.and_then(number).map_or(Self::Unsaid, Self::Length)
        }
    }
}

/// Reads a length: digits alone, no sign, no list.
pub(crate) fn number(text: &[u8]) -> Option<u64> {
    let digits = text.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(text).ok().filter(|_| digits)?;
    text.parse().ok()
}
