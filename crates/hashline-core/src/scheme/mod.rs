//! Schemes: how each dialect computes a line's tag, prints it and parses it.
//!
//! A scheme is a value. What differs between the six is in one small file each; what they share is here.

mod cowboy;
mod lean;
mod omp;
mod openagent;
mod pi;
mod push;
mod tagger;

pub(crate) use openagent::has_word;
pub(crate) use pi::normalised;
pub use push::sha256;
use tagger::Tagger;

use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::LineNo;
use crate::text::whitespace::trim;

/// A way to tag lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// Seed 000: `12:a3|text`, xxHash32 of the text without white space, two hex digits.
    Omp,
    /// Seed 001: `12:OcoM|text`, CRC-32 of the text, four base62 digits.
    Push,
    /// Seed 002: `12:a3|text`, FNV-1a of the text, two hex digits.
    Cowboy,
    /// Seed 003: `12#NK|text`, xxHash32 of the text without trailing white space, two letters.
    Openagent,
    /// Seed 004: `12:a3|text`, xxHash32 after mapping typographic characters, two hex digits.
    Pi,
    /// Ours: `12 ab<TAB>text`, xxHash32 of the exact text, two letters a to z.
    Lean,
}

impl Scheme {
    /// Returns the character between number and tag.
    #[must_use]
    pub fn joint(self) -> u8 {
        match self {
            Self::Openagent => b'#',
            Self::Lean => b' ',
            Self::Omp | Self::Push | Self::Cowboy | Self::Pi => b':',
        }
    }

    /// Returns the character between tag and text.
    #[must_use]
    pub fn separator(self) -> u8 {
        if self == Self::Lean { b'\t' } else { b'|' }
    }

    /// Returns the name of the scheme's dialect.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Omp => "omp",
            Self::Push => "push",
            Self::Cowboy => "cowboy",
            Self::Openagent => "openagent",
            Self::Pi => "pi",
            Self::Lean => "lean",
        }
    }

    /// Returns how many bits a matching tag is worth as evidence, rounded down.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Push => 23,
            Self::Lean => 9,
            Self::Omp | Self::Cowboy | Self::Openagent | Self::Pi => 8,
        }
    }

    /// Returns a tagger, which computes the tags of many lines without allocating for each.
    pub(crate) fn tagger(self) -> Tagger {
        Tagger::new(self)
    }

    /// Returns the tag of one line. For many lines [`crate::render::anchored`] is faster.
    #[must_use]
    pub fn tag(self, text: &[u8], line: LineNo) -> Tag {
        self.spell(self.tagger().value(text, line))
    }

    /// Spells a tag's value.
    #[must_use]
    pub fn spell(self, value: u32) -> Tag {
        match self {
            Self::Omp | Self::Cowboy | Self::Pi => Tag::from_digits(omp::digits(value)),
            Self::Push => Tag::from_digits(push::digits(value)),
            Self::Openagent => Tag::from_digits(openagent::letters(value)),
            Self::Lean => Tag::from_digits(lean::letters(value)),
        }
    }

    /// Tells whether `tag`, as a caller spelled it, stands for the value of a line.
    pub(crate) fn names(self, tag: Tag, value: u32) -> bool {
        match self {
            Self::Push => tag == self.spell(value) || tag.as_str() == push::unreduced(value),
            Self::Openagent | Self::Lean => tag == self.spell(value),
            Self::Omp | Self::Cowboy | Self::Pi => tag
                .as_bytes()
                .eq_ignore_ascii_case(self.spell(value).as_bytes()),
        }
    }

    /// Tells whether a line has this tag, by the scheme's current hash or an older one.
    #[must_use]
    pub fn fits(self, tag: Tag, text: &[u8], line: LineNo) -> bool {
        self.names(tag, self.tagger().value(text, line))
            || (self == Self::Openagent && tag == self.spell(openagent::legacy_value(text, line)))
    }

    /// Parses an anchor in any spelling the dialect accepts.
    ///
    /// # Errors
    ///
    /// Why the text is not an anchor of this dialect.
    pub fn parse(self, text: &str) -> Result<Anchor, BadAnchor> {
        match self {
            Self::Omp => omp::parse(text),
            Self::Push => push::parse(text),
            Self::Cowboy => cowboy::parse(text),
            Self::Openagent => openagent::parse(text),
            Self::Pi => pi::parse(text),
            Self::Lean => lean::parse(text),
        }
    }

    /// Parses a line exactly as this scheme shows it, such as `12:a3|text`: the anchor, and the text after the separator.
    #[must_use]
    pub fn read_shown(self, shown: &str) -> Option<(Anchor, &str)> {
        // No scheme prints leading zeros: `09:45|stand-up` was never shown.
        let (line, rest) = number(shown).filter(|_| !shown.starts_with('0'))?;
        let rest = rest.strip_prefix(char::from(self.joint()))?;
        let (tag, text) = rest.split_once(char::from(self.separator()))?;
        let tag = Tag::new(tag)?;
        let well_spelled = match self {
            Self::Push => (4..=5).contains(&tag.as_bytes().len()),
            Self::Openagent => is_pair(tag, |b| openagent::ALPHABET.contains(&b)),
            Self::Lean => is_pair(tag, |b| b.is_ascii_lowercase()),
            Self::Omp | Self::Cowboy | Self::Pi => {
                is_pair(tag, |b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
            }
        };
        well_spelled.then(|| (Anchor::new(line, tag), text))
    }

    /// Returns the anchor of a line as this scheme shows it.
    #[must_use]
    pub fn anchor(self, line: LineNo, tag: Tag) -> String {
        format!("{line}{}{tag}", char::from(self.joint()))
    }

    /// Returns a parsed anchor as this scheme would print it.
    #[must_use]
    pub fn respell(self, anchor: &Anchor) -> String {
        let tag = match self {
            Self::Omp | Self::Cowboy | Self::Pi => anchor.tag.as_str().to_ascii_lowercase(),
            Self::Push | Self::Openagent | Self::Lean => anchor.tag.to_string(),
        };
        format!("{}{}{tag}", anchor.line, char::from(self.joint()))
    }
}

