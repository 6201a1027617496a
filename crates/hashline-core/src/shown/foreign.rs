//! Across somebody else's change: a line lands by its context, read both ways.
//!
//! Take the line with at least three lines above it (fewer only where the file begins), and more, up to 64, until that block stands
//! once in the older revision; it must stand exactly once in the newer. The same downward. Both must name the same place. And no
//! line within three of it that stood once before may stand more than once now: somebody copied here, and it cannot be told which
//! twin was meant. Anything else is lost; nothing is guessed.
//!
//! Cost: linear in both revisions for any number of spans. Positions that share a block are looked at together, at most 64 times.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, Hasher, RandomState};

use super::Lost;
use crate::text::{Fingerprint, LineSpan};

/// How many lines of context each way are always looked at.
const NEAR: usize = 3;
/// How many lines of context each way are looked at before twins are given up on.
const FAR: usize = 64;

/// Returns where each span of the older revision stands in the newer one.
pub(super) fn carry(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
) -> Vec<Result<LineSpan, Lost>> {
    let firsts: Vec<usize> = spans.iter().map(|span| span.start()).collect();
    let lasts: Vec<usize> = spans
        .iter()
        .map(|span| span.end().saturating_sub(1))
        .collect();
    let above = find_blocks(Reading::Up, older, newer, &firsts);
    let below = find_blocks(Reading::Down, older, newer, &lasts);
    let copied = Copied::count(older, newer, spans);
    let mut found: Vec<Result<LineSpan, Lost>> = spans
        .iter()
        .zip(firsts.iter().zip(&lasts))
        .map(|(&span, (first, last))| {
            agree(span, found_at(&above, *first), found_at(&below, *last))
                .and_then(|place| copied.check(span, place))
        })
        .collect();
    check_inner_lines(older, newer, spans, &mut found);
    explain_losses(newer, spans, older, &mut found);
    found
}

/// Returns what was found for a position; one past the end of the older revision was never there.
fn found_at(places: &HashMap<usize, Result<usize, Lost>>, at: usize) -> Result<usize, Lost> {
    places.get(&at).copied().unwrap_or(Err(Lost::Gone))
}

/// Joins what was found upward of the first line and downward of the last.
fn agree(
    span: LineSpan,
    above: Result<usize, Lost>,
    below: Result<usize, Lost>,
) -> Result<LineSpan, Lost> {
    let (first, last) = (above?, below?);
    let place = span.moved_to(first);
    if place.end() == last + 1 {
        Ok(place)
    } else if span.len() > 1 && last >= first {
        Err(Lost::InnerChanged)
    } else {
        Err(Lost::Indistinct)
    }
}

/// Which way a block is read from its line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    Up,
    Down,
}

impl Reading {
    /// Returns the line `steps` away from `from`, or nothing past the edge of the file.
    fn at(self, lines: &[Fingerprint], from: usize, steps: usize) -> Option<Fingerprint> {
        let index = match self {
            Self::Up => from.checked_sub(steps),
            Self::Down => from.checked_add(steps),
        };
        index.and_then(|index| lines.get(index)).copied()
    }

    /// Returns the smallest block looked at: the line and three more, fewer only at the edge of the file.
    fn block(self, lines: &[Fingerprint], from: usize) -> Block {
        std::array::from_fn(|steps| self.at(lines, from, steps))
    }
}

type Block = [Option<Fingerprint>; NEAR + 1];

/// Positions that read alike so far, in both revisions, and which of the older ones are asked about.
#[derive(Default)]
struct Alike {
    older: Vec<usize>,
    newer: Vec<usize>,
    asked: Vec<usize>,
}

/// Returns, for each asked position of the older revision, the one position of the newer that reads like it in this direction.
fn find_blocks(
    reading: Reading,
    older: &[Fingerprint],
    newer: &[Fingerprint],
    asked: &[usize],
) -> HashMap<usize, Result<usize, Lost>> {
    let mut places = HashMap::with_capacity(asked.len());
    for alike in group(reading, older, newer, asked) {
        refine(reading, older, newer, alike, &mut places);
    }
    places
}

