//! Seed 004's JSON answers to edits.

use hashline_core::Moved;
use hashline_core::anchor::Anchor;
use hashline_core::error::{AnchorProblem, Problem, Stale};
use hashline_core::files::FileEdited;
use hashline_core::render::anchored;
use hashline_core::text::{Document, LineSpan};
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras, status_name};
use super::{
    AnswerOptions, Outcome, anchor_at, refusal_code, rendered, spans, spelled, unparsed_edit,
};
use crate::error::shortened;
use crate::refusal::{Cause, Refusal};
use crate::render::model;

/// The answer to an edit request in the pi dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PiAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Box<PiDone>),
    /// The request was refused; `code` says why.
    Refused(Box<PiRefused>),
}

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PiDone {
    /// Always true: no edit was refused.
    ok: bool,
    /// The edited files, in the order of the request.
    files: Vec<PiFile>,
    /// The anchors whose line was found under another number.
    relocations: Vec<PiRelocation>,
    #[serde(flatten)]
    extras: Option<FileExtras>,
}

/// What was done to one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PiFile {
    /// The path of the file, after a move its new path.
    path: String,
    /// `modified`, `added`, `moved` or `deleted`.
    status: &'static str,
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits.
    rev: String,
    /// The changed places, each a list of consecutive lines with anchors and some lines around them.
    anchors: Vec<Vec<String>>,
    /// A unified diff of the file.
    diff: String,
}

/// An anchor whose line was found under another number, because the file had changed.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PiRelocation {
    /// The path of the file.
    path: String,
    /// The anchor as it was sent.
    from: String,
    /// The anchor that the line had when the edits were applied.
    to: Option<String>,
    /// The text of the line.
    text: Option<String>,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PiRefused {
    /// Always false: nothing was written.
    ok: bool,
    /// The error code in the original tool's words; `code` is the same for all dialects.
    error: &'static str,
    /// The whole refusal as text for a model.
    message: String,
    /// The index of the refused operation in the request, from 0; absent if the refusal is not about one operation.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_op: Option<usize>,
    /// The first refused anchor, if the refusal is about anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<String>,
    /// How many lines `anchor` may mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<usize>,
    /// The current lines around the place of `anchor`, with their anchors, as text for a model.
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<String>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> PiAnswer {
    match outcome {
        Ok(edited) => {
            let files = || edited.files.iter();
            PiAnswer::Done(Box::new(PiDone {
                ok: true,
                files: files().map(|file| one_file(options, file)).collect(),
                relocations: files()
                    .flat_map(|file| relocations(options, file))
                    .collect(),
                extras: files()
                    .next()
                    .map(|file| FileExtras::new(file).with_notes(options)),
            }))
        }
        Err(refusal) => PiAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn one_file(options: &AnswerOptions, file: &FileEdited) -> PiFile {
    let report = &file.edited.report;
    let windows = spans::windows(options, file).into_iter();
    let from = file.from.as_deref().unwrap_or(file.name());
    PiFile {
        path: file.name().to_owned(),
        status: status_name(file.status()),
        rev: report.after.revision().short(),
        anchors: windows
            .map(|span| rendered(&report.after, span, options.dialect))
            .collect(),
        diff: report.diff(from, file.name()).text,
    }
}

/// Lists the anchors (one per line, or two per range) whose line was found under another number, with the new anchor and the line's text.
fn relocations(options: &AnswerOptions, file: &FileEdited) -> Vec<PiRelocation> {
    let before = &file.edited.report.before;
    let ends = |moved: &Moved| {
        let found = [moved.to.start(), moved.to.end() - 1];
        let named = moved.anchors.iter().zip(found);
        named
            .map(|(anchor, index)| relocation(options, file.name(), before, anchor, index))
            .collect::<Vec<_>>()
    };
    let moves = file.edited.report.moves.iter();
    moves.flat_map(ends).collect()
}

fn relocation(
    options: &AnswerOptions,
    path: &str,
    before: &Document,
    anchor: &Anchor,
    index: usize,
) -> PiRelocation {
    let scheme = options.dialect.scheme;
    let line = anchored(before, LineSpan::new(index..index + 1), scheme).next();
    PiRelocation {
        path: path.to_owned(),
        from: scheme.respell(anchor),
        to: anchor_at(before, index, options.dialect),
        text: line.map(|line| line.text.into_owned()),
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> PiRefused {
    let mut answer = PiRefused {
        ok: false,
        error: refusal_code(options.dialect, refusal),
        message: model::refusal(options, refusal),
        failing_op: match refusal.failure.cause {
            Cause::Step(step) => Some(step.index()),
            _ => unparsed_edit(refusal),
        },
        anchor: None,
        candidates: None,
        recovery: None,
        extras: RefusalExtras::new(options, refusal),
    };
    if let Some((refused, problem)) = refusal.anchors() {
        add_anchor(options, &mut answer, &refused.document, problem);
    }
    answer
}

fn add_anchor(
    options: &AnswerOptions,
    answer: &mut PiRefused,
    document: &Document,
    problem: &Problem,
) {
    answer.failing_op = Some(problem.edit.index());
    let candidates = match &problem.reason {
        AnchorProblem::Reversed => return,
        AnchorProblem::Malformed(_) => {
            answer.anchor = Some(shortened(problem.claim.as_str()));
            return;
        }
        AnchorProblem::Stale(Stale::NotRelocated { candidates }) => *candidates,
        AnchorProblem::Ambiguous(candidates) => candidates.len(),
        AnchorProblem::Unseen { .. } | AnchorProblem::PartlyShown => return,
        AnchorProblem::OutOfRange | AnchorProblem::Stale(_) | AnchorProblem::UnknownRevision(_) => {
            0
        }
    };
    let Some(spelled) = spelled(options.dialect, problem) else {
        return;
    };
    let lines = rendered(
        document,
        spans::recovery(document, problem),
        options.dialect,
    );
    let block = [recovery_title(&spelled)].into_iter().chain(lines);
    answer.recovery = Some(block.collect::<Vec<_>>().join("\n"));
    answer.anchor = Some(spelled);
    answer.candidates = Some(candidates);
}

/// Returns the heading of seed 004's recovery block, which shows the lines around a refused anchor, one before and one after.
pub(crate) fn recovery_title(anchor: &str) -> String {
    format!("Hash mismatch at {anchor}.\nActual state:")
}
