//! Reading anchors: the pieces all dialects' spellings are made of.

use super::Scheme;
use crate::anchor::{Anchor, Tag};

/// Reads the digits `text` starts with; a number too large for 64 bits counts as the largest one.
pub(super) fn number(text: &str) -> Option<(u64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(len);
    (len > 0).then(|| (digits.parse().unwrap_or(u64::MAX), rest))
}

/// Drops the tail of a copied display line: everything from the first separator on.
pub(super) fn without_tail(text: &str) -> &str {
    text.split_once('|').map_or(text, |(anchor, _)| anchor)
}

/// Reads a line as `scheme` shows it, and nothing else: `12:a3|text`.
pub(super) fn shown(scheme: Scheme, line: &str) -> Option<(Anchor, &str)> {
    // No scheme prints leading zeros: `09:45|stand-up` was never shown.
    let (number, rest) = number(line).filter(|_| !line.starts_with('0'))?;
    let rest = rest.strip_prefix(char::from(scheme.joint()))?;
    let (tag, text) = rest.split_once(char::from(scheme.separator()))?;
    let tag = Tag::new(tag)?;
    let well_spelled = match scheme {
        Scheme::Push => (4..=5).contains(&tag.as_bytes().len()),
        Scheme::Openagent => is_pair(tag, |b| super::openagent::ALPHABET.contains(&b)),
        Scheme::Lean => is_pair(tag, |b| b.is_ascii_lowercase()),
        Scheme::Omp | Scheme::Cowboy | Scheme::Pi => {
            is_pair(tag, |b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
        }
    };
    (well_spelled && number > 0).then(|| (Anchor::new(number, tag), text))
}

/// Tells whether the tag is two of the digits that `digit` accepts.
pub(super) fn is_pair(tag: Tag, digit: impl Fn(u8) -> bool) -> bool {
    tag.as_bytes().len() == 2 && tag.as_bytes().iter().all(|&b| digit(b))
}
