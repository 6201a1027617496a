//! How a line is named: a number and a tag.
//!
//! An anchor is a claim, not a place. Only `resolve` turns it into lines of a document.

use std::fmt;

/// An anchor as it was sent, not yet read.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Claim(String);

impl Claim {
    /// Returns the text as it was sent.
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

/// What the caller claims: "line 41, and it read like this". Any number can be claimed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Anchor {
    /// The line number as claimed.
    pub line: u64,
    /// The tag as spelled.
    pub tag: Tag,
    /// The line's text, where it was sent along (`10:a3|text`) and the dialect looks at it.
    pub text: Option<String>,
}

impl Anchor {
    /// Returns the anchor of `line` with `tag`, without text.
    #[must_use]
    pub fn new(line: u64, tag: Tag) -> Self {
        Self {
            line,
            tag,
            text: None,
        }
    }
}

/// A line's tag as it is spelled: 1 to 16 ASCII letters and digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Tag {
    /// Invariant: the first `len` bytes are ASCII letters or digits, the rest is 0.
    bytes: [u8; Self::MAX],
    len: u8,
}

impl Tag {
    /// The longest tag that can be spelled.
    pub(crate) const MAX: usize = 16;

    /// Reads a tag: 1 to 16 ASCII letters and digits.
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

    /// Takes digits that a scheme made: never more than 16, always letters and digits.
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
        // Only ASCII gets in, so this never takes the second way.
        std::str::from_utf8(self.as_bytes()).unwrap_or_default()
    }

    /// Returns the tag as bytes.
    #[must_use]
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

/// Why a text is no anchor in a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum BadAnchor {
    /// It does not have the dialect's form; the example does.
    Malformed {
        /// An anchor as the dialect spells it.
        example: &'static str,
    },
    /// Lines are counted from 1.
    LineZero,
    /// The number is missing: a word stands in its place (`LINE#NK`).
    NumberMissing {
        /// The tag that was sent after the word.
        tag: Tag,
    },
}

impl fmt::Display for BadAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Malformed { example } => write!(f, "an anchor looks like {example}"),
            Self::LineZero => f.write_str("lines are counted from 1"),
            Self::NumberMissing { tag } => {
                write!(
                    f,
                    "a line number belongs before {tag}, as it was shown, not a word"
                )
            }
        }
    }
}
