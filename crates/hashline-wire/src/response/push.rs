//! Seed 001's answers.

use hashline_core::error::{AnchorProblem, Error, Problem};
use hashline_core::files::FileEdited;
use hashline_core::scheme::sha256;
use hashline_core::text::{Document, LineNo};
use serde_json::{Value, json};

use super::{Outcome, Refusal, Terms, dialect_code, edit_error, places, refused_anchors, rendered};
use crate::error::shortened;
use crate::render::model;
use crate::request::{Mode, Show};

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
    let windows = places::windows(terms, file)
        .into_iter()
        .map(|span| rendered(after, span, terms.dialect));
    let mut answer = json!({
        "ok": true,
        "path": file.name(),
        "applied": report.applied,
        "changed": report.is_changed(),
        "dry_run": terms.mode == Mode::DryRun,
        "total_lines": after.line_count(),
        "file_hash": sha256(after.bytes()),
        "rev": after.revision().short(),
        "window": windows.collect::<Vec<_>>(),
        "diff": report.diff(file.name(), file.name()).text,
    });
    if terms.show == Show::Everything {
        answer["content"] = rendered(after, after.all(), terms.dialect)
            .join("\n")
            .into();
    }
    answer
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    let mut answer = json!({"ok": false, "error": dialect_code(terms.dialect, refusal.code())});
    if let Refusal::Request(bad) = refusal {
        if let Some(index) = bad.edit {
            answer["failing_edit_index"] = index.into();
        }
        if bad.fault.is_of_whole() {
            answer["error"] = "invalid_request".into();
        }
    }
    if let Some((refused, problem)) = refused_anchors(refusal) {
        about_anchor(terms, &mut answer, &refused.document, problem);
    }
    match edit_error(refusal) {
        Some((_, Error::FileHash(differs))) => {
            answer["expected_hash"] = shortened(&differs.expected).into();
            answer["actual_hash"] = differs.actual.as_str().into();
        }
        Some((_, Error::Overlap(overlap))) => {
            answer["failing_edit_index"] = overlap.second.index().into();
            answer["conflicts_with"] = overlap.first.index().into();
        }
        _ => {}
    }
    answer["message"] = model::refusal(terms, refusal).into();
    answer
}

fn about_anchor(terms: &Terms, answer: &mut Value, document: &Document, problem: &Problem) {
    answer["failing_edit_index"] = problem.edit.index().into();
    if matches!(problem.trouble, AnchorProblem::Reversed) {
        return;
    }
    answer["failing_ref"] = shortened(problem.claim.as_str()).into();
    if matches!(problem.trouble, AnchorProblem::Malformed(_)) {
        return;
    }
    let number = LineNo::from_index(problem.near.start());
    let actual = document
        .line(number)
        .filter(|_| !matches!(problem.trouble, AnchorProblem::OutOfRange))
        .map(|line| terms.dialect.scheme.tag(line.text, number).to_string());
    answer["expected_hash"] = problem
        .anchor
        .as_ref()
        .map(|anchor| anchor.tag.to_string())
        .into();
    answer["actual_hash"] = actual.into();
    let fresh = places::fresh(document, problem);
    answer["fresh_refs"] = rendered(document, fresh, terms.dialect).into();
    answer["rev"] = document.revision().short().into();
}
