//! Refusals: why a request was not carried out, as plain data.
//!
//! Whoever knows a failure builds the [`Refusal`]: this crate for requests that cannot be parsed and for the engine's errors,
//! `hashline-session` for files and configuration. Three renderers show it: [`crate::render::model`], [`crate::render::human`] and the
//! JSON of [`mod@crate::answer`]. The sentences are made here, once.

use std::fmt;

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::error::{
    AnchorProblem, AnchorsRefused, EngineRefusal, Error, FileHashDiffers, OtherRevision, Overlap,
    Problem, TextNotFound, TextNotUnique,
};
use hashline_core::files::{EditRefused, FilesError, StepProblem};
use hashline_core::policy::Context;
use hashline_core::text::{Document, LineSpan};
use serde_json::{Map, Value};

use crate::answer::{AnswerOptions, ExistingFile, Sent, fresh_anchors, rendered, spans};
use crate::error::{BadRequest, shortened};
use crate::named::named;
use crate::reasons;
use crate::render::{capital, count, human, lines_named};
use crate::request::RevField;

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whether anything was written.
    pub written: Written,
    /// What went wrong.
    pub failure: Box<Failure>,
    /// The other files of the request that are refused as well: whoever sends all of it again needs their lines too.
    pub also: Vec<Failure>,
    /// What to do next: a clause in lower case, without a full stop.
    pub next: Option<String>,
}

/// Whether a refused request wrote anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing was written.
    Nothing,
    /// It is not known: the disk or the program failed in the middle.
    Unknown,
    /// Some files were changed and could not be restored.
    Partly,
    /// The caller asked to read, so there is nothing to say about it.
    NotAsked,
}

/// What went wrong with one file, or with the request as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable name of the error.
    pub code: Code,
    /// The file it is about, if it is about one.
    pub path: Option<String>,
    /// The revision that the file has now, where it is known.
    pub rev: Option<String>,
    /// What happened: clauses in lower case, without a full stop. Never empty.
    pub what: Vec<String>,
    /// Whole lines of text that belong below: the text that was not found, anchors that are spelled differently now.
    pub details: Vec<String>,
    /// The lines it is about, as they are now.
    pub windows: Vec<Window>,
    /// The error behind it, for the answers of dialects that have more fields than ours.
    pub cause: Cause,
}

/// Lines of a file as they are now, to be shown with a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The file.
    pub document: Document,
    /// The lines.
    pub span: LineSpan,
    /// The dialect of the anchors.
    pub dialect: Dialect,
    /// The line above them. `None`: "Lines 4-6 now:".
    pub title: Option<String>,
    /// The lines that refused anchors point at, by index.
    pub marked: Vec<usize>,
}

/// The error behind a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The request cannot be parsed.
    Request(BadRequest),
    /// A step of the request names a file that does not fit.
    Step(EditNo),
    /// The engine refuses the edits of a file.
    Edits(Box<Error>),
    /// Anything else: what there is to say is in the other fields.
    Other,
}

impl Refusal {
    /// Returns a refusal with one failure that is not about a file.
    #[must_use]
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            written: Written::Nothing,
            failure: Box::new(Failure::new(code, what)),
            also: Vec::new(),
            next: None,
        }
    }

    /// Adds what to do next.
    #[must_use]
    pub fn with_next(self, next: impl Into<String>) -> Self {
        Self {
            next: Some(next.into()),
            ..self
        }
    }

    /// Says whether anything was written.
    #[must_use]
    pub fn with_written(self, written: Written) -> Self {
        Self { written, ..self }
    }

    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> Code {
        self.failure.code
    }

    /// Returns the file it is about, if it is about one.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.failure.path.as_deref()
    }

    /// Lists the failure and the others.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        std::iter::once(&*self.failure).chain(&self.also)
    }

    /// Returns the anchors that are refused, if that is what it is about, and the first of them.
    pub(crate) fn anchors(&self) -> Option<(&AnchorsRefused, &Problem)> {
        match self.edit_error() {
            Some(Error::Anchors(refused)) => Some((refused, refused.problems.first()?)),
            _ => None,
        }
    }

    /// Returns the engine's error, if that is what it is about.
    pub(crate) fn edit_error(&self) -> Option<&Error> {
        match &self.failure.cause {
            Cause::Edits(error) => Some(error),
            _ => None,
        }
    }

    /// Builds the refusal of a request over files.
    #[must_use]
    pub fn of_files(error: FilesError, options: &AnswerOptions) -> Self {
        let code = error.code();
        let (step, path, reason) = match error {
            FilesError::Edits { first, others } => return of_edits(&first, &others, options),
            FilesError::Step { step, path, reason } => (step, path, reason),
        };
        let (what, next) = match reason {
            StepProblem::NotFound => {
                let what = format!("there is no file {}", named(&path));
                let next = match options.sent {
                    Sent::Edits | Sent::Anchors => "check the path, or create the file",
                    Sent::WholeFile { .. } => {
                        "check the path, or send it without \"rev\" to create the file"
                    }
                };
                (what, next.to_owned())
            }
            StepProblem::Exists => already_exists(&path, &options.sent),
            StepProblem::Conflicting => {
                let what = format!(
                    "{} is edited and also created or deleted in one request",
                    named(&path)
                );
                (what, "send these as two requests".to_owned())
            }
        };
        let what = match options.sent {
            Sent::Edits => format!("edit {step}: {what}"),
            Sent::WholeFile { .. } | Sent::Anchors => what,
        };
        Self {
            written: Written::Nothing,
            failure: Box::new(Failure {
                path: Some(path),
                cause: Cause::Step(step),
                ..Failure::new(code, what)
            }),
            also: Vec::new(),
            next: Some(next),
        }
    }
}

