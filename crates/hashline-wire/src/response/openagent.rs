//! Seed 003's answers: a text, and the figures beside it.

use hashline_core::error::{AnchorProblem, Error};
use hashline_core::files::{FileEdited, Status};
use hashline_core::text::LineNo;
use serde_json::{Value, json};

use super::{
    Outcome, Refusal, Terms, dialect_code, edit_error, lines_changed, marked, of_first_kind,
    refused_anchors, remaps, stale_lines,
};
use crate::error::Fault;
use crate::render::model;

pub(super) fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    match outcome {
        Ok(edited) => edited
            .files
            .first()
            .map_or_else(|| json!({"ok": true, "text": model::NOTHING_LEFT}), done),
        Err(refusal) => refused(terms, refusal),
    }
}

fn done(file: &FileEdited) -> Value {
    let report = &file.edited.report;
    let from = file.from.as_deref().unwrap_or_default();
    let text = match file.status() {
        Status::Deleted => {
            return json!({"ok": true, "deleted": true, "text": format!("Successfully deleted {from}")});
        }
        Status::Moved => format!("Moved {from} to {}", file.name()),
        Status::Modified | Status::Added => format!("Updated {}", file.name()),
    };
    let diff = report.diff(from, file.name());
    json!({
        "ok": true,
        "text": text,
        "rev": report.after.revision().short(),
        "diff": diff.text,
        "first_changed_line": report.first_changed_line().map(LineNo::get),
        "noop_edits": report.noops.len(),
        "deduplicated_edits": report.duplicates,
        "additions": diff.added,
        "deletions": diff.removed,
    })
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    let mut answer = json!({"ok": false, "error": code(terms, refusal)});
    answer["text"] = format!("Error: {}", message(terms, refusal)).into();
    if let Refusal::Request(bad) = refusal {
        answer["failing_edit_index"] = bad.edit.into();
    }
    if let Some((_, Error::NoChange(nothing))) = edit_error(refusal) {
        answer["noop_edits"] = nothing.noops.len().into();
    }
    if let Some((refused, problem)) = refused_anchors(refusal)
        && matches!(problem.trouble, AnchorProblem::Stale(_))
    {
        answer["lines"] = stale_lines(refused).into();
        answer["remaps"] = remaps(refused, terms.dialect).into();
    }
    answer
}

/// The names of what is wrong with a request are finer here than ours.
fn code(terms: &Terms, refusal: &Refusal) -> &'static str {
    let Refusal::Request(bad) = refusal else {
        return dialect_code(terms.dialect, refusal.code());
    };
    match bad.fault {
        Fault::NoEdits => "empty-edits",
        Fault::UnknownOperation => "bad-op",
        Fault::MissingAnchor => "missing-anchor",
        Fault::MissingText => "missing-lines",
        Fault::DeleteWithEdits => "delete-with-edits",
        Fault::DeleteAndRename => "delete-and-rename",
        _ => dialect_code(terms.dialect, bad.fault.code()),
    }
}

fn message(terms: &Terms, refusal: &Refusal) -> String {
    match refused_anchors(refusal) {
        Some((refused, _)) if lines_changed(refused, terms.dialect) => {
            let mut lines: Vec<usize> = of_first_kind(refused)
                .map(|problem| problem.near.start())
                .collect();
            lines.sort_unstable();
            lines.dedup();
            let have = if lines.len() == 1 {
                "1 line has".to_owned()
            } else {
                format!("{} lines have", lines.len())
            };
            let block = marked::block(refused, terms.dialect).join("\n");
            format!(
                "hash mismatch - {have} changed since last read. Use the updated references below (>>> marks changed \
                 lines).\n\n{block}"
            )
        }
        _ => model::refusal(terms, refusal),
    }
}
