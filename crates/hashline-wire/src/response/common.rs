//! Our own answer: one object for every request and every dialect.

use hashline_core::disk::DiskError;
use hashline_core::disk_note::DiskNote;
use hashline_core::error::{AnchorProblem, AnchorsRefused, Candidate, Error, LandedEdit, Problem};
use hashline_core::files::{EditRefused, FileEdited, Status};
use hashline_core::text::{Document, LineNo, LineSpan};
use hashline_core::{Moved, Proof, Repair};
use serde_json::{Map, Value, json};

use super::{Outcome, Refusal, Terms, edit_error, fresh_anchors, places, rendered};
use crate::error::shortened;
use crate::render::{disk, model, reasons};
use crate::request::{Mode, Note, NoteKind, Show};

/// Returns our own answer. Edits count from 1, as in the texts.
#[must_use]
pub fn common(terms: &Terms, outcome: &Outcome) -> Value {
    let mut answer = match outcome {
        Ok(edited) => json!({
            "ok": true,
            "changed": !edited.writes().is_empty(),
            "dry_run": terms.mode == Mode::DryRun,
            "files": edited.files.iter().map(|file| one_file(terms, file)).collect::<Vec<_>>(),
        }),
        Err(refusal) => refused(terms, refusal),
    };
    if !terms.notes.is_empty() {
        answer["notes"] = terms.notes.iter().map(note).collect::<Vec<_>>().into();
    }
    if !terms.disk.is_empty() {
        answer["disk"] = disk_notes(&terms.disk);
    }
    answer
}

/// Returns the stable name of what became of a file.
pub(crate) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Modified => "modified",
        Status::Added => "added",
        Status::Moved => "moved",
        Status::Deleted => "deleted",
    }
}

fn one_file(terms: &Terms, file: &FileEdited) -> Value {
    let report = &file.edited.report;
    let after = &report.after;
    let diff = report.diff(file.from.as_deref().unwrap_or(file.name()), file.name());
    let windows = places::windows(terms, file)
        .into_iter()
        .map(|span| rendered(after, span, terms.dialect));
    let status = file.status();
    let is_there = (status != Status::Deleted).then_some(());
    let was_there = (status != Status::Added).then_some(());
    let mut object = json!({
        "path": file.name(),
        "status": status_name(status),
        "changed": report.is_changed() || status != Status::Modified,
        "rev": is_there.map(|()| after.revision().short()),
        "rev_before": was_there.map(|()| report.before.revision().short()),
        "lines": is_there.map(|()| after.line_count()),
        "applied": report.applied,
        "added": diff.added,
        "removed": diff.removed,
        "first_changed_line": report.first_changed_line().map(LineNo::get),
    });
    if matches!(terms.show, Show::Windows | Show::Everything) {
        object["windows"] = windows.collect::<Vec<_>>().into();
    }
    if terms.show != Show::Nothing {
        object["diff"] = diff.text.into();
    }
    if let Some(from) = file.from.as_ref().filter(|from| *from != file.name()) {
        object["from"] = from.as_str().into();
    }
    if terms.show == Show::Everything {
        object["content"] = rendered(after, after.all(), terms.dialect).into();
    }
    let list = |values: Vec<Value>| (!values.is_empty()).then_some(Value::from(values));
    let numbers = |edits: &[hashline_core::edit::EditNo]| {
        edits.iter().map(|no| Value::from(no.index() + 1)).collect()
    };
    let hints = report
        .hints
        .iter()
        .map(|hint| json!({"edit": hint.edit.index() + 1, "rule": hint.rule.name()}));
    let extra = [
        ("moves", list(report.moves.iter().map(moved).collect())),
        ("repairs", list(report.repairs.iter().map(repair).collect())),
        ("hints", list(hints.collect())),
        ("noops", list(numbers(&report.noops))),
        ("unchecked", list(numbers(&report.unchecked))),
        (
            "duplicates",
            (report.duplicates > 0).then_some(report.duplicates.into()),
        ),
    ];
    if let Some(object) = object.as_object_mut() {
        object.extend(
            extra
                .into_iter()
                .filter_map(|(key, value)| Some((key.to_owned(), value?))),
        );
    }
    object
}

fn moved(moved: &Moved) -> Value {
    json!({
        "edit": moved.edit.index() + 1,
        "from": moved.from.to_string(),
        "to": moved.to.to_string(),
        "text": moved.text,
    })
}

