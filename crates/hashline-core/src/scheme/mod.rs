//! Schemes: how each dialect computes the tag of a line, and prints and parses anchors.
//!
//! Each of the six schemes has a small file for what only it does; this file has what they share.

mod cowboy;
mod lean;
mod omp;
mod one_line;
mod openagent;
mod pi;
mod push;
mod tagger;

pub(crate) use one_line::CopiedText;
pub(crate) use openagent::has_word;
pub(crate) use pi::normalised;
pub use push::sha256;
use tagger::Tagger;

use crate::anchor::{Anchor, BadAnchor, Tag};
use crate::text::LineNo;
use crate::text::whitespace::trim;

/// How a dialect computes the tag of a line and writes anchors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scheme {
    /// The scheme of dialect omp (seed 000): `12:a3|text`; the tag is xxHash32 of the text without white space, two hex digits.
    Omp,
    /// The scheme of dialect push (seed 001): `12:OcoM|text`; the tag is CRC-32 of the text, four base62 digits.
    Push,
    /// The scheme of dialect cowboy (seed 002): `12:a3|text`; the tag is FNV-1a of the text, two hex digits.
    Cowboy,
    /// The scheme of dialect openagent (seed 003): `12#NK|text`; the tag is xxHash32 of the text without trailing white space, two
    /// letters.
    Openagent,
    /// The scheme of dialect pi (seed 004): `12:a3|text`; the tag is xxHash32 of the text without white space and with plain quotes and
    /// hyphens, two hex digits.
    Pi,
    /// The scheme of hashline's own dialect lean: `12 ab<TAB>text`; the tag is xxHash32 of the exact text, two letters a to z.
    Lean,
}

impl Scheme {
    /// Returns the character between line number and tag, such as the `:` in `12:a3|text`.
    #[must_use]
    pub fn joint(self) -> u8 {
        match self {
            Self::Openagent => b'#',
            Self::Lean => b' ',
            Self::Omp | Self::Push | Self::Cowboy | Self::Pi => b':',
        }
    }

    /// Returns the character between tag and text, such as the `|` in `12:a3|text`.
    #[must_use]
    pub fn separator(self) -> u8 {
        if self == Self::Lean { b'\t' } else { b'|' }
    }

    /// Returns the name of the dialect that uses this scheme.
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

    /// Returns how many bits of information a tag has, rounded down: the evidence that a matching tag gives.
    pub(crate) fn bits(self) -> u32 {
        match self {
            Self::Push => 23,
            Self::Lean => 9,
            Self::Omp | Self::Cowboy | Self::Openagent | Self::Pi => 8,
        }
    }

    /// Returns a tagger, which computes the tags of many lines without allocating memory for each.
    pub(crate) fn tagger(self) -> Tagger {
        Tagger::new(self)
    }

    /// Returns the tag of one line. For many lines, [`crate::render::anchored`] is faster.
    #[must_use]
    pub fn tag(self, text: &[u8], line: LineNo) -> Tag {
        self.spell(self.tagger().value(text, line))
    }

    /// Returns the tag with this numeric value, in the format of the scheme.
    #[must_use]
    pub fn spell(self, value: u32) -> Tag {
        match self {
            Self::Omp | Self::Cowboy | Self::Pi => Tag::from_digits(omp::digits(value)),
            Self::Push => Tag::from_digits(push::digits(value)),
            Self::Openagent => Tag::from_digits(openagent::letters(value)),
            Self::Lean => Tag::from_digits(lean::letters(value)),
        }
    }

    /// Returns whether `tag`, as written by a caller, has this numeric value.
    pub(crate) fn names(self, tag: Tag, value: u32) -> bool {
        match self {
            Self::Push => tag == self.spell(value) || tag.as_str() == push::unreduced(value),
            Self::Openagent | Self::Lean => tag == self.spell(value),
            Self::Omp | Self::Cowboy | Self::Pi => tag
                .as_bytes()
                .eq_ignore_ascii_case(self.spell(value).as_bytes()),
        }
    }

    /// Returns whether a line has this tag, by the scheme's current hash or an older hash that it still accepts.
    #[must_use]
    pub fn fits(self, tag: Tag, text: &[u8], line: LineNo) -> bool {
        self.names(tag, self.tagger().value(text, line))
            || (self == Self::Openagent && tag == self.spell(openagent::legacy_value(text, line)))
    }

