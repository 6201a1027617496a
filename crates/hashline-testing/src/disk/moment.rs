//! The disk between two calls, and what a power cut could leave of it.

use std::path::Path;

use super::image::{Image, Names, Node, ROOT, Renaming};
use crate::random::Random;

/// The bytes that a disk writes at once.
const BLOCK: usize = 4096;

/// More changes than this at once are tried in part.
const ALL_SUBSETS: usize = 10;

/// The disk between two calls.
#[derive(Clone, Debug)]
pub struct Moment {
    /// What everybody sees.
    pub(super) seen: Image,
    /// What a power cut cannot take away.
    pub(super) durable: Image,
    /// Changes of names that are not durable yet, in order.
    pub(super) waiting: Vec<Renaming>,
    /// The call that has just been made.
    pub call: &'static str,
}

/// What a cut leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcomes {
    /// The processes died; the disk went on.
    Kill,
    /// The power went: every state the disk could be found in, or so many of them.
    PowerCut {
        /// How many at most.
        most: usize,
    },
}

/// What is left of the unsynced bytes of one file.
#[derive(Clone, Copy, Debug)]
enum Left {
    All,
    Nothing,
    FirstHalf,
    Zeros,
    EverySecondBlock,
}

const LEFT: [Left; 5] = [
    Left::All,
    Left::Nothing,
    Left::FirstHalf,
    Left::Zeros,
    Left::EverySecondBlock,
];

impl Moment {
    /// Returns what everybody sees.
    #[must_use]
    pub fn seen(&self) -> &Image {
        &self.seen
    }

    /// Returns whether a file will still be there after a power cut.
    #[must_use]
    pub fn holds(&self, path: &Path) -> bool {
        self.durable.tree().contains_key(path)
    }

    /// Lists the states that a cut can leave.
    #[must_use]
    pub fn outcomes(&self, outcomes: Outcomes, random: &mut Random) -> Vec<Image> {
        match outcomes {
            Outcomes::Kill => vec![self.seen.clone()],
            Outcomes::PowerCut { most } => self.after_a_power_cut(most, random),
        }
    }

    /// Changes names for everybody to see; it waits for a sync to be durable.
    pub(super) fn rename(&mut self, names: Names) {
        let renaming = Renaming { names };
        self.seen.apply(&renaming);
        self.waiting.push(renaming);
    }

    /// Makes the names of a directory durable, and whatever they rest on.
    pub(super) fn make_durable(&mut self, dir: u64) {
        let waiting = std::mem::take(&mut self.waiting);
        let mut wanted: Vec<bool> = waiting.iter().map(|it| it.touches(dir)).collect();
        for index in (0..wanted.len())
            .rev()
            .filter(|&index| wanted[index])
            .collect::<Vec<_>>()
        {
            for earlier in 0..index {
                wanted[earlier] |= waiting[earlier].meets(&waiting[index]);
            }
        }
        for (renaming, wanted) in waiting.into_iter().zip(wanted) {
            if wanted {
                self.durable.apply(&renaming);
            } else {
                self.waiting.push(renaming);
            }
        }
    }

    fn after_a_power_cut(&self, most: usize, random: &mut Random) -> Vec<Image> {
        let dirty = self.dirty();
        let mut states = Vec::new();
        for kept in self.kept(most, random) {
            let mut named = self.durable.clone();
            for (renaming, _) in self.waiting.iter().zip(&kept).filter(|(_, kept)| **kept) {
                named.apply(renaming);
            }
            let ways = LEFT
                .len()
                .pow(u32::try_from(dirty.len()).unwrap_or(u32::MAX).min(3));
            for mut way in 0..ways {
                let mut state = named.clone();
                for &number in &dirty {
                    let left = LEFT[way % LEFT.len()];
                    way /= LEFT.len();
                    self.settle(&mut state, number, left);
                }
                forget_nameless(&mut state);
                states.push(state);
            }
        }
        states.dedup();
        while states.len() > most {
            let gone = random.below(states.len());
            states.swap_remove(gone);
        }
        states
    }

