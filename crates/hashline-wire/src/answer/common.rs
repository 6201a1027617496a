//! The common JSON answer to an edit, the same for every dialect. Edits are numbered from 1, as in answers in text form.

use hashline_core::error::{AnchorProblem, AnchorsRefused, Error, Problem};
use hashline_core::files::{FileEdited, Status};
use hashline_core::text::LineNo;
use hashline_core::{Code, Proof};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AnswerOptions, Notice, Outcome, code_name, fresh_anchors, names, rendered, spans};
use crate::error::shortened;
use crate::reasons;
use crate::refusal::{Cause, Failure, Refusal, Written};
use crate::render::model;
use crate::request::{Mode, Note, NoteKind, Show};

/// The answer to an edit request, the same for every dialect. A field that is not required is left out if there is nothing to report.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CommonAnswer {
    /// The edits were applied, or checked if the request was a dry run.
    Done(Done),
    /// The request was refused; `code` says why.
    Refused(Box<Refused>),
}

/// The answer to an edit request that was applied, or checked in a dry run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always true: no edit was refused.
    #[schemars(extend("const" = true))]
    ok: bool,
    /// Whether any file differs from before; in a dry run, whether it would.
    changed: bool,
    /// Whether the request was a dry run: if true, nothing was written, and the answer describes what would have been.
    dry_run: bool,
    /// The edited files, in the order of the request.
    files: Vec<FileDone>,
    #[serde(flatten)]
    notes: Notes,
}

/// Notes about the request, the disk and the state that go with an answer.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct Notes {
    /// Mistakes in the request that were accepted, and fields that were ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<RequestNote>,
    /// Notices about the files on disk, such as an interrupted request that was recovered.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disk: Vec<Notice>,
    /// Notices about the ledger (the record of the lines that were shown).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<Notice>,
}

/// A mistake in the request that was accepted, or a field that was ignored.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RequestNote {
    /// The place in the request as a JSON path with indexes from 0, such as `edits[2].anchor`.
    at: String,
    /// `list_in_string`, `object_for_list`, `unknown_field`, `other_name` (of a known field) or `overruled` (by another field).
    kind: &'static str,
}

/// What was done to one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct FileDone {
    /// The path of the file, after a move its new path.
    path: String,
    /// `modified`, `added`, `moved` or `deleted`.
    status: &'static str,
    /// Whether the file differs from before: in its content, its path or its existence.
    changed: bool,
    /// The new revision (8 hex digits), to be sent as `rev` with the next edits; null if the file was deleted.
    rev: Option<String>,
    /// The revision before the edits (8 hex digits); null if the file was created.
    rev_before: Option<String>,
    /// How many lines the file has now; null if it was deleted.
    lines: Option<usize>,
    /// How many edits were applied, including those that changed nothing, but not those in `not_found`.
    applied: usize,
    /// Number of lines added in the diff.
    added: usize,
    /// Number of lines removed in the diff.
    removed: usize,
    /// The number of the first line whose text changed, from 1; null if no text changed.
    first_changed_line: Option<usize>,
    /// The changed places, each a list of consecutive lines with anchors and some lines around them; absent if only a diff, or nothing, was
    /// to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<Vec<Vec<String>>>,
    /// A unified diff of the file; absent if nothing was to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// The old path; only if the file was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// All lines of the file with their anchors; only if the whole file was to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Vec<String>>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// What the answer of every dialect reports about an edited file, in fields of the same names.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct FileExtras {
    /// Lines that were found under other numbers than in their anchors, because the file had changed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MovedLines>,
    /// Corrections of the new text, each with its proof.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<RepairDone>,
    /// New text that looks like a known mistake but was written as it was sent.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<HintGiven>,
    /// The numbers (from 1) of edits that changed nothing because their new text is the same as the old.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    noops: Vec<usize>,
    /// The numbers (from 1) of edits of ranges of which only the first and last line could be checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<usize>,
    /// The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unrecorded: Vec<usize>,
    /// The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
    /// too many lines to follow them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_followed: Vec<usize>,
    /// The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
    /// apply (`profile = seed`), otherwise the request is refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    not_found: Vec<usize>,
    /// How many edits were dropped because an earlier one is identical; absent if none.
    #[serde(skip_serializing_if = "is_zero")]
    duplicates: usize,
    /// Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<RequestNote>,
}

/// Lines that an edit named by old numbers, and where they were found.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct MovedLines {
    /// The number of the edit in the request, from 1.
    edit: usize,
    /// The line numbers in the request's anchors, such as `3` or `3-5`.
    from: String,
    /// The line numbers before the edits were applied, in the same form.
    to: String,
    /// The text of the first line.
    text: String,
}

