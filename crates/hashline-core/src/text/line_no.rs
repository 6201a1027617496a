//! Line numbers: the one place where "first line is 1" meets "first index is 0".

use std::fmt;
use std::num::NonZeroUsize;

/// A line's place as people count it: the first line is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(NonZeroUsize);

impl LineNo {
    /// The first line.
    pub const FIRST: Self = Self(NonZeroUsize::MIN);

    /// Returns line `number`, or nothing for 0.
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        NonZeroUsize::new(number).map(Self)
    }

    /// Returns the line at `index`, counted from 0.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(NonZeroUsize::MIN.saturating_add(index))
    }

    /// Returns the line a claim names, or nothing if no document can hold it.
    #[must_use]
    pub fn from_claim(number: u64) -> Option<Self> {
        usize::try_from(number).ok().and_then(Self::new)
    }

    /// Returns the number, counted from 1.
    #[must_use]
    pub fn get(self) -> usize {
        self.0.get()
    }

    /// Returns the index, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get() - 1
    }
}

impl fmt::Display for LineNo {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}
