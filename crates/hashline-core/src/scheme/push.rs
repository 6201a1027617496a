//! Seed 001, `push`: `12:OcoM|text`.
//!
//! CRC-32 of the exact text; 24 bits do not fit four base62 digits, so the value is reduced for display and the five-digit
//! spelling of the full value is accepted as well.

use sha2::{Digest, Sha256};

use super::{read_anchor, without_tail};
use crate::anchor::{Anchor, BadAnchor, Tag};

const BASE62: &[u8; 62] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const FOUR_DIGITS: u32 = 62 * 62 * 62 * 62;

/// Returns the low 24 bits of the CRC-32 of the text.
pub(super) fn value(text: &[u8]) -> u32 {
    crc32fast::hash(text) & 0x00ff_ffff
}

/// Spells the value with exactly four digits.
pub(super) fn digits(value: u32) -> [u8; 4] {
    let reduced = value % FOUR_DIGITS;
    [238_328, 3_844, 62, 1].map(|weight| BASE62[(reduced / weight % 62) as usize])
}

/// Spells the full value: four digits, or five for the one value in eight that needs them.
pub(super) fn unreduced(value: u32) -> String {
    let four = digits(value).map(char::from).iter().collect::<String>();
    if value < FOUR_DIGITS {
        four
    } else {
        format!("1{four}")
    }
}

/// Reads `12:OcoM`, white space around and a copied `|...` tail allowed.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    read_anchor(without_tail(text), "5:OcoM", |rest| {
        let tag = Tag::new(rest.strip_prefix(':')?)?;
        (4..=5).contains(&tag.as_bytes().len()).then_some(tag)
    })
}

/// Returns the SHA-256 of a file's bytes as 64 hex digits: push's `file_hash`.
#[must_use]
pub fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes)
        .iter()
        .map(|byte| format!("{byte:02x}"))
        .collect()
}
