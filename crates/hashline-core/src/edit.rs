//! Edits as they were requested. Their anchors are still claims.

use std::fmt;

use crate::anchor::Claim;
use crate::text::{Payload, RevPrefix};

/// The number of an edit in its request.
//
// A request over several files numbers its edits throughout, and answers name an edit by this number. So it is not the index in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditNo(usize);

impl EditNo {
    /// Returns the edit at `index`, counted from 0.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(index)
    }

    /// Returns the index, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

impl fmt::Display for EditNo {
    /// Writes the number as people count, from 1.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// All edits of one file in a request. They are applied together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditBatch {
    /// The revision in which the anchors were shown, if the request names it.
    pub rev: Option<RevPrefix>,
    /// The SHA-256 that the file must have, in hex, if the request names it (push's `file_hash`).
    pub file_hash: Option<String>,
    /// The edits, in request order.
    pub edits: Vec<Edit>,
}

impl EditBatch {
    /// Collects operations on one file, numbered in order.
    #[must_use]
    pub fn new(operations: impl IntoIterator<Item = Operation>) -> Self {
        let numbered = operations.into_iter().enumerate();
        let edits = numbered
            .map(|(index, operation)| Edit {
                no: EditNo(index),
                operation,
            })
            .collect();
        Self {
            edits,
            ..Self::default()
        }
    }

    /// Sets the revision in which the anchors were shown.
    #[must_use]
    pub fn at_revision(self, rev: impl Into<RevPrefix>) -> Self {
        Self {
            rev: Some(rev.into()),
            ..self
        }
    }
}

/// One edit of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// Its number in the request.
    pub no: EditNo,
    /// What to do.
    pub operation: Operation,
}

/// What an edit does.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Replaces lines by new text.
    Replace {
        /// Which lines.
        at: Target,
        /// The new text.
        with: Payload,
    },
    /// Deletes lines.
    Delete {
        /// Which lines.
        at: Target,
    },
    /// Inserts lines.
    Insert {
        /// Where.
        place: Place,
        /// The new text.
        text: Payload,
    },
    /// Replaces the only occurrence of a text, or every one. This happens after all anchored edits.
    //
    // Anchored edits refer to lines as they were shown. A substitution before them would change those lines under them.
    Substitute {
        /// The text to find, exactly.
        old: String,
        /// The new text.
        new: String,
        /// How many occurrences are meant.
        count: Occurrences,
    },
}

/// Which lines an edit names.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Target {
    /// One line.
    Line(Claim),
    /// A range, both ends included.
    Range(Claim, Claim),
}

/// Where new lines go.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before a line.
    Before(Claim),
    /// After a line.
    After(Claim),
    /// At the start of the file.
    Start,
    /// At the end of the file.
    End,
}

/// How many occurrences of a text are meant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occurrences {
    /// The only one; more than one is refused.
    One,
    /// All of them.
    All,
}

impl Operation {
    /// Replaces one line.
    pub fn replace_line(at: impl Into<Claim>, with: impl Into<Payload>) -> Self {
        Self::Replace {
            at: Target::Line(at.into()),
            with: with.into(),
        }
    }

    /// Replaces the lines from `first` to `last`.
    pub fn replace_range(
        first: impl Into<Claim>,
        last: impl Into<Claim>,
        with: impl Into<Payload>,
    ) -> Self {
        Self::Replace {
            at: Target::Range(first.into(), last.into()),
            with: with.into(),
        }
    }

    /// Deletes one line.
    pub fn delete_line(at: impl Into<Claim>) -> Self {
        Self::Delete {
            at: Target::Line(at.into()),
        }
    }

    /// Deletes the lines from `first` to `last`.
    pub fn delete_range(first: impl Into<Claim>, last: impl Into<Claim>) -> Self {
        Self::Delete {
            at: Target::Range(first.into(), last.into()),
        }
    }

    /// Inserts lines after a line.
    pub fn insert_after(at: impl Into<Claim>, text: impl Into<Payload>) -> Self {
        Self::Insert {
            place: Place::After(at.into()),
            text: text.into(),
        }
    }

    /// Inserts lines before a line.
    pub fn insert_before(at: impl Into<Claim>, text: impl Into<Payload>) -> Self {
        Self::Insert {
            place: Place::Before(at.into()),
            text: text.into(),
        }
    }

    /// Returns the anchors in the operation: none, one, or the two ends of a range.
    #[must_use]
    pub fn claims(&self) -> Vec<&Claim> {
        match self {
            Self::Replace { at, .. } | Self::Delete { at } => match at {
                Target::Line(line) => vec![line],
                Target::Range(first, last) => vec![first, last],
            },
            Self::Insert {
                place: Place::Before(line) | Place::After(line),
                ..
            } => vec![line],
            Self::Insert { .. } | Self::Substitute { .. } => Vec::new(),
        }
    }
}
