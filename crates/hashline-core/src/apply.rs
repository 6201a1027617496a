//! Apply: turns a plan into a new document, which cannot fail because every check was made before.
//!
//! The result is written from top to bottom out of the old bytes: untouched lines are copied as they are, new lines take the line ending
//! of a neighbour, and whether the file ends in a newline does not change. The places of all edits refer to the old document, so no edit
//! shifts another, and the cost is that of one copy.

use crate::edit::EditNo;
use crate::plan::{EditPlan, Endings, LineSplice, NewLines};
use crate::report::{Edited, Report};
use crate::text::{BOM, Changes, Document, LineEnding, LineSpan};

/// Applies a plan to its document and returns the new document with its report.
#[must_use]
pub(crate) fn apply(plan: EditPlan) -> Edited {
    let spliced = plan.so_far.then(&plan.last);
    Edited {
        document: spliced.document.clone(),
        report: Report::new(plan.document, spliced, plan.notes),
    }
}

/// A document after one or more stages of a plan (the anchored edits, then each substitution), with what the stages changed.
#[derive(Clone, Debug)]
pub(crate) struct Spliced {
    pub(crate) document: Document,
    pub(crate) changes: Changes,
    /// The lines of the new document that each edit wrote; for a deletion, an empty span where the lines were.
    pub(crate) regions: Vec<LineSpan>,
    /// The edits that changed nothing, because their new text is the same as the old.
    pub(crate) noops: Vec<EditNo>,
}

impl Spliced {
    /// Returns the document before any stage of a plan is applied.
    pub(crate) fn unchanged(document: Document) -> Self {
        Self {
            document,
            changes: Changes::default(),
            regions: Vec::new(),
            noops: Vec::new(),
        }
    }

    /// Applies one more stage of the plan to the document.
    pub(crate) fn then(mut self, stage: &[LineSplice]) -> Self {
        if stage.is_empty() {
            return self;
        }
        let next = splice(&self.document, stage);
        for region in &mut self.regions {
            *region = next.changes.carry_region(*region);
        }
        self.regions.extend(next.regions);
        self.noops.extend(next.noops);
        Self {
            document: next.document,
            changes: self.changes.then(&next.changes),
            ..self
        }
    }
}

/// Applies the splices (replacements of lines) of one stage to a document.
fn splice(document: &Document, splices: &[LineSplice]) -> Spliced {
    if document.line_count() == 0 && !splices.is_empty() {
        return fill_empty(document, splices);
    }
    let mut output = NewDocument::new(document, splices);
    let mut regions = Vec::with_capacity(splices.len());
    for splice in splices {
        output.copy_until(splice.span.start());
        let start = output.ends.len();
        output.put(splice);
        regions.push(LineSpan::new(start..output.ends.len()));
    }
    output.copy_until(document.line_count());
    let (after, vanished) = output.finish();
    let mut noops = Vec::new();
    // A line that is replaced by itself is not a change: anchors of it stay good.
    let replaced = splices.iter().filter(|splice| {
        let is_noop = is_noop(document, splice);
        noops.extend(is_noop.then_some(splice.edit));
        !is_noop
    });
    let replaced = replaced.map(|splice| (splice.span, splice.lines.len(), splice.text));
    let mut changes: Changes = replaced.collect();
    if vanished {
        changes = changes.without_last_line(after.line_count() + 1);
    }
    Spliced {
        document: after,
        changes,
        regions,
        noops,
    }
}

/// Fills a document that has no lines with the edits' texts exactly as they were sent, joined with `\n`: there is no existing line whose
/// ending new lines could take.
fn fill_empty(document: &Document, splices: &[LineSplice]) -> Spliced {
    let lines: Vec<&[u8]> = splices
        .iter()
        .flat_map(|splice| splice.lines.iter())
        .collect();
    let filled = document.filled_with(&lines.join(&b'\n'));
    let changes = Changes::from_replacements([(LineSpan::gap(0), filled.line_count())]);
    let regions = splices.iter().map(|_| filled.all()).collect();
    Spliced {
        document: filled,
        changes,
        regions,
        noops: Vec::new(),
    }
}

/// Returns whether a splice replaces its lines with the same text.
fn is_noop(document: &Document, splice: &LineSplice) -> bool {
    splice.span.len() == splice.lines.len()
        && document
            .lines_in(splice.span)
            .zip(splice.lines.iter())
            .all(|(old, new)| old.text == new)
}

