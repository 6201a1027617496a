//! Edits as a request states them. The anchors of such edits are still claims: nobody has checked yet which lines of the file they mean.

use std::fmt;

use crate::anchor::Claim;
use crate::text::{Payload, RevPrefix};

/// The number of an edit in its request, which may edit several files.
//
// A request over several files numbers its edits throughout, and answers name an edit by this number. So it is not the index in a batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EditNo(usize);

impl EditNo {
    /// Returns the number of the edit at `index` in the request, counted from 0.
    #[must_use]
    pub fn from_index(index: usize) -> Self {
        Self(index)
    }

    /// Returns the position of the edit in the request, counted from 0.
    #[must_use]
    pub fn index(self) -> usize {
        self.0
    }
}

impl fmt::Display for EditNo {
    /// Writes the edit's number counted from 1, as people count.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0 + 1)
    }
}

/// All edits of one file in a request, which are applied together or not at all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EditBatch {
    /// The revision of the file in which the anchors were shown, if the request names it.
    pub rev: Option<RevPrefix>,
    /// The SHA-256 in hex that the file must have, if the request names one (field `file_hash` of dialect push).
    pub file_hash: Option<String>,
    /// The edits of the file, in request order.
    pub edits: Vec<Edit>,
}

impl EditBatch {
    /// Returns a batch of these operations on one file, numbered in order.
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

    /// Sets the revision of the file in which the anchors were shown.
    #[must_use]
    pub fn at_revision(self, rev: impl Into<RevPrefix>) -> Self {
        Self {
            rev: Some(rev.into()),
            ..self
        }
    }
}

/// One edit of a request: its number and its operation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    /// The number of the edit in the request.
    pub no: EditNo,
    /// What the edit does: replace, delete, insert or substitute.
    pub operation: Operation,
}

/// What an edit does to a file.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Operation {
    /// Replaces the lines that an anchor or a range names by new text.
    Replace {
        /// The lines to replace.
        at: Target,
        /// The new text.
        with: Payload,
    },
    /// Deletes the lines that an anchor or a range names.
    Delete {
        /// The lines to delete.
        at: Target,
    },
    /// Inserts new lines.
    Insert {
        /// Where the new lines go.
        place: Place,
        /// The new text.
        text: Payload,
    },
    /// Replaces the only occurrence of a text, or every occurrence, after all edits that name lines by anchors are applied.
    //
    // Anchored edits refer to lines as they were shown. A substitution before them would change those lines under them.
    Substitute {
        /// The text to find, compared byte by byte.
        old: String,
        /// The new text.
        new: String,
        /// Whether exactly one occurrence or every occurrence is replaced.
        count: Occurrences,
    },
}

/// Which lines an edit replaces or deletes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The anchors of the lines.
    pub lines: TargetLines,
    /// Whether lines that were never shown may be among them.
    pub unseen: UnseenLines,
}

/// The lines of a target, by their anchors.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum TargetLines {
    /// One line, by its anchor.
    One(Claim),
    /// A range of lines, by the anchors of its first and last line (inclusive).
    Range(Claim, Claim),
}

/// What happens to an edit of lines that were never shown to the caller, or only in part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum UnseenLines {
    /// The edit is refused, and the refusal shows them.
    #[default]
    Refused,
    /// The edit is applied: the request says that they are meant.
    Accepted,
}

impl Target {
    /// Returns the line with this anchor.
    pub fn line(at: impl Into<Claim>) -> Self {
        Self::of(TargetLines::One(at.into()))
    }

    /// Returns the lines from the anchor `first` to the anchor `last` (inclusive).
    pub fn range(first: impl Into<Claim>, last: impl Into<Claim>) -> Self {
        Self::of(TargetLines::Range(first.into(), last.into()))
    }

    /// Returns the same lines, whether they were shown or not: for a caller who asks only where they are.
    #[must_use]
    pub fn seen_or_not(self) -> Self {
        Self {
            unseen: UnseenLines::Accepted,
            ..self
        }
    }

    fn of(lines: TargetLines) -> Self {
        Self {
            lines,
            unseen: UnseenLines::default(),
        }
    }
}

/// Where an edit inserts new lines.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// Before the line with this anchor.
    Before(Claim),
    /// After the line with this anchor.
    After(Claim),
    /// At the start of the file.
    Start,
    /// At the end of the file.
    End,
}

/// How many occurrences of a text a substitution replaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Occurrences {
    /// The only occurrence; a text that occurs more than once is refused.
    One,
    /// Every occurrence.
    All,
}

impl Operation {
    /// Returns an operation that replaces the line with the anchor `at`.
    pub fn replace_line(at: impl Into<Claim>, with: impl Into<Payload>) -> Self {
        Self::Replace {
            at: Target::line(at),
            with: with.into(),
        }
    }

    /// Returns an operation that replaces the lines from the anchor `first` to the anchor `last` (inclusive).
    pub fn replace_range(
        first: impl Into<Claim>,
        last: impl Into<Claim>,
        with: impl Into<Payload>,
    ) -> Self {
        Self::Replace {
            at: Target::range(first, last),
            with: with.into(),
        }
    }

    /// Returns an operation that deletes the line with the anchor `at`.
    pub fn delete_line(at: impl Into<Claim>) -> Self {
        Self::Delete {
            at: Target::line(at),
        }
    }

    /// Returns an operation that deletes the lines from the anchor `first` to the anchor `last` (inclusive).
    pub fn delete_range(first: impl Into<Claim>, last: impl Into<Claim>) -> Self {
        Self::Delete {
            at: Target::range(first, last),
        }
    }

    /// Returns an operation that inserts lines after the line with the anchor `at`.
    pub fn insert_after(at: impl Into<Claim>, text: impl Into<Payload>) -> Self {
        Self::Insert {
            place: Place::After(at.into()),
            text: text.into(),
        }
    }

    /// Returns an operation that inserts lines before the line with the anchor `at`.
    pub fn insert_before(at: impl Into<Claim>, text: impl Into<Payload>) -> Self {
        Self::Insert {
            place: Place::Before(at.into()),
            text: text.into(),
        }
    }

    /// Returns the anchors in the operation: none, one, or the first and last of a range.
    #[must_use]
    pub fn claims(&self) -> Vec<&Claim> {
        match self {
            Self::Replace { at, .. } | Self::Delete { at } => match &at.lines {
                TargetLines::One(line) => vec![line],
                TargetLines::Range(first, last) => vec![first, last],
            },
            Self::Insert {
                place: Place::Before(line) | Place::After(line),
                ..
            } => vec![line],
            Self::Insert { .. } | Self::Substitute { .. } => Vec::new(),
        }
    }
}
