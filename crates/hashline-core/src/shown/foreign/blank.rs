//! Blank lines, as far as they can be recognised by their fingerprints.
//!
//! A history has no text, so a line is blank if it has the fingerprint of a blank line: no characters, or up to 64 spaces, or up to 16 tabs. Other
//! mixtures of white space count as text.

use std::collections::HashSet;

use super::hasher::KeyedHasher;
use crate::text::{Fingerprint, FingerprintKey};

/// The most spaces of a blank line.
const SPACES: usize = 64;
/// The most tabs of a blank line.
const TABS: usize = 16;

/// The fingerprints of blank lines.
#[derive(Clone, Debug)]
pub(crate) struct BlankLines(HashSet<Fingerprint, KeyedHasher>);

impl BlankLines {
    /// Computes the fingerprints with this key.
    pub(crate) fn of(key: FingerprintKey) -> Self {
        let (spaces, tabs) = ([b' '; SPACES], [b'\t'; TABS]);
        let of_spaces = (0..=SPACES).map(|count| &spaces[..count]);
        let of_tabs = (1..=TABS).map(|count| &tabs[..count]);
        let texts = of_spaces.chain(of_tabs);
        Self(texts.map(|text| Fingerprint::of(text, key)).collect())
    }

    /// Returns whether a line is blank.
    pub(super) fn have(&self, line: Fingerprint) -> bool {
        self.0.contains(&line)
    }
}
