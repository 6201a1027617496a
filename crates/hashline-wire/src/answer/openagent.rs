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

/// Seed 003's answer to an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum OpenagentAnswer {
    /// It was done.
    Done(Box<OpenagentDone>),
    /// It was refused.
    Refused(Box<OpenagentRefused>),
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenagentDone {
    ok: bool,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    deleted: Option<bool>,
    #[serde(flatten)]
    file: Option<OpenagentFile>,
    #[serde(flatten)]
    extras: FileExtras,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OpenagentFile {
    rev: String,
    diff: String,
    first_changed_line: Option<usize>,
    noop_edits: usize,
    deduplicated_edits: usize,
    additions: usize,
    deletions: usize,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct OpenagentRefused {
    ok: bool,
    error: &'static str,
    text: String,
    /// The edit, counted from 0; null if the request as a whole is wrong.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<Option<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    noop_edits: Option<usize>,
    /// The lines that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<usize>>,
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