fn repair(repair: &Repair) -> Value {
    let proof = match repair.proof {
        Proof::OwnAnchor => json!("own_anchor"),
        Proof::Tags { bits } => json!({"tags": bits}),
        Proof::Syntax => json!("syntax"),
        Proof::Definition => json!("definition"),
    };
    json!({
        "edit": repair.edit.index() + 1,
        "rule": repair.rule.name(),
        "before": repair.before,
        "after": repair.after,
        "proof": proof,
    })
}

fn note(note: &Note) -> Value {
    let kind = match note.kind {
        NoteKind::ListInString => "list_in_string",
        NoteKind::ObjectForList => "object_for_list",
        NoteKind::UnknownField => "unknown_field",
        NoteKind::OtherName { .. } => "other_name",
        NoteKind::Overruled { .. } => "overruled",
    };
    json!({"at": note.at, "kind": kind})
}

/// Returns what there is to know about the disk, a note each.
pub(super) fn disk_notes(notes: &[DiskNote]) -> Value {
    notes.iter().map(disk_note).collect::<Vec<_>>().into()
}

fn disk_note(note: &DiskNote) -> Value {
    let mut object = json!({
        "note": note.name(),
        "message": disk::note(note),
        "paths": note.paths(),
    });
    if let DiskNote::Orphaned(orphaned) = note {
        object["kept"] = json!(orphaned.kept);
    }
    object
}

/// Says whether anything was written: no, unless a disk failed while a change was being taken back.
fn written(refusal: &Refusal) -> Value {
    match refusal {
        Refusal::Disk(error) if error.may_have_written() => "unknown".into(),
        _ => false.into(),
    }
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    let mut answer = json!({
        "ok": false,
        "code": refusal.code(),
        "message": model::refusal(terms, refusal),
        "written": written(refusal),
        "retryable": refusal.is_retryable(),
    });
    let Some(object) = answer.as_object_mut() else {
        return answer;
    };
    match refusal {
        Refusal::Request(bad) => {
            insert(
                object,
                "at",
                (!bad.at.is_empty()).then(|| bad.at.as_str().into()),
            );
            insert(object, "edit", bad.edit.map(|index| (index + 1).into()));
            insert(object, "path", bad.path.as_deref().map(Value::from));
        }
        Refusal::Files(error) => about_files(object, error),
        Refusal::Disk(error) => about_disk(terms, object, error),
    }
    if let Some((refused, _)) = edit_error(refusal) {
        about_refused(terms, object, refused);
        let also: Vec<Value> = refused.also.iter().map(|one| also(terms, one)).collect();
        insert(object, "also", (!also.is_empty()).then(|| also.into()));
    }
    answer
}

/// Tells of another file of the request whose edits are refused.
fn also(terms: &Terms, refused: &EditRefused) -> Value {
    let mut object = Map::from_iter([("code".to_owned(), refused.error.code().into())]);
    about_refused(terms, &mut object, refused);
    object.into()
}

/// Tells what is wrong with the edits of a file, and of the lines they are about.
fn about_refused(terms: &Terms, object: &mut Map<String, Value>, refused: &EditRefused) {
    let EditRefused { path, error, .. } = refused;
    object.insert("path".to_owned(), path.as_str().into());
    let edit = error.edit().map(|no| (no.index() + 1).into());
    insert(object, "edit", edit);
    about_edit(terms, object, error);
    if let Error::Anchors(anchors) = error {
        about_anchors(terms, object, anchors);
    }
}

fn about_anchors(terms: &Terms, object: &mut Map<String, Value>, refused: &AnchorsRefused) {
    let problems = refused
        .problems
        .iter()
        .map(|problem| one_problem(terms, &refused.document, problem));
    object.insert("rev".to_owned(), refused.document.revision().short().into());
    object.insert("problems".to_owned(), problems.collect::<Vec<_>>().into());
    let others = refused.standing.iter();
    let others: Vec<Value> = others.map(|one| other_edit(terms, refused, one)).collect();
    insert(
        object,
        "others",
        (!others.is_empty()).then(|| others.into()),
    );
}

fn insert(object: &mut Map<String, Value>, key: &str, value: Option<Value>) {
    object.extend(value.map(|value| (key.to_owned(), value)));
}

