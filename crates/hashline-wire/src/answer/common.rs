//! The common JSON answer to an edit, the same for every dialect. Edits are numbered from 1, as in answers in text form.

use hashline_core::error::{AnchorProblem, AnchorsRefused, Error, Problem};
use hashline_core::files::{FileEdited, Status};
use hashline_core::text::LineNo;
use hashline_core::{Code, Proof};
use schemars::JsonSchema;
use serde::Serialize;

use super::{AnswerOptions, Notice, Outcome, code_name, fresh_anchors, rendered, spans};
use crate::error::shortened;
use crate::reasons;
use crate::refusal::{Cause, Failure, Refusal, Written};
use crate::render::model;
use crate::request::{Mode, Note, NoteKind, Show};

/// Our own answer to an edit.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum CommonAnswer {
    /// It was done.
    Done(Done),
    /// It was refused.
    Refused(Box<Refused>),
}

/// What was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Done {
    /// Always true.
    ok: bool,
    /// Whether anything changed.
    changed: bool,
    /// Whether it was only tried.
    dry_run: bool,
    /// The files, in the order of the request.
    files: Vec<FileDone>,
    #[serde(flatten)]
    notes: Notes,
}

/// What there is to know beside an answer.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct Notes {
    /// What was understood, or ignored, in a request that was not well-formed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<RequestNote>,
    /// What there is to know about the disk.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    disk: Vec<Notice>,
    /// What there is to know about the ledger and the counters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    state: Vec<Notice>,
}

/// Something about the shape of a request.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RequestNote {
    /// Where, as in `edits[2].anchor`.
    at: String,
    /// What.
    kind: &'static str,
}

/// What was done to one file.
#[derive(Clone, Debug, Serialize, JsonSchema)]
struct FileDone {
    path: String,
    /// `modified`, `added`, `moved` or `deleted`.
    status: &'static str,
    changed: bool,
    /// The revision it has now; null if it was deleted.
    rev: Option<String>,
    /// The revision it had; null if it was created.
    rev_before: Option<String>,
    /// How many lines it has now.
    lines: Option<usize>,
    /// How many edits were applied.
    applied: usize,
    added: usize,
    removed: usize,
    first_changed_line: Option<usize>,
    /// The changed places with lines around them, with their anchors.
    #[serde(skip_serializing_if = "Option::is_none")]
    windows: Option<Vec<Vec<String>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    diff: Option<String>,
    /// The path it was moved from.
    #[serde(skip_serializing_if = "Option::is_none")]
    from: Option<String>,
    /// All lines with their anchors, where the request asked for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<Vec<String>>,
    #[serde(flatten)]
    extras: FileExtras,
}

/// What every dialect's answer tells of an edited file, under our names.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
pub(super) struct FileExtras {
    /// Lines that were found elsewhere than they were named.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    moves: Vec<MovedLines>,
    /// Corrections of the new text, each with its proof.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    repairs: Vec<RepairDone>,
    /// What looks like a slip and was applied as written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    hints: Vec<HintGiven>,
    /// Edits that changed nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    noops: Vec<usize>,
    /// Edits of a range of which only the ends were checked.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unchecked: Vec<usize>,
    /// How many identical edits were dropped.
    #[serde(skip_serializing_if = "is_zero")]
    duplicates: usize,
    /// In an answer of a dialect: what was understood, or ignored, in a request that was not well-formed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<RequestNote>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct MovedLines {
    edit: usize,
    /// The lines as they were named.
    from: String,
    /// Where they were found.
    to: String,
    /// The text of the first of them.
    text: String,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct RepairDone {
    edit: usize,
    /// The name of the rule.
    rule: &'static str,
    before: Vec<String>,
    after: Vec<String>,
    proof: ProofGiven,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum ProofGiven {
    OwnAnchor,
    /// How many bits the tags are worth together.
    Tags(u32),
    Syntax,
    Definition,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct HintGiven {
    edit: usize,
    rule: &'static str,
}

/// Why nothing was done.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct Refused {
    /// Always false.
    ok: bool,
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    /// The refusal as a model reads it.
    message: String,
    written: WrittenAnswer,
    /// Whether the same edits can succeed with fresh anchors, or later.
    retryable: bool,
    /// Where in the request, as in `edits[2].anchor`.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<String>,
    #[serde(flatten)]
    failure: FailureDetails,
    /// The other files of the request that are refused as well.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoRefused>,
    #[serde(flatten)]
    notes: Notes,
}

/// Whether anything was written: `false`, or `"unknown"`.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
enum WrittenAnswer {
    Known(bool),
    Unknown(&'static str),
}

/// What is wrong with one file.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
struct FailureDetails {
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    /// The edit, counted from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    edit: Option<usize>,
    /// The revision the file has now.
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
    /// The lines it is about as they are now.
    #[serde(skip_serializing_if = "Option::is_none")]
    now: Option<Vec<String>>,
    /// The other edit that changes the same lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflicts_with: Option<usize>,
    /// The lines that both edits change.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<String>,
    /// The SHA-256 that the request requires.
    #[serde(skip_serializing_if = "Option::is_none")]
    expected: Option<String>,
    /// The SHA-256 of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    actual: Option<String>,
    /// How often the text is in the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    count: Option<usize>,
    /// Each anchor that has no place.
    #[serde(skip_serializing_if = "Option::is_none")]
    problems: Option<Vec<ProblemAnswer>>,
    /// The anchors that the other edits have now.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    others: Vec<OtherEdit>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct AlsoRefused {
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    #[serde(flatten)]
    failure: FailureDetails,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct ProblemAnswer {
    edit: usize,
    anchor: String,
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    reason: String,
    /// The lines around the place as they are now.
    now: Vec<String>,
    /// The lines that an ambiguous anchor may mean.
    #[serde(skip_serializing_if = "Option::is_none")]
    candidates: Option<Vec<CandidateLines>>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct CandidateLines {
    rev: String,
    lands: bool,
    lines: Vec<String>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct OtherEdit {
    edit: usize,
    /// The anchors as they were sent.
    anchors: Vec<String>,
    /// The anchors of the same lines now.
    now: Vec<String>,
}

/// What every dialect's refusal tells under our names.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub(super) struct RefusalExtras {
    #[serde(serialize_with = "code_name")]
    #[schemars(with = "String")]
    code: Code,
    written: WrittenAnswer,
    retryable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    path: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rev: Option<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    also: Vec<AlsoRefused>,
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
        let around = spans::around(options.context, document, problem).into_iter();
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
