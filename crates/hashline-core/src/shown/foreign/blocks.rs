//! Blocks: a line and the lines above or below it, as many as it takes to occur once.
//!
//! Positions with the same block so far are one group, and groups are split line by line. So a position is looked at 64 times at most.

use std::collections::HashMap;

use super::NEAR;
use super::hasher::KeyedHasher;
use super::occurrences::LineOccurrences;
use crate::shown::LostReason;
use crate::text::Fingerprint;

/// How many lines of context are compared at most.
//
// It bounds the cost in files of repeated lines. Lines that still look the same after 64 are reported as indistinct.
const FAR: usize = 64;

/// Whether a block extends above or below its line.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum ReadDirection {
    Up,
    Down,
}

/// Both revisions, read in one direction.
pub(super) struct ContextBlocks<'a> {
    pub(super) direction: ReadDirection,
    pub(super) older: &'a [Fingerprint],
    pub(super) newer: &'a [Fingerprint],
}

/// For each asked position of the older revision, the only position of the newer one with the same block.
pub(super) type FoundPlaces = HashMap<usize, Result<usize, LostReason>>;

/// The smallest block: the line and three more, fewer only at the edge of the file.
type Block = [Option<Fingerprint>; NEAR + 1];

/// The positions in both revisions that have the same block so far, and which of the older ones are asked about.
#[derive(Default)]
struct AlikePositions {
    older: Vec<usize>,
    newer: Vec<usize>,
    asked: Vec<usize>,
}

impl ContextBlocks<'_> {
    /// Finds the asked positions. A position past the end of the older revision is not found.
    pub(super) fn find(&self, asked: &[usize], occurrences: &LineOccurrences) -> FoundPlaces {
        let mut found = HashMap::with_capacity(asked.len());
        for alike in self.group(asked, occurrences) {
            self.refine(alike, &mut found);
        }
        found
    }

    /// Returns the line `steps` away from `from`; `None` past the edge of the file.
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

    /// Groups positions by the smallest block. Blocks that the edge of the file cuts short are compared by the lines they have.
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

    /// Extends the block line by line until each asked position is the only one in the older revision.
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

    /// Splits a group by the next line; the edge of the file counts as a line of its own. Groups without an asked position are dropped.
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
