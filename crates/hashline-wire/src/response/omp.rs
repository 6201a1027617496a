//! Seed 000's answers: a text; on a mismatch the changed lines with fresh references.

use hashline_core::error::{AnchorProblem, AnchorsRefused, EngineRefusal, Error};
use hashline_core::files::FileEdited;
use hashline_core::text::LineNo;
use serde_json::{Map, Value, json};

use super::{
    Outcome, Refusal, Terms, edit_error, lines_changed, marked, of_first_kind, refused_anchors,
    remaps,
};
use crate::error::Fault;
use crate::render::model;

pub(super) fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    match outcome {
        Ok(edited) => edited.files.first().map_or_else(
            || json!({"ok": true, "text": model::NOTHING_LEFT}),
            |file| done(terms, file),
        ),
        Err(refusal) => refused(terms, refusal),
    }
}

fn done(terms: &Terms, file: &FileEdited) -> Value {
    let report = &file.edited.report;
    let (text, first) = match &report.engine_answer {
        Some(own) => (own.text.clone(), own.first_changed_line),
        None => (
            model::file_done(terms, file),
            report.first_changed_line().map(LineNo::get),
        ),
    };
    json!({"ok": true, "text": text, "first_changed_line": first, "rev": report.after.revision().short()})
}

fn refused(terms: &Terms, refusal: &Refusal) -> Value {
    if let Refusal::Request(bad) = refusal
        && bad.fault == Fault::Reference
    {
        return json!({"ok": false, "error": bad.message});
    }
    match edit_error(refusal) {
        Some((
            _,
            Error::Engine(EngineRefusal::BadRequest(message) | EngineRefusal::OutOfRange(message)),
        )) => {
            json!({"ok": false, "error": message})
        }
        Some((
            _,
            Error::Engine(EngineRefusal::Stale {
                message,
                mismatches,
                remaps,
            }),
        )) => {
            let mismatches: Vec<Value> = mismatches
                .iter()
                .map(|m| json!({"line": m.line, "expected": m.expected, "actual": m.actual}))
                .collect();
            let remaps: Map<String, Value> = remaps
                .iter()
                .map(|(a, b)| (a.clone(), b.as_str().into()))
                .collect();
            json!({"ok": false, "mismatch": {"message": message, "mismatches": mismatches, "remaps": remaps}})
        }
        _ => match refused_anchors(refusal) {
            Some((refused, problem)) if matches!(problem.trouble, AnchorProblem::Stale(_)) => {
                let message = if lines_changed(refused, terms.dialect) {
                    changed(terms, refused)
                } else {
                    model::refusal(terms, refusal)
                };
                let remaps = remaps(refused, terms.dialect);
                let rev = refused.document.revision().short();
                json!({"ok": false, "mismatch": {"message": message, "remaps": remaps, "rev": rev}})
            }
            _ => json!({"ok": false, "error": model::refusal(terms, refusal)}),
        },
    }
}

/// Says which lines changed, in the reference's words.
fn changed(terms: &Terms, refused: &AnchorsRefused) -> String {
    let count = of_first_kind(refused).count();
    let have = if count == 1 {
        "1 line has".to_owned()
    } else {
        format!("{count} lines have")
    };
    let block = marked::block(refused, terms.dialect).join("\n");
    format!(
        "{have} changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).\n\n{block}"
    )
}