fn about_disk(terms: &Terms, object: &mut Map<String, Value>, error: &DiskError) {
    insert(object, "path", error.path().map(Value::from));
    if let Some(now) = error.fresh() {
        let lines = now.spans.iter();
        let lines = lines.flat_map(|&span| rendered(&now.document, span, terms.dialect));
        object.insert("rev".to_owned(), now.document.revision().short().into());
        object.insert("now".to_owned(), lines.collect::<Vec<_>>().into());
    }
}

fn about_files(object: &mut Map<String, Value>, error: &hashline_core::files::FilesError) {
    use hashline_core::files::FilesError::{Conflicting, Edit, Exists, NotFound};
    match error {
        NotFound(trouble) | Exists(trouble) | Conflicting(trouble) => {
            object.insert("path".to_owned(), trouble.path.as_str().into());
            object.insert("edit".to_owned(), (trouble.step.index() + 1).into());
        }
        Edit(_) => {}
    }
}

fn about_edit(terms: &Terms, object: &mut Map<String, Value>, error: &Error) {
    match error {
        Error::Overlap(overlap) => {
            object.insert(
                "conflicts_with".to_owned(),
                (overlap.first.index() + 1).into(),
            );
            object.insert("lines".to_owned(), overlap.lines.to_string().into());
            let span = places::of_overlap(terms, overlap);
            let now = rendered(&overlap.document, span, terms.dialect);
            object.insert("now".to_owned(), now.into());
            object.insert("rev".to_owned(), overlap.document.revision().short().into());
        }
        Error::FileHash(differs) => {
            object.insert("expected".to_owned(), shortened(&differs.expected).into());
            object.insert("actual".to_owned(), differs.actual.as_str().into());
            let now = places::of_file_hash(terms, differs)
                .into_iter()
                .flat_map(|span| rendered(&differs.document, span, terms.dialect));
            object.insert("now".to_owned(), now.collect::<Vec<_>>().into());
            object.insert("rev".to_owned(), differs.document.revision().short().into());
        }
        Error::OtherRevision(other) => {
            let lines = other.lines().into_iter();
            let now = lines.flat_map(|span| rendered(&other.document, span, terms.dialect));
            object.insert("now".to_owned(), now.collect::<Vec<_>>().into());
            object.insert("rev".to_owned(), other.document.revision().short().into());
        }
        Error::TextNotFound(not_found) => {
            object.insert(
                "rev".to_owned(),
                not_found.document.revision().short().into(),
            );
        }
        Error::TextNotUnique(not_unique) => {
            let places = not_unique.lines.iter().map(|&line| {
                rendered(&not_unique.document, LineSpan::of(line), terms.dialect)
                    .pop()
                    .unwrap_or_default()
            });
            object.insert("count".to_owned(), not_unique.count.into());
            object.insert(
                "rev".to_owned(),
                not_unique.document.revision().short().into(),
            );
            object.insert("now".to_owned(), places.collect::<Vec<_>>().into());
        }
        _ => {}
    }
}

/// Tells of an edit without a problem what its anchors are now.
fn other_edit(terms: &Terms, refused: &AnchorsRefused, standing: &LandedEdit) -> Value {
    let claims: Vec<String> = standing
        .claims
        .iter()
        .map(|claim| shortened(claim.as_str()))
        .collect();
    json!({
        "edit": standing.edit.index() + 1,
        "anchors": claims,
        "now": fresh_anchors(&refused.document, standing, terms.dialect),
    })
}

fn one_problem(terms: &Terms, document: &Document, problem: &Problem) -> Value {
    let around = places::around(terms.context, document, problem).into_iter();
    let now = around.flat_map(|span| rendered(document, span, terms.dialect));
    let mut object = json!({
        "edit": problem.edit.index() + 1,
        "anchor": shortened(problem.claim.as_str()),
        "code": problem.trouble.code(),
        "reason": reasons::of(problem),
        "now": now.collect::<Vec<_>>(),
    });
    if let AnchorProblem::Ambiguous(candidates) = &problem.trouble {
        object["candidates"] = candidates
            .iter()
            .map(|one| candidate(terms, document, one))
            .collect::<Vec<_>>()
            .into();
    }
    object
}

fn candidate(terms: &Terms, document: &Document, candidate: &Candidate) -> Value {
    let lines = rendered(document, candidate.place, terms.dialect);
    json!({"rev": candidate.revision.short(), "lands": candidate.lost.is_none(), "lines": lines})
}
