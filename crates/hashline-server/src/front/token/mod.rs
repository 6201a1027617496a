//! The secret that every request but the one for health must carry.

mod file;

use std::fmt;
use std::io;

use subtle::ConstantTimeEq;

pub use file::TokenFile;

const BYTES: usize = 32;
const DIGITS: usize = 2 * BYTES;

/// A random secret of 32 bytes, written as 64 small hexadecimal digits.
///
/// It is compared in constant time and its `Debug` form does not show it.
#[derive(Clone)]
pub struct Token {
    // Invariant: small hexadecimal digits only.
    digits: [u8; DIGITS],
}

/// A text that is no token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BadToken;

impl Token {
    /// Makes one from the system's source of randomness.
    ///
    /// # Errors
    /// The source failed.
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        getrandom::fill(&mut bytes)?;
        let mut digits = [0; DIGITS];
        for (pair, byte) in digits.chunks_exact_mut(2).zip(bytes) {
            pair[0] = digit(byte >> 4);
            pair[1] = digit(byte & 15);
        }
        Ok(Self { digits })
    }

    /// Reads one that was written down, as a client does.
    ///
    /// # Errors
    /// The text is not 64 small hexadecimal digits.
    pub fn parse(text: &str) -> Result<Self, BadToken> {
        let digits: [u8; DIGITS] = text.as_bytes().try_into().map_err(|_| BadToken)?;
        let is_digit = |byte: &u8| matches!(byte, b'0'..=b'9' | b'a'..=b'f');
        if digits.iter().all(is_digit) {
            Ok(Self { digits })
        } else {
            Err(BadToken)
        }
    }

    /// Returns the digits, for a file or a client's configuration. Never print them where others look.
    pub fn reveal(&self) -> &str {
        std::str::from_utf8(&self.digits).expect("digits are ASCII")
    }

    /// Returns whether these bytes are the token, in a time that tells nothing about where they differ.
    pub(crate) fn is(&self, sent: &[u8]) -> bool {
        self.digits.as_slice().ct_eq(sent).into()
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token(..)")
    }
}

impl fmt::Display for BadToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a token is {DIGITS} small hexadecimal digits")
    }
}

impl std::error::Error for BadToken {}

fn digit(value: u8) -> u8 {
    b"0123456789abcdef"[usize::from(value & 15)]
}
