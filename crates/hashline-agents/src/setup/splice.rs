//! Texts are changed by splices: some bytes go, others come, and all the rest stays as it is.

use std::ops::Range;

/// Bytes that go and the text that comes in their place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Splice {
    /// What goes; an empty range is an insertion.
    pub(crate) range: Range<usize>,
    /// What comes.
    pub(crate) text: String,
}

impl Splice {
    /// Puts text in at a place.
    pub(crate) fn insert(at: usize, text: impl Into<String>) -> Self {
        Self::replace(at..at, text)
    }

    /// Takes a range away.
    pub(crate) fn remove(range: Range<usize>) -> Self {
        Self::replace(range, "")
    }

    /// Puts text in the place of a range.
    pub(crate) fn replace(range: Range<usize>, text: impl Into<String>) -> Self {
        let text = text.into();
        Self { range, text }
    }
}

/// Returns a text with splices made, which are in order and do not overlap.
pub(crate) fn spliced(text: &str, splices: &[Splice]) -> String {
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    for splice in splices {
        result.push_str(&text[at..splice.range.start]);
        result.push_str(&splice.text);
        at = splice.range.end;
    }
    result.push_str(&text[at..]);
    result
}
