//! Hashes that identify bytes: a revision for a whole file, a fingerprint for one line.

use std::fmt;
use std::ops::RangeInclusive;

use xxhash_rust::xxh3::{xxh3_64_with_seed, xxh3_128};

/// A 128-bit XXH3 hash that identifies the exact bytes of a file. People and agents see its first 8 hex digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Revision(pub u128);

impl Revision {
    /// Returns the revision (hash) of a file with these bytes.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(xxh3_128(bytes))
    }

    /// Returns the revision of a file with these bytes that was decoded from an encoding other than UTF-8.
    ///
    /// Only the lower half differs: what people and agents see is the hash of the bytes. The same bytes in two encodings have different lines, so
    /// that a record of what was shown must tell them apart.
    #[must_use]
    pub(crate) fn decoded_as(self, encoding: &str) -> Self {
        Self(self.0 ^ u128::from(xxh3_64_with_seed(encoding.as_bytes(), 0)))
    }

    /// Returns the first 8 hex digits, which people and agents see.
    #[must_use]
    pub fn short(self) -> String {
        format!("{:08x}", self.0 >> 96)
    }
}

impl fmt::Display for Revision {
    /// Writes all 32 hex digits of the revision.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

/// A revision as a request names it: by its first 8 to 32 hex digits.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct RevPrefix {
    /// Invariant: 8 to 32 lower-case hex digits.
    digits: String,
}

impl RevPrefix {
    /// The fewest hex digits of a revision that a request may send.
    pub(crate) const MIN_DIGITS: usize = 8;

    /// Parses the hex digits of a revision; white space around them and upper case are accepted.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().to_ascii_lowercase();
        let fits = (Self::MIN_DIGITS..=32).contains(&digits.len());
        (fits && digits.bytes().all(|b| b.is_ascii_hexdigit())).then_some(Self { digits })
    }

    /// Returns whether the hex digits of `revision` begin with these digits.
    #[must_use]
    pub fn matches(&self, revision: Revision) -> bool {
        self.range().contains(&revision)
    }

    /// Returns the lowest and the highest revision that begin with these digits.
    pub(crate) fn range(&self) -> RangeInclusive<Revision> {
        let left_out = 4 * (32 - self.digits.len());
        let digits = u128::from_str_radix(&self.digits, 16).unwrap_or_default();
        let lowest = digits << left_out;
        Revision(lowest)..=Revision(lowest | !(u128::MAX << left_out))
    }

    /// Returns the longer of two prefixes if it begins with the shorter, so that both can name the same revision.
    #[must_use]
    pub fn agreed(&self, other: &Self) -> Option<Self> {
        let (short, long) = if self.digits.len() <= other.digits.len() {
            (self, other)
        } else {
            (other, self)
        };
        long.digits.starts_with(&short.digits).then(|| long.clone())
    }
}

impl From<Revision> for RevPrefix {
    fn from(revision: Revision) -> Self {
        Self {
            digits: revision.to_string(),
        }
    }
}

impl fmt::Display for RevPrefix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.digits)
    }
}

/// A 64-bit hash of one line's exact bytes, without its line ending and without a byte order mark.
///
/// Lines with the same fingerprint are taken to be equal: the chance that two different lines have the same fingerprint is about one in
/// 10^19.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(pub u64);

impl Fingerprint {
    /// Returns the fingerprint (hash) of a line's text.
    #[must_use]
    pub fn of(text: &[u8], key: FingerprintKey) -> Self {
        Self(xxh3_64_with_seed(text, key.0))
    }
}

/// A secret number that goes into every fingerprint of a history, so that nobody else can make two lines with the same fingerprint.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct FingerprintKey(u64);

impl FingerprintKey {
    /// The key of histories that stay in memory.
    pub(crate) const NONE: Self = Self(0);

    /// Makes a key of a secret number.
    #[must_use]
    pub const fn new(secret: u64) -> Self {
        Self(secret)
    }
}

impl fmt::Debug for FingerprintKey {
    /// Writes no digits: the key is a secret.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FingerprintKey")
    }
}

#[cfg(test)]
mod tests {
    use super::{RevPrefix, Revision};

    #[test]
    fn a_prefix_matches_the_revisions_that_begin_with_its_digits() {
        for revision in [Revision(0), Revision(u128::MAX), Revision::of(b"one\n")] {
            let digits = revision.to_string();
            for length in RevPrefix::MIN_DIGITS..=digits.len() {
                let prefix = RevPrefix::parse(&digits[..length]).expect("hex digits");
                for other in [revision, Revision(revision.0 ^ 1), Revision(!revision.0)] {
                    let begins = other.to_string().starts_with(&digits[..length]);
                    assert_eq!(prefix.matches(other), begins, "{prefix} {other}");
                }
            }
        }
    }
}
