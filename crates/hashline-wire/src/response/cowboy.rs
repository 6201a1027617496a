//! Seed 002's answers.

use hashline_core::error::AnchorProblem;
use hashline_core::files::FileEdited;
use serde_json::{Value, json};

use super::{
    Outcome, Refusal, Terms, dialect_code, places, refused_anchors, remaps, rendered, spelled,
    stale_lines,
};
use crate::error::Fault;
use crate::render::model;

pub(super) fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    match outcome {
        Ok(edited) => edited.files.first().map_or_else(
            || json!({"ok": true, "changed": false}),
            |file| done(terms, file),
        ),
        Err(refusal) => refused(terms, refusal),
    }
}

fn done(terms: &Terms, file: &FileEdited) -> Value {
    let report = &file.edited.report;
    let after = &report.after;
    let preview: Vec<String> = places::preview(terms, file)
        .into_iter()
        .flat_map(|span| rendered(after, span, terms.dialect))
        .collect();
    let rev = after.revision().short();
    json!({"ok": true, "path": file.name(), "changed": report.is_changed(), "rev": rev, "preview": preview})
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    let mut answer = json!({"ok": false, "error": dialect_code(terms.dialect, refusal.code())});
    if let Refusal::Request(bad) = refusal {
        if let Some(index) = bad.edit {
            answer["failing_edit_index"] = index.into();
        }
        if bad.fault.is_of_whole() || bad.fault == Fault::NoEdits {
            answer["error"] = "invalid_request".into();
        }
    }
    if let Some((refused, problem)) = refused_anchors(refusal) {
        match problem.trouble {
            AnchorProblem::OutOfRange => {
                answer["failing_edit_index"] = problem.edit.index().into();
                let line = problem.anchor.as_ref().map(|anchor| anchor.line);
                answer["line"] = match line {
                    Some(u64::MAX) => spelled(terms.dialect, problem).into(),
                    line => line.into(),
                };
            }
            AnchorProblem::Reversed => answer["failing_edit_index"] = problem.edit.index().into(),
            AnchorProblem::Malformed(_) => {}
            AnchorProblem::Stale(_)
            | AnchorProblem::Ambiguous(_)
            | AnchorProblem::UnknownRevision(_) => {
                answer["lines"] = stale_lines(refused).into();
                answer["remaps"] = remaps(refused, terms.dialect).into();
            }
        }
    }
    answer["message"] = model::refusal(terms, refusal).into();
    answer
}