impl Failure {
    /// Returns a failure that is not about a file.
    #[must_use]
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            code,
            path: None,
            rev: None,
            what: vec![what.into()],
            details: Vec::new(),
            windows: Vec::new(),
            cause: Cause::Other,
        }
    }

    /// Returns the edit it is about, if it is about one.
    #[must_use]
    pub fn edit(&self) -> Option<EditNo> {
        match &self.cause {
            Cause::Request(bad) => bad.edit.map(EditNo::from_index),
            Cause::Step(step) => Some(*step),
            Cause::Edits(error) => error.edit(),
            Cause::Other => None,
        }
    }
}

impl Window {
    /// Returns the lines with their anchors.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        rendered(&self.document, self.span, self.dialect)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&human::refusal(self))
    }
}

impl std::error::Error for Refusal {}

impl From<BadRequest> for Refusal {
    fn from(bad: BadRequest) -> Self {
        let edit = bad.edit.map(|index| format!("edit {}: ", index + 1));
        let what = format!("{}{bad}", edit.unwrap_or_default());
        Self {
            written: Written::Nothing,
            failure: Box::new(Failure {
                path: bad.path.clone(),
                cause: Cause::Request(bad.clone()),
                ..Failure::new(bad.fault.code(), what)
            }),
            also: Vec::new(),
            next: Some("correct the request and send all of it again".to_owned()),
        }
    }
}

fn already_exists(path: &str, sent: &Sent) -> (String, String) {
    let path = named(path);
    match sent {
        Sent::Edits | Sent::Anchors => (
            format!("{path} already exists"),
            "edit it, rewrite it with the `rev` that a read shows, or choose another path"
                .to_owned(),
        ),
        Sent::WholeFile {
            existing: Some(ExistingFile { rev, lines }),
        } => (
            format!(
                "{path} already exists (rev {rev}, {})",
                count(*lines, "line")
            ),
            format!("read it, then write it with \"rev\":\"{rev}\", or edit it"),
        ),
        Sent::WholeFile { existing: None } => (
            format!("{path} already exists"),
            "read it, then write it with the \"rev\" that is shown, or edit it".to_owned(),
        ),
    }
}

fn of_edits(refused: &EditRefused, others: &[EditRefused], options: &AnswerOptions) -> Refusal {
    let also = others.iter().map(|one| failure(options, one));
    Refusal {
        written: match options.sent {
            Sent::Anchors => Written::NotAsked,
            Sent::Edits | Sent::WholeFile { .. } => Written::Nothing,
        },
        failure: Box::new(failure(options, refused)),
        also: also.collect(),
        next: next_step(options, refused, others),
    }
}

