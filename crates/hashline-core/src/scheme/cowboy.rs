//! The anchors of dialect `cowboy` (seed 002): `12:a3|text`; the tag is FNV-1a over the exact text of the line.

use super::{is_pair, read_anchor, without_tail};
use crate::anchor::{Anchor, BadAnchor, Tag};

/// The initial value of the 32-bit FNV-1a hash.
pub(super) const FNV_BASIS: u32 = 2_166_136_261;
const FNV_PRIME: u32 = 16_777_619;

/// Continues a 32-bit FNV-1a hash with `bytes`.
pub(super) fn fnv1a(hash: u32, bytes: &[u8]) -> u32 {
    bytes.iter().fold(hash, |hash, &byte| {
        (hash ^ u32::from(byte)).wrapping_mul(FNV_PRIME)
    })
}

/// Returns the low byte of the 32-bit FNV-1a hash, which can be computed in 8 bits alone.
pub(super) fn value(text: &[u8]) -> u32 {
    let [start, ..] = FNV_BASIS.to_le_bytes();
    u32::from(
        text.iter()
            .fold(start, |hash, &byte| (hash ^ byte).wrapping_mul(0x93)),
    )
}

/// Parses `12:a3`; also with white space around it, upper-case hex digits, or a copied `|...` after it.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    read_anchor(without_tail(text), "5:a3", |rest| {
        let tag = Tag::new(rest.strip_prefix(':')?)?;
        is_pair(tag, |b| b.is_ascii_hexdigit()).then_some(tag)
    })
}
