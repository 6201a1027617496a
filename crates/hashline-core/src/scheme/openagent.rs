//! The anchors of dialect `openagent` (seed 003): `12#NK|text`.
//!
//! The hash in the tag includes leading white space, but not trailing. A line without any letter or digit is hashed with its line number
//! as the seed, so that every `}` has a tag of its own. Tags of an older version, which removed all white space, are still accepted.

use std::sync::LazyLock;

use regex::Regex;
use xxhash_rust::xxh32::xxh32;

use super::{is_pair, number};
use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::LineNo;
use crate::text::whitespace::{squash, trim, trim_end, trim_start};

/// The letters of a tag: each encodes four bits.
pub(super) const ALPHABET: &[u8; 16] = b"ZPMQVRWSNKTXJBYH";

/// Encodes the low byte of the value as two letters.
pub(super) fn letters(value: u32) -> [u8; 2] {
    let [low, ..] = value.to_le_bytes();
    [
        ALPHABET[usize::from(low >> 4)],
        ALPHABET[usize::from(low & 15)],
    ]
}

/// Returns the numeric value of the tag of a line.
pub(super) fn value(text: &str, line: LineNo) -> u32 {
    match memchr::memchr(b'\r', text.as_bytes()) {
        Some(_) => hash(trim_end(&text.replace('\r', "")), line),
        None => hash(trim_end(text), line),
    }
}

/// Returns the value of the tag that older versions computed, from the text without any white space.
pub(super) fn legacy_value(text: &[u8], line: LineNo) -> u32 {
    std::str::from_utf8(text).map_or_else(
        |_| super::tagger::raw(text),
        |text| hash(&squash(text), line),
    )
}

fn hash(text: &str, line: LineNo) -> u32 {
    // The seed has 32 bits; no file that can be shown has more lines.
    let seed = if has_word(text) {
        0
    } else {
        u32::try_from(line.get()).unwrap_or(u32::MAX)
    };
    xxh32(text.as_bytes(), seed) % 256
}

/// Returns whether the text has a letter or a number (Unicode categories L and N; `char::is_alphanumeric` also accepts some marks).
pub(crate) fn has_word(text: &str) -> bool {
    static WORD: LazyLock<Option<Regex>> = LazyLock::new(|| Regex::new(r"[\p{L}\p{N}]").ok());
    text.bytes().any(|b| b.is_ascii_alphanumeric())
        || (!text.is_ascii() && WORD.as_ref().is_some_and(|word| word.is_match(text)))
}

/// Parses an anchor in every format that the original tool accepts.
pub(super) fn parse(text: &str) -> Result<Anchor, BadAnchor> {
    let tidy = tidy(text);
    let found = exact(&tidy).or_else(|| first_within(&tidy));
    found.ok_or_else(|| match word_for_number(&tidy) {
        Some(tag) => BadAnchor::NumberMissing { tag },
        None => BadAnchor::Malformed { example: "5#NK" },
    })
}

/// Removes what models write around an anchor: a diff marker before it, spaces around the `#`, copied text after a `|`.
fn tidy(text: &str) -> String {
    let text = trim(text);
    let text = [">>>", "+", "-"]
        .iter()
        .find_map(|mark| text.strip_prefix(mark))
        .map_or(text, trim);
    let text = match text.split_once('#') {
        Some((before, after)) => {
            format!("{}#{}", trim_end(before), trim_start(after))
        }
        None => text.to_owned(),
    };
    let tail = text
        .find('|')
        .filter(|&at| !text[at..].contains(['\n', '\r', '\u{2028}', '\u{2029}']));
    trim(tail.map_or(&text, |at| &text[..at])).to_owned()
}

fn exact(text: &str) -> Option<Anchor> {
    let (line, rest) = number(text)?;
    let tag = pair(rest.strip_prefix('#')?)?;
    (rest.len() == 3).then(|| Anchor::new(line, tag))
}

/// Finds the first anchor (digits, `#`, two tag letters) anywhere in the text.
fn first_within(text: &str) -> Option<Anchor> {
    text.match_indices('#').find_map(|(at, _)| {
        let digits = text[..at]
            .bytes()
            .rev()
            .take_while(u8::is_ascii_digit)
            .count();
        let (line, _) = number(&text[at - digits..at])?;
        Some(Anchor::new(line, pair(&text[at + 1..])?))
    })
}

/// Returns the two tag letters at the start of `text`.
fn pair(text: &str) -> Option<Tag> {
    let tag = Tag::new(text.get(..2)?)?;
    is_pair(tag, |b| ALPHABET.contains(&b)).then_some(tag)
}

fn word_for_number(text: &str) -> Option<Tag> {
    let (word, tag) = text.split_once('#')?;
    let is_word = !word.is_empty() && word.chars().all(char::is_alphabetic);
    pair(tag).filter(|_| is_word && tag.len() == 2)
}
