//! The anchors of dialect `push` (seed 001): `12:OcoM|text`.
//!
//! The tag is the CRC-32 of the exact text, cut to 24 bits. The 24 bits do not fit into four base62 digits, so the value is shown modulo
//! 62^4, and the five-digit spelling of the full value is accepted as well.

use sha2::{Digest, Sha256};

use super::{read_anchor, without_tail};
use crate::anchor::{Anchor, BadAnchor, Tag};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FOUR_DIGITS: u32 = 62 * 62 * 62 * 62;

/// Returns the numeric value of a tag: the low 24 bits of the CRC-32 of the line's text.
pub(super) fn value(text: &[u8]) -> u32 {
    crc32fast::hash(text) & 0x00ff_ffff
}

/// Encodes the value as exactly four base62 digits, modulo 62^4.
pub(super) fn digits(value: u32) -> [u8; 4] {
    let reduced = value % FOUR_DIGITS;
    [238_328, 3_844, 62, 1].map(|weight| BASE62[(reduced / weight % 62) as usize])
}

/// Encodes the full value in base62: four digits, or five for the values (one in eight) that need them.
pub(super) fn unreduced(value: u32) -> String {
    let four = digits(value).map(char::from).iter().collect::<String>();
    if value < FOUR_DIGITS {
        four
    } else {
        format!("1{four}")
    }
}

/// Parses `12:OcoM`; also with white space around it, or a copied `|...` after it.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    read_anchor(without_tail(text), "5:OcoM", |rest| {
        let tag = Tag::new(rest.strip_prefix(':')?)?;
        (4..=5).contains(&tag.as_bytes().len()).then_some(tag)
    })
}

/// Returns the SHA-256 of a file's bytes as 64 hex digits, which requests of dialect push send as `file_hash`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
