//! Seed 001's JSON answers to edits.

use hashline_core::error::{AnchorProblem, Error, Problem};
use hashline_core::files::FileEdited;
use hashline_core::scheme::sha256;
use hashline_core::text::{Document, LineNo};
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::{AnswerOptions, Outcome, refusal_code, rendered, spans, unparsed_edit};
use crate::error::shortened;
use crate::refusal::Refusal;
use crate::render::model;
use crate::request::{Mode, Show};

/// Seed 001's answer to an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PushAnswer {
    /// It was done.
    Done(Box<PushDone>),
    /// The request left nothing behind.
    Nothing(NothingLeft),
    /// It was refused.
    Refused(Box<PushRefused>),
}

/// The answer to a request that leaves nothing behind.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NothingLeft {
    ok: bool,
    changed: bool,
}

impl NothingLeft {
    pub(super) fn new() -> Self {
        Self {
            ok: true,
            changed: false,
        }
    }
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushDone {
    ok: bool,
    path: String,
    applied: usize,
    changed: bool,
    dry_run: bool,
    total_lines: usize,
    /// The SHA-256 of the file.
    file_hash: String,
    rev: String,
    /// The changed places with lines around them, with their anchors.
    window: Vec<Vec<String>>,
    diff: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushRefused {
    ok: bool,
    error: &'static str,
    message: String,
    /// The edit, counted from 0.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts_with: Option<usize>,
    #[serde(flatten)]
    anchor: Option<PushAnchor>,
    #[serde(flatten)]
    hashes: Option<PushHashes>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PushAnchor {
    failing_ref: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh_refs: Option<Vec<String>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PushHashes {
    expected_hash: Option<String>,
    actual_hash: Option<String>,
}

pub(super) fn answer(options: &AnswerOptions, outcome: &Outcome) -> PushAnswer {
    match outcome {
        Ok(edited) => match edited.files.first() {
            None => PushAnswer::Nothing(NothingLeft::new()),
            Some(file) => PushAnswer::Done(Box::new(done(options, file))),
        },
        Err(refusal) => PushAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn done(options: &AnswerOptions, file: &FileEdited) -> PushDone {
    let report = &file.edited.report;
    let after = &report.after;
    let windows = spans::windows(options, file).into_iter();
    let content = || rendered(after, after.all(), options.dialect).join("\n");
    PushDone {
        ok: true,
        path: file.name().to_owned(),
        applied: report.applied,
        changed: report.is_changed(),
        dry_run: options.mode == Mode::DryRun,
        total_lines: after.line_count(),
        file_hash: sha256(after.bytes()),
        rev: after.revision().short(),
        window: windows
            .map(|span| rendered(after, span, options.dialect))
            .collect(),
        diff: report.diff(file.name(), file.name()).text,
        content: (options.show == Show::Everything).then(content),
        extras: FileExtras::new(file).with_notes(options),
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> PushRefused {
    let mut answer = PushRefused {
        ok: false,
        error: refusal_code(options.dialect, refusal),
        message: model::refusal(options, refusal),
        failing_edit_index: unparsed_edit(refusal),
        conflicts_with: None,
        anchor: None,
        hashes: None,
        extras: RefusalExtras::new(options, refusal),
    };
    match refusal.edit_error() {
        Some(Error::Anchors(refused)) => {
            if let Some(problem) = refused.problems.first() {
                answer.failing_edit_index = Some(problem.edit.index());
                answer.anchor = anchor(options, &refused.document, problem);
                answer.hashes = hashes(options, &refused.document, problem);
            }
        }
        Some(Error::FileHash(differs)) => {
            answer.hashes = Some(PushHashes {
                expected_hash: Some(shortened(&differs.expected)),
                actual_hash: Some(differs.actual.clone()),
            });
        }
        Some(Error::Overlap(overlap)) => {
            answer.failing_edit_index = Some(overlap.second.index());
            answer.conflicts_with = Some(overlap.first.index());
        }
        _ => {}
    }
    answer
}

fn anchor(options: &AnswerOptions, document: &Document, problem: &Problem) -> Option<PushAnchor> {
    let fresh = || rendered(document, spans::fresh(document, problem), options.dialect);
    let is_malformed = matches!(problem.reason, AnchorProblem::Malformed(_));
    (!matches!(problem.reason, AnchorProblem::Reversed)).then(|| PushAnchor {
        failing_ref: shortened(problem.claim.as_str()),
        fresh_refs: (!is_malformed).then(fresh),
    })
}

fn hashes(options: &AnswerOptions, document: &Document, problem: &Problem) -> Option<PushHashes> {
    if let AnchorProblem::Reversed | AnchorProblem::Malformed(_) = problem.reason {
        return None;
    }
    let number = LineNo::from_index(problem.near.start());
    let line = document.line(number);
    let line = line.filter(|_| !matches!(problem.reason, AnchorProblem::OutOfRange));
    let tag = |line: hashline_core::text::Line<'_>| options.dialect.scheme.tag(line.text, number);
    Some(PushHashes {
        expected_hash: problem.anchor.as_ref().map(|anchor| anchor.tag.to_string()),
        actual_hash: line.map(|line| tag(line).to_string()),
    })
}
