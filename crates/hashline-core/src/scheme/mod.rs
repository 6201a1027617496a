//! Schemes: how each dialect makes a line's tag, shows it and reads it back.
//!
//! A scheme is a value. What differs between the six lies in one small file each; what they share (numbers, rendering a line,
//! checking a tag) is here.

mod cowboy;
mod lean;
mod omp;
mod openagent;
mod pi;
mod push;
mod read;
mod tagger;

pub(crate) use openagent::has_word;
pub(crate) use pi::normalised;
pub use push::sha256;
pub use tagger::Tagger;

use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::LineNo;

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
    /// All schemes.
    pub const ALL: [Self; 6] = [
        Self::Omp,
        Self::Push,
        Self::Cowboy,
        Self::Openagent,
        Self::Pi,
        Self::Lean,
    ];

    /// Returns what stands between number and tag.
    #[must_use]
    pub fn joint(self) -> u8 {
        match self {
            Self::Openagent => b'#',
            Self::Lean => b' ',
            Self::Omp | Self::Push | Self::Cowboy | Self::Pi => b':',
        }
    }

    /// Returns what stands between tag and text.
    #[must_use]
    pub fn separator(self) -> u8 {
        if self == Self::Lean { b'\t' } else { b'|' }
    }

    /// Returns the name of the scheme's dialect.
    #[must_use]
    pub fn name(self) -> &'static str {
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
    #[must_use]
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Push => 23,
            Self::Lean => 9,
            Self::Omp | Self::Cowboy | Self::Openagent | Self::Pi => 8,
        }
    }

    /// Returns a maker of tags; it owns what it needs to work on many lines without allocating.
    #[must_use]
    pub fn tagger(self) -> Tagger {
        Tagger::new(self)
    }

    /// Returns the tag of one line. For many lines a [`Tagger`] is faster.
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

    /// Tells whether `tag`, as a caller spelled it, names the value of a line.
    #[must_use]
    pub(crate) fn names(self, tag: Tag, value: u32) -> bool {
        match self {
            Self::Push => tag == self.spell(value) || tag.as_str() == push::unreduced(value),
            Self::Openagent | Self::Lean => tag == self.spell(value),
            Self::Omp | Self::Cowboy | Self::Pi => tag
                .as_bytes()
                .eq_ignore_ascii_case(self.spell(value).as_bytes()),
        }
    }

    /// Tells whether `tag` fits a line as it stands, older ways of hashing included.
    #[must_use]
    pub fn fits(self, tag: Tag, text: &[u8], line: LineNo) -> bool {
        self.names(tag, self.tagger().value(text, line))
            || (self == Self::Openagent && tag == self.spell(openagent::legacy_value(text, line)))
    }

    /// Reads an anchor in any spelling the dialect accepts.
    ///
    /// # Errors
    ///
    /// Says why the text is no anchor of this dialect.
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

    /// Reads a line as this scheme shows it: the anchor, and the text after the separator.
    #[must_use]
    pub fn read_shown(self, shown: &str) -> Option<(Anchor, &str)> {
        read::shown(self, shown)
    }

    /// Spells the anchor of a line as this scheme shows it.
    #[must_use]
    pub fn anchor(self, line: LineNo, tag: Tag) -> String {
        format!("{line}{}{tag}", char::from(self.joint()))
    }

    /// Spells an anchor in this scheme's plain form, with the case the scheme prints.
    #[must_use]
    pub fn respell(self, anchor: &Anchor) -> String {
        let tag = match self {
            Self::Omp | Self::Cowboy | Self::Pi => anchor.tag.as_str().to_ascii_lowercase(),
            Self::Push | Self::Openagent | Self::Lean => anchor.tag.to_string(),
        };
        format!("{}{}{tag}", anchor.line, char::from(self.joint()))
    }
}

/// FNV-1a 32 over each line of a range and one `\n` after it, as 8 hex digits: cowboy's hash across lines.
#[must_use]
pub fn rolling_hash<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> String {
    let hash = lines.into_iter().fold(cowboy::FNV_BASIS, |hash, line| {
        cowboy::fnv1a(cowboy::fnv1a(hash, line), b"\n")
    });
    format!("{hash:08x}")
}
