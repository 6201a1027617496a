//! Finds which lines of two revisions differ, so that a log stores only those.
//!
//! Whatever is found leads from one revision to the other; a shorter difference only saves room. So changes are found by looking a few lines
//! ahead, which takes much less time than a diff, and what begins a longer change is stored up to the last difference.

use hashline_core::text::{Fingerprint, LineSpan};

/// How many lines, old and new together, are looked ahead for the end of a change.
const AHEAD: usize = 24;

/// So many lines after a change must be equal.
const MEET: usize = 3;

/// Lines of the older revision, and the fingerprints of the lines of the newer one that replace them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Difference<'a> {
    pub(super) gone: LineSpan,
    pub(super) came: &'a [Fingerprint],
}

/// Returns the differences that lead from the older to the newer lines, in their order.
pub(super) fn differences<'a>(
    older: &[Fingerprint],
    newer: &'a [Fingerprint],
) -> Vec<Difference<'a>> {
    let same = |(one, other): &(&Fingerprint, &Fingerprint)| one == other;
    let mut at = older.iter().zip(newer).take_while(same).count();
    let (old_rest, new_rest) = (&older[at..], &newer[at..]);
    let ends = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = ends.take_while(same).count();
    let mut older = &old_rest[..old_rest.len() - tail];
    let mut newer = &new_rest[..new_rest.len() - tail];
    let mut found = Vec::new();
    while !(older.is_empty() && newer.is_empty()) {
        let (gone, count) = next_meeting(older, newer);
        let (came, new_rest) = newer.split_at(count);
        let old_rest = &older[gone..];
        let gone = LineSpan::new(at..at + gone);
        found.push(Difference { gone, came });
        let equal = old_rest.iter().zip(new_rest).take_while(same).count();
        at = gone.end() + equal;
        (older, newer) = (&old_rest[equal..], &new_rest[equal..]);
    }
    found
}

/// Returns after how many lines of both the lines are equal again; all, if that is not soon.
fn next_meeting(older: &[Fingerprint], newer: &[Fingerprint]) -> (usize, usize) {
    let meet = |&(gone, came): &(usize, usize)| {
        let (Some(older), Some(newer)) = (older.get(gone..), newer.get(came..)) else {
            return false;
        };
        let is_end = older.is_empty() && newer.is_empty();
        let (older, newer) = (older.get(..MEET), newer.get(..MEET));
        is_end || older.is_some() && older == newer
    };
    // Most changes replace lines by as many.
    let even = (1..=AHEAD).map(|lines| (lines, lines));
    let uneven = (1..=AHEAD).flat_map(|sum| (0..=sum).map(move |gone| (gone, sum - gone)));
    let mut near = even.chain(uneven);
    near.find(meet).unwrap_or((older.len(), newer.len()))
}

#[cfg(test)]
mod tests {
    use super::differences;
    use hashline_core::text::Fingerprint;

    fn lines(numbers: impl IntoIterator<Item = u64>) -> Vec<Fingerprint> {
        numbers.into_iter().map(Fingerprint).collect()
    }

    #[test]
    fn lines_that_are_changed_far_apart_are_stored_alone() {
        let older = lines(0..1000);
        let mut newer = older.clone();
        newer[3] = Fingerprint(5000);
        newer.splice(500..502, lines(6000..6005));
        newer.remove(900);
        newer.push(Fingerprint(7000));
        let found = differences(&older, &newer);
        let shape: Vec<(usize, usize, usize)> = found
            .iter()
            .map(|one| (one.gone.start(), one.gone.end(), one.came.len()))
            .collect();
        let expected = [(3, 4, 1), (500, 502, 5), (897, 898, 0), (1000, 1000, 1)];
        assert_eq!(shape, expected);
    }

    #[test]
    fn the_differences_lead_from_one_revision_to_the_other() {
        let mut state = 1_u64;
        let mut next = |most: u64| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            (state >> 33) % most
        };
        for _ in 0..2000 {
            let (kinds, many) = (1 + next(40), next(60));
            let older = lines((0..many).map(|_| next(kinds)));
            let mut newer = older.clone();
            for _ in 0..next(4) {
                let at = usize::try_from(next(newer.len() as u64 + 1)).unwrap_or(0);
                let end = (at + usize::try_from(next(40)).unwrap_or(0)).min(newer.len());
                let came = next(40);
                newer.splice(at..end, lines((0..came).map(|_| next(kinds))));
            }
            let (mut made, mut last) = (Vec::new(), 0);
            for one in differences(&older, &newer) {
                made.extend_from_slice(&older[last..one.gone.start()]);
                made.extend_from_slice(one.came);
                last = one.gone.end();
            }
            made.extend_from_slice(&older[last..]);
            assert_eq!(made, newer);
        }
    }
}