/// Returns cowboy's hash over several lines: FNV-1a 32 over each line and one `\n` after it, as 8 hex digits.
#[must_use]
pub fn rolling_hash<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> String {
    let hash = lines.into_iter().fold(cowboy::FNV_BASIS, |hash, line| {
        cowboy::fnv1a(cowboy::fnv1a(hash, line), b"\n")
    });
    format!("{hash:08x}")
}

/// Parses a number, then what `read_tag` accepts after it: what most dialects' anchors consist of.
fn read_anchor(
    text: &str,
    example: &'static str,
    read_tag: impl FnOnce(&str) -> Option<Tag>,
) -> Result<Anchor, BadAnchor> {
    let parsed = number(trim(text)).and_then(|(line, rest)| Some((line, read_tag(rest)?)));
    match parsed {
        Some((0, _)) => Err(BadAnchor::LineZero),
        Some((line, tag)) => Ok(Anchor::new(line, tag)),
        None => Err(BadAnchor::Malformed { example }),
    }
}

/// Splits the digits off the start of `text`. A number too large for 64 bits counts as the largest one: it is past the end of any file.
fn number(text: &str) -> Option<(u64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(len);
    (len > 0).then(|| (digits.parse().unwrap_or(u64::MAX), rest))
}

/// Returns the anchor of a copied display line: everything before the first `|`.
fn without_tail(text: &str) -> &str {
    text.split_once('|').map_or(text, |(anchor, _)| anchor)
}

/// Tells whether the tag is two of the digits that `is_digit` accepts.
fn is_pair(tag: Tag, is_digit: impl Fn(u8) -> bool) -> bool {
    tag.as_bytes().len() == 2 && tag.as_bytes().iter().all(|&b| is_digit(b))
}