/// A correction of the new text of an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RepairDone {
    /// The number of the edit in the request, from 1.
    edit: usize,
    /// The name of the mistake, such as `copied_anchors` or `boundary_echo`.
    rule: &'static str,
    /// The lines of text as they were sent.
    before: Vec<String>,
    /// The lines of text that were used instead.
    after: Vec<String>,
    /// Why the correction is right.
    proof: ProofGiven,
}

/// Why a correction is right.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ProofGiven {
    /// The text contained an anchor that the edit itself names.
    OwnAnchor,
    /// The text contained copied anchors with matching tags; the value is how many bits these tags have together.
    Tags(u32),
    /// The file does not parse with the text as sent, and parses with the correction.
    Syntax,
    /// The original tool of the dialect makes this correction.
    Definition,
}

/// A likely mistake in the new text of an edit, which was not corrected.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct HintGiven {
    /// The number of the edit in the request, from 1.
    edit: usize,
    /// The name of the mistake, as in `repairs`.
    rule: &'static str,
}

/// The answer to a request that was refused.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// Always false: nothing was written.
    #[schemars(extend("const" = false))]
    ok: bool,
    /// The error code, such as `stale`. Codes are stable.
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String", extend("enum" = names::code_names()))]
    code: Code,
    /// The whole refusal as text for a model: what happened, whether anything was written, the current lines, and what to do next.
    message: String,
    written: WrittenAnswer,
    /// Whether the request can succeed with fresh anchors, or if it is sent again later.
    retryable: bool,
    /// The place of a mistake in the request, as a JSON path with indexes from 0, such as `edits[2].anchor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(flatten)]
    failure: FailureDetails,
    /// The other files of the request that are refused too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoRefused>,
    #[serde(flatten)]
    notes: Notes,
}

/// Whether any file was written: `false`, `true` (some were), or `"unknown"`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum WrittenAnswer {
    Known(bool),
    Unknown(&'static str),
}

/// Why one file was refused.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
struct FailureDetails {
    /// The path of the file, if the refusal is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The number of the refused edit in the request, from 1; absent if the refusal is not about one edit.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<usize>,
    /// The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
    /// The lines that the refusal is about, as they are now, with their anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Vec<String>>,
    /// For `overlap`: the number (from 1) of the other edit that changes the same lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts_with: Option<usize>,
    /// For `overlap`: the numbers of the lines that both edits change, such as `3` or `3-5`.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<String>,
    /// The SHA-256 of the file that the request requires, if the file has another one.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// The SHA-256 that the file has instead of `expected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    /// How often the text to replace is in the file, if it must be there exactly once.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// The refused anchors, if the refusal is about anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<Vec<ProblemAnswer>>,
    /// If anchors are refused: the edits whose anchors could be resolved.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherEdit>,
}

/// Another file of the request that is refused too.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct AlsoRefused {
    /// The error code, such as `stale`.
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    #[serde(flatten)]
    failure: FailureDetails,
}

/// A refused anchor.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ProblemAnswer {
    /// The number of the edit in the request, from 1.
    edit: usize,
    /// The anchor as it was sent; a very long one is shortened.
    anchor: String,
    /// The error code of this anchor, such as `stale` or `ambiguous`.
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    /// Why the anchor is refused, as text.
    reason: String,
    /// The current lines around the place of the anchor, with their anchors; empty if the anchor has no place.
    now: Vec<String>,
    /// For `ambiguous`: what the anchor may mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<CandidateLines>>,
}

/// Lines that an ambiguous anchor may mean.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct CandidateLines {
    /// The revision in which the lines were shown (8 hex digits); sent as `rev`, it selects this candidate.
    rev: String,
    /// Whether the lines are still in the file.
    lands: bool,
    /// The lines with their current anchors; if they are no longer in the file, the lines at about their place.
    lines: Vec<String>,
}

/// An edit whose anchors could be resolved, in a request that is refused because of others.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OtherEdit {
    /// The number of the edit in the request, from 1.
    edit: usize,
    /// The anchors as they were sent.
    anchors: Vec<String>,
    /// The current anchors of the same lines, to be sent instead.
    now: Vec<String>,
}

/// What the refusal of every dialect reports, in fields of the same names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct RefusalExtras {
    /// The error code, such as `stale`: the same for all dialects.
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String", extend("enum" = names::code_names()))]
    code: Code,
    written: WrittenAnswer,
    /// Whether the request can succeed with fresh anchors, or if it is sent again later.
    retryable: bool,
    /// The path of the file, if the refusal is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
    /// The other files of the request that are refused too.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoRefused>,
    /// Mistakes in the request that were accepted, and fields that were ignored.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<RequestNote>,
}

