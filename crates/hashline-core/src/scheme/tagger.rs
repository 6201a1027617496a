//! A tagger makes the tags of many lines, one after another, without allocating for each.

use xxhash_rust::xxh32::xxh32;

use super::{Scheme, cowboy, lean, openagent, pi, push};
use crate::text::LineNo;
use crate::whitespace::{is_ascii_whitespace, is_whitespace};

/// Makes tags in one scheme.
#[derive(Clone, Debug)]
pub struct Tagger {
    scheme: Scheme,
    /// What the hash of the line at hand looks at.
    scratch: Vec<u8>,
}

impl Tagger {
    pub(super) fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
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
        self.scratch.clear();
        if text.is_ascii() {
            self.scratch
                .extend(text.iter().filter(|&&b| !is_ascii_whitespace(b)));
        } else if let Ok(text) = std::str::from_utf8(text) {
            if self.scheme == Scheme::Pi {
                pi::normalise(text, &mut self.scratch);
            } else {
                let kept = text.chars().filter(|&c| !is_whitespace(c));
                self.scratch
                    .extend(kept.flat_map(|c| c.to_string().into_bytes()));
            }
        } else {
            return raw(text);
        }
        xxh32(&self.scratch, 0) % 256
    }
}

/// Returns the value of a line that is not UTF-8: the hash of its raw bytes.
pub(super) fn raw(text: &[u8]) -> u32 {
    xxh32(text, 0) % 256
}
