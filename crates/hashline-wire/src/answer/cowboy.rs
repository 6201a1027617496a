//! Seed 002's JSON answers to edits.

use hashline_core::error::AnchorProblem;
use hashline_core::files::FileEdited;
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::push::NothingLeft;
use super::{
    AnswerOptions, Outcome, Remaps, refusal_code, remaps, rendered, spans, spelled, stale_lines,
    unparsed_edit,
};
use crate::refusal::Refusal;
use crate::render::model;

/// Seed 002's answer to an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CowboyAnswer {
    /// It was done.
    Done(Box<CowboyDone>),
    /// The request left nothing behind.
    Nothing(NothingLeft),
    /// It was refused.
    Refused(Box<CowboyRefused>),
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CowboyDone {
    ok: bool,
    path: String,
    changed: bool,
    rev: String,
    /// The file, or of a long one the changed places, with anchors.
    preview: Vec<String>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CowboyRefused {
    ok: bool,
    error: &'static str,
    message: String,
    /// The edit, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<usize>,
    /// The number that is past the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineClaim>,
    /// The lines that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<usize>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    remaps: Option<Remaps>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

/// A line number as it was sent: a number, or the text of one that is too large.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum LineClaim {
    Number(u64),
    Text(String),
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> CowboyAnswer {
    match outcome {
        Ok(edited) => match edited.files.first() {
            None => CowboyAnswer::Nothing(NothingLeft::new()),
            Some(file) => CowboyAnswer::Done(Box::new(done(options, file))),
        },
        Err(refusal) => CowboyAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn done(options: &AnswerOptions, file: &FileEdited) -> CowboyDone {
    let report = &file.edited.report;
    let after = &report.after;
    let preview = spans::preview(options, file).into_iter();
    CowboyDone {
        ok: true,
        path: file.name().to_owned(),
        changed: report.is_changed(),
        rev: after.revision().short(),
        preview: preview
            .flat_map(|span| rendered(after, span, options.dialect))
            .collect(),
        extras: FileExtras::new(file).with_notes(options),
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> CowboyRefused {
    let mut answer = CowboyRefused {
        ok: false,
        error: refusal_code(options.dialect, refusal),
        message: model::refusal(options, refusal),
        failing_edit_index: unparsed_edit(refusal),
        line: None,
        lines: None,
        remaps: None,
        extras: RefusalExtras::new(options, refusal),
    };
    let Some((refused, problem)) = refusal.anchors() else {
        return answer;
    };
    match problem.reason {
        AnchorProblem::OutOfRange => {
            answer.failing_edit_index = Some(problem.edit.index());
            let line = problem.anchor.as_ref().map(|anchor| anchor.line);
            answer.line = match line {
                Some(u64::MAX) => spelled(options.dialect, problem).map(LineClaim::Text),
                line => line.map(LineClaim::Number),
            };
        }
        AnchorProblem::Reversed => answer.failing_edit_index = Some(problem.edit.index()),
        AnchorProblem::Malformed(_) => {}
        AnchorProblem::Stale(_)
        | AnchorProblem::Ambiguous(_)
        | AnchorProblem::UnknownRevision(_) => {
            answer.lines = Some(stale_lines(refused));
            answer.remaps = Some(remaps(refused, options.dialect));
        }
    }
    answer
}