/// Groups positions by the smallest block. Blocks cut short by the edge of the file are compared by what they have.
fn group(
    reading: Reading,
    older: &[Fingerprint],
    newer: &[Fingerprint],
    asked: &[usize],
) -> Vec<(usize, Alike)> {
    let mut wanted: HashSet<Fingerprint, ByBits> = HashSet::default();
    let mut groups: HashMap<Block, Alike, ByBits> = HashMap::default();
    let mut sizes = [false; NEAR + 1];
    for &at in asked {
        let block = reading.block(older, at);
        let Some(line) = block[0] else { continue };
        wanted.insert(line);
        sizes[size(&block) - 1] = true;
        groups.entry(block).or_default().asked.push(at);
    }
    let mut collect = |lines: &[Fingerprint], side: fn(&mut Alike) -> &mut Vec<usize>| {
        for (at, _) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| wanted.contains(line))
        {
            let mut block = reading.block(lines, at);
            for shorter in (1..=size(&block)).rev().filter(|&n| sizes[n - 1]) {
                block[shorter..].fill(None);
                if let Some(alike) = groups.get_mut(&block) {
                    side(alike).push(at);
                }
            }
        }
    };
    collect(older, |alike| &mut alike.older);
    collect(newer, |alike| &mut alike.newer);
    groups
        .into_iter()
        .map(|(block, alike)| (size(&block), alike))
        .collect()
}

fn size(block: &Block) -> usize {
    block.iter().take_while(|line| line.is_some()).count()
}

/// Reads on, line by line, until each asked position is alone in the older revision.
fn refine(
    reading: Reading,
    older: &[Fingerprint],
    newer: &[Fingerprint],
    (steps, alike): (usize, Alike),
    places: &mut HashMap<usize, Result<usize, Lost>>,
) {
    let mut open = vec![(steps, alike)];
    while let Some((steps, alike)) = open.pop() {
        if alike.older.len() > 1 && steps <= FAR {
            open.extend(split(reading, older, newer, steps, alike));
            continue;
        }
        let place = match (alike.older.len(), alike.newer.as_slice()) {
            (1, [place]) => Ok(*place),
            (1, []) => Err(Lost::Changed),
            _ => Err(Lost::Indistinct),
        };
        places.extend(alike.asked.iter().map(|&at| (at, place)));
    }
}

/// Splits a group by the next line; the edge of the file counts as a line of its own. Groups nobody asked about are dropped.
fn split(
    reading: Reading,
    older: &[Fingerprint],
    newer: &[Fingerprint],
    steps: usize,
    alike: Alike,
) -> Vec<(usize, Alike)> {
    let mut groups: HashMap<Option<Fingerprint>, Alike> = HashMap::new();
    for at in alike.asked {
        groups
            .entry(reading.at(older, at, steps))
            .or_default()
            .asked
            .push(at);
    }
    for at in alike.older {
        if let Some(group) = groups.get_mut(&reading.at(older, at, steps)) {
            group.older.push(at);
        }
    }
    for at in alike.newer {
        if let Some(group) = groups.get_mut(&reading.at(newer, at, steps)) {
            group.newer.push(at);
        }
    }
    groups
        .into_values()
        .map(|group| (steps + 1, group))
        .collect()
}

/// For each line of the older revision near an asked span: was it alone before and is it not now?
struct Copied {
    /// `sums[i]` counts such lines before index `i`.
    sums: Vec<usize>,
}

impl Copied {
    fn count(older: &[Fingerprint], newer: &[Fingerprint], spans: &[LineSpan]) -> Self {
        let near = LineSpan::merged(
            spans
                .iter()
                .map(|span| span.widened(NEAR, older.len()))
                .collect(),
        );
        let mut counts: HashMap<Fingerprint, (usize, usize), ByBits> = HashMap::default();
        for span in &near {
            counts.extend(older[span.range()].iter().map(|&line| (line, (0, 0))));
        }
        for line in older {
            if let Some((before, _)) = counts.get_mut(line) {
                *before += 1;
            }
        }
        for line in newer {
            if let Some((_, now)) = counts.get_mut(line) {
                *now += 1;
            }
        }
        let copied = |line| {
            counts
                .get(line)
                .is_some_and(|&(before, now)| before == 1 && now > 1)
        };
        let mut sums = vec![0; older.len() + 1];
        for span in &near {
            for (i, line) in span.range().zip(&older[span.range()]) {
                sums[i + 1] = usize::from(copied(line));
            }
        }
        for i in 1..sums.len() {
            sums[i] += sums[i - 1];
        }
        Self { sums }
    }

