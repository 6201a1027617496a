//! What an edit did: enough for every reader to go on without reading the file again.

use crate::anchor::Anchor;
use crate::apply::Spliced;
use crate::diff;
use crate::edit::EditNo;
use crate::plan::{NotedMove, Notes};
use crate::policy::Context;
use crate::repair::{Hint, Repair};
use crate::text::{Changes, Document, LineNo, LineSpan};

/// A document after an edit, and what was done.
#[derive(Clone, Debug)]
pub struct Edited {
    /// The new document.
    pub document: Document,
    /// What was done.
    pub report: Report,
}

/// What an edit did to one document.
#[derive(Clone, Debug)]
pub struct Report {
    before: Document,
    after: Document,
    changes: Changes,
    regions: Vec<(EditNo, LineSpan)>,
    noops: Vec<EditNo>,
    notes: Notes,
    engine_answer: Option<EngineAnswer>,
}

/// What another engine ([`crate::policy::Engine`]) says of its own edits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineAnswer {
    /// Its answer, warnings included.
    pub text: String,
    /// The first line it changed, as it counts.
    pub first_changed_line: Option<usize>,
}

/// Lines that were not where they were named.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Moved {
    /// The edit.
    pub edit: EditNo,
    /// The anchors that named them: one, or the two ends of a range.
    pub anchors: Vec<Anchor>,
    /// The lines as they were named.
    pub from: LineSpan,
    /// Where they were found, in the document before the edit.
    pub to: LineSpan,
    /// The text of the first of them.
    pub text: String,
}

impl Report {
    pub(crate) fn new(before: Document, spliced: Spliced, notes: Notes) -> Self {
        let Spliced {
            document: after,
            changes,
            regions,
            noops,
        } = spliced;
        Self {
            before,
            after,
            changes,
            regions,
            noops,
            notes,
            engine_answer: None,
        }
    }

    /// Returns a report on a document that was rewritten as a whole, by an engine that does not say which lines it touched.
    #[must_use]
    pub fn of_rewrite(before: Document, after: Document, applied: usize) -> Self {
        let changes = diff::changes(&before, &after);
        let regions = changes
            .iter()
            .map(|change| (EditNo::from_index(0), change.new))
            .collect();
        let notes = Notes {
            applied,
            ..Notes::default()
        };
        Self {
            before,
            after,
            changes,
            regions,
            noops: Vec::new(),
            notes,
            engine_answer: None,
        }
    }

    /// Adds what another engine says itself.
    #[must_use]
    pub fn with_engine_answer(self, answer: EngineAnswer) -> Self {
        Self {
            engine_answer: Some(answer),
            ..self
        }
    }

    /// Returns what another engine says itself, where it did the edit.
    #[must_use]
    pub fn engine_answer(&self) -> Option<&EngineAnswer> {
        self.engine_answer.as_ref()
    }

    /// Returns the document before the edit.
    #[must_use]
    pub fn before(&self) -> &Document {
        &self.before
    }

    /// Returns the document after the edit.
    #[must_use]
    pub fn after(&self) -> &Document {
        &self.after
    }

    /// Tells whether a byte changed.
    #[must_use]
    pub fn is_changed(&self) -> bool {
        self.before != self.after
    }

    /// Returns which lines went and which came.
    #[must_use]
    pub fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Counts the edits that were done, those that changed nothing included.
    #[must_use]
    pub fn applied(&self) -> usize {
        self.notes.applied
    }

    /// Counts the identical edits that were dropped.
    #[must_use]
    pub fn duplicates(&self) -> usize {
        self.notes.duplicates
    }

    /// Lists the edits whose new text is what stood there.
    #[must_use]
    pub fn noops(&self) -> &[EditNo] {
        &self.noops
    }

    /// Lists the corrections that were made.
    #[must_use]
    pub fn repairs(&self) -> &[Repair] {
        &self.notes.repairs
    }

    /// Lists what looks like a slip and was applied as written.
    #[must_use]
    pub fn hints(&self) -> &[Hint] {
        &self.notes.hints
    }

    /// Lists the edits of ranges whose inner lines could not be compared with what was shown.
    #[must_use]
    pub fn unchecked(&self) -> &[EditNo] {
        &self.notes.unchecked
    }

    /// Lists the lines that were not where they were named.
    #[must_use]
    pub fn moves(&self) -> Vec<Moved> {
        let text = |span: LineSpan| {
            let line = self.before.line_at(span.start());
            line.map(|line| crate::render::display(line.text).into_owned())
                .unwrap_or_default()
        };
        let moved = |noted: &NotedMove| Moved {
            edit: noted.edit,
            anchors: noted.anchors.clone(),
            from: noted.from,
            to: noted.to,
            text: text(noted.to),
        };
        self.notes.moves.iter().map(moved).collect()
    }

    /// Returns the places that were touched, with `context` lines around, as spans of the new document.
    #[must_use]
    pub fn windows(&self, context: Context) -> Vec<LineSpan> {
        let lines = self.after.line_count();
        let regions = self
            .regions
            .iter()
            .map(|&(_, region)| region.widened(context.lines(), lines));
        LineSpan::merged(regions.filter(|region| !region.is_empty()).collect())
    }

    /// Returns the first line at which the old and the new lines differ.
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

    /// Returns the differences as a unified diff with three lines of context, `a/` and `b/` before the names.
    #[must_use]
    pub fn diff(&self, old_name: &str, new_name: &str) -> diff::Unified {
        if !self.is_changed() {
            return diff::Unified::default();
        }
        let (old, new) = (format!("a/{old_name}"), format!("b/{new_name}"));
        diff::unified(&self.before, &self.after, &self.changes, &old, &new)
    }
}