/// Says what is wrong with the edits of one file, and which of its lines are to be shown.
fn failure(options: &AnswerOptions, refused: &EditRefused) -> Failure {
    let path = &*named(&refused.path);
    let (what, details, windows) = match &refused.error {
        Error::Anchors(anchors) => of_anchors(options, path, refused.edits, anchors),
        Error::Overlap(overlap) => of_overlap(options, path, overlap),
        Error::FileHash(differs) => of_file_hash(options, path, differs),
        Error::OtherRevision(other) => of_other_revision(options, path, other),
        Error::TextNotFound(not_found) => of_text_not_found(path, not_found),
        Error::TextNotUnique(found) => of_text_not_unique(options, path, found),
        Error::TooLarge(e) => only(format!(
            "edit {}: {path} would have {} bytes, and the limit is {}",
            e.edit, e.bytes, e.limit
        )),
        Error::EmptyInsert(edit) => only(format!(
            "edit {edit}: there is no text to insert into {path}"
        )),
        Error::NoChange(_) => only(format!(
            "the request changes nothing: {path} already reads like this"
        )),
        Error::Engine(refusal) => of_engine(options, &refused.document, refusal),
    };
    Failure {
        code: refused.error.code(),
        path: Some(refused.path.clone()),
        rev: Some(refused.document.revision().short()),
        what,
        details,
        windows,
        cause: Cause::Edits(Box::new(refused.error.clone())),
    }
}

/// What is said of a failure: its clauses, its details, its windows.
type Said = (Vec<String>, Vec<String>, Vec<Window>);

fn only(what: String) -> Said {
    (vec![what], Vec::new(), Vec::new())
}

/// Names every anchor that has no place, and shows the lines around all of them once.
fn of_anchors(options: &AnswerOptions, path: &str, edits: usize, refused: &AnchorsRefused) -> Said {
    let what = refused.problems.iter().map(|problem| {
        let (edit, reason) = (problem.edit, reasons::of(problem));
        match (&options.sent, edits) {
            (Sent::Anchors, _) => format!("{reason} ({path})"),
            (_, 1) => format!("edit {edit}: {reason} ({path})"),
            _ => format!("edit {edit} of {edits}: {reason} ({path})"),
        }
    });
    let dialect = options.dialect;
    let document = &refused.document;
    let candidates = refused.problems.iter().flat_map(|problem| {
        let candidates = match &problem.reason {
            AnchorProblem::Ambiguous(candidates) => candidates.as_slice(),
            _ => &[],
        };
        candidates.iter().map(|candidate| {
            let rev = candidate.revision.short();
            let title = match candidate.lost {
                None => format!("In rev {rev} it is:"),
                Some(_) => format!("In rev {rev} it is a line that has changed since, near:"),
            };
            Window {
                title: Some(title),
                ..window(document, candidate.place, dialect)
            }
        })
    });
    let around = windows_around(refused, options.context, dialect);
    (
        what.collect(),
        respelled(refused, dialect),
        candidates.chain(around).collect(),
    )
}

/// Returns the lines around anchors that have no place, those that they point at marked.
#[must_use]
pub fn windows_around(refused: &AnchorsRefused, context: Context, dialect: Dialect) -> Vec<Window> {
    let problems = refused.problems.iter();
    let marked: Vec<usize> = problems.flat_map(|problem| problem.near.range()).collect();
    let spans = refused.windows(context).into_iter();
    let windows = spans.map(|span| Window {
        marked: marked.clone(),
        ..window(&refused.document, span, dialect)
    });
    windows.collect()
}

/// Says in one clause why an anchor has no place.
#[must_use]
pub fn anchor_reason(problem: &Problem) -> String {
    reasons::of(problem)
}

/// Says how the anchors of the other edits are spelled now, where that changed.
fn respelled(refused: &AnchorsRefused, dialect: Dialect) -> Vec<String> {
    let others = refused.landed.iter().filter_map(|landed| {
        let now = fresh_anchors(&refused.document, landed, dialect).join("..");
        let sent: Vec<&str> = landed.claims.iter().map(|claim| claim.as_str()).collect();
        let sent = shortened(&sent.join(".."));
        (now != sent).then(|| format!("Edit {}: {sent} is {now} now.", landed.edit))
    });
    others.collect()
}

fn of_overlap(options: &AnswerOptions, path: &str, overlap: &Overlap) -> Said {
    let Overlap { first, second, .. } = overlap;
    let lines = lines_named(overlap.lines);
    let what = format!("edits {first} and {second} both change {lines} of {path}");
    let span = spans::of_overlap(options, overlap);
    let shown = window(&overlap.document, span, options.dialect);
    (vec![what], Vec::new(), vec![shown])
}

