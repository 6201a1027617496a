//! Follows lines across a change that another program made: a line is found again by the lines above and below it.
//!
//! The rule: take the line and at least three lines above it (fewer only at the start of the file), and more, up to 64, until that block
//! occurs once in the older revision. The block must occur exactly once in the newer revision. A block of the line and the lines below it
//! must be found in the same way, and both blocks must lead to the same place. No line within three lines of that place that occurred
//! once before may occur more than once now. If the older revision has fewer than three other lines that are not blank, the span must also be
//! where it was, in a file of as many lines. Otherwise the line is reported as lost; nothing is guessed.
//!
//! The limits of 3 and 64 lines of context come from measurements on millions of anchors whose true place was known; `cargo xtask bench
//! landing` repeats them.
//!
//! The cost is linear in the lines of both revisions for any number of spans: only lines near the spans are put into an index.

mod blank;
mod blocks;
mod hasher;
mod occurrences;

use std::collections::{HashMap, HashSet};

pub(crate) use blank::BlankLines;
use blocks::{ContextBlocks, FoundPlaces, ReadDirection};
use hasher::KeyedHasher;
use occurrences::LineOccurrences;

use super::LostReason;
use crate::text::{Fingerprint, LineSpan};

/// How many lines of context above and below a line are always compared.
//
// With fewer, lines such as `}` and blank ones have the same context all over a file, and a line next to a change could land wrong.
pub(crate) const NEAR: usize = 3;

/// How many lines above a lost span `estimate` looks for a line that occurs once in both revisions.
const GUIDE: usize = 1000;

/// Returns the place of each span of the older revision in the newer one, or why the span is lost.
pub(super) fn carry(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
    blank: &BlankLines,
) -> Vec<Result<LineSpan, LostReason>> {
    let near = lines_near(spans, older.len());
    let chosen = near.iter().flat_map(|span| older[span.range()].iter());
    let occurrences = LineOccurrences::of(chosen.copied(), older, newer);
    let firsts: Vec<usize> = spans.iter().map(|span| span.start()).collect();
    let lasts: Vec<usize> = spans
        .iter()
        .map(|span| span.end().saturating_sub(1))
        .collect();
    let find = |direction, asked: &[usize]| {
        let blocks = ContextBlocks {
            direction,
            older,
            newer,
        };
        blocks.find(asked, &occurrences)
    };
    // Both directions must agree: with one alone a line would land although somebody rewrote what is right next to it.
    let above = find(ReadDirection::Up, &firsts);
    let below = find(ReadDirection::Down, &lasts);
    let copied = Copied::among(&near, older, &occurrences);
    let mut found: Vec<Result<LineSpan, LostReason>> = spans
        .iter()
        .zip(firsts.iter().zip(&lasts))
        .map(|(&span, (first, last))| {
            agree(span, found_at(&above, *first), found_at(&below, *last))
                .and_then(|place| copied.check(span, place))
                .and_then(|place| check_edges(older, newer, blank, span, place))
        })
        .collect();
    check_inner_lines(older, newer, spans, &mut found);
    explain_losses(newer, spans, older, &mut found);
    found
}

/// Returns the lines that are at most three lines away from any of the spans in the older revision.
fn lines_near(spans: &[LineSpan], lines: usize) -> Vec<LineSpan> {
    let widened = spans.iter().map(|span| span.widened(NEAR, lines));
    LineSpan::merged(widened.collect())
}

/// Returns the place that was found for a position; a position past the end of the older revision is gone.
fn found_at(places: &FoundPlaces, at: usize) -> Result<usize, LostReason> {
    places.get(&at).copied().unwrap_or(Err(LostReason::Gone))
}

/// Combines the place found through the lines above a span with the place found through the lines below it.
fn agree(
    span: LineSpan,
    above: Result<usize, LostReason>,
    below: Result<usize, LostReason>,
) -> Result<LineSpan, LostReason> {
    let (first, last) = (above?, below?);
    let place = span.moved_to(first);
    if place.end() == last + 1 {
        Ok(place)
    } else if span.len() > 1 && last >= first {
        Err(LostReason::InnerChanged)
    } else {
        Err(LostReason::Indistinct)
    }
}