/// The new document while it is being written from top to bottom.
struct NewDocument<'a> {
    old: &'a Document,
    bytes: Vec<u8>,
    ends: Vec<usize>,
    /// The length of the line ending of the last line written; it cannot be derived from the bytes, because a `\r` before a `\n` may be part of the
    /// text.
    ending: usize,
    /// How many lines of the old document have been copied or replaced so far.
    done: usize,
}

impl<'a> NewDocument<'a> {
    fn new(old: &'a Document, splices: &[LineSplice]) -> Self {
        let new = || splices.iter().map(|splice| &splice.lines);
        let room = old.bytes().len() + new().map(NewLines::size).sum::<usize>() + 2;
        let mut bytes = Vec::with_capacity(room);
        bytes.extend_from_slice(old.bom());
        Self {
            old,
            bytes,
            ends: Vec::with_capacity(old.line_count() + new().map(NewLines::len).sum::<usize>()),
            ending: 0,
            done: 0,
        }
    }

    /// Copies the untouched lines of the old document before `index` (exclusive).
    fn copy_until(&mut self, index: usize) {
        if index <= self.done {
            return;
        }
        self.terminate_last_line();
        let (from, to) = (self.old.offset(self.done), self.bytes.len());
        self.bytes
            .extend_from_slice(&self.old.bytes()[from..self.old.offset(index)]);
        self.ends.extend(
            self.old.ends()[self.done..index]
                .iter()
                .map(|end| end - from + to),
        );
        let last = self.old.line_at(index - 1);
        self.ending = last.map_or(0, |line| line.ending.as_bytes().len());
        self.done = index;
    }

    /// Writes the new lines of a splice and skips the old lines that the splice replaces.
    fn put(&mut self, splice: &LineSplice) {
        for (index, line) in splice.lines.iter().enumerate() {
            self.terminate_last_line();
            let paired = splice.span.start() + index.min(splice.span.len().max(1) - 1);
            let like = match splice.endings {
                Endings::Of(line) => line.unwrap_or(0),
                Endings::EachThenLast if index + 1 == splice.lines.len() => {
                    splice.span.end().max(1) - 1
                }
                Endings::Each | Endings::EachThenLast => paired,
            };
            let ending = ending_like(self.old, like).as_bytes();
            self.bytes.extend_from_slice(line);
            self.bytes.extend_from_slice(ending);
            self.ends.push(self.bytes.len());
            self.ending = ending.len();
        }
        self.done = self.done.max(splice.span.end());
    }

    /// Adds a line ending to the last line written if it has none: it was the last line of a file without a final newline, and now a line
    /// follows.
    fn terminate_last_line(&mut self) {
        if let Some(end) = self
            .ends
            .last_mut()
            .filter(|_| !self.bytes.ends_with(b"\n"))
        {
            let last = self.old.line_count().saturating_sub(1);
            self.bytes
                .extend_from_slice(ending_like(self.old, last).as_bytes());
            *end = self.bytes.len();
        }
    }

    /// Removes the final newline if the old document had none. The `bool` tells whether a blank last line vanished with its newline,
    /// because a line without any bytes is not a line.
    fn finish(mut self) -> (Document, bool) {
        let mut vanished = false;
        if !self.old.bytes().ends_with(b"\n") {
            let before = self.ends.len().checked_sub(2);
            let start = before.map_or(self.old.bom().len(), |before| self.ends[before]);
            if let Some(end) = self.ends.last_mut() {
                *end -= self.ending;
                vanished = *end == start;
                self.bytes.truncate(*end);
            }
        }
        if vanished {
            self.ends.pop();
        }
        if self.old.bom().is_empty() && self.bytes.starts_with(BOM) {
            // The edit made a byte order mark the first character, so from now on it is outside the first line.
            let lines = self.ends.len();
            let document = self.old.with_text(self.bytes);
            let vanished = vanished || document.line_count() < lines;
            return (document, vanished);
        }
        (self.old.with_lines(self.bytes, self.ends), vanished)
    }
}

/// Returns the line ending of the line at `index`; if that line has none, the ending of the line before it; else `\n`.
fn ending_like(document: &Document, index: usize) -> LineEnding {
    [Some(index), index.checked_sub(1)]
        .into_iter()
        .flatten()
        .filter_map(|index| Some(document.line_at(index)?.ending))
        .find(|ending| ending.is_some())
        .unwrap_or(LineEnding::Lf)
}
