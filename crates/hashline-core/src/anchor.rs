//! Anchors: how a request names a line of a file, by its number and a tag (a short hash of its text).
//!
//! An anchor is a claim, not a place: the file may have changed since the anchor was shown. Only `resolve` turns an anchor into lines of
//! a document.

use std::fmt;

/// An anchor exactly as written in the request, before parsing; refusals quote this text.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim(String);

impl Claim {
    /// Returns the anchor exactly as written in the request.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl<T: Into<String>> From<T> for Claim {
    fn from(text: T) -> Self {
        Self(text.into())
    }
}

impl fmt::Display for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A parsed anchor (`41:a3`): a line number and the tag that the line is expected to have.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// The line number in the request. A `u64` and not a `LineNo`, because a request can send any number, also one past the end of the
    /// document.
    pub line: u64,
    /// The tag in the request, which `resolve` compares with the line's tag.
    pub tag: Tag,
    /// The text of the line, if the request sends it along (`10:a3|text`) and the dialect uses it to find the line.
    pub text: Option<String>,
}

impl Anchor {
    /// Returns an anchor of this line number and tag, without the line's text.
    #[must_use]
    pub(crate) fn new(line: u64, tag: Tag) -> Self {
        Self {
            line,
            tag,
            text: None,
        }
    }
}

/// The tag of a line, a short hash of its text: 1 to 16 ASCII letters and digits.
//
// An array instead of a string, so that tagging a line allocates nothing.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag {
    /// Invariant: the first `len` bytes are ASCII letters or digits, the other bytes are 0.
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Tag {
    /// How many bytes the longest tag has.
    pub(crate) const MAX: usize = 16;

    /// Returns the text as a tag, or `None` if it is not 1 to 16 ASCII letters and digits.
    #[must_use]
    pub fn new(text: &str) -> Option<Self> {
        let spelled = text.as_bytes();
        let fits = (1..=Self::MAX).contains(&spelled.len())
            && spelled.iter().all(u8::is_ascii_alphanumeric);
        let len = u8::try_from(spelled.len()).ok().filter(|_| fits)?;
        let mut bytes = [0; Self::MAX];
        bytes[..spelled.len()].copy_from_slice(spelled);
        Some(Self { bytes, len })
    }

    /// Returns the tag with these ASCII letters or digits, which a scheme computed from a line's text.
    pub(crate) fn from_digits<const N: usize>(digits: [u8; N]) -> Self {
        const { assert!(N >= 1 && N <= Self::MAX) };
        debug_assert!(digits.iter().all(u8::is_ascii_alphanumeric));
        let mut bytes = [0; Self::MAX];
        bytes[..N].copy_from_slice(&digits);
        #[expect(
            clippy::cast_possible_truncation,
            reason = "N is at most 16, asserted above"
        )]
        Self {
            bytes,
            len: N as u8,
        }
    }

    /// Returns the tag as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        // A tag is ASCII, so this is never the default.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns the tag as bytes.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.len)]
    }
}

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl fmt::Debug for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Tag({})", self.as_str())
    }
}

/// Why a text is not a valid anchor in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadAnchor {
    /// The text does not have the form of the dialect's anchors.
    Malformed {
        /// A valid anchor of the dialect, to show to the caller.
        example: &'static str,
    },
    /// The line number is 0, but lines are counted from 1.
    LineZero,
    /// The text has anchors of several lines, such as `1:c8..3:6d`, but one anchor names one line.
    SeveralLines,
    /// The anchor has a word instead of the line number (`LINE#NK`), which models copy from the description of the anchor format.
    NumberMissing {
        /// The tag that follows the word.
        tag: Tag,
    },
}

impl fmt::Display for BadAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { example } => write!(f, "an anchor looks like {example}"),
            Self::LineZero => f.write_str("lines are counted from 1"),
            Self::SeveralLines => {
                f.write_str("it names several lines, or has text that is not that of its line")
            }
            Self::NumberMissing { tag } => {
                write!(
                    f,
                    "a line number belongs before {tag}, as it was shown, not a word"
                )
            }
        }
    }
}