/// Checks that a span with hardly any context is as far from the start and the end of the file as before.
//
// The only line of a file has no context, and would land on any equal line of whatever file took its place. Blank lines say as little.
fn check_edges(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    blank: &BlankLines,
    span: LineSpan,
    place: LineSpan,
) -> Result<LineSpan, LostReason> {
    let (above, below) = (&older[..span.start()], &older[span.end()..]);
    let context = above.iter().chain(below).filter(|line| !blank.have(**line));
    let at_edges = place.start() == span.start() && newer.len() == older.len();
    if context.take(NEAR).count() < NEAR && !at_edges {
        return Err(LostReason::Changed);
    }
    Ok(place)
}

/// The lines near a span that occurred once in the older revision and occur more often in the newer one, because they were copied.
//
// Somebody copied lines here. Both copies have the same text, and it cannot be told which one the caller means.
struct Copied {
    /// Invariant: the indexes are in ascending order.
    at: Vec<usize>,
}

impl Copied {
    fn among(near: &[LineSpan], older: &[Fingerprint], occurrences: &LineOccurrences) -> Self {
        let places = near.iter().flat_map(|span| span.range());
        Self {
            at: places
                .filter(|&index| occurrences.was_copied(older[index]))
                .collect(),
        }
    }

    fn check(&self, span: LineSpan, place: LineSpan) -> Result<LineSpan, LostReason> {
        let from = span.start().saturating_sub(NEAR);
        let next = self.at.partition_point(|&index| index < from);
        match self.at.get(next) {
            Some(&index) if index < span.end() + NEAR => Err(LostReason::Indistinct),
            _ => Ok(place),
        }
    }
}

/// Compares all lines of each range with its place in the newer revision, and marks ranges with changed lines as lost.
fn check_inner_lines(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
    found: &mut [Result<LineSpan, LostReason>],
) {
    // Sorted by the distance they moved: overlapping ranges that moved together compare each line once.
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
            found[i] = Err(LostReason::InnerChanged);
        }
    }
}

/// Distinguishes, among lost spans, lines that are gone from lines whose surroundings changed.
fn explain_losses(
    newer: &[Fingerprint],
    spans: &[LineSpan],
    older: &[Fingerprint],
    found: &mut [Result<LineSpan, LostReason>],
) {
    if !found.contains(&Err(LostReason::Changed)) {
        return;
    }
    let present: HashSet<Fingerprint, KeyedHasher> = newer.iter().copied().collect();
    for (span, place) in spans.iter().zip(found) {
        let is_present = |index: usize| older.get(index).is_some_and(|line| present.contains(line));
        if *place == Err(LostReason::Changed)
            && !(is_present(span.start()) && is_present(span.end().saturating_sub(1)))
        {
            *place = Err(LostReason::Gone);
        }
    }
}

/// Returns about where each lost span would be in the newer revision: where its own first line is, if that occurs once in both, otherwise measured
/// from the nearest line above that does. The estimate is used only to show a reader where to look, never to decide which line to edit.
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
            let guide = (0..=span.start())
                .rev()
                .take(GUIDE)
                .find_map(|i| Some((i, twin(&i)?)));
            let start = guide.map_or(span.start(), |(i, place)| place + (span.start() - i));
            let start = start.min(newer.len().saturating_sub(1));
            LineSpan::new(start..(start + span.len()).min(newer.len()))
        })
        .collect()
}

/// Returns the position of each line that occurs once, and `None` for each line that occurs more often.
fn only_places(lines: &[Fingerprint]) -> HashMap<Fingerprint, Option<usize>, KeyedHasher> {
    let mut places: HashMap<_, _, _> =
        HashMap::with_capacity_and_hasher(lines.len(), KeyedHasher::default());
    for (at, &line) in lines.iter().enumerate() {
        places
            .entry(line)
            .and_modify(|place| *place = None)
            .or_insert(Some(at));
    }
    places
}
