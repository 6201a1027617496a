//! Applies edits to a text: the entry point of the reference engine, which behaves exactly as seed 000 (the first of the original tools).
//!
//! The original lines stay fixed, the working lines change. Every edit addresses the working lines by its original line numbers, even
//! where edits overlap and the numbers no longer match, because the original tool (seed 000) does so.

use super::check::{Checked, EditKind, check};
use super::display::number_of;
use super::prepare::{Numbered, bottom_up, touched, without_duplicates};
use super::replacement::{self, Replacement, Surface};
use super::request::{self, ReferenceEdit};
use super::working::WorkingLines;
use hashline_core::candidates::{WrappedLines, drop_anchor_echo};
use hashline_core::edit::EditNo;
use hashline_core::error::EngineRefusal;
use hashline_core::{Moved, Repair, Rule};

/// How many lines per edit may change before the answer contains a warning.
const LINES_PER_EDIT: usize = 4;

/// A text after its edits, with warnings and the edits that changed nothing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReferenceApplied {
    /// The text after all edits.
    pub content: String,
    /// The number of the first line that an edit changed.
    pub first_changed_line: Option<usize>,
    /// Warnings for the caller, such as that more lines changed than expected.
    pub warnings: Vec<String>,
    /// The edits that changed nothing, in the order in which they were applied.
    pub noop_edits: Vec<NoopEdit>,
    /// How many edits were dropped because an earlier one is identical.
    pub duplicates: usize,
    /// The lines that were found at other numbers than in their anchors, in request order.
    pub moves: Vec<Moved>,
    /// The corrections of new text, in request order.
    pub repairs: Vec<Repair>,
}

/// An edit that changes nothing, because its new text equals the old.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NoopEdit {
    /// The number of the edit.
    pub no: EditNo,
    /// The position of the edit in the request, counted from 0 and without repeated edits.
    pub edit_index: usize,
    /// The first anchor of the edit, with the line number at which the line was found.
    pub loc: String,
    /// The text of the lines that the edit names.
    pub current_content: String,
}

/// Applies all `edits` to `content`, or none of them.
///
/// # Errors
///
/// An anchor that cannot be parsed, a line number past the end, or an anchor whose hash no line has.
pub fn apply(content: &str, edits: &[ReferenceEdit]) -> Result<ReferenceApplied, EngineRefusal> {
    let numbered = edits.iter().enumerate();
    apply_each(
        content,
        numbered.map(|(index, edit)| (EditNo::from_index(index), edit)),
    )
}

pub(super) fn apply_each<'a>(
    content: &str,
    edits: impl Iterator<Item = (EditNo, &'a ReferenceEdit)>,
) -> Result<ReferenceApplied, EngineRefusal> {
    let claims = edits
        .map(|(no, edit)| request::read(no, edit))
        .collect::<Result<Vec<_>, _>>()?;
    let given = claims.len();
    let lines: Vec<&str> = content.split('\n').collect();
    let checked = check(&lines, claims)?;
    let mut edits = without_duplicates(checked);
    bottom_up(&mut edits);
    let mut application = Application::new(&lines, &edits);
    for edit in edits {
        application.apply(edit);
    }
    Ok(application.finish(given))
}

struct Application<'a> {
    original: &'a [&'a str],
    working: WorkingLines<'a>,
    touched: Vec<bool>,
    // Only if the edits overlap so much that they name more lines than there are: without it each would search the same lines again.
    wrappable: Option<WrappedLines<'a>>,
    first_changed: Option<usize>,
    noop_edits: Vec<NoopEdit>,
    applied: usize,
    moves: Vec<Moved>,
    repairs: Vec<Repair>,
}

