//! Seed 000's JSON answers to edits: a text; if tags do not match, the changed lines with their current anchors.

use hashline_core::error::{AnchorProblem, AnchorsRefused, EngineRefusal, Error};
use hashline_core::files::FileEdited;
use hashline_core::text::LineNo;
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::{AnswerOptions, Outcome, Remaps, lines_changed, marked_block, of_first_kind, remaps};
use crate::error::Fault;
use crate::refusal::{Cause, Refusal, Window};
use crate::render::model;

/// The answer to an edit request for one file in the omp dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OmpAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Box<OmpDone>),
    /// The request was refused; `code` says why.
    Refused(Box<OmpRefused>),
}

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OmpDone {
    /// Always true: no edit was refused.
    ok: bool,
    /// What was done, as text for a model.
    text: String,
    #[serde(flatten)]
    file: Option<OmpFile>,
}

/// What was done to the file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpFile {
    /// The number of the first line that changed, from 1; null if none did.
    first_changed_line: Option<usize>,
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits.
    rev: String,
    #[serde(flatten)]
    extras: FileExtras,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OmpRefused {
    /// Always false: nothing was written.
    ok: bool,
    /// The whole refusal as text for a model; absent if there is a `mismatch`.
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
    /// The lines whose tags do not match their anchors, if that is why the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatch: Option<OmpMismatch>,
    /// The last lines of the file with their anchors, if a line past its end was named and `error` does not show them (`profile = seed`).
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Vec<String>>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

/// The lines whose tags do not match their anchors.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpMismatch {
    /// The whole refusal as text for a model, with the current lines and their anchors.
    message: String,
    /// The lines with their expected and actual tags; only if the original tool's rules apply (`profile = seed`).
    #[serde(skip_serializing_if = "Option::is_none")]
    mismatches: Option<Vec<OmpLine>>,
    /// Each anchor that was sent and whose line changed, with the current anchor of that line.
    remaps: Remaps,
    /// The current revision of the file (8 hex digits); absent if there are `mismatches`.
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
}

/// A line whose tag does not match its anchor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OmpLine {
    /// The number of the line, from 1.
    line: u64,
    /// The tag in the anchor that was sent.
    expected: String,
    /// The tag that the line has now.
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
        now: last_lines(refusal),
        extras: RefusalExtras::new(options, refusal),
    }
}

/// Returns the last lines of the file if a line past its end was named: the message of the original tool does not show them.
fn last_lines(refusal: &Refusal) -> Option<Vec<String>> {
    let Error::Engine(EngineRefusal::OutOfRange(_)) = refusal.edit_error()? else {
        return None;
    };
    let windows = refusal.failure.windows.iter();
    Some(windows.flat_map(Window::lines).collect())
}

fn error(options: &AnswerOptions, refusal: &Refusal) -> String {
    match (&refusal.failure.cause, refusal.edit_error()) {
        (Cause::Request(bad), _) if bad.fault == Fault::Reference => bad.message.clone(),
        (
            _,
            Some(Error::Engine(
                EngineRefusal::BadRequest(message)
                | EngineRefusal::OutOfRange(message)
                | EngineRefusal::NothingChanged { message, .. },
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
