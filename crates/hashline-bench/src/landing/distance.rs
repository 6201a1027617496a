//! How far from the target the nearest outside change is.

use super::version::{Identity, Version};
use super::wish::Wish;

/// The distance of the nearest outside change, in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Distance {
    Three,
    Ten,
    Thirty,
    Far,
}

impl Distance {
    pub(super) const ALL: [Self; 4] = [Self::Three, Self::Ten, Self::Thirty, Self::Far];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Three => "within 3",
            Self::Ten => "4 to 10",
            Self::Thirty => "11 to 30",
            Self::Far => "31 or more",
        }
    }

    /// Reckons the distance for a target that still stands; nothing for one that does not.
    pub(super) fn of(wish: &Wish, now: &Version) -> Option<Self> {
        let place = wish.place_in(now)?;
        let (old, new) = (wish.seen.ids(), now.ids());
        let above = equal_lines(
            old[..wish.span.start()].iter().rev(),
            new[..place.start()].iter().rev(),
        );
        let below = equal_lines(old[wish.span.end()..].iter(), new[place.end()..].iter());
        Some(match above.min(below).saturating_add(1) {
            0..=3 => Self::Three,
            4..=10 => Self::Ten,
            11..=30 => Self::Thirty,
            _ => Self::Far,
        })
    }
}

/// Counts how many lines are the same from here on; without end if nothing differs up to the edge of the file.
fn equal_lines<'a>(
    mut old: impl Iterator<Item = &'a Identity>,
    mut new: impl Iterator<Item = &'a Identity>,
) -> usize {
    for equal in 0.. {
        match (old.next(), new.next()) {
            (None, None) => return usize::MAX,
            (a, b) if a != b => return equal,
            _ => {}
        }
    }
    usize::MAX
}
