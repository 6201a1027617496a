//! The text of a program, in which what the shell computes is one character that stands for a hole.

use std::ops::Range;

use crate::guard::shell::{Piece, Word};

/// Stands for a hole. Programs do not use it: it is what editors show for an embedded object.
const HOLE: char = '\u{FFFC}';

/// A program as its interpreter would get it, but for the holes.
#[derive(Debug)]
pub(super) struct Program {
    text: String,
    /// The holes, in the order in which they stand in the text.
    holes: Vec<Piece>,
}

impl Program {
    pub(super) fn of(word: &Word) -> Self {
        let mut program = Self {
            text: String::new(),
            holes: Vec::new(),
        };
        for piece in word.pieces() {
            match piece {
                Piece::Text(text) | Piece::Glob(text) => {
                    program.text.extend(text.chars().filter(|c| *c != HOLE));
                }
                hole @ Piece::Hole(..) => {
                    program.text.push(HOLE);
                    program.holes.push(hole.clone());
                }
            }
        }
        program
    }

    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Returns a part of the text.
    pub(super) fn slice(&self, range: Range<usize>) -> &str {
        self.text.get(range).unwrap_or_default()
    }

    /// Returns a part of the text as a word, with its holes.
    pub(super) fn word(&self, range: Range<usize>) -> Word {
        let before = self.slice(0..range.start).matches(HOLE).count();
        let mut holes = self.holes.iter().skip(before);
        let mut word = Word::default();
        for (index, text) in self.slice(range).split(HOLE).enumerate() {
            if index > 0 {
                holes
                    .next()
                    .into_iter()
                    .for_each(|hole| word.push(hole.clone()));
            }
            word.push_text(text);
        }
        word
    }
}
