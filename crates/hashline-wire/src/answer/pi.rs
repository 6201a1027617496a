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

/// Seed 004's answer to an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PiAnswer {
    /// It was done.
    Done(PiDone),
    /// It was refused.
    Refused(Box<PiRefused>),
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PiDone {
    ok: bool,
    files: Vec<PiFile>,
    relocations: Vec<PiRelocation>,
    #[serde(flatten)]
    extras: Option<FileExtras>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PiFile {
    path: String,
    status: &'static str,
    rev: String,
    /// The changed places with lines around them, with their anchors.
    anchors: Vec<Vec<String>>,
    diff: String,
}

/// A line that was found elsewhere than it was named.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PiRelocation {
    path: String,
    from: String,
    to: Option<String>,
    text: Option<String>,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PiRefused {
    ok: bool,
    error: &'static str,
    message: String,
    /// The operation, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_op: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    anchor: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<usize>,
    /// The lines a model can correct its anchors from.
    #[serde(skip_serializing_if = "Option::is_none")]
    recovery: Option<String>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> PiAnswer {
    match outcome {
        Ok(edited) => {
            let files = || edited.files.iter();
            PiAnswer::Done(PiDone {
                ok: true,
                files: files().map(|file| one_file(options, file)).collect(),
                relocations: files()
                    .flat_map(|file| relocations(options, file))
                    .collect(),
                extras: files()
                    .next()
                    .map(|file| FileExtras::new(file).with_notes(options)),
            })
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
        AnchorProblem::OutOfRange | AnchorProblem::Stale(_) | AnchorProblem::UnknownRevision(_) => {
            0
        }
    };
    let Some(spelled) = spelled(options.dialect, problem) else {
        return;
    };
    answer.recovery = Some(recovery(options, document, &spelled, problem));
    answer.anchor = Some(spelled);
    answer.candidates = Some(candidates);
}

/// Renders the lines around a refused anchor, one before and one after, so that a model can correct it.
fn recovery(
    options: &AnswerOptions,
    document: &Document,
    anchor: &str,
    problem: &Problem,
) -> String {
    let lines = spans::recovery(document, problem);
    let mut block = vec![
        format!("Hash mismatch at {anchor}."),
        "Actual state:".to_owned(),
    ];
    block.extend(rendered(document, lines, options.dialect));
    block.join("\n")
}
