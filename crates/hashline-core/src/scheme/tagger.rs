//! Computes the tags of many lines without allocating for each.

use xxhash_rust::xxh32::xxh32;

use super::{Scheme, cowboy, lean, openagent, pi, push};
use crate::text::LineNo;
use crate::text::whitespace::{is_ascii_whitespace, is_whitespace};

/// Computes tags in one scheme.
#[derive(Clone, Debug)]
pub(crate) struct Tagger {
    scheme: Scheme,
    /// What is hashed of the current line, if it is short and ASCII.
    short: [u8; SHORT + 1],
    /// What is hashed of any other line.
    scratch: Vec<u8>,
}

impl Tagger {
    pub(super) fn new(scheme: Scheme) -> Self {
        Self {
            scheme,
            short: [0; SHORT + 1],
            scratch: Vec::new(),
        }
    }

    /// Returns the value of a line's tag; [`Scheme::spell`] spells it. A line that is not UTF-8 has the tag of its raw bytes.
    pub(crate) fn value(&mut self, text: &[u8], line: LineNo) -> u32 {
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
/// In [`CLASSES`]: the byte is kept.
const KEPT: u8 = 1;
/// In [`CLASSES`]: the byte is not ASCII.
const WIDE: u8 = 2;

/// What the hash does with each byte.
const CLASSES: [u8; 256] = {
    let mut classes = [WIDE; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = if is_ascii_whitespace(byte) { 0 } else { KEPT };
        byte += 1;
    }
    classes
};

/// Copies a short ASCII line without its white space into `kept`; returns how much is left. Nothing for any other line.
///
/// No branch depends on the text: every byte is written, and the place only moves on past those that are kept. The place is a byte,
/// so that it can never leave the buffer. (Measured: words of eight bytes at a time, and runs between blanks, are both slower.)
fn squash_ascii(text: &[u8], kept: &mut [u8; SHORT + 1]) -> Option<usize> {
    if text.len() > SHORT {
        return None;
    }
    let (mut at, mut seen) = (0_u8, 0);
    for &byte in without_deep_indent(text) {
        let class = CLASSES[usize::from(byte)];
        kept[usize::from(at)] = byte;
        at = at.wrapping_add(class & KEPT);
        seen |= class;
    }
    (seen & WIDE == 0).then_some(usize::from(at))
}

/// Cuts off leading blanks, eight at a time: what indents most lines.
fn without_deep_indent(mut text: &[u8]) -> &[u8] {
    while let Some((b"        ", rest)) = text.split_first_chunk() {
        text = rest;
    }
    text
}

/// Returns the value of a line that is not UTF-8: the hash of its raw bytes.
pub(super) fn raw(text: &[u8]) -> u32 {
    xxh32(text, 0) % 256
}
