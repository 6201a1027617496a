//! Computes the tag of a line in each scheme: which bytes are hashed, and with which hash.
//!
//! The hashes of push, cowboy, openagent and lean are in their own files. omp and pi ignore white space, which is removed here without allocating
//! memory for each line.

use xxhash_rust::xxh32::xxh32;

use super::{Scheme, cowboy, lean, openagent, pi, push};
use crate::text::LineNo;
use crate::text::whitespace::{is_ascii_whitespace, is_whitespace};

/// Computes the tags of lines in one scheme, with buffers that it reuses.
#[derive(Clone, Debug)]
pub(crate) struct Tagger {
    scheme: Scheme,
    /// Buffer for the text that is hashed, if the line is short and ASCII.
    short: [u8; SHORT + 1],
    /// Buffer for the text that is hashed of any other line.
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

    /// Returns the numeric value of a line's tag, which [`Scheme::spell`] encodes as text. For a line that is not UTF-8 the raw bytes are hashed.
    pub(crate) fn value(&mut self, text: &[u8], line: LineNo) -> u32 {
        match self.scheme {
            Scheme::Omp | Scheme::Pi => self.squashed(text),
            Scheme::Push => push::value(text),
            Scheme::Cowboy => cowboy::value(text),
            Scheme::Openagent => std::str::from_utf8(text)
                .map_or_else(|_| raw(text), |text| openagent::value(text, line)),
            Scheme::Lean => lean::value(text),
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

/// The maximum number of bytes of a line whose white space is removed in a buffer on the stack.
const SHORT: usize = 255;
/// In [`CLASSES`]: the byte is part of the hashed text.
const KEPT: u8 = 1;
/// In [`CLASSES`]: the byte is not ASCII.
const WIDE: u8 = 2;

/// For each byte: [`KEPT`] if it is hashed, 0 if it is white space, [`WIDE`] if it is not ASCII.
const CLASSES: [u8; 256] = {
    let mut classes = [WIDE; 256];
    let mut byte = 0;
    while byte < 128 {
        classes[byte as usize] = if is_ascii_whitespace(byte) { 0 } else { KEPT };
        byte += 1;
    }
    classes
};

/// Copies a short ASCII line without its white space into `kept` and returns the length; `None` for a line that is longer or not ASCII.
///
/// No branch depends on the text: every byte is written, and the write position only advances past bytes that are kept. The position is a
/// `u8`, so that it cannot leave the buffer. (Measured: processing eight bytes at a time, or runs between blanks, is slower.)
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

/// Removes leading spaces eight at a time, which is faster than byte by byte for indented lines.
fn without_deep_indent(mut text: &[u8]) -> &[u8] {
    while let Some((b"        ", rest)) = text.split_first_chunk() {
        text = rest;
    }
    text
}

/// Returns the value of the tag of a line that is not UTF-8: the hash of its raw bytes.
pub(super) fn raw(text: &[u8]) -> u32 {
    xxh32(text, 0) % 256
}
