//! About where a lost line would stand: for telling a reader where to look, never for landing.

use std::collections::HashMap;

use super::by_bits::ByBits;
use crate::text::{Fingerprint, LineSpan};

/// How far up a guide line is looked for.
const GUIDE: usize = 1000;

/// Returns about where each span of the older revision would stand in the newer one: its nearest line above that stands once in
/// both shows the way.
pub(in crate::shown) fn estimate(
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
