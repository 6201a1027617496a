//! The anchors of hashline's own dialect `lean`: `12 ab<TAB>text`, the display that costs a model the fewest tokens.

use xxhash_rust::xxh32::xxh32;

use super::{is_pair, read_anchor, without_tail};
use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::whitespace::trim_start;

/// How many different tags there are: two letters from a to z.
const TAGS: u32 = 26 * 26;

/// Returns the value of a line's tag: xxHash32 of the exact text, modulo the number of tags.
pub(super) fn value(text: &[u8]) -> u32 {
    xxh32(text, 0) % TAGS
}

/// Encodes the value of a tag as two letters.
pub(super) fn letters(value: u32) -> [u8; 2] {
    let letter = |n: u32| b'a' + (n % 26).to_le_bytes()[0];
    [letter(value / 26), letter(value)]
}

/// Parses `12 ab`, `12ab` or `12:ab`; also with white space around it, or copied text after a tab or `|`.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let anchor = without_tail(trim_start(text));
    let anchor = anchor.split_once('\t').map_or(anchor, |(anchor, _)| anchor);
    read_anchor(anchor, "5 ab", |rest| {
        let tag = Tag::new(rest.strip_prefix([' ', ':']).unwrap_or(rest))?;
        is_pair(tag, |b| b.is_ascii_lowercase()).then_some(tag)
    })
}
