//! Implements `hashline_core::policy::Engine`: translates the edits of `hashline-core` and wraps the answer. The engine is used by the
//! setting `profile = seed`.

use hashline_core::dialect::Dialect;
use hashline_core::edit::{Edit, EditBatch, Occurrences, Operation, Place, Target, TargetLines};
use hashline_core::error::{EngineRefusal, Error};
use hashline_core::policy::{Engine, Policy};
use hashline_core::{Document, Edited, EngineAnswer, Report};

use super::{FileEdit, ReferenceEdit, TextReplacement, edit_file};

/// The reference engine, which behaves exactly as the original tool of dialect omp (seed 000), for use in a [`Policy`].
#[derive(Clone, Copy, Debug)]
pub struct Reference;

/// Returns the engine with which a dialect behaves as its original tool: [`Reference`] for dialect omp, `None` (core's own) for all
/// others.
#[must_use]
pub fn engine_for(dialect: Dialect) -> Option<&'static dyn Engine> {
    (dialect == Dialect::OMP).then_some(&Reference)
}

/// Returns the policy with which a dialect behaves as its original tool does, including the engine.
#[must_use]
pub fn seed_policy(dialect: Dialect) -> Policy<'static> {
    Policy {
        engine: engine_for(dialect),
        ..Policy::seed(dialect)
    }
}

impl Engine for Reference {
    /// Edits a document as the original tool (seed 000) does. Text that is not UTF-8 and operations that the tool does not have are
    /// refused.
    fn edit(&self, path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error> {
        edit(path, document, batch)
    }
}

/// Edits a document. Consecutive edits with the same number are parts of one edit: in the format of the original tool (seed 000) an edit
/// can have an anchor and a substitution.
fn edit(path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error> {
    let raw = std::str::from_utf8(document.bytes())
        .map_err(|_| refuse("the reference engine edits UTF-8 text only"))?;
    let mut edits: Vec<FileEdit> = Vec::new();
    for edit in &batch.edits {
        let half = translate(edit)?;
        match edits.last_mut() {
            Some(whole) if whole.no == edit.no => {
                whole.anchored = whole.anchored.take().or(half.anchored);
                whole.replace = whole.replace.take().or(half.replace);
            }
            _ => edits.push(half),
        }
    }
    let edited = edit_file(path, raw, &edits).map_err(Error::Engine)?;
    let after = Document::new(edited.raw);
    let is_missing = |edit: &&FileEdit| {
        let mut not_found = edited.not_found.iter();
        edit.anchored.is_none() && not_found.any(|missing| missing.edit == edit.no)
    };
    let missing = edits.iter().filter(is_missing).count();
    let applied = edits.len() - missing - edited.applied.duplicates;
    let mut report = Report::of_rewrite(document.clone(), after.clone(), applied);
    let noops = edited.applied.noop_edits.iter();
    report.noops = noops.map(|noop| noop.no).collect();
    report.noops.sort();
    report.duplicates = edited.applied.duplicates;
    report.moves = edited.applied.moves;
    report.repairs = edited.applied.repairs;
    report.not_found = edited.not_found;
    report.engine_answer = Some(EngineAnswer {
        text: edited.text,
        first_changed_line: Some(edited.first_changed_line),
    });
    Ok(Edited {
        document: after,
        report,
    })
}

fn translate(edit: &Edit) -> Result<FileEdit, Error> {
    let Edit { no, operation } = edit;
    let no = *no;
    let anchored = |edit| {
        Ok(FileEdit {
            no,
            anchored: Some(edit),
            replace: None,
        })
    };
    let over = |at: &Target, new_text: String| match &at.lines {
        TargetLines::One(anchor) => ReferenceEdit::SetLine {
            anchor: anchor.to_string(),
            new_text,
        },
        TargetLines::Range(first, last) => ReferenceEdit::ReplaceLines {
            start_anchor: first.to_string(),
            end_anchor: Some(last.to_string()),
            new_text,
        },
    };
    match operation {
        Operation::Replace { at, with } => anchored(over(at, with.verbatim())),
        Operation::Delete { at } => anchored(over(at, String::new())),
        Operation::Insert {
            place: Place::After(anchor),
            text,
        } => anchored(ReferenceEdit::InsertAfter {
            anchor: anchor.to_string(),
            text: text.verbatim(),
        }),
        Operation::Insert { .. } => Err(refuse("the reference engine inserts only after a line")),
        Operation::Substitute { old, new, count } => {
            let (old_text, new_text, all) = (old.clone(), new.clone(), *count == Occurrences::All);
            Ok(FileEdit {
                no,
                anchored: None,
                replace: Some(TextReplacement {
                    old_text,
                    new_text,
                    all,
                }),
            })
        }
    }
}

fn refuse(message: &str) -> Error {
    Error::Engine(EngineRefusal::BadRequest(message.to_owned()))
}
