//! Edits one file of a request: changes its lines, replaces its whole content, or only moves or deletes the file.

use super::required::RequiredBytes;
use super::tree::{FileNode, FileOrigin, NewContent};
use super::{EditRefused, FileEdited, Files, FilesError, StepProblem};
use crate::dialect::NoChange;
use crate::edit::{Edit, EditBatch, EditNo, Operation, Place};
use crate::encodable::{refuse_unencodable, refuse_unencodable_text};
use crate::error::{Error, OtherRevision};
use crate::policy::{Policy, RepairPolicy};
use crate::report::{Edited, Report};
use crate::resolve;
use crate::shown::Shown;
use crate::text::{Document, LineSpan, Payload, RevPrefix};

/// Edits one file; returns `None` for a file that the request both creates and deletes.
///
/// A refusal comes with the position of the refused edit in the request, so that the caller can report the first of several refusals
/// first.
pub(super) fn edit(
    mut node: FileNode,
    required: RequiredBytes,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<Option<FileEdited>, (usize, Box<EditRefused>)> {
    let path = node.first_name().to_owned();
    let origin = std::mem::replace(&mut node.origin, FileOrigin::Filled);
    let (from, before) = match origin {
        FileOrigin::Created(no, content) => {
            let Some(path) = node.name else {
                return Ok(None);
            };
            let content = match content {
                NewContent::Text(text) => text,
                NewContent::Bytes(bytes) => return Ok(Some(new_bytes(path, bytes))),
            };
            let empty = files.new_document(&path);
            let checked = refuse_unencodable_text(&empty, no, &content);
            return match checked {
                Ok(()) => Ok(Some(new_file(path, no, content, &empty, policy))),
                Err(error) => {
                    let refused = EditRefused {
                        path,
                        edits: node.request_edits,
                        document: empty,
                        error,
                    };
                    Err((no.index(), Box::new(refused)))
                }
            };
        }
        FileOrigin::Found(path, document) => (Some(path), document),
        FileOrigin::Filled => (None, files.new_document(&path)),
    };
    let (name, edits) = (node.name.clone(), node.request_edits);
    match edited(node, &path, &before, required, files, policy) {
        Ok(edited) => Ok(Some(FileEdited {
            from,
            path: name,
            edited,
        })),
        Err((position, error)) => {
            let refused = EditRefused {
                path,
                edits,
                document: before,
                error,
            };
            Err((position, Box::new(refused)))
        }
    }
}

/// Replaces a file's whole content, leaves the content alone, or edits its lines, as the request says.
fn edited(
    node: FileNode,
    path: &str,
    before: &Document,
    required: RequiredBytes,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<Edited, (usize, Error)> {
    if let Some((position, no, content)) = node.rewrite {
        return rewrite(before, required, no, content).map_err(|error| (position, error));
    }
    if let Some((position, no)) = node.moved_by.filter(|_| node.edits.is_empty()) {
        return unedited(before, required, no).map_err(|error| (position, error));
    }
    // A move or a deletion is a change, even if no line changes.
    let renamed = node.name.as_deref() != Some(path);
    let must_change = policy.dialect.no_change == NoChange::Refused && !renamed;
    let (positions, edits): (Vec<usize>, Vec<_>) = node.edits.into_iter().unzip();
    let numbers: Vec<_> = edits.iter().map(|edit| edit.no).collect();
    let batch = EditBatch {
        rev: required.rev,
        file_hash: required.file_hash,
        edits,
    };
    let edited = match edit_one(path, before, &files.shown(path), batch, policy) {
        Ok(edited) if must_change && !edited.report.is_changed() => {
            Err(Error::NoChange(edited.report.noops))
        }
        edited => edited,
    };
    edited.map_err(|error| {
        let at = error
            .edit()
            .and_then(|no| numbers.iter().position(|&n| n == no));
        // Anchors are checked before anything else, so their refusals come first, in request order.
        let position = match error {
            Error::Anchors(_) | Error::FileHash(_) => positions.get(at.unwrap_or(0)),
            _ => None,
        };
        (position.copied().unwrap_or(usize::MAX), error)
    })
}

/// Keeps the content of a file that is moved or deleted, after checking that the file has the bytes that the request requires.
fn unedited(before: &Document, required: RequiredBytes, edit: EditNo) -> Result<Edited, Error> {
    check_bytes(before, required, edit)?;
    let report = Report::of_rewrite(before.clone(), before.clone(), 0);
    Ok(Edited {
        document: before.clone(),
        report,
    })
}

/// Checks that a file has the bytes that the request requires, for edits that do not look at the revision themselves.
fn check_bytes(document: &Document, required: RequiredBytes, edit: EditNo) -> Result<(), Error> {
    if required.rev.is_some() {
        check_revision(document, required.rev, edit)?;
    }
    resolve::check_file_hash(document, required.file_hash, Vec::new)
}

/// Checks that a file that no step names has the bytes that the request requires.
pub(super) fn check_unnamed(
    path: String,
    required: RequiredBytes,
    edits: usize,
    files: &dyn Files,
) -> Result<(), FilesError> {
    let first = EditNo::from_index(0);
    let Some(document) = files.document(&path) else {
        let (step, reason) = (first, StepProblem::NotFound);
        return Err(FilesError::Step { step, path, reason });
    };
    check_bytes(&document, required, first).map_err(|error| FilesError::Edits {
        first: Box::new(EditRefused {
            path,
            edits,
            document,
            error,
        }),
        others: Vec::new(),
    })
}

/// Edits one document with the policy's engine, or with this crate's own if the policy names none.
fn edit_one(
    path: &str,
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    match policy.engine {
        Some(engine) => {
            refuse_unencodable(document, &batch.edits)?;
            let first = batch
                .edits
                .first()
                .map_or(EditNo::from_index(0), |edit| edit.no);
            let required = RequiredBytes {
                rev: batch.rev.clone(),
                file_hash: batch.file_hash.clone(),
            };
            check_bytes(document, required, first)?;
            engine.edit(path, document, &batch)
        }
        None => crate::edit(document, shown, batch, policy),
    }
}

/// Creates a file. With `RepairPolicy::Proven` the content is inserted into an empty document, so that anchors copied into the text are
/// removed from new files as well.
fn new_file(
    path: String,
    no: EditNo,
    content: String,
    empty: &Document,
    policy: &Policy<'_>,
) -> FileEdited {
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
        .then(|| crate::edit(empty, &Shown::nothing(), batch, policy))
        .and_then(Result::ok);
    let as_sent = || {
        let document = empty.filled_with(content.as_bytes());
        let report = Report::of_rewrite(empty.clone(), document.clone(), 1);
        Edited { document, report }
    };
    FileEdited {
        from: None,
        path: Some(path),
        edited: edited.unwrap_or_else(as_sent),
    }
}

/// Returns the first lines of a file, which a refusal to replace all of it shows.
fn beginning(document: &Document) -> Vec<LineSpan> {
    let lines = document.line_count().min(1);
    vec![LineSpan::new(0..lines)]
}

/// Creates a file with these bytes.
fn new_bytes(path: String, bytes: Vec<u8>) -> FileEdited {
    let document = Document::new(bytes);
    let report = Report::of_rewrite(Document::new(""), document.clone(), 1);
    FileEdited {
        from: None,
        path: Some(path),
        edited: Edited { document, report },
    }
}

/// Replaces the whole content of a file. For new text, the request must name the file's current revision or SHA-256, so that it cannot overwrite
/// changes that the sender has not seen.
fn rewrite(
    before: &Document,
    required: RequiredBytes,
    edit: EditNo,
    content: NewContent,
) -> Result<Edited, Error> {
    let document = match content {
        NewContent::Text(text) => {
            if required.rev.is_some() || required.file_hash.is_none() {
                check_revision(before, required.rev, edit)?;
            }
            resolve::check_file_hash(before, required.file_hash, || beginning(before))?;
            refuse_unencodable_text(before, edit, &text)?;
            before.rewritten_with(text)
        }
        NewContent::Bytes(bytes) => {
            check_bytes(before, required, edit)?;
            Document::new(bytes)
        }
    };
    let report = Report::of_rewrite(before.clone(), document.clone(), 1);
    Ok(Edited { document, report })
}

/// Refuses the edit unless the document's current revision is the one that the request names.
fn check_revision(document: &Document, rev: Option<RevPrefix>, edit: EditNo) -> Result<(), Error> {
    let is_it = |rev: &RevPrefix| rev.matches(document.revision());
    match rev {
        Some(rev) if is_it(&rev) => Ok(()),
        rev => Err(Error::OtherRevision(OtherRevision {
            edit,
            document: document.clone(),
            rev,
        })),
    }
}
