//! Across somebody else's change: a line lands by its context, read both ways.
//!
//! Take the line with at least three lines above it (fewer only where the file begins), and more, up to 64, until that block stands
//! once in the older revision; it must stand exactly once in the newer. The same downward. Both must name the same place. And no
//! line within three of it that stood once before may stand more than once now: somebody copied here, and it cannot be told which
//! twin was meant. Anything else is lost; nothing is guessed.
//!
//! Cost: linear in both revisions for any number of spans: one index of the lines that matter, then only their places.

mod blocks;
mod by_bits;
mod estimate;
mod occurrences;

use std::collections::HashSet;

use blocks::{ContextBlocks, FoundPlaces, ReadDirection};
use by_bits::ByBits;
pub(super) use estimate::estimate;
use occurrences::LineOccurrences;

use super::LostReason;
use crate::text::{Fingerprint, LineSpan};

/// How many lines of context each way are always looked at.
const NEAR: usize = 3;

/// Returns where each span of the older revision stands in the newer one.
pub(super) fn carry(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
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
    let above = find(ReadDirection::Up, &firsts);
    let below = find(ReadDirection::Down, &lasts);
    let copied = Copied::among(&near, older, &occurrences);
    let mut found: Vec<Result<LineSpan, LostReason>> = spans
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

/// Returns the lines within three of any span, as spans of the older revision.
fn lines_near(spans: &[LineSpan], lines: usize) -> Vec<LineSpan> {
    let widened = spans.iter().map(|span| span.widened(NEAR, lines));
    LineSpan::merged(widened.collect())
}

/// Returns what was found for a position; one past the end of the older revision was never there.
fn found_at(places: &FoundPlaces, at: usize) -> Result<usize, LostReason> {
    places.get(&at).copied().unwrap_or(Err(LostReason::Gone))
}

/// Joins what was found upward of the first line and downward of the last.
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

/// The lines of the older revision near an asked span that were alone before and are not now.
struct Copied {
    /// Invariant: ascending.
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

/// Compares the lines inside each range. Ranges that moved by the same distance share the work.
fn check_inner_lines(
    older: &[Fingerprint],
    newer: &[Fingerprint],
    spans: &[LineSpan],
    found: &mut [Result<LineSpan, LostReason>],
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
            found[i] = Err(LostReason::InnerChanged);
        }
    }
}

/// Tells a line that is gone from one whose surroundings changed.
fn explain_losses(
    newer: &[Fingerprint],
    spans: &[LineSpan],
    older: &[Fingerprint],
    found: &mut [Result<LineSpan, LostReason>],
) {
    if !found.contains(&Err(LostReason::Changed)) {
        return;
    }
    let standing: HashSet<Fingerprint, ByBits> = newer.iter().copied().collect();
    for (span, place) in spans.iter().zip(found) {
        let stands = |index: usize| older.get(index).is_some_and(|line| standing.contains(line));
        if *place == Err(LostReason::Changed)
            && !(stands(span.start()) && stands(span.end().saturating_sub(1)))
        {
            *place = Err(LostReason::Gone);
        }
    }
}
