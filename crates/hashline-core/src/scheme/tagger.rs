//! A tagger makes the tags of many lines, one after another, without allocating for each.

use xxhash_rust::xxh32::xxh32;

use super::{Scheme, cowboy, lean, openagent, pi, push};
use crate::text::LineNo;
use crate::whitespace::{is_ascii_whitespace, is_whitespace};

/// Makes tags in one scheme.
#[derive(Clone, Debug)]
pub struct Tagger {
    scheme: Scheme,
    /// What the hash of the line at hand looks at, if it is short and ASCII.
    short: [u8; SHORT + 1 + WORD],
    /// The same for any other line.
    scratch: Vec<u8>,
}

impl Tagger {
    pub(super) fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            short: [0; SHORT + 1 + WORD],
            scratch: Vec::new(),
        }
    }

    /// Returns the value of a line's tag; [`Scheme::spell`] spells it. A line that is not UTF-8 has the tag of its raw bytes.
    pub fn value(&mut self, text: &[u8], line: LineNo) -> u32 {
        match self.scheme {
            Scheme::Omp | Scheme::Pi => self.squashed(text),
            Scheme::Push => push::value(text),
            Scheme::Cowboy => cowboy::value(text),
            Scheme::Openagent => std::str::from_utf8(text)
                .map_or_else(|_| raw(text), |text| openagent::value(text, line)),
            Scheme::Lean => xxh32(text, 0) % lean::TAGS,
        }
    }

    fn squashed(&mut self, text: &[u8]) -> u32 {
        if let Some(len) = squash_ascii(text, &mut self.short) {
            return xxh32(&self.short[..len], 0) % 256;
        }
        let Ok(text) = std::str::from_utf8(text) else {
            return raw(text);
        };
        self.scratch.clear();
        if self.scheme == Scheme::Pi {
            pi::normalise(text, &mut self.scratch);
        } else {
            for run in text.split(is_whitespace) {
                self.scratch.extend_from_slice(run.as_bytes());
            }
        }
        xxh32(&self.scratch, 0) % 256
    }
}

/// The longest line that is squashed without touching the heap.
const SHORT: usize = 255;
/// How many bytes are looked at together.
const WORD: usize = 8;
const LOW_BITS: u64 = 0x7f7f_7f7f_7f7f_7f7f;
const HIGH_BITS: u64 = 0x8080_8080_8080_8080;

/// Copies a short ASCII line without its white space into `kept`; returns how much is left. Nothing for any other line.
///
/// Eight bytes at a time. Words are short in code, so a word with white space in it is copied byte by byte, without a branch that
/// depends on the text: every byte is written, and the place only moves on past those that are kept.
fn squash_ascii(text: &[u8], kept: &mut [u8; SHORT + 1 + WORD]) -> Option<usize> {
    if text.len() > SHORT {
        return None;
    }
    let (words, rest) = text.as_chunks::<WORD>();
    let mut at = 0;
    for word in words {
        at += squash_word(u64::from_le_bytes(*word), kept, at)?;
    }
    let mut last = [b' '; WORD];
    last[..rest.len()].copy_from_slice(rest);
    at += squash_word(u64::from_le_bytes(last), kept, at)?;
    Some(at)
}

/// Copies the bytes of a word that are not white space to `kept[at..]`; returns how many. Nothing if one is not ASCII.
fn squash_word(word: u64, kept: &mut [u8; SHORT + 1 + WORD], at: usize) -> Option<usize> {
    if word & HIGH_BITS != 0 {
        return None;
    }
    let room: &mut [u8; WORD] = kept[at..at + WORD].as_mut_array()?;
    // A byte of at most 0x20 leaves its high bit clear here; above it sets it.
    let above_space = word + (LOW_BITS - 0x2020_2020_2020_2020);
    if above_space & HIGH_BITS == HIGH_BITS {
        *room = word.to_le_bytes();
        return Some(WORD);
    }
    let mut left = 0;
    for byte in word.to_le_bytes() {
        room[left & (WORD - 1)] = byte;
        left += usize::from(!is_ascii_whitespace(byte));
    }
    Some(left)
}

/// Returns the value of a line that is not UTF-8: the hash of its raw bytes.
pub(super) fn raw(text: &[u8]) -> u32 {
    xxh32(text, 0) % 256
}