/// Returns the common JSON answer, which is the same for every dialect.
#[must_use]
pub fn common(options: &AnswerOptions, outcome: &Outcome) -> CommonAnswer {
    match outcome {
        Ok(edited) => CommonAnswer::Done(Done {
            ok: true,
            changed: !edited.writes().is_empty(),
            dry_run: options.mode == Mode::DryRun,
            files: edited
                .files
                .iter()
                .map(|file| file_done(options, file))
                .collect(),
            notes: Notes::new(options),
        }),
        Err(refusal) => CommonAnswer::Refused(Box::new(refused(options, refusal))),
    }
}

/// Returns the value of `status` in an answer: `modified`, `added`, `moved` or `deleted`.
pub(super) fn status_name(status: Status) -> &'static str {
    match status {
        Status::Modified => "modified",
        Status::Added => "added",
        Status::Moved => "moved",
        Status::Deleted => "deleted",
    }
}

impl Notes {
    fn new(options: &AnswerOptions) -> Self {
        Self {
            notes: request_notes(options),
            disk: options.disk.clone(),
            state: options.state.clone(),
        }
    }
}

fn request_notes(options: &AnswerOptions) -> Vec<RequestNote> {
    options.notes.iter().map(RequestNote::new).collect()
}

impl RequestNote {
    fn new(note: &Note) -> Self {
        let kind = match note.kind {
            NoteKind::ListInString => "list_in_string",
            NoteKind::ObjectForList => "object_for_list",
            NoteKind::UnknownField => "unknown_field",
            NoteKind::OtherName { .. } => "other_name",
            NoteKind::Overruled { .. } => "overruled",
        };
        let at = note.at.clone();
        Self { at, kind }
    }
}

fn file_done(options: &AnswerOptions, file: &FileEdited) -> FileDone {
    let report = &file.edited.report;
    let after = &report.after;
    let diff = report.diff(file.from.as_deref().unwrap_or(file.name()), file.name());
    let status = file.status();
    let exists = status != Status::Deleted;
    let shows = |shows: &[Show]| shows.contains(&options.show);
    let windows = || {
        let spans = spans::windows(options, file).into_iter();
        spans
            .map(|span| rendered(after, span, options.dialect))
            .collect()
    };
    FileDone {
        path: file.name().to_owned(),
        status: status_name(status),
        changed: report.is_changed() || status != Status::Modified,
        rev: exists.then(|| after.revision().short()),
        rev_before: (status != Status::Added).then(|| report.before.revision().short()),
        lines: exists.then(|| after.line_count()),
        applied: report.applied,
        added: diff.added,
        removed: diff.removed,
        first_changed_line: report.first_changed_line().map(LineNo::get),
        windows: shows(&[Show::Windows, Show::Everything]).then(windows),
        diff: (!shows(&[Show::Nothing])).then_some(diff.text),
        from: file.from.clone().filter(|from| from != file.name()),
        content: shows(&[Show::Everything]).then(|| rendered(after, after.all(), options.dialect)),
        extras: FileExtras::new(file),
    }
}

impl FileExtras {
    pub(super) fn new(file: &FileEdited) -> Self {
        let report = &file.edited.report;
        let numbers =
            |edits: &[hashline_core::edit::EditNo]| edits.iter().map(|no| no.index() + 1).collect();
        let moves = report.moves.iter().map(|moved| MovedLines {
            edit: moved.edit.index() + 1,
            from: moved.from.to_string(),
            to: moved.to.to_string(),
            text: moved.text.clone(),
        });
        let repairs = report.repairs.iter().map(|repair| RepairDone {
            edit: repair.edit.index() + 1,
            rule: repair.rule.name(),
            before: repair.before.clone(),
            after: repair.after.clone(),
            proof: match repair.proof {
                Proof::OwnAnchor => ProofGiven::OwnAnchor,
                Proof::Tags { bits } => ProofGiven::Tags(bits),
                Proof::Syntax => ProofGiven::Syntax,
                Proof::Definition => ProofGiven::Definition,
            },
        });
        let hints = report.hints.iter().map(|hint| HintGiven {
            edit: hint.edit.index() + 1,
            rule: hint.rule.name(),
        });
        Self {
            moves: moves.collect(),
            repairs: repairs.collect(),
            hints: hints.collect(),
            noops: numbers(&report.noops),
            unchecked: numbers(&report.unchecked),
            unrecorded: numbers(&report.unrecorded),
            not_followed: numbers(&report.not_followed),
            not_found: report
                .not_found
                .iter()
                .map(|missing| missing.edit.index() + 1)
                .collect(),
            duplicates: report.duplicates,
            notes: Vec::new(),
        }
    }