fn of_file_hash(options: &AnswerOptions, path: &str, differs: &FileHashDiffers) -> Said {
    let (actual, expected) = (&differs.actual, shortened(&differs.expected));
    let what = format!("{path} changed: its SHA-256 is {actual}, not {expected}");
    let spans = spans::of_file_hash(options, differs);
    let shown = windows(&differs.document, spans, options.dialect);
    (vec![what], Vec::new(), shown)
}

fn of_other_revision(options: &AnswerOptions, path: &str, other: &OtherRevision) -> Said {
    let document = &other.document;
    let now = document.revision().short();
    let lines = count(document.line_count(), "line");
    let named = match &other.rev {
        Some(rev) => format!("not {rev}"),
        None => "and the request names no rev".to_owned(),
    };
    let what = format!("{path} is at rev {now} now ({lines}), {named}");
    let spans = other.lines().into_iter().collect();
    (
        vec![what],
        Vec::new(),
        windows(document, spans, options.dialect),
    )
}

fn of_text_not_found(path: &str, not_found: &TextNotFound) -> Said {
    let when = if not_found.is_taken {
        " after the other edits of the request"
    } else {
        ""
    };
    let what = format!("edit {}: this text is not in {path}{when}", not_found.edit);
    (vec![what], vec![shortened(&not_found.text)], Vec::new())
}

fn of_text_not_unique(options: &AnswerOptions, path: &str, found: &TextNotUnique) -> Said {
    let TextNotUnique { edit, count, .. } = found;
    if found.lines.is_empty() {
        return only(format!(
            "edit {edit}: the text is in {path} {count} times, each time in the new text of other edits of the request"
        ));
    }
    let what = format!("edit {edit}: the text is in {path} {count} times");
    let lines = found.lines.iter().map(|&line| Window {
        title: Some(String::new()),
        ..window(&found.document, LineSpan::of(line), options.dialect)
    });
    (vec![what], Vec::new(), lines.collect())
}

/// Puts the refusal of another engine into its own words, and shows the lines it is about as we show lines.
fn of_engine(options: &AnswerOptions, document: &Document, refusal: &EngineRefusal) -> Said {
    let mut lines = refusal.message().lines();
    let first = lines.next().unwrap_or_default();
    let EngineRefusal::Stale { mismatches, .. } = refusal else {
        let what = vec![first.trim_end_matches('.').to_owned()];
        return (what, lines.map(str::to_owned).collect(), Vec::new());
    };
    // What comes after the first sentence is about how its own message shows the lines.
    let what = vec![first.split('.').next().unwrap_or_default().to_owned()];
    let numbers = mismatches.iter().map(|mismatch| mismatch.line);
    let marked: Vec<usize> = numbers
        .filter_map(|line| usize::try_from(line).ok()?.checked_sub(1))
        .collect();
    let spans = spans::around_each(marked.iter().copied(), document.line_count());
    let shown = spans.into_iter().map(|span| Window {
        marked: marked.clone(),
        ..window(document, span, options.dialect)
    });
    (what, Vec::new(), shown.collect())
}

fn windows(document: &Document, spans: Vec<LineSpan>, dialect: Dialect) -> Vec<Window> {
    let spans = spans.into_iter();
    spans.map(|span| window(document, span, dialect)).collect()
}

/// Returns lines of a file as they are now.
fn window(document: &Document, span: LineSpan, dialect: Dialect) -> Window {
    Window {
        document: document.clone(),
        span,
        dialect,
        title: None,
        marked: Vec::new(),
    }
}

/// Says what to do about edits that are refused.
fn next_step(
    options: &AnswerOptions,
    refused: &EditRefused,
    others: &[EditRefused],
) -> Option<String> {
    let mut next = vec![next_of(options, refused, others)?];
    // Of several stale files the step for the first says it all.
    let others = others.iter().filter(|other| {
        std::mem::discriminant(&other.error) != std::mem::discriminant(&refused.error)
    });
    next.extend(others.filter_map(|other| {
        let next = next_of(options, other, &[])?;
        Some(format!("{}: {next}", named(&other.path)))
    }));
    Some(next.join("; "))
}