impl<'a> Application<'a> {
    fn new(original: &'a [&'a str], edits: &[Numbered]) -> Self {
        let named: usize = edits
            .iter()
            .map(|Numbered { edit, .. }| edit.last - edit.first)
            .sum();
        Self {
            original,
            working: WorkingLines::new(original),
            touched: touched(edits, original.len()),
            wrappable: (named > original.len()).then(|| WrappedLines::new(original)),
            first_changed: None,
            noop_edits: Vec::new(),
            applied: 0,
            moves: Vec::new(),
            repairs: Vec::new(),
        }
    }

    fn apply(&mut self, Numbered { number, mut edit }: Numbered) {
        self.applied += 1;
        self.moves.extend(edit.moved.take());
        if edit.kind == EditKind::Insert {
            return self.insert(edit);
        }
        let no = edit.text.no;
        let loc = format!("{}:{}", number_of(edit.first), edit.hash);
        let surface = Surface {
            original: self.original,
            working: &self.working,
            touched: &self.touched,
            wrappable: self.wrappable.as_ref(),
        };
        let Replacement {
            first,
            count,
            old,
            new,
        } = replacement::plan(&surface, edit);
        self.repairs.extend(new.repairs);
        let new = new.lines;
        let current_content = old.join("\n");
        if current_content == new.join("\n") {
            self.noop_edits.push(NoopEdit {
                no,
                edit_index: number,
                loc,
                current_content,
            });
            return;
        }
        self.splice(first, count, new);
    }

    fn insert(&mut self, edit: Checked) {
        let mut text = edit.text;
        let rest = drop_anchor_echo(self.original[edit.first], &text.lines);
        text.correct(Rule::AnchorEcho, rest);
        self.repairs.extend(text.repairs);
        self.splice(edit.first + 1, 0, text.lines);
    }

    fn splice(&mut self, start: usize, count: usize, lines: Vec<String>) {
        self.working.splice(start, count, lines);
        self.first_changed = Some(self.first_changed.map_or(start, |first| first.min(start)));
    }

    fn finish(mut self, given: usize) -> ReferenceApplied {
        // The edits were applied from the bottom up.
        self.moves.sort_by_key(|moved| moved.edit);
        self.repairs.sort_by_key(|repair| repair.edit);
        ReferenceApplied {
            content: self.working.to_content(),
            first_changed_line: self.first_changed.map(|index| index + 1),
            warnings: self.warning(given).into_iter().collect(),
            noop_edits: self.noop_edits,
            duplicates: given - self.applied,
            moves: self.moves,
            repairs: self.repairs,
        }
    }

    fn warning(&self, given: usize) -> Option<String> {
        let differing = self
            .original
            .iter()
            .zip(self.working.iter())
            .filter(|(old, new)| *old != new)
            .count();
        let changed = self.original.len().abs_diff(self.working.len()) + differing;
        (changed > LINES_PER_EDIT * given).then(|| {
            format!("Edit changed {changed} lines across {given} operations — verify no unintended reformatting.")
        })
    }
}

#[cfg(test)]
mod tests {
    use super::apply;
    use hashline_core::error::EngineRefusal;

    use crate::{ReferenceEdit, hash};

    fn anchor(content: &str, line: usize) -> String {
        format!(
            "{line}:{}",
            hash(content.split('\n').nth(line - 1).unwrap_or_default())
        )
    }

    fn set(content: &str, line: usize, new_text: &str) -> ReferenceEdit {
        ReferenceEdit::SetLine {
            anchor: anchor(content, line),
            new_text: new_text.to_owned(),
        }
    }

    fn insert(content: &str, line: usize, text: &str) -> ReferenceEdit {
        ReferenceEdit::InsertAfter {
            anchor: anchor(content, line),
            text: text.to_owned(),
        }
    }

    fn range(content: &str, start: usize, end: usize, new_text: &str) -> ReferenceEdit {
        let (start_anchor, end_anchor) = (anchor(content, start), Some(anchor(content, end)));
        ReferenceEdit::ReplaceLines {
            start_anchor,
            end_anchor,
            new_text: new_text.to_owned(),
        }
    }

    #[test]
    fn edits_are_applied_bottom_up() -> Result<(), EngineRefusal> {
        let content = "a\nb\nc\n";
        let edits = [
            set(content, 1, "A"),
            insert(content, 1, "x"),
            insert(content, 1, "y"),
            range(content, 2, 3, ""),
        ];
        let result = apply(content, &edits)?;
        assert_eq!(
            (result.content.as_str(), result.first_changed_line),
            ("A\ny\nx\n", Some(1))
        );
        Ok(())
    }

    #[test]
    fn each_mistake_is_undone() -> Result<(), EngineRefusal> {
        let cases = [
            ("a =\n  b", 1, "a = b", "a = b", "merge-a"),
            ("if a ||\nb", 2, "if a && b", "if a && b", "merge-b"),
            ("a\nb\nc", 2, "a\nx", "a\nx\nc", "echo-before"),
            (
                "a\n  long(line)\nc",
                2,
                "long(\nline)",
                "a\n  long(line)\nc",
                "wrap",
            ),
            ("  a", 1, "b", "  b", "indent"),
            ("a \u{2013} b", 1, "a \u{2013} b", "a - b", "hyphen"),
            ("a", 1, "1:ab|b", "b", "prefix-strip"),
        ];
        for (content, line, new_text, after, name) in cases {
            let result = apply(content, &[set(content, line, new_text)])?;
            assert_eq!(result.content, after, "{name}");
        }
        Ok(())
    }

    #[test]
    fn an_edit_that_changes_nothing_is_noted() -> Result<(), EngineRefusal> {
        let result = apply("a\n\nb", &[set("a\n\nb", 1, "a"), set("a\n\nb", 2, "")])?;
        let notes: Vec<_> = result
            .noop_edits
            .iter()
            .map(|noop| (noop.edit_index, noop.current_content.as_str()))
            .collect();
        assert_eq!(
            (result.content.as_str(), notes),
            ("a\n\nb", vec![(1, ""), (0, "a")])
        );
        Ok(())
    }

    #[test]
    fn no_edits_change_nothing() -> Result<(), EngineRefusal> {
        let result = apply("a\r\n", &[])?;
        assert_eq!(
            (result.content.as_str(), result.first_changed_line),
            ("a\r\n", None)
        );
        Ok(())
    }

    #[test]
    fn a_substitution_is_refused() {
        assert!(matches!(
            apply("a", &[ReferenceEdit::Replace]),
            Err(EngineRefusal::BadRequest(_))
        ));
    }
}
