//! Seed 001's JSON answers to edits and to whole files that are written.

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorProblem, Error, Problem};
use hashline_core::files::{FileEdited, FilesEdited};
use hashline_core::scheme::sha256;
use hashline_core::text::{Document, LineNo};
use schemars::JsonSchema;
use serde::Serialize;

use super::common::{FileExtras, RefusalExtras};
use super::names;
use super::{AnswerOptions, Outcome, refusal_code, rendered, spans, unparsed_edit};
use crate::error::shortened;
use crate::named::named;
use crate::refusal::Refusal;
use crate::render::model;
use crate::request::{Mode, Show};

/// The answer to an edit request for one file in the push dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PushAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Box<PushDone>),
    /// The edits cancelled each other out: a file was created and deleted again.
    Nothing(NothingLeft),
    /// The request was refused; `code` says why.
    Refused(Box<PushRefused>),
}

/// The answer to a request whose edits cancelled each other out, such as a file that was created and deleted again.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NothingLeft {
    /// Always true: no edit was refused.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// Always false: no file changed.
    #[schemars(extend("const" = false))]
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

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushDone {
    /// Always true: no edit was refused.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// The path of the file.
    path: String,
    /// How many edits were applied, including those that changed nothing.
    applied: usize,
    /// Whether the content of the file changed.
    changed: bool,
    /// Whether the request was a dry run: if true, nothing was written.
    dry_run: bool,
    /// How many lines the file has now.
    total_lines: usize,
    /// The SHA-256 of the new content, to be sent as `file_hash`.
    file_hash: String,
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits.
    rev: String,
    /// The changed places, each a list of consecutive lines with anchors and some lines around them.
    window: Vec<Vec<String>>,
    /// A unified diff of the file.
    diff: String,
    /// All lines with their anchors, joined with `\n`; only if the request has `full_refresh`.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<String>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushRefused {
    /// Always false: nothing was written.
    #[schemars(extend("const" = false))]
    ok: bool,
    /// The error code in the original tool's words; `code` is the same for all dialects.
    #[schemars(extend("enum" = names::push_names()))]
    error: &'static str,
    /// The whole refusal as text for a model.
    message: String,
    /// The index of the refused edit in the request, from 0; absent if the refusal is not about one edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    failing_edit_index: Option<usize>,
    /// The index (from 0) of the other edit that changes the same lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts_with: Option<usize>,
    #[serde(flatten)]
    anchor: Option<PushAnchor>,
    #[serde(flatten)]
    hashes: Option<PushHashes>,
    #[serde(flatten)]
    extras: RefusalExtras,
}

/// The first refused anchor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PushAnchor {
    /// The first refused anchor, as it was sent; absent if the refusal is not about anchors.
    failing_ref: String,
    /// The current lines around the place of `failing_ref`, with their anchors; absent if it is not an anchor at all.
    #[serde(skip_serializing_if = "Option::is_none")]
    fresh_refs: Option<Vec<String>>,
}

/// The expected and actual tag of a line, or SHA-256 of the file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct PushHashes {
    /// The tag in `failing_ref`, or the SHA-256 that the request requires.
    expected_hash: Option<String>,
    /// The current tag of the line (null if there is no such line), or the SHA-256 of the file.
    actual_hash: Option<String>,
}

/// The answer to a request to write a whole file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum PushWriteAnswer {
    /// The file was written.
    Done(PushWritten),
    /// The file has another version than the request expects.
    Stale(PushStaleFile),
    /// The request was refused for another reason; `code` says which.
    Refused(Box<PushRefused>),
}

/// A whole file that was written.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushWritten {
    /// Always true: the file was written.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// The path of the file.
    path: String,
    /// How many bytes the file has now.
    bytes: usize,
    /// The SHA-256 of the file, to be sent as `expected_version` with the next write, or as `file_hash` with edits.
    version: String,
    /// The revision of the file (8 hex digits), to be sent as `rev` with edits.
    rev: String,
    /// Whether the file was created.
    created: bool,
}

/// A whole file that was not written, because it has another version than the request expects.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct PushStaleFile {
    /// Always false: nothing was written.
    #[schemars(extend("const" = false))]
    ok: bool,
    /// Always `STALE_FILE`.
    #[schemars(extend("const" = "STALE_FILE"))]
    error: &'static str,
    /// The path of the file.
    path: String,
    /// The SHA-256 that the request expects.
    expected_version: String,
    /// The SHA-256 that the file has; null if there is no such file.
    current_version: Option<String>,
    /// What happened and what to do next, as text for a model.
    message: String,
}

/// Returns the answer to a request to write a whole file; `expected` is the version that the request expects, if it names one.
#[must_use]
pub fn push_written(
    path: &str,
    expected: Option<&str>,
    options: &AnswerOptions,
    outcome: &Outcome,
) -> PushWriteAnswer {
    let refusal = match outcome {
        Ok(edited) => return PushWriteAnswer::Done(written(path, edited)),
        Err(refusal) => refusal,
    };
    let current = match (refusal.edit_error(), refusal.code()) {
        (Some(Error::FileHash(differs)), _) => Some(Some(differs.actual.clone())),
        (_, Code::FileNotFound) => Some(None),
        _ => None,
    };
    match (expected, current) {
        (Some(expected), Some(current)) => PushWriteAnswer::Stale(PushStaleFile {
            ok: false,
            error: "STALE_FILE",
            path: path.to_owned(),
            expected_version: shortened(expected),
            message: stale_file(path, current.is_some()),
            current_version: current,
        }),
        _ => PushWriteAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

fn written(path: &str, edited: &FilesEdited) -> PushWritten {
    let file = edited.files.first();
    let document = file.map(|file| &file.edited.document);
    let bytes = document.map(Document::file_bytes).unwrap_or_default();
    let rev = document.map(|document| document.revision().short());
    PushWritten {
        ok: true,
        path: path.to_owned(),
        bytes: bytes.len(),
        version: sha256(bytes),
        rev: rev.unwrap_or_default(),
        created: file.is_some_and(|file| file.from.is_none()),
    }
}

fn stale_file(path: &str, exists: bool) -> String {
    let path = named(path);
    if exists {
        format!(
            "Nothing was written. {path} was changed since the version that the request expects.\nNext: read it again, and send the whole file with its new version; or change single lines of it with edit-file."
        )
    } else {
        format!(
            "Nothing was written. There is no file {path}, but the request expects a version of it.\nNext: to create it, send the request without `expected_version`."
        )
    }
}

/// Returns the answer to a request of this dialect that was refused, whatever it was for.
#[must_use]
pub fn push_refused(refusal: &Refusal) -> PushRefused {
    refused(&AnswerOptions::new(Dialect::PUSH), refusal)
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
        file_hash: sha256(after.file_bytes()),
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
