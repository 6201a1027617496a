//! Encodings other than UTF-8, as the engine knows them: a name, and a function that encodes text.
//!
//! The engine works on UTF-8. Whoever reads a file in another encoding decodes it first ([`Document::decoded`](super::Document::decoded)), and
//! the document keeps the encoding, so that its bytes on disk and its revision can be computed after an edit. No encoding is implemented here.

use std::fmt;

/// A text encoding other than UTF-8.
#[derive(Clone, Copy)]
pub struct Encoding {
    name: &'static str,
    encode: Encode,
    mark: bool,
}

type Encode = fn(name: &str, text: &str) -> Result<Vec<u8>, char>;

impl Encoding {
    /// Makes an encoding of its name and the function that encodes text in the encoding with that name, or fails with the first character that
    /// the encoding does not have.
    ///
    /// The function must encode every line on its own: the bytes of a text are those of its lines, one after the other.
    #[must_use]
    pub const fn new(name: &'static str, encode: Encode) -> Self {
        Self {
            name,
            encode,
            mark: false,
        }
    }

    /// Returns the same encoding, in which a file begins with a byte order mark when it gets its first text.
    #[must_use]
    pub const fn with_mark(self) -> Self {
        Self { mark: true, ..self }
    }

    /// Returns whether a file in this encoding begins with a byte order mark when it gets its first text.
    pub(crate) fn has_mark(self) -> bool {
        self.mark
    }

    /// Returns the name of the encoding, such as `windows-1252`.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.name
    }

    /// Encodes text.
    ///
    /// # Errors
    ///
    /// The first character that the encoding does not have.
    pub fn encode(self, text: &str) -> Result<Vec<u8>, char> {
        (self.encode)(self.name, text)
    }
}

impl fmt::Debug for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Encoding({})", self.name)
    }
}

impl PartialEq for Encoding {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Encoding {}