    /// Parses an anchor in any format that the dialect accepts.
    ///
    /// # Errors
    ///
    /// The reason why the text is not an anchor of this dialect.
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

    /// Returns whether a tag has the form of this scheme's tags, in upper or lower case where the scheme accepts both.
    fn is_tag(self, tag: Tag) -> bool {
        match self {
            Self::Push => (4..=5).contains(&tag.as_bytes().len()),
            Self::Openagent => is_pair(tag, |b| openagent::ALPHABET.contains(&b)),
            Self::Lean => is_pair(tag, |b| b.is_ascii_lowercase()),
            Self::Omp | Self::Cowboy | Self::Pi => is_pair(tag, |b| b.is_ascii_hexdigit()),
        }
    }

    /// Splits a line exactly as this scheme shows it, such as `12:a3|text`, into its anchor and the text; `None` if it does not begin
    /// with an anchor.
    #[must_use]
    pub fn read_shown(self, shown: &str) -> Option<(Anchor, &str)> {
        // No scheme prints leading zeros: `09:45|stand-up` was never shown.
        let (line, rest) = number(shown).filter(|_| !shown.starts_with('0'))?;
        let rest = rest.strip_prefix(char::from(self.joint()))?;
        let (tag, text) = rest.split_once(char::from(self.separator()))?;
        let tag = Tag::new(tag)?;
        // No scheme but push prints upper-case letters where it accepts both.
        let is_as_printed = self == Self::Push
            || self == Self::Openagent
            || !tag.as_bytes().iter().any(u8::is_ascii_uppercase);
        (self.is_tag(tag) && is_as_printed).then(|| (Anchor::new(line, tag), text))
    }

    /// Splits a line that may be copied from an answer into its anchor and the text. Refusals show lines with a mark or four blanks in front.
    #[must_use]
    pub fn read_copied(self, line: &str) -> Option<(Anchor, &str)> {
        let in_refusal = || {
            let mut fronts = [">>> ", "    "].into_iter();
            fronts.find_map(|front| self.read_shown(line.strip_prefix(front)?))
        };
        self.read_shown(line).or_else(in_refusal)
    }

    /// Returns the anchor of a line as this scheme prints it, such as `12:a3`.
    #[must_use]
    pub fn anchor(self, line: LineNo, tag: Tag) -> String {
        format!("{line}{}{tag}", char::from(self.joint()))
    }

    /// Returns a parsed anchor as this scheme prints it, such as `12:a3` for `12:A3`.
    #[must_use]
    pub fn respell(self, anchor: &Anchor) -> String {
        let tag = match self {
            Self::Omp | Self::Cowboy | Self::Pi => anchor.tag.as_str().to_ascii_lowercase(),
            Self::Push | Self::Openagent | Self::Lean => anchor.tag.to_string(),
        };
        format!("{}{}{tag}", anchor.line, char::from(self.joint()))
    }
}

/// Returns the hash that dialect cowboy computes over several lines: 32-bit FNV-1a over each line followed by `\n`, as 8 hex digits.
#[must_use]
pub fn rolling_hash<'a>(lines: impl IntoIterator<Item = &'a [u8]>) -> String {
    let hash = lines.into_iter().fold(cowboy::FNV_BASIS, |hash, line| {
        cowboy::fnv1a(cowboy::fnv1a(hash, line), b"\n")
    });
    format!("{hash:08x}")
}

/// Parses a line number and then a tag, with `read_tag`, as the anchors of most dialects are made.
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

/// Splits the digits off the start of `text`. A number too large for 64 bits becomes the largest, which is past the end of any file.
fn number(text: &str) -> Option<(u64, &str)> {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    let (digits, rest) = text.split_at(len);
    (len > 0).then(|| (digits.parse().unwrap_or(u64::MAX), rest))
}

/// Returns the part before the first `|`: the anchor of a line that was copied as it was shown.
fn without_tail(text: &str) -> &str {
    text.split_once('|').map_or(text, |(anchor, _)| anchor)
}

/// Returns whether the tag consists of two characters that `is_digit` accepts.
fn is_pair(tag: Tag, is_digit: impl Fn(u8) -> bool) -> bool {
    tag.as_bytes().len() == 2 && tag.as_bytes().iter().all(|&b| is_digit(b))
}
