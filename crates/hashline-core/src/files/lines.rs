//! The lines of one file of a request.

use super::tree::{FileNode, FileOrigin};
use super::{EditRefused, FileEdited, Files, FilesError};
use crate::dialect::NoChange;
use crate::edit::{Edit, EditBatch, EditNo, Operation, Place};
use crate::error::{Error, NothingChanged, OtherRevision};
use crate::policy::{Policy, RepairPolicy};
use crate::report::{Edited, Report};
use crate::resolve;
use crate::shown::Shown;
use crate::text::{Document, Payload, RevPrefix};

/// What a request says of the bytes that a file must have.
pub(super) struct Claims {
    /// The revision that its lines were read from.
    pub(super) rev: Option<RevPrefix>,
    /// The SHA-256 of all its bytes.
    pub(super) file_hash: Option<String>,
}

/// Edits the lines of one file; nothing comes of a file that the request made and deleted. An error comes with the place in the
/// request of the edit it is about: the refusal that stands first in the request is the one to tell.
pub(super) fn edit(
    mut node: FileNode,
    claims: Claims,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<Option<FileEdited>, (usize, FilesError)> {
    let path = node.first_name().to_owned();
    let origin = std::mem::replace(&mut node.origin, FileOrigin::Filled);
    let (from, before) = match origin {
        FileOrigin::Created(no, content) => {
            let new = |path| new_file(path, no, content, policy);
            return Ok(node.name.map(new));
        }
        FileOrigin::Found(path, document) => (Some(path), document),
        FileOrigin::Filled => (None, Document::new("")),
    };
    let (name, edits) = (node.name.clone(), node.request_edits);
    match edited(node, &path, &before, claims, files, policy) {
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
                also: Vec::new(),
            };
            Err((position, FilesError::Edit(Box::new(refused))))
        }
    }
}

/// Does to a file what the request says: all of it is written anew, it is taken as it is, or its lines are edited.
fn edited(
    node: FileNode,
    path: &str,
    before: &Document,
    claims: Claims,
    files: &dyn Files,
    policy: &Policy<'_>,
) -> Result<Edited, (usize, Error)> {
    if let Some((position, no, content)) = node.rewrite {
        return rewrite(before, claims.rev, no, content).map_err(|error| (position, error));
    }
    if let Some((position, no)) = node.taken.filter(|_| node.edits.is_empty()) {
        return taken(before, claims, no).map_err(|error| (position, error));
    }
    let renamed = node.name.as_deref() != Some(path);
    let must_change = policy.dialect.no_change == NoChange::Refused && !renamed;
    let (positions, edits): (Vec<usize>, Vec<_>) = node.edits.into_iter().unzip();
    let numbers: Vec<_> = edits.iter().map(|edit| edit.no).collect();
    let batch = EditBatch {
        rev: claims.rev,
        file_hash: claims.file_hash,
        edits,
    };
    let edited = match edit_one(path, before, &files.shown(path), batch, policy) {
        Ok(edited) if must_change && !edited.report.is_changed() => Err(nothing_changed(&edited)),
        edited => edited,
    };
    edited.map_err(|error| {
        let at = error
            .edit()
            .and_then(|no| numbers.iter().position(|&n| n == no));
        let position = match error {
            Error::Anchors(_) | Error::FileHash(_) => positions.get(at.unwrap_or(0)),
            _ => None,
        };
        (position.copied().unwrap_or(usize::MAX), error)
    })
}

/// Leaves a file's lines as they are: it is moved or deleted, and has the bytes that the request names, if it names some.
fn taken(before: &Document, claims: Claims, edit: EditNo) -> Result<Edited, Error> {
    if claims.rev.is_some() {
        must_have(before, claims.rev, edit)?;
    }
    resolve::check_file_hash(before, claims.file_hash, Vec::new)?;
    let report = Report::of_rewrite(before.clone(), before.clone(), 0);
    Ok(Edited {
        document: before.clone(),
        report,
    })
}

/// Edits one document, by the engine the policy asks for.
fn edit_one(
    path: &str,
    document: &Document,
    shown: &Shown<'_>,
    batch: EditBatch,
    policy: &Policy<'_>,
) -> Result<Edited, Error> {
    match policy.engine {
        Some(engine) => engine.edit(path, document, &batch),
        None => crate::edit(document, shown, batch, policy),
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
    must_have(before, rev, edit)?;
    let document = Document::new(content);
    let report = Report::of_rewrite(before.clone(), document.clone(), 1);
    Ok(Edited { document, report })
}

/// Refuses what is said of a whole file unless it has the revision that is named.
fn must_have(document: &Document, rev: Option<RevPrefix>, edit: EditNo) -> Result<(), Error> {
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

fn nothing_changed(edited: &Edited) -> Error {
    Error::NoChange(NothingChanged {
        document: edited.document.clone(),
        noops: edited.report.noops.to_vec(),
    })
}
