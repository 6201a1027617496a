//! The engine's own types in, the reference's answer out: how `profile = seed` reaches this engine.

use super::{Edit, Failure, FileEdit, Substitution, edit_file};
use crate::edit::{EditBatch, Occurrences, Operation, Place, Target};
use crate::error::Error;
use crate::report::{Edited, Report};
use crate::text::Document;

/// Edits a document as the reference does. Edits with the same number are the two halves of one.
///
/// # Errors
///
/// [`Error::Reference`], in the reference's own words; also for text that is not UTF-8 and operations it does not know.
pub fn edit(path: &str, document: &Document, batch: &EditBatch) -> Result<Edited, Error> {
    let raw = std::str::from_utf8(document.bytes())
        .map_err(|_| refuse("the reference engine edits UTF-8 text only"))?;
    let mut edits: Vec<(usize, FileEdit)> = Vec::new();
    for edit in &batch.edits {
        let half = translate(&edit.operation)?;
        match edits.last_mut() {
            Some((index, whole)) if *index == edit.no.index() => {
                whole.anchored = whole.anchored.take().or(half.anchored);
                whole.replace = whole.replace.take().or(half.replace);
            }
            _ => edits.push((edit.no.index(), half)),
        }
    }
    let edits: Vec<FileEdit> = edits.into_iter().map(|(_, edit)| edit).collect();
    let edited = edit_file(path, raw, &edits).map_err(Error::Reference)?;
    let after = Document::new(edited.raw);
    let report = Report::of_rewrite(document.clone(), after.clone(), edits.len())
        .with_reference_answer(edited.text, Some(edited.first_changed_line));
    Ok(Edited {
        document: after,
        report,
    })
}

fn translate(operation: &Operation) -> Result<FileEdit, Error> {
    let anchored = |edit| {
        Ok(FileEdit {
            anchored: Some(edit),
            replace: None,
        })
    };
    let over = |at: &Target, new_text: String| match at {
        Target::Line(anchor) => Edit::SetLine {
            anchor: anchor.to_string(),
            new_text,
        },
        Target::Range(first, last) => Edit::ReplaceLines {
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
        } => anchored(Edit::InsertAfter {
            anchor: anchor.to_string(),
            text: text.verbatim(),
        }),
        Operation::Insert { .. } => Err(refuse("the reference engine inserts only after a line")),
        Operation::Substitute { old, new, count } => {
            let (old_text, new_text, all) = (old.clone(), new.clone(), *count == Occurrences::All);
            Ok(FileEdit {
                anchored: None,
                replace: Some(Substitution {
                    old_text,
                    new_text,
                    all,
                }),
            })
        }
    }
}

fn refuse(message: &str) -> Error {
    Error::Reference(Failure::Error(message.to_owned()))
}
