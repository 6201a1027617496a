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

/// The answer to an edit request for one file in the cowboy dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CowboyAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Box<CowboyDone>),
    /// The edits cancelled each other out: a file was created and deleted again.
    Nothing(NothingLeft),
    /// The request was refused; `code` says why.
    Refused(Box<CowboyRefused>),
}

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CowboyDone {
    /// Always true: no edit was refused.
    ok: bool,
    /// The path of the file.
    path: String,
    /// Whether the content of the file changed.
    changed: bool,
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits.
    rev: String,
    /// The lines of the file with their anchors; of a long file, only the changed places with some lines around them.
    preview: Vec<String>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct CowboyRefused {
    /// Always false: nothing was written.
    ok: bool,
    /// The error code in the original tool's words; `code` is the same for all dialects.
    error: &'static str,
    /// The whole refusal as text for a model.
    message: String,
    /// The index of the refused edit in the request, from 0; absent if the refusal is not about one edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<usize>,
    /// The line number of an anchor that is past the end of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineClaim>,
    /// The current numbers (from 1, ascending) of the lines that changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Vec<usize>>,
    /// For changed lines: each anchor that was sent, with the current anchor of its line.
    #[serde(skip_serializing_if = "Option::is_none")]
    remaps: Option<Remaps>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

/// A line number as it was sent: a number, or the anchor if its number does not fit into 64 bits.
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
        | AnchorProblem::Unseen { .. }
        | AnchorProblem::PartlyShown
        | AnchorProblem::UnknownRevision(_) => {
            answer.lines = Some(stale_lines(refused));
            answer.remaps = Some(remaps(refused, options.dialect));
        }
    }
    answer
}
