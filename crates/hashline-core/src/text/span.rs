//! Line numbers (from 1) and spans of lines.
//!
//! A line has a number, counted from 1, wherever a reader sees it, and an index, counted from 0, everywhere else. Only this file converts
//! between numbers and indexes.

use std::fmt;
use std::num::NonZeroUsize;
use std::ops::Range;

/// A line number as people count: the first line is 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineNo(NonZeroUsize);

impl LineNo {
    /// The number of the first line.
    pub const FIRST: Self = Self(NonZeroUsize::MIN);

    /// Returns the line number `number`; `None` for 0 and for numbers too large for any document.
    #[must_use]
    pub fn new(number: impl TryInto<usize>) -> Option<Self> {
        let number = number.try_into().ok()?;
        NonZeroUsize::new(number).map(Self)
    }

    /// Returns the number of the line at `index`, counted from 0.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(NonZeroUsize::MIN.saturating_add(index))
    }

    /// Returns the line number, counted from 1.
    #[must_use]
    pub fn get(self) -> usize {
        self.0.get()
    }

    /// Returns the index of the line, counted from 0.
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

/// A range of consecutive lines. An empty span stands for the gap before the line at its start.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct LineSpan {
    /// Invariant: `start <= end`; both are indexes from 0, and `end` is exclusive.
    start: usize,
    end: usize,
}

impl LineSpan {
    /// Returns the span of the line indexes in `range`; a range that ends before it starts gives an empty span at its start.
    #[must_use]
    pub fn new(range: Range<usize>) -> Self {
        Self {
            start: range.start,
            end: range.end.max(range.start),
        }
    }

    /// Returns the span of one line.
    #[must_use]
    pub fn of(line: LineNo) -> Self {
        Self::new(line.index()..line.get())
    }

    /// Returns the span from `first` to `last` (inclusive).
    #[must_use]
    pub(crate) fn between(first: LineNo, last: LineNo) -> Self {
        Self::new(first.index()..last.get())
    }

    /// Returns the empty span before the line at `index`.
    #[must_use]
    pub fn gap(index: usize) -> Self {
        Self::new(index..index)
    }

    /// Returns the index of the first line of the span, counted from 0.
    #[must_use]
    pub fn start(self) -> usize {
        self.start
    }

    /// Returns the index after the last line of the span (exclusive end).
    #[must_use]
    pub fn end(self) -> usize {
        self.end
    }

    /// Returns the number of lines.
    #[must_use]
    pub fn len(self) -> usize {
        self.end - self.start
    }

    /// Returns whether the span has no lines.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    /// Returns the number of the first line; `None` for an empty span.
    #[must_use]
    pub fn first(self) -> Option<LineNo> {
        (!self.is_empty()).then(|| LineNo::from_index(self.start))
    }

    /// Returns the number of the last line; `None` for an empty span.
    #[must_use]
    pub(crate) fn last(self) -> Option<LineNo> {
        (!self.is_empty()).then(|| LineNo::from_index(self.end - 1))
    }

    /// Returns the indexes of the lines, counted from 0.
    #[must_use]
    pub fn range(self) -> Range<usize> {
        self.start..self.end
    }

    /// Returns the span extended by `context` lines before and after, and cut to a document of `lines` lines.
    #[must_use]
    pub fn widened(self, context: usize, lines: usize) -> Self {
        let start = self.start.min(lines).saturating_sub(context);
        Self::new(start..self.end.saturating_add(context).min(lines))
    }

    /// Returns a span of the same length that starts at the index `start`.
    #[must_use]
    pub(crate) fn moved_to(self, start: usize) -> Self {
        Self::new(start..start + self.len())
    }

    /// Merges spans that overlap or touch; the result is sorted and disjoint.
    #[must_use]
    pub fn merged(mut spans: Vec<Self>) -> Vec<Self> {
        spans.sort_unstable();
        let mut merged: Vec<Self> = Vec::with_capacity(spans.len());
        for span in spans {
            match merged.last_mut() {
                Some(last) if span.start <= last.end => last.end = last.end.max(span.end),
                _ => merged.push(span),
            }
        }
        merged
    }
}

impl fmt::Display for LineSpan {
    /// Writes `7` or `7-9`, counted from 1; for an empty span, the number of the line after it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let first = LineNo::from_index(self.start);
        match self.last() {
            Some(last) if last != first => write!(f, "{first}-{last}"),
            _ => write!(f, "{first}"),
        }
    }
}