fn next_of(
    options: &AnswerOptions,
    refused: &EditRefused,
    others: &[EditRefused],
) -> Option<String> {
    let rev = revs_to_send(options, refused, others);
    // Models tend to send only one of several edits again.
    let all = match refused.edits {
        1 => "the edit".to_owned(),
        several => format!("all {several} edits"),
    };
    Some(match &refused.error {
        Error::Anchors(anchors) if options.sent == Sent::Anchors => {
            if anchors.windows(options.context).is_empty() {
                "copy the anchor from what a read shows".to_owned()
            } else {
                "use the anchors above".to_owned()
            }
        }
        Error::Anchors(anchors) => after_anchors(&refused.path, &all, &rev, anchors),
        Error::Overlap(_) => format!("merge them into one edit and send {all} again with {rev}"),
        Error::FileHash(differs) => format!(
            "check the lines, then send {all} with the anchors they have now and \"file_hash\":\"{}\"",
            differs.actual
        ),
        Error::OtherRevision(other) => {
            let look = match other.lines() {
                Some(_) => "check the lines above",
                None => "read the file again",
            };
            match options.sent {
                Sent::Edits | Sent::Anchors => {
                    format!("{look}; if the change is still wanted, send {all} again with {rev}")
                }
                Sent::WholeFile { .. } => {
                    format!("{look}, then send the new content with {rev}")
                }
            }
        }
        Error::TextNotFound(e) if e.is_taken => {
            format!("merge the edits that change this text into one, and send {all} again")
        }
        Error::TextNotFound(_) => {
            let rev = refused.document.revision().short();
            format!("read the file (rev {rev}), or name the lines by their anchors")
        }
        Error::TextNotUnique(e) if e.lines.is_empty() => {
            "put it into their new text directly, or set \"all\"".to_owned()
        }
        Error::TextNotUnique(_) => {
            format!("name the line by its anchor with {rev}, or set \"all\"")
        }
        Error::TooLarge(_) => "replace less at once".to_owned(),
        Error::EmptyInsert(_) => "send an empty string for a blank line".to_owned(),
        Error::NoChange(_) => "go on, or check what you meant to change".to_owned(),
        Error::Engine(_) => return None,
    })
}

fn after_anchors(path: &str, all: &str, rev: &str, refused: &AnchorsRefused) -> String {
    let any = |is: fn(&AnchorProblem) -> bool| refused.problems.iter().any(|p| is(&p.reason));
    if any(|reason| matches!(reason, AnchorProblem::Ambiguous(_))) {
        return format!(
            "send {all} again with {rev} to use the lines above, or with the rev you read"
        );
    }
    if any(|reason| matches!(reason, AnchorProblem::Malformed(_))) {
        return format!("copy the anchor from what was shown and send {all} again");
    }
    if refused.problems.iter().any(|problem| problem.left_out > 0) {
        return format!(
            "more has changed than is shown: read {path} again, then send {all} with its new anchors and {rev}"
        );
    }
    if refused.document.line_count() == 0 {
        return "the file is empty: insert text at its start or end instead".to_owned();
    }
    format!("take the anchors above and send {all} again with {rev}")
}

/// Writes the current revisions of all files that are refused as the request is to carry them.
fn revs_to_send(options: &AnswerOptions, refused: &EditRefused, others: &[EditRefused]) -> String {
    let each = || {
        std::iter::once(refused)
            .chain(others)
            .map(|one| (&one.path, one.document.revision().short()))
    };
    match options.rev_field {
        RevField::Own => format!("\"rev\":\"{}\"", refused.document.revision().short()),
        RevField::InEntry => {
            let entries = each()
                .map(|(path, rev)| format!("\"rev\":\"{rev}\" in the entry of {}", named(path)));
            entries.collect::<Vec<_>>().join(" and ")
        }
        RevField::ByPath => {
            let revs: Map<String, Value> = each()
                .map(|(path, rev)| (path.clone(), rev.into()))
                .collect();
            // The request may be about other files too.
            let others = match refused.edits {
                1 => "",
                _ => " (other files keep theirs)",
            };
            format!("\"revs\":{}{others}", Value::Object(revs))
        }
    }
}

/// Returns a clause as a sentence. It begins with a capital letter, unless it begins with a path or the name of a field.
pub(crate) fn sentence(clause: &str, path: Option<&str>) -> String {
    let is_path = path.is_some_and(|path| clause.starts_with(&*named(&shortened(path))));
    let first = clause.split(' ').next().unwrap_or_default();
    let is_word = first.bytes().all(|byte| byte.is_ascii_alphabetic());
    let stop = if clause.ends_with('.') { "" } else { "." };
    if is_word && !is_path {
        format!("{}{stop}", capital(clause))
    } else {
        format!("{clause}{stop}")
    }
}