    /// Adds notes about the request's shape, for a dialect's answer that has no other field for them.
    pub(super) fn with_notes(self, options: &AnswerOptions) -> Self {
        let notes = request_notes(options);
        Self { notes, ..self }
    }
}

fn refused(options: &AnswerOptions, refusal: &Refusal) -> Refused {
    let at = match &refusal.failure.cause {
        Cause::Request(bad) => Some(bad.at.clone()).filter(|at| !at.is_empty()),
        _ => None,
    };
    let RefusalExtras {
        code,
        written,
        retryable,
        also,
        ..
    } = RefusalExtras::new(options, refusal);
    Refused {
        ok: false,
        code,
        message: model::refusal(options, refusal),
        written,
        retryable,
        at,
        failure: details(options, &refusal.failure),
        also,
        notes: Notes::new(options),
    }
}

impl RefusalExtras {
    pub(super) fn new(options: &AnswerOptions, refusal: &Refusal) -> Self {
        let FailureDetails { path, rev, .. } = details(options, &refusal.failure);
        let also = refusal.also.iter().map(|failure| AlsoRefused {
            code: failure.code,
            failure: details(options, failure),
        });
        Self {
            code: refusal.code(),
            written: match refusal.written {
                Written::Unknown => WrittenAnswer::Unknown("unknown"),
                Written::Partly => WrittenAnswer::Known(true),
                Written::Nothing | Written::NotAsked => WrittenAnswer::Known(false),
            },
            retryable: refusal.code().is_retryable(),
            path,
            rev,
            also: also.collect(),
            notes: request_notes(options),
        }
    }
}

fn details(options: &AnswerOptions, failure: &Failure) -> FailureDetails {
    let shown = failure.windows.first();
    let now = failure.windows.iter().flat_map(|window| window.lines());
    let base = FailureDetails {
        path: failure.path.clone(),
        edit: failure.edit().map(|no| no.index() + 1),
        rev: failure.rev.clone(),
        now: shown.map(|_| now.collect()),
        ..FailureDetails::default()
    };
    let Cause::Edits(error) = &failure.cause else {
        return base;
    };
    match &**error {
        Error::Anchors(refused) => FailureDetails {
            // Each problem has its own lines below.
            now: None,
            problems: Some(problems(options, refused)),
            others: others(options, refused),
            ..base
        },
        Error::Overlap(overlap) => FailureDetails {
            conflicts_with: Some(overlap.first.index() + 1),
            lines: Some(overlap.lines.to_string()),
            ..base
        },
        Error::FileHash(differs) => FailureDetails {
            now: Some(base.now.unwrap_or_default()),
            expected: Some(shortened(&differs.expected)),
            actual: Some(differs.actual.clone()),
            ..base
        },
        Error::OtherRevision(_) => FailureDetails {
            now: Some(base.now.unwrap_or_default()),
            ..base
        },
        Error::TextNotUnique(found) => FailureDetails {
            now: Some(base.now.unwrap_or_default()),
            count: Some(found.count),
            ..base
        },
        _ => base,
    }
}

/// Lists the edits that could be resolved in a refused request, with the current anchors of their lines.
fn others(options: &AnswerOptions, refused: &AnchorsRefused) -> Vec<OtherEdit> {
    let others = refused.landed.iter().map(|landed| {
        let claims = landed.claims.iter();
        OtherEdit {
            edit: landed.edit.index() + 1,
            anchors: claims.map(|claim| shortened(claim.as_str())).collect(),
            now: fresh_anchors(&refused.document, landed, options.dialect),
        }
    });
    others.collect()
}

fn problems(options: &AnswerOptions, refused: &AnchorsRefused) -> Vec<ProblemAnswer> {
    let document = &refused.document;
    let one = |problem: &Problem| {
        let around = spans::around(options, document, problem).into_iter();
        let candidates = match &problem.reason {
            AnchorProblem::Ambiguous(candidates) => Some(candidates),
            _ => None,
        };
        ProblemAnswer {
            edit: problem.edit.index() + 1,
            anchor: shortened(problem.claim.as_str()),
            code: problem.reason.code(),
            reason: reasons::of(problem),
            now: around
                .flat_map(|span| rendered(document, span, options.dialect))
                .collect(),
            candidates: candidates.map(|candidates| {
                let lines = candidates.iter().map(|candidate| CandidateLines {
                    rev: candidate.revision.short(),
                    lands: candidate.lost.is_none(),
                    lines: rendered(document, candidate.place, options.dialect),
                });
                lines.collect()
            }),
        }
    };
    refused.problems.iter().map(one).collect()
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde calls it with a reference"
)]
fn is_zero(number: &usize) -> bool {
    *number == 0
}
