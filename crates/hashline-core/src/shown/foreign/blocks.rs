//! Finds a line of one revision in another by a block: the line and as many lines above or below it as make the block unique.
//!
//! Positions whose blocks are equal so far form a group, and each further line of context splits the groups. So each position is compared
//! at most 64 times.

use std::collections::HashMap;

use super::NEAR;
use super::hasher::KeyedHasher;
use super::occurrences::LineOccurrences;
use crate::shown::LostReason;
use crate::text::Fingerprint;

/// The maximum number of lines of context that are compared.
//
// It bounds the cost in files of repeated lines. Lines that still look the same after 64 are reported as indistinct.
const FAR: usize = 64;

/// Whether a block (a line and its context) extends above or below the line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadDirection {
    Up,
    Down,
}

/// The fingerprints of two revisions of a file, whose lines are compared upwards or downwards.
pub(super) struct ContextBlocks<'a> {
    pub(super) direction: ReadDirection,
    pub(super) older: &'a [Fingerprint],
    pub(super) newer: &'a [Fingerprint],
}

/// For each position of the older revision that was requested, the only position of the newer revision with the same block.
pub(super) type FoundPlaces = HashMap<usize, Result<usize, LostReason>>;

/// The smallest block: a line and three lines next to it, fewer only at the start or end of the file.
type Block = [Option<Fingerprint>; NEAR + 1];

/// The positions in both revisions whose blocks are equal so far, and which of the older positions are requested.
#[derive(Default)]
struct AlikePositions {
    older: Vec<usize>,
    newer: Vec<usize>,
    asked: Vec<usize>,
}

impl ContextBlocks<'_> {
    /// Finds the positions `asked` of the older revision in the newer one. A position past the end of the older revision gets no entry.
    pub(super) fn find(&self, asked: &[usize], occurrences: &LineOccurrences) -> FoundPlaces {
        let mut found = HashMap::with_capacity(asked.len());
        for alike in self.group(asked, occurrences) {
            self.refine(alike, &mut found);
        }
        found
    }

    /// Returns the line that is `steps` lines away from `from` in the direction of the block; `None` past the start or end of the file.
    fn at(&self, lines: &[Fingerprint], from: usize, steps: usize) -> Option<Fingerprint> {
        let index = match self.direction {
            ReadDirection::Up => from.checked_sub(steps),
            ReadDirection::Down => from.checked_add(steps),
        };
        index.and_then(|index| lines.get(index)).copied()
    }

    fn block(&self, lines: &[Fingerprint], from: usize) -> Block {
        std::array::from_fn(|steps| self.at(lines, from, steps))
    }

    /// Groups line positions of both revisions by their smallest block (the line and three lines next to it). Blocks that the start or
    /// end of the file cuts short are compared by the lines that they have.
    fn group(
        &self,
        asked: &[usize],
        occurrences: &LineOccurrences,
    ) -> Vec<(usize, AlikePositions)> {
        let mut groups: HashMap<Block, AlikePositions, KeyedHasher> = HashMap::default();
        let mut sizes = [false; NEAR + 1];
        let mut lines: Vec<Fingerprint> = Vec::new();
        for &at in asked {
            let block = self.block(self.older, at);
            let Some(line) = block[0] else { continue };
            lines.push(line);
            sizes[size(&block) - 1] = true;
            groups.entry(block).or_default().asked.push(at);
        }
        let mut collect =
            |lines: &[Fingerprint], at: usize, side: fn(&mut AlikePositions) -> &mut Vec<usize>| {
                let mut block = self.block(lines, at);
                for shorter in (1..=size(&block)).rev().filter(|&n| sizes[n - 1]) {
                    block[shorter..].fill(None);
                    if let Some(alike) = groups.get_mut(&block) {
                        side(alike).push(at);
                    }
                }
            };
        lines.sort_unstable();
        lines.dedup();
        for places in lines.iter().filter_map(|&line| occurrences.places(line)) {
            for &at in &places.older {
                collect(self.older, at, |alike| &mut alike.older);
            }
            for &at in &places.newer {
                collect(self.newer, at, |alike| &mut alike.newer);
            }
        }
        groups
            .into_iter()
            .map(|(block, alike)| (size(&block), alike))
            .collect()
    }

    /// Extends the blocks of a group line by line until each requested position is the only one in the older revision with its block.
    fn refine(&self, (steps, alike): (usize, AlikePositions), found: &mut FoundPlaces) {
        let mut open = vec![(steps, alike)];
        while let Some((steps, alike)) = open.pop() {
            if alike.older.len() > 1 && steps <= FAR {
                open.extend(self.split(steps, &alike));
                continue;
            }
            let place = match (alike.older.len(), alike.newer.as_slice()) {
                (1, [place]) => Ok(*place),
                (1, []) => Err(LostReason::Changed),
                _ => Err(LostReason::Indistinct),
            };
            found.extend(alike.asked.iter().map(|&at| (at, place)));
        }
    }

    /// Splits a group by the next line of context; the start or end of the file counts as a separate line. Groups without an asked
    /// position are dropped.
    fn split(
        &self,
        steps: usize,
        alike: &AlikePositions,
    ) -> impl Iterator<Item = (usize, AlikePositions)> {
        let mut groups: HashMap<Option<Fingerprint>, AlikePositions, KeyedHasher> =
            HashMap::default();
        for &at in &alike.asked {
            let next = self.at(self.older, at, steps);
            groups.entry(next).or_default().asked.push(at);
        }
        for &at in &alike.older {
            if let Some(group) = groups.get_mut(&self.at(self.older, at, steps)) {
                group.older.push(at);
            }
        }
        for &at in &alike.newer {
            if let Some(group) = groups.get_mut(&self.at(self.newer, at, steps)) {
                group.newer.push(at);
            }
        }
        groups.into_values().map(move |group| (steps + 1, group))
    }
}

fn size(block: &Block) -> usize {
    block.iter().take_while(|line| line.is_some()).count()
}
