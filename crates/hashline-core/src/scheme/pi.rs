//! The anchors of dialect `pi` (seed 004): `12:a3|text`. The hash in the tag ignores white space and treats typographic quotes and
//! hyphens like plain ones.

use super::cowboy;
use crate::anchor::{Anchor, BadAnchor};
use crate::text::whitespace::is_whitespace;

/// Appends the text that is hashed to `out`: without white space, with plain quotes, hyphens and dots.
pub(super) fn normalise(text: &str, out: &mut Vec<u8>) {
    for c in text.chars().filter(|&c| !is_whitespace(c)) {
        match c {
            '\u{2018}'..='\u{201b}' => out.push(b'\''),
            '\u{201c}'..='\u{201f}' => out.push(b'"'),
            '\u{2010}'..='\u{2015}' | '\u{2212}' => out.push(b'-'),
            '\u{2026}' => out.extend_from_slice(b"..."),
            c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
        }
    }
}

/// Returns the text that is hashed for a line: without white space, with plain quotes, hyphens and dots.
pub(crate) fn normalised(text: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    normalise(text, &mut out);
    out
}

/// Parses the anchor formats that dialect cowboy accepts, and keeps the text after `|`, which a moved line must match.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let anchor = cowboy::parse(text)?;
    Ok(Anchor {
        text: text
            .split_once('|')
            .map(|(_, tail)| tail.to_owned())
            .filter(|tail| !tail.is_empty()),
        ..anchor
    })
}
