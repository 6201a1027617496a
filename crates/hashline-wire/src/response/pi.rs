//! Seed 004's answers.

use hashline_core::Moved;
use hashline_core::anchor::Anchor;
use hashline_core::error::{AnchorProblem, Problem, Stale};
use hashline_core::files::{FileEdited, FilesError};
use hashline_core::render::anchored;
use hashline_core::text::{Document, LineSpan};
use serde_json::{Value, json};

use super::common::status_name;
use super::{
    Outcome, Refusal, Terms, anchor_at, dialect_code, places, refused_anchors, rendered, spelled,
};
use crate::error::{Fault, shortened};
use crate::render::model;

pub(super) fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    match outcome {
        Ok(edited) => {
            let files: Vec<Value> = edited
                .files
                .iter()
                .map(|file| one_file(terms, file))
                .collect();
            let relocations: Vec<Value> = edited
                .files
                .iter()
                .flat_map(|file| relocations(terms, file))
                .collect();
            json!({"ok": true, "files": files, "relocations": relocations})
        }
        Err(refusal) => refused(terms, refusal),
    }
}

fn one_file(terms: &Terms, file: &FileEdited) -> Value {
    let report = &file.edited.report;
    let windows = places::windows(terms, file)
        .into_iter()
        .map(|span| rendered(&report.after, span, terms.dialect));
    json!({
        "path": file.name(),
        "status": status_name(file.status()),
        "rev": report.after.revision().short(),
        "anchors": windows.collect::<Vec<_>>(),
        "diff": report.diff(file.from.as_deref().unwrap_or(file.name()), file.name()).text,
    })
}

/// Lists each end that moved, with the text of the line it was found on.
fn relocations(terms: &Terms, file: &FileEdited) -> Vec<Value> {
    let before = &file.edited.report.before;
    let ends = |moved: &Moved| {
        let found = [moved.to.start(), moved.to.end() - 1];
        let named = moved.anchors.iter().zip(found);
        named
            .map(|(anchor, index)| relocation(terms, file.name(), before, anchor, index))
            .collect::<Vec<_>>()
    };
    file.edited.report.moves.iter().flat_map(ends).collect()
}

fn relocation(
    terms: &Terms,
    path: &str,
    before: &Document,
    anchor: &Anchor,
    index: usize,
) -> Value {
    let text = anchored(
        before,
        LineSpan::new(index..index + 1),
        terms.dialect.scheme,
    )
    .next();
    json!({
        "path": path,
        "from": terms.dialect.scheme.respell(anchor),
        "to": anchor_at(before, index, terms.dialect),
        "text": text.map(|line| line.text.into_owned()),
    })
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    let mut answer = json!({"ok": false, "error": dialect_code(terms.dialect, refusal.code())});
    match refusal {
        Refusal::Request(bad) => {
            if let Some(index) = bad.edit {
                answer["failing_op"] = index.into();
            } else if bad.fault.is_of_whole() || bad.fault == Fault::NoEdits {
                answer["error"] = "invalid_request".into();
            }
        }
        Refusal::Files(
            FilesError::NotFound(trouble)
            | FilesError::Exists(trouble)
            | FilesError::Conflicting(trouble),
        ) => {
            answer["failing_op"] = trouble.step.index().into();
            answer["path"] = trouble.path.as_str().into();
        }
        Refusal::Files(FilesError::Edit(_)) => {}
        Refusal::Disk(error) => answer["path"] = error.path().unwrap_or_default().into(),
    }
    if let Some((refused, problem)) = refused_anchors(refusal) {
        about_anchor(terms, &mut answer, &refused.document, problem);
    }
    answer["message"] = model::refusal(terms, refusal).into();
    answer
}

fn about_anchor(terms: &Terms, answer: &mut Value, document: &Document, problem: &Problem) {
    answer["failing_op"] = problem.edit.index().into();
    let candidates = match &problem.trouble {
        AnchorProblem::Reversed => return,
        AnchorProblem::Malformed(_) => {
            answer["anchor"] = shortened(problem.claim.as_str()).into();
            return;
        }
        AnchorProblem::Stale(Stale::NotRelocated { candidates }) => *candidates,
        AnchorProblem::Ambiguous(candidates) => candidates.len(),
        AnchorProblem::OutOfRange | AnchorProblem::Stale(_) | AnchorProblem::UnknownRevision(_) => {
            0
        }
    };
    let Some(spelled) = spelled(terms.dialect, problem) else {
        return;
    };
    answer["recovery"] = recovery(terms, document, &spelled, problem).into();
    answer["anchor"] = spelled.into();
    answer["candidates"] = candidates.into();
}

/// The block a model can correct its anchors from: one line of context each way.
fn recovery(terms: &Terms, document: &Document, anchor: &str, problem: &Problem) -> String {
    let lines = places::recovery(document, problem);
    let mut block = vec![
        format!("Hash mismatch at {anchor}."),
        "Actual state:".to_owned(),
    ];
    block.extend(rendered(document, lines, terms.dialect));
    block.join("\n")
}
