//! Seed 000, `omp`: `12:a3|text`.
//!
//! The hash looks at what is left of the line without white space, so re-indenting a line keeps its tag.

use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::reference;

const HEX: &[u8; 16] = b"0123456789abcdef";

/// Spells the low byte as two hex digits.
pub(super) fn digits(value: u32) -> [u8; 2] {
    let [low, ..] = value.to_le_bytes();
    [HEX[usize::from(low >> 4)], HEX[usize::from(low & 15)]]
}

/// Reads every spelling the reference accepts.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let malformed = BadAnchor::Malformed { example: "5:aa" };
    let reference = reference::parse_ref(text).map_err(|_| malformed.clone())?;
    let tag = Tag::new(&reference.hash).ok_or(malformed)?;
    Ok(Anchor::new(reference.line, tag))
}