    fn check(&self, span: LineSpan, place: LineSpan) -> Result<LineSpan, Lost> {
        let near = span.widened(NEAR, self.sums.len() - 1);
        if self.sums[near.end()] == self.sums[near.start()] {
            Ok(place)
        } else {
            Err(Lost::Indistinct)
        }
    }
}

/// Compares the lines inside each range. Ranges that moved by the same distance share the work.
fn check_inner_lines(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
    found: &mut [Result<LineSpan, Lost>],
) {
    let mut order: Vec<(usize, usize, usize)> = Vec::new();
    for (i, place) in found.iter().enumerate() {
        if let Ok(place) = place {
            // Moved up and moved down by the same distance never coincide modulo 2^64.
            order.push((
                place.start().wrapping_sub(spans[i].start()),
                spans[i].start(),
                i,
            ));
        }
    }
    order.sort_unstable();
    let mut equal = (0, 0, 0);
    for (distance, start, i) in order {
        if equal.0 != distance || start > equal.2 {
            equal = (distance, start, start);
        }
        while equal.2 < spans[i].end()
            && older.get(equal.2) == newer.get(equal.2.wrapping_add(distance))
        {
            equal.2 += 1;
        }
        if equal.2 < spans[i].end() {
            found[i] = Err(Lost::InnerChanged);
        }
    }
}

/// Tells a line that is gone from one whose surroundings changed.
fn explain_losses(
    newer: &[Fingerprint],
    spans: &[LineSpan],
    older: &[Fingerprint],
    found: &mut [Result<LineSpan, Lost>],
) {
    if !found.contains(&Err(Lost::Changed)) {
        return;
    }
    let standing: HashSet<Fingerprint, ByBits> = newer.iter().copied().collect();
    for (span, place) in spans.iter().zip(found) {
        let stands = |index: usize| older.get(index).is_some_and(|line| standing.contains(line));
        if *place == Err(Lost::Changed)
            && !(stands(span.start()) && stands(span.end().saturating_sub(1)))
        {
            *place = Err(Lost::Gone);
        }
    }
}

/// Returns about where each span of the older revision would stand in the newer one: its nearest line that stands once in both
/// shows the way. For telling a reader where to look, never for landing.
pub(super) fn estimate(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
) -> Vec<LineSpan> {
    let (before, now) = (only_places(older), only_places(newer));
    let twin = |index: &usize| {
        let line = older.get(*index)?;
        before.get(line)?.and(now.get(line).copied().flatten())
    };
    spans
        .iter()
        .map(|span| {
            let above = (0..span.start())
                .rev()
                .take(GUIDE)
                .find_map(|i| Some((i, twin(&i)?)));
            let start = above.map_or(span.start(), |(i, place)| place + (span.start() - i));
            let start = start.min(newer.len().saturating_sub(1));
            LineSpan::new(start..(start + span.len()).min(newer.len()))
        })
        .collect()
}

/// How far up a guide line is looked for.
const GUIDE: usize = 1000;

/// Returns the place of each line that stands once, and nothing for each that stands more often.
fn only_places(lines: &[Fingerprint]) -> HashMap<Fingerprint, Option<usize>, ByBits> {
    let mut places: HashMap<_, _, _> =
        HashMap::with_capacity_and_hasher(lines.len(), ByBits::default());
    for (at, &line) in lines.iter().enumerate() {
        places
            .entry(line)
            .and_modify(|place| *place = None)
            .or_insert(Some(at));
    }
    places
}

/// Hashes fingerprints, which are hashes already: one keyed multiplication, so that nobody can write a file whose lines collide.
#[derive(Clone)]
struct ByBits {
    key: u64,
}

struct BitsHasher(u64);

impl Default for ByBits {
    fn default() -> Self {
        Self {
            key: RandomState::new().hash_one(0_u8),
        }
    }
}

impl BuildHasher for ByBits {
    type Hasher = BitsHasher;

    fn build_hasher(&self) -> BitsHasher {
        BitsHasher(self.key)
    }
}

impl Hasher for BitsHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(u64::from(byte));
        }
    }

    fn write_u64(&mut self, bits: u64) {
        const ODD: u128 = 0x9e37_79b9_7f4a_7c15;
        let product = u128::from(self.0 ^ bits) * ODD;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "both halves are folded together"
        )]
        let folded = (product >> 64) as u64 ^ product as u64;
        self.0 = folded;
    }
}