    /// Lists which changes of names a disk may have kept: no later one about a name without the earlier ones.
    fn kept(&self, most: usize, random: &mut Random) -> Vec<Vec<bool>> {
        let count = self.waiting.len();
        let subsets: Vec<u64> = if count <= ALL_SUBSETS {
            (0..1 << count).collect()
        } else {
            let some = (0..most.max(64)).map(|_| random.bits());
            [u64::MAX, 0].into_iter().chain(some).collect()
        };
        let closed = subsets.into_iter().map(|bits| self.close(bits));
        let mut kept: Vec<Vec<bool>> = closed.collect();
        kept.sort();
        kept.dedup();
        kept
    }

    /// Drops from a choice whatever cannot be kept without something that was not chosen.
    fn close(&self, bits: u64) -> Vec<bool> {
        let mut kept: Vec<bool> = Vec::with_capacity(self.waiting.len());
        for (index, renaming) in self.waiting.iter().enumerate() {
            let chosen = bits >> (index % 64) & 1 == 1;
            let earlier = self.waiting[..index].iter().zip(&kept);
            let possible = earlier
                .into_iter()
                .all(|(other, kept)| *kept || !other.meets(renaming));
            kept.push(chosen && possible);
        }
        kept
    }

    /// Lists the files whose bytes are not durable.
    fn dirty(&self) -> Vec<u64> {
        let differs = |(number, node): &(&u64, &Node)| {
            matches!(node, Node::File { .. }) && self.durable.nodes.get(number) != Some(node)
        };
        let dirty = self.seen.nodes.iter().filter(differs);
        dirty.map(|(number, _)| *number).collect()
    }

    fn settle(&self, state: &mut Image, number: u64, left: Left) {
        let Some(Node::File { bytes: new, mode }) = self.seen.nodes.get(&number) else {
            return;
        };
        let old = match self.durable.nodes.get(&number) {
            Some(Node::File { bytes, .. }) => bytes.as_slice(),
            _ => &[],
        };
        let bytes = match left {
            Left::All => new.clone(),
            Left::Nothing => old.to_vec(),
            Left::FirstHalf => mixed(old, new, |at| at < half(old, new)),
            Left::Zeros if old.is_empty() => vec![0; new.len()],
            Left::Zeros => mixed(old, new, |at| at >= half(old, new)),
            Left::EverySecondBlock => mixed(old, new, |at| (at / BLOCK).is_multiple_of(2)),
        };
        let file = Node::File { bytes, mode: *mode };
        state.nodes.insert(number, file);
    }
}

/// Returns where the first half of new bytes ends: anywhere in a new file, between two blocks in an old one.
fn half(old: &[u8], new: &[u8]) -> usize {
    let middle = new.len() / 2;
    if old.is_empty() {
        middle
    } else {
        middle.next_multiple_of(BLOCK)
    }
}

/// Takes each byte from the new or the old.
fn mixed(old: &[u8], new: &[u8], is_new: impl Fn(usize) -> bool) -> Vec<u8> {
    let byte = |at: usize| match (is_new(at), new.get(at), old.get(at)) {
        (true, Some(&byte), _) | (_, None, Some(&byte)) | (false, _, Some(&byte)) => byte,
        _ => 0,
    };
    (0..new.len().max(old.len())).map(byte).collect()
}

/// Drops what no name leads to.
fn forget_nameless(state: &mut Image) {
    let mut reached = vec![ROOT];
    let mut next = 0;
    while let Some(&dir) = reached.get(next) {
        next += 1;
        if let Some(Node::Dir { names, .. }) = state.nodes.get(&dir) {
            reached.extend(names.values());
        }
    }
    state.nodes.retain(|number, _| reached.contains(number));
}
