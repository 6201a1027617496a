//! The lines of one file of a request.

use super::tree::{Node, Origin};
use super::{EditRefused, FileEdited, Files, FilesError};
use crate::dialect::NoChange;
use crate::edit::{Edit, EditBatch, EditNo, Operation, Place};
use crate::error::{Error, NothingChanged, OtherRevision};
use crate::policy::{Policy, RepairPolicy};
use crate::reference;
use crate::report::{Edited, Report};
use crate::shown::Shown;
use crate::text::{Document, Payload, RevPrefix};

/// Edits the lines of one file; nothing comes of a file that the request made and deleted. An error comes with the place in the
/// request of the edit it is about: the refusal that stands first in the request is the one to tell.
pub(super) fn edit(
    node: Node,
    rev: Option<RevPrefix>,
    file_hash: Option<String>,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<Option<FileEdited>, (usize, FilesError)> {
    let path = node.first_name().to_owned();
    let request_edits = node.request_edits;
    let (positions, edits): (Vec<usize>, Vec<_>) = node.edits.into_iter().unzip();
    let (from, before) = match node.origin {
        Origin::Created(no, content) => {
            let new = |path| new_file(path, no, content, policy);
            return Ok(node.name.map(new));
        }
        Origin::Found(path, document) => (Some(path), document),
        Origin::Filled => (None, Document::new("")),
    };
    if let Some((position, no, content)) = node.rewrite {
        let refused = |error| EditRefused {
            path: path.clone(),
            edits: request_edits,
            document: before.clone(),
            error,
        };
        return match rewrite(&before, rev, no, content) {
            Ok(edited) => Ok(Some(FileEdited {
                from,
                path: node.name,
                edited,
            })),
            Err(error) => Err((position, FilesError::Edit(Box::new(refused(error))))),
        };
    }
    let numbers: Vec<_> = edits.iter().map(|edit| edit.no).collect();
    let batch = EditBatch {
        rev,
        file_hash,
        edits,
    };
    let renamed = node.name.as_ref() != Some(&path);
    let must_change = policy.dialect.no_change == NoChange::Refused && !renamed;
    let edited = match edit_one(&path, &before, &files.shown(&path), batch, policy) {
        Ok(edited) if must_change && !edited.report.is_changed() => Err(nothing_changed(&edited)),
        edited => edited,
    };
    match edited {
        Ok(edited) => Ok(Some(FileEdited {
            from,
            path: node.name,
            edited,
        })),
        Err(error) => {
            let at = error
                .edit()
                .and_then(|no| numbers.iter().position(|&n| n == no));
            let position = match error {
                Error::Anchors(_) | Error::FileHash(_) => positions.get(at.unwrap_or(0)),
                _ => None,
            };
            let position = position.copied().unwrap_or(usize::MAX);
            let refused = EditRefused {
                path,
                edits: request_edits,
                document: before,
                error,
            };
            Err((position, FilesError::Edit(Box::new(refused))))
        }
    }
}

/// Edits one document, by the engine the policy asks for.
fn edit_one(
    path: &str,
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    if batch.edits.is_empty() {
        let report = Report::of_rewrite(document.clone(), document.clone(), 0);
        return Ok(Edited {
            document: document.clone(),
            report,
        });
    }
    if policy.is_reference() {
        reference::edit(path, document, &batch)
    } else {
        crate::edit(document, shown, batch, policy)
    }
}

/// Makes a file. Under the proven repairs it goes the way of all text: an edit of a file without lines, which takes it as it was
/// sent, but for anchors that were copied into it.
fn new_file(path: String, no: EditNo, content: String, policy: &Policy<'_>) -> FileEdited {
    let empty = Document::new("");
    let batch = EditBatch {
        edits: vec![Edit {
            no,
            operation: Operation::Insert {
                place: Place::Start,
                text: Payload::Text(content.clone()),
            },
        }],
        ..EditBatch::default()
    };
    let edited = (policy.repair == RepairPolicy::Proven)
        .then(|| crate::edit(&empty, &Shown::nothing(), batch, policy))
        .and_then(Result::ok);
    let as_sent = || {
        let document = Document::new(content);
        let report = Report::of_rewrite(empty.clone(), document.clone(), 1);
        Edited { document, report }
    };
    FileEdited {
        from: None,
        path: Some(path),
        edited: edited.unwrap_or_else(as_sent),
    }
}

/// Gives a file another content, byte for byte. Whoever sends it whole has seen one revision of it and may not undo what came since.
fn rewrite(
    before: &Document,
    rev: Option<RevPrefix>,
    edit: EditNo,
    content: String,
) -> Result<Edited, Error> {
    if !rev
        .as_ref()
        .is_some_and(|rev| rev.matches(before.revision()))
    {
        return Err(Error::OtherRevision(OtherRevision {
            edit,
            document: before.clone(),
            rev,
        }));
    }
    let document = Document::new(content);
    let report = Report::of_rewrite(before.clone(), document.clone(), 1);
    Ok(Edited { document, report })
}

fn nothing_changed(edited: &Edited) -> Error {
    Error::NoChange(NothingChanged {
        document: edited.document.clone(),
        noops: edited.report.noops().to_vec(),
    })
}
