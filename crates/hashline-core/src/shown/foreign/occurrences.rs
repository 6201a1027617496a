//! Finds where selected lines occur in two revisions of a file.

use std::collections::HashMap;

use super::hasher::KeyedHasher;
use crate::text::Fingerprint;

/// Where the selected lines occur in two revisions. Each revision is read through once, however many lines are selected.
pub(super) struct LineOccurrences(HashMap<Fingerprint, LinePlaces, KeyedHasher>);

/// The positions at which one line occurs in each revision, in ascending order.
#[derive(Default)]
pub(super) struct LinePlaces {
    pub(super) older: Vec<usize>,
    pub(super) newer: Vec<usize>,
}

impl LineOccurrences {
    pub(super) fn of(
        chosen: impl IntoIterator<Item = Fingerprint>,
        older: &[Fingerprint],
        newer: &[Fingerprint],
    ) -> Self {
        let mut places: HashMap<Fingerprint, LinePlaces, KeyedHasher> = HashMap::default();
        places.extend(chosen.into_iter().map(|line| (line, LinePlaces::default())));
        let filter = LineFilter::of(places.keys(), places.hasher().clone());
        let mut look_through =
            |lines: &[Fingerprint], side: fn(&mut LinePlaces) -> &mut Vec<usize>| {
                for (at, line) in lines.iter().enumerate() {
                    if filter.may_hold(*line)
                        && let Some(places) = places.get_mut(line)
                    {
                        side(places).push(at);
                    }
                }
            };
        look_through(older, |places| &mut places.older);
        look_through(newer, |places| &mut places.newer);
        Self(places)
    }

    /// Returns where the line occurs; `None` if it is not one of the selected lines.
    pub(super) fn places(&self, line: Fingerprint) -> Option<&LinePlaces> {
        self.0.get(&line)
    }

    /// Returns whether a selected line occurs once in the older revision and more often in the newer one.
    pub(super) fn was_copied(&self, line: Fingerprint) -> bool {
        self.places(line)
            .is_some_and(|places| places.older.len() == 1 && places.newer.len() > 1)
    }
}

/// A small Bloom filter that tells quickly whether a line may be one of the selected lines.
//
// It rejects most other lines without a lookup in the map, which makes one anchor in a long file cheap.
struct LineFilter {
    bits: Vec<u64>,
    by: KeyedHasher,
}

impl LineFilter {
    /// Bits of the filter for each selected line: about one in sixteen of the other lines passes, unless very many lines are selected.
    const BITS_A_LINE: usize = 16;
    const MOST_WORDS: usize = 1 << 16;

    fn of<'a>(chosen: impl ExactSizeIterator<Item = &'a Fingerprint>, by: KeyedHasher) -> Self {
        let words = (chosen.len() * Self::BITS_A_LINE / 64).next_power_of_two();
        let mut filter = Self {
            bits: vec![0; words.clamp(16, Self::MOST_WORDS)],
            by,
        };
        for &line in chosen {
            let (word, bit) = filter.place(line);
            filter.bits[word] |= bit;
        }
        filter
    }

    fn may_hold(&self, line: Fingerprint) -> bool {
        let (word, bit) = self.place(line);
        self.bits[word] & bit != 0
    }

    fn place(&self, line: Fingerprint) -> (usize, u64) {
        let mixed = self.by.mix(line.0);
        // A power of two: the remainder is a mask.
        let word = usize::try_from(mixed >> 6 & (self.bits.len() as u64 - 1)).unwrap_or(0);
        (word, 1 << (mixed & 63))
    }
}
