//! Seed 003's JSON answers to edits: a text, and numbers such as added and deleted lines.

use std::collections::BTreeSet;

use hashline_core::error::{AnchorProblem, Error};
use hashline_core::files::{FileEdited, Status};
use hashline_core::text::LineNo;
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::{
    AnswerOptions, Outcome, Remaps, lines_changed, marked_block, of_first_kind, refusal_code,
    remaps, stale_lines,
};
use crate::refusal::{Cause, Refusal};
use crate::render::model;

/// The answer to an edit request for one file in the openagent dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OpenagentAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Box<OpenagentDone>),
    /// The request was refused; `code` says why.
    Refused(Box<OpenagentRefused>),
}

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenagentDone {
    /// Always true: no edit was refused.
    ok: bool,
    /// What was done, as text.
    text: String,
    /// True if the file was deleted, else absent. The fields from `rev` to `deletions` are absent then.
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<bool>,
    #[serde(flatten)]
    file: Option<OpenagentFile>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// What was done to a file that was not deleted.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OpenagentFile {
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits.
    rev: String,
    /// A unified diff of the file.
    diff: String,
    /// The number of the first line whose text changed, from 1; null if no text changed.
    first_changed_line: Option<usize>,
    /// How many edits changed nothing.
    noop_edits: usize,
    /// How many edits were dropped because an earlier one is identical.
    deduplicated_edits: usize,
    /// How many lines of the diff are added.
    additions: usize,
    /// How many lines of the diff are removed.
    deletions: usize,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenagentRefused {
    /// Always false: nothing was written.
    ok: bool,
    /// The error code in the original tool's words; `code` is the same for all dialects.
    error: &'static str,
    /// The whole refusal as text for a model, after `Error: `.
    text: String,
    /// The index (from 0) of the edit that cannot be parsed; null if the mistake is outside the edits; absent for other refusals.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<Option<usize>>,
    /// How many edits would change nothing, if that is why the request was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    noop_edits: Option<usize>,
    /// The current numbers (from 1, ascending) of the lines that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<usize>>,
    /// For changed lines: each anchor that was sent, with the current anchor of its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaps: Option<Remaps>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> OpenagentAnswer {
    match outcome {
        Ok(edited) => OpenagentAnswer::Done(Box::new(match edited.files.first() {
            None => OpenagentDone {
                ok: true,
                text: model::NOTHING_LEFT.to_owned(),
                deleted: None,
                file: None,
                extras: FileExtras::default().with_notes(options),
            },
            Some(file) => done(options, file),
        })),
        Err(refusal) => OpenagentAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn done(options: &AnswerOptions, file: &FileEdited) -> OpenagentDone {
    let report = &file.edited.report;
    let from = file.from.as_deref().unwrap_or_default();
    let is_deleted = file.status() == Status::Deleted;
    let text = match file.status() {
        Status::Deleted => format!("Successfully deleted {from}"),
        Status::Moved => format!("Moved {from} to {}", file.name()),
        Status::Modified | Status::Added => format!("Updated {}", file.name()),
    };
    let figures = || {
        let diff = report.diff(from, file.name());
        OpenagentFile {
            rev: report.after.revision().short(),
            diff: diff.text,
            first_changed_line: report.first_changed_line().map(LineNo::get),
            noop_edits: report.noops.len(),
            deduplicated_edits: report.duplicates,
            additions: diff.added,
            deletions: diff.removed,
        }
    };
    OpenagentDone {
        ok: true,
        text,
        deleted: is_deleted.then_some(true),
        file: (!is_deleted).then(figures),
        extras: FileExtras::new(file).with_notes(options),
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> OpenagentRefused {
    let stale = refusal
        .anchors()
        .filter(|(_, problem)| matches!(problem.reason, AnchorProblem::Stale(_)));
    OpenagentRefused {
        ok: false,
        error: refusal_code(options.dialect, refusal),
        text: format!("Error: {}", message(options, refusal)),
        failing_edit_index: match &refusal.failure.cause {
            Cause::Request(bad) => Some(bad.edit),
            _ => None,
        },
        noop_edits: match refusal.edit_error() {
            Some(Error::NoChange(noops)) => Some(noops.len()),
            _ => None,
        },
        lines: stale.map(|(refused, _)| stale_lines(refused)),
        remaps: stale.map(|(refused, _)| remaps(refused, options.dialect)),
        extras: RefusalExtras::new(options, refusal),
    }
}

fn message(options: &AnswerOptions, refusal: &Refusal) -> String {
    let changed = refusal
        .anchors()
        .filter(|(refused, _)| lines_changed(refused, options.dialect));
    let Some((refused, _)) = changed else {
        return model::refusal(options, refusal);
    };
    let lines = of_first_kind(refused).map(|problem| problem.near.start());
    let have = match lines.collect::<BTreeSet<usize>>().len() {
        1 => "1 line has".to_owned(),
        several => format!("{several} lines have"),
    };
    let block = marked_block(refused, options.dialect);
    format!(
        "hash mismatch - {have} changed since last read. Use the updated references below (>>> marks changed \
         lines).\n\n{block}"
    )
}
