//! Somebody else's changes: what happens to a file behind an agent's back.
//!
//! Numbers are taken modulo whatever there is, so any numbers make a change, and a failing case shrinks to small ones.

use hashline_core::Document;
use hashline_core::text::LineEnding;
use proptest::collection::vec;
use proptest::prelude::Strategy;
use proptest::sample::select;

use crate::random::Random;

/// One change.
#[derive(Clone, Copy, Debug)]
pub struct Meddling {
    /// What is done.
    pub kind: Kind,
    /// To which line.
    pub at: usize,
    /// Which other line it is about, if it is about one.
    pub to: usize,
}

/// What somebody does to a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Takes it away.
    Delete,
    /// Puts a copy of it before another.
    Copy,
    /// Moves it, and up to two lines after it, before another.
    Move,
    /// Swaps it with another.
    Swap,
    /// Puts a line before it that never stood in the file.
    Insert,
    /// Writes it anew, as it never stood in the file.
    Rewrite,
    /// Changes nothing but its white space.
    Reindent,
    /// Ends it the other way.
    Reterminate,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 8] = [
        Self::Delete,
        Self::Copy,
        Self::Move,
        Self::Swap,
        Self::Insert,
        Self::Rewrite,
        Self::Reindent,
        Self::Reterminate,
    ];
}

impl Meddling {
    /// Returns a change of one of these kinds.
    pub fn random(random: &mut Random, kinds: &[Kind]) -> Self {
        Self {
            kind: random.pick(kinds),
            at: random.below(1000),
            to: random.below(1000),
        }
    }
}

/// Returns lists of changes of these kinds.
pub fn meddlings(kinds: &'static [Kind]) -> impl Strategy<Value = Vec<Meddling>> {
    let one = (select(kinds), 0..30_usize, 0..30_usize).prop_map(|(kind, at, to)| Meddling {
        kind,
        at,
        to,
    });
    vec(one, 1..4)
}

/// Makes the changes, one after another. Whether the file ends in a newline stays as it is.
#[must_use]
pub fn meddle(document: &Document, meddlings: &[Meddling]) -> Document {
    let mut lines: Vec<(Vec<u8>, LineEnding)> = document
        .lines()
        .map(|line| (line.text.to_vec(), line.ending))
        .collect();
    for (count, meddling) in meddlings.iter().enumerate() {
        change(&mut lines, *meddling, format!("somebody's {count}"));
    }
    let mut bytes = document.bom().to_vec();
    let last = lines.len().saturating_sub(1);
    for (index, (text, ending)) in lines.into_iter().enumerate() {
        bytes.extend_from_slice(&text);
        match ending {
            _ if index == last && !document.bytes().ends_with(b"\n") => {}
            LineEnding::None => bytes.push(b'\n'),
            ending => bytes.extend_from_slice(ending.as_bytes()),
        }
    }
    Document::new(bytes)
}

fn change(
    lines: &mut Vec<(Vec<u8>, LineEnding)>,
    Meddling { kind, at, to }: Meddling,
    fresh: String,
) {
    if lines.is_empty() {
        lines.push((fresh.into_bytes(), LineEnding::Lf));
        return;
    }
    let (at, gap, to) = (at % lines.len(), to % (lines.len() + 1), to % lines.len());
    match kind {
        Kind::Delete => drop(lines.remove(at)),
        Kind::Copy => lines.insert(gap, lines[at].clone()),
        Kind::Move => {
            let block: Vec<_> = lines
                .drain(at..(at + 1 + to % 3).min(lines.len()))
                .collect();
            let gap = gap.min(lines.len());
            lines.splice(gap..gap, block);
        }
        Kind::Swap => lines.swap(at, to),
        Kind::Insert => lines.insert(at, (fresh.into_bytes(), LineEnding::Lf)),
        Kind::Rewrite => lines[at].0 = fresh.into_bytes(),
        Kind::Reindent => lines[at].0.insert(0, b' '),
        Kind::Reterminate => {
            let ending = &mut lines[at].1;
            *ending = if *ending == LineEnding::Lf {
                LineEnding::CrLf
            } else {
                LineEnding::Lf
            };
        }
    }
}
