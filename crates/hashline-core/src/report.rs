//! Reports what an edit did: enough for the caller to continue without reading the file again.

use crate::anchor::Anchor;
use crate::apply::Spliced;
use crate::diff;
use crate::edit::EditNo;
use crate::error::TextNotFound;
use crate::plan::Notes;
use crate::policy::Context;
use crate::repair::{Hint, Repair};
use crate::text::{Changes, Document, LineNo, LineSpan};

/// A document after an edit, with a report of the changes.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The new document.
    pub document: Document,
    /// What the edit did to the document.
    pub report: Report,
}

/// What an edit did to one document.
#[derive(Clone, Debug)]
pub struct Report {
    /// The document before the edit.
    pub before: Document,
    /// The document after the edit.
    pub after: Document,
    /// Which lines were removed and which were added.
    pub changes: Changes,
    /// How many edits were applied, including edits that changed nothing.
    pub applied: usize,
    /// How many edits were dropped because an earlier edit of the request is identical.
    pub duplicates: usize,
    /// The edits that changed nothing, because their new text is the same as the old.
    pub noops: Vec<EditNo>,
    /// The corrections that were made to new text.
    pub repairs: Vec<Repair>,
    /// Notes about text that looks like a known mistake and was applied as it was sent.
    pub hints: Vec<Hint>,
    /// The edits of ranges of which only the first and last line were checked, because there is no record of the lines between them.
    pub unchecked: Vec<EditNo>,
    /// The edits whose lines were checked by number and tag alone, because there is no record that they were shown.
    pub unrecorded: Vec<EditNo>,
    /// The edits of a file with too many lines to follow them, whose lines have the numbers and the text with which they were shown, although
    /// the file has changed.
    pub not_followed: Vec<EditNo>,
    /// The lines that an edit changed at another place than its anchors name, because they had moved.
    pub moves: Vec<Moved>,
    /// The substitutions whose text is not in the file, and which were therefore not applied. Only another engine ([`crate::policy::Engine`])
    /// applies the other edits of such a request.
    pub not_found: Vec<TextNotFound>,
    /// The answer of another engine ([`crate::policy::Engine`]), if such an engine did the edit.
    pub engine_answer: Option<EngineAnswer>,
    // Kept apart from `changes`: a replacement by the same text is no change, and its lines are shown all the same.
    regions: Vec<LineSpan>,
}

/// The answer of another engine ([`crate::policy::Engine`]) that did the edit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineAnswer {
    /// The text of the answer, including warnings.
    pub text: String,
    /// The first changed line, as the engine counts lines.
    pub first_changed_line: Option<usize>,
}

/// Lines that an edit changed at another place than its anchors name, because they had moved since they were shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The number of the edit.
    pub edit: EditNo,
    /// The anchors that named the lines: one, or the first and last of a range.
    pub anchors: Vec<Anchor>,
    /// The lines with the numbers in the anchors.
    pub from: LineSpan,
    /// The place of the lines in the document before the edit.
    pub to: LineSpan,
    /// The text of the first of the lines.
    pub text: String,
}

impl Report {
    pub(crate) fn new(before: Document, spliced: Spliced, notes: Notes) -> Self {
        Self {
            before,
            after: spliced.document,
            changes: spliced.changes,
            applied: notes.applied,
            duplicates: notes.duplicates,
            noops: spliced.noops,
            repairs: notes.repairs,
            hints: notes.hints,
            unchecked: notes.unchecked,
            unrecorded: notes.unrecorded,
            not_followed: notes.not_followed,
            moves: notes.moves,
            not_found: Vec::new(),
            engine_answer: None,
            regions: spliced.regions,
        }
    }

    /// Returns the report on a document that was replaced as a whole; the changed lines are found by a diff.
    #[must_use]
    pub fn of_rewrite(before: Document, after: Document, applied: usize) -> Self {
        let changes = diff::changes(&before, &after);
        let spliced = Spliced {
            document: after,
            regions: changes.iter().map(|change| change.new).collect(),
            changes,
            noops: Vec::new(),
        };
        let notes = Notes {
            applied,
            ..Notes::default()
        };
        Self::new(before, spliced, notes)
    }

    /// Returns whether any byte of the document changed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }

    /// Returns the edited lines, with `context` lines before and after each, as spans of the new document.
    #[must_use]
    pub fn windows(&self, context: Context) -> Vec<LineSpan> {
        let lines = self.after.line_count();
        let regions = self
            .regions
            .iter()
            .map(|region| region.widened(context.lines(), lines));
        LineSpan::merged(regions.filter(|region| !region.is_empty()).collect())
    }

    /// Returns the first line whose text differs between the old and the new document; line endings are not compared.
    #[must_use]
    pub fn first_changed_line(&self) -> Option<LineNo> {
        // One line earlier: a last line that gains an ending may lose a carriage return to it.
        let start = self.changes.iter().next()?.old.start().saturating_sub(1);
        let text =
            |document: &Document, index| document.line_at(index).map(|line| line.text.to_vec());
        let last = self.before.line_count().max(self.after.line_count());
        (start..last)
            .find(|&i| text(&self.before, i) != text(&self.after, i))
            .map(LineNo::from_index)
    }

    /// Returns the changes as a unified diff with three lines of context and `a/` and `b/` before the file names.
    #[must_use]
    pub fn diff(&self, old_name: &str, new_name: &str) -> diff::Unified {
        if !self.is_changed() {
            return diff::Unified::default();
        }
        let (old, new) = (format!("a/{old_name}"), format!("b/{new_name}"));
        diff::unified(&self.before, &self.after, &self.changes, &old, &new)
    }

    /// Returns how many lines the changes add and remove, as the unified diff counts them.
    #[must_use]
    pub fn added_and_removed(&self) -> (usize, usize) {
        if !self.is_changed() {
            return (0, 0);
        }
        diff::counts(&self.before, &self.after, &self.changes)
    }
}
