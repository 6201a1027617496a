//! Seed 000's JSON answers to edits: a text; if tags do not match, the changed lines with their current anchors.

use hashline_core::error::{AnchorProblem, AnchorsRefused, EngineRefusal, Error};
use hashline_core::files::FileEdited;
use hashline_core::text::LineNo;
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::{AnswerOptions, Outcome, Remaps, lines_changed, marked_block, of_first_kind, remaps};
use crate::error::Fault;
use crate::refusal::{Cause, Refusal};
use crate::render::model;

/// Seed 000's answer.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OmpAnswer {
    /// It was done.
    Done(Box<OmpDone>),
    /// It was refused.
    Refused(Box<OmpRefused>),
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OmpDone {
    ok: bool,
    text: String,
    #[serde(flatten)]
    file: Option<OmpFile>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpFile {
    first_changed_line: Option<usize>,
    rev: String,
    #[serde(flatten)]
    extras: FileExtras,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OmpRefused {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// Lines that are not what they were.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<OmpMismatch>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpMismatch {
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatches: Option<Vec<OmpLine>>,
    remaps: Remaps,
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpLine {
    line: u64,
    expected: String,
    actual: String,
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> OmpAnswer {
    match outcome {
        Ok(edited) => OmpAnswer::Done(Box::new(match edited.files.first() {
            None => OmpDone {
                ok: true,
                text: model::NOTHING_LEFT.to_owned(),
                file: None,
            },
            Some(file) => done(options, file),
        })),
        Err(refusal) => OmpAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn done(options: &AnswerOptions, file: &FileEdited) -> OmpDone {
    let report = &file.edited.report;
    let (text, first_changed_line) = match &report.engine_answer {
        Some(own) => (own.text.clone(), own.first_changed_line),
        None => (
            model::file_done(options, file),
            report.first_changed_line().map(LineNo::get),
        ),
    };
    OmpDone {
        ok: true,
        text,
        file: Some(OmpFile {
            first_changed_line,
            rev: report.after.revision().short(),
            extras: FileExtras::new(file).with_notes(options),
        }),
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> OmpRefused {
    let mismatch = mismatch(options, refusal);
    OmpRefused {
        ok: false,
        error: mismatch.is_none().then(|| error(options, refusal)),
        mismatch,
        extras: RefusalExtras::new(options, refusal),
    }
}

fn error(options: &AnswerOptions, refusal: &Refusal) -> String {
    match (&refusal.failure.cause, refusal.edit_error()) {
        (Cause::Request(bad), _) if bad.fault == Fault::Reference => bad.message.clone(),
        (
            _,
            Some(Error::Engine(
                EngineRefusal::BadRequest(message) | EngineRefusal::OutOfRange(message),
            )),
        ) => message.clone(),
        _ => model::refusal(options, refusal),
    }
}

fn mismatch(options: &AnswerOptions, refusal: &Refusal) -> Option<OmpMismatch> {
    if let Some(Error::Engine(EngineRefusal::Stale {
        message,
        mismatches,
        remaps,
    })) = refusal.edit_error()
    {
        let lines = mismatches.iter().map(|one| OmpLine {
            line: one.line,
            expected: one.expected.clone(),
            actual: one.actual.clone(),
        });
        return Some(OmpMismatch {
            message: message.clone(),
            mismatches: Some(lines.collect()),
            remaps: Remaps(remaps.clone()),
            rev: None,
        });
    }
    let (refused, problem) = refusal.anchors()?;
    if !matches!(problem.reason, AnchorProblem::Stale(_)) {
        return None;
    }
    let message = if lines_changed(refused, options.dialect) {
        changed(options, refused)
    } else {
        model::refusal(options, refusal)
    };
    Some(OmpMismatch {
        message,
        mismatches: None,
        remaps: remaps(refused, options.dialect),
        rev: Some(refused.document.revision().short()),
    })
}

/// Says which lines changed since the last read, in the words of seed 000's tool.
fn changed(options: &AnswerOptions, refused: &AnchorsRefused) -> String {
    let count = of_first_kind(refused).count();
    let have = if count == 1 {
        "1 line has".to_owned()
    } else {
        format!("{count} lines have")
    };
    let block = marked_block(refused, options.dialect);
    format!(
        "{have} changed since last read. Use the updated LINE:HASH references shown below (>>> marks changed lines).\n\n{block}"
    )
}
