//! `lean`, our own: `12 ab<TAB>text`, the display that costs the fewest tokens.

use super::read;
use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::whitespace::trim;

/// How many tags there are: two letters a to z.
pub(super) const TAGS: u32 = 26 * 26;

/// Spells a value as two letters.
pub(super) fn letters(value: u32) -> [u8; 2] {
    let letter = |n: u32| b'a' + (n % 26).to_le_bytes()[0];
    [letter(value / 26), letter(value)]
}

/// Reads `12 ab`, `12ab` and `12:ab`, white space around and a copied tail after a tab or `|` allowed.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let malformed = || BadAnchor::Malformed { example: "5 ab" };
    let anchor = read::without_tail(text.trim_start_matches(crate::whitespace::is_whitespace));
    let anchor = trim(anchor.split_once('\t').map_or(anchor, |(anchor, _)| anchor));
    let (line, rest) = read::number(anchor).ok_or_else(malformed)?;
    let tag = rest.strip_prefix([' ', ':']).unwrap_or(rest);
    let tag = Tag::new(tag)
        .filter(|&tag| read::is_pair(tag, |b| b.is_ascii_lowercase()))
        .ok_or_else(malformed)?;
    if line == 0 {
        Err(BadAnchor::LineZero)
    } else {
        Ok(Anchor::new(line, tag))
    }
}
