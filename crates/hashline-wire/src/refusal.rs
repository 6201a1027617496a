//! Refusals: why a request was not carried out and what to do next, in sentences. (Why an anchor was refused is worded in `reasons`.)
//!
//! This crate builds a [`Refusal`] for requests that cannot be parsed and for the engine's errors; `hashline-session` builds one for errors
//! of files and configuration. Three renderers show a refusal: [`crate::render::model`], [`crate::render::human`] and the JSON of
//! [`mod@crate::answer`]. This module words each error once, so that a model, a person and a program get the same sentences.

use std::fmt;

use hashline_core::Code;
use hashline_core::anchor::BadAnchor;
use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::error::{
    AnchorProblem, AnchorsRefused, EngineRefusal, Error, EscapedBytes, FileHashDiffers, LandedEdit,
    NotEncodable, OtherRevision, Overlap, Problem, SizeUnit, Stale, TextNotFound, TextNotUnique,
};
use hashline_core::files::{EditRefused, FilesError, StepProblem};
use hashline_core::policy::Context;
use hashline_core::render::anchored;
use hashline_core::text::{Document, LineSpan};
use serde_json::{Map, Value};

use crate::answer::{
    AnswerOptions, ExistingFile, Sent, fresh_anchors, recovery_title, rendered, spans, spelled,
};
use crate::error::{BadRequest, shortened};
use crate::named::named;
use crate::reasons;
use crate::render::{capital, count, human, lines_named};
use crate::request::RevField;

/// Why a request was not carried out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Whether any file was changed although the request was refused.
    pub written: Written,
    /// The first file that is refused, and why; or what is wrong with the request as a whole.
    pub failure: Box<Failure>,
    /// The other files of the request that are refused: to send the whole request again, the caller needs their current lines too.
    pub also: Vec<Failure>,
    /// What the caller should do next: a clause in lower case, without a full stop.
    pub next: Option<String>,
}

/// Whether a refused request wrote anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Written {
    /// Nothing was written.
    Nothing,
    /// It is not known whether files were changed: the disk or the program failed during the commit.
    Unknown,
    /// Some files were changed and could not be restored.
    Partly,
    /// The caller asked only to read, so the refusal does not mention writing.
    NotAsked,
}

/// What went wrong with one file, or with the request as a whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The stable name of the error.
    pub code: Code,
    /// The file that the failure is about; `None` if it is about the whole request.
    pub path: Option<String>,
    /// The current revision of the file, if known.
    pub rev: Option<String>,
    /// What happened: clauses in lower case, without a full stop. Never empty.
    pub what: Vec<String>,
    /// Whole lines of text printed below `what`: the text that was not found, or anchors whose current form differs from the one sent.
    pub details: Vec<String>,
    /// The lines of the file that the failure is about, as they are now.
    pub windows: Vec<Window>,
    /// The underlying error, for dialects whose JSON answers have more fields than [`crate::answer::CommonAnswer`].
    pub cause: Cause,
}

/// Lines of a file as they are now, to be shown with a refusal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The current content of the file.
    pub document: Document,
    /// The lines of `document` to show.
    pub span: LineSpan,
    /// The dialect in which the anchors before the lines are written.
    pub dialect: Dialect,
    /// The heading above the lines; `None` means the default, such as "Lines 4-6 now:".
    pub title: Option<String>,
    /// The indexes (from 0) of the lines that refused anchors point at.
    pub marked: Vec<usize>,
}

/// The error that caused a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Cause {
    /// The request cannot be parsed.
    Request(BadRequest),
    /// The edit with this number names a file that does not exist, exists already, or is both edited and created or deleted.
    Step(EditNo),
    /// The engine refuses the edits of a file.
    Edits(Box<Error>),
    /// Any other error: the other fields of [`Failure`] describe it.
    Other,
}

impl Refusal {
    /// Returns a refusal with one failure that names no file, and nothing written.
    #[must_use]
    pub fn new(code: Code, what: impl Into<String>) -> Self {
        Self {
            written: Written::Nothing,
            failure: Box::new(Failure::new(code, what)),
            also: Vec::new(),
            next: None,
        }
    }

    /// Sets what the caller should do next: a clause in lower case, without a full stop.
    #[must_use]
    pub fn with_next(self, next: impl Into<String>) -> Self {
        Self {
            next: Some(next.into()),
            ..self
        }
    }

    /// Sets whether any file was changed.
    #[must_use]
    pub fn with_written(self, written: Written) -> Self {
        Self { written, ..self }
    }

    /// Returns the error code of the first failure.
    #[must_use]
    pub fn code(&self) -> Code {
        self.failure.code
    }

    /// Returns the file of the first failure; `None` if the refusal is about the whole request.
    #[must_use]
    pub fn path(&self) -> Option<&str> {
        self.failure.path.as_deref()
    }

    /// Lists the failures of all refused files, the first one first.
    pub fn failures(&self) -> impl Iterator<Item = &Failure> {
        std::iter::once(&*self.failure).chain(&self.also)
    }

    /// Returns the refused anchors of the first failure and the first of them; `None` if the refusal has another cause.
    pub(crate) fn anchors(&self) -> Option<(&AnchorsRefused, &Problem)> {
        let refused = self.failure.anchors()?;
        Some((refused, refused.problems.first()?))
    }

    /// Returns the engine's error behind the first failure; `None` if the refusal has another cause.
    pub(crate) fn edit_error(&self) -> Option<&Error> {
        self.failure.edit_error()
    }

    /// Builds the refusal of a request from the engine's error, with sentences and the next step.
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
            StepProblem::NewFile => {
                let path = named(&path);
                let what =
                    format!("there is no file {path} yet, but the request names a revision of it");
                let next = "check the path, or create the file without a revision";
                (what, next.to_owned())
            }
            StepProblem::TwoRevisions => {
                let path = named(&path);
                let what = format!(
                    "the request names different revisions of {path}: it is the same file under its name before and after the move"
                );
                (what, "name one revision of the file".to_owned())
            }
        };
        let what = match options.sent {
            Sent::Edits => format!("edit {step}: {what}"),
            Sent::WholeFile { .. } | Sent::Anchors => what,
        };
        let mut refusal = Self::new(code, what).with_next(next);
        refusal.failure.path = Some(path);
        refusal.failure.cause = Cause::Step(step);
        refusal
    }
}

impl Failure {
    /// Returns a failure that names no file.
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

    /// Returns the engine's error behind the failure; `None` if the failure has another cause.
    fn edit_error(&self) -> Option<&Error> {
        match &self.cause {
            Cause::Edits(error) => Some(error),
            _ => None,
        }
    }

    /// Returns the refused anchors; `None` if the failure has another cause.
    pub(crate) fn anchors(&self) -> Option<&AnchorsRefused> {
        match self.edit_error()? {
            Error::Anchors(refused) => Some(refused),
            _ => None,
        }
    }

    /// Returns the number of the edit that failed, if the failure is about a single edit.
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
    /// Returns a window on the lines in `span`, with the default heading and no marked lines.
    #[must_use]
    pub fn new(document: &Document, span: LineSpan, dialect: Dialect) -> Self {
        Self {
            document: document.clone(),
            span,
            dialect,
            title: None,
            marked: Vec::new(),
        }
    }

    /// Returns the lines of the window as text, each with its anchor in front.
    #[must_use]
    pub fn lines(&self) -> Vec<String> {
        rendered(&self.document, self.span, self.dialect)
    }

    /// Renders one line after the other, because a window can have millions.
    pub(crate) fn each_line(&self) -> impl Iterator<Item = String> + '_ {
        let lines = anchored(&self.document, self.span, self.dialect.scheme);
        lines.map(|line| line.to_string())
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
        let mut refusal = Self::new(bad.fault.code(), what)
            .with_next("correct the request and send all of it again");
        refusal.failure.path = bad.path.clone();
        refusal.failure.cause = Cause::Request(bad);
        refusal
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
    let (failure, next) = explained(options, refused, others);
    let mut also = Vec::new();
    let mut next: Vec<String> = next.into_iter().collect();
    for other in others {
        let (failure, step) = explained(options, other, &[]);
        also.push(failure);
        // If both files are stale, for example, the step for the first file already covers the second.
        let is_same =
            std::mem::discriminant(&other.error) == std::mem::discriminant(&refused.error);
        if let Some(step) = step.filter(|_| !is_same && !next.is_empty()) {
            next.push(format!("{}: {step}", named(&other.path)));
        }
    }
    Refusal {
        written: match options.sent {
            Sent::Anchors => Written::NotAsked,
            Sent::Edits | Sent::WholeFile { .. } => Written::Nothing,
        },
        failure: Box::new(failure),
        also,
        next: Some(next.join("; ")).filter(|next| !next.is_empty()),
    }
}

/// Returns the failure of one file (what is wrong, and which lines to show) and what the caller should do next.
fn explained(
    options: &AnswerOptions,
    refused: &EditRefused,
    others: &[EditRefused],
) -> (Failure, Option<String>) {
    let explain = Explain {
        options,
        path: &named(&refused.path),
        edits: refused.edits,
        // Models tend to send only one of several edits again.
        all: match refused.edits {
            1 => "the edit".to_owned(),
            several => format!("all {several} edits"),
        },
        rev: revs_to_send(options, refused, others),
    };
    let path = explain.path;
    let Explanation {
        what,
        details,
        windows,
        next,
    } = match &refused.error {
        Error::Anchors(anchors) => explain.anchors(anchors),
        Error::Overlap(overlap) => explain.overlap(overlap),
        Error::FileHash(differs) => explain.file_hash(differs),
        Error::OtherRevision(other) => explain.other_revision(other),
        Error::TextNotFound(not_found) => explain.text_not_found(&refused.document, not_found),
        Error::TextNotUnique(found) => explain.text_not_unique(found),
        Error::TooLarge(e) if e.unit == SizeUnit::Places => Explanation::new(
            format!(
                "edit {}: {path} would be changed at more than {} separate places, the limit for its size",
                e.edit, e.limit
            ),
            "replace less at once",
        ),
        Error::TooLarge(e) => Explanation::new(
            format!(
                "edit {}: {path} would have {} {}; the limit is {}",
                e.edit,
                e.found,
                match e.unit {
                    SizeUnit::Bytes => "bytes",
                    SizeUnit::Lines => "lines",
                    SizeUnit::Places => "places",
                },
                e.limit
            ),
            "replace less at once",
        ),
        Error::EmptyInsert(edit) => Explanation::new(
            format!("edit {edit}: there is no text to insert into {path}"),
            "send an empty string for a blank line",
        ),
        Error::NotEncodable(e) => explain.not_encodable(e),
        Error::EscapedBytes(e) => explain.escaped_bytes(&refused.document, e),
        Error::NoChange(_) => Explanation::new(
            format!("the request changes nothing: {path} already reads like this"),
            "go on, or check what you meant to change",
        ),
        Error::Engine(refusal) => explain.engine(&refused.document, refusal),
    };
    let failure = Failure {
        code: refused.error.code(),
        path: Some(refused.path.clone()),
        rev: Some(refused.document.revision().short()),
        what,
        details,
        windows,
        cause: Cause::Edits(Box::new(refused.error.clone())),
    };
    (failure, next)
}

/// What a refusal says about one error of the engine: what is wrong, details, lines to show, and the next step.
#[derive(Default)]
struct Explanation {
    what: Vec<String>,
    details: Vec<String>,
    windows: Vec<Window>,
    next: Option<String>,
}

impl Explanation {
    fn new(what: String, next: impl Into<String>) -> Self {
        Self {
            what: vec![what],
            next: Some(next.into()),
            ..Self::default()
        }
    }
}

/// Explains the engine's errors about one file in sentences: each method explains one kind of error, and says what to do next.
struct Explain<'a> {
    options: &'a AnswerOptions,
    path: &'a str,
    edits: usize,
    /// The edits that the caller should send again, in words: `the edit` or `all 3 edits`.
    all: String,
    /// The revision that the caller should send with the edits, as JSON, such as `"rev":"ed6e23d4"`.
    rev: String,
}

impl Explain<'_> {
    fn window(&self, document: &Document, span: LineSpan) -> Window {
        Window::new(document, span, self.options.dialect)
    }

    fn windows(&self, document: &Document, spans: Vec<LineSpan>) -> Vec<Window> {
        let spans = spans.into_iter();
        spans.map(|span| self.window(document, span)).collect()
    }

    fn not_encodable(&self, error: &NotEncodable) -> Explanation {
        let NotEncodable {
            edit,
            character,
            encoding,
        } = error;
        let (code, name) = (u32::from(*character), encoding.name());
        Explanation::new(
            format!(
                "edit {edit}: {} is {name}, which has no character {character:?} (U+{code:04X})",
                self.path
            ),
            format!(
                "write it with characters of {name}, and send {} again",
                self.all
            ),
        )
    }

    fn escaped_bytes(&self, document: &Document, error: &EscapedBytes) -> Explanation {
        let EscapedBytes { edit, line, escape } = error;
        let span = LineSpan::new(line.index()..line.get());
        Explanation {
            windows: vec![self.window(document, span)],
            ..Explanation::new(
                format!(
                    "edit {edit}: the new text has `{escape}`, with which line {line} of {} shows a byte that is not text; it would be written as four characters",
                    self.path
                ),
                "change the readable parts of the line with `substitute`, or send text without the escape",
            )
        }
    }

    /// Explains every anchor that could not be resolved, and shows the lines around all of them without repetition.
    fn anchors(&self, refused: &AnchorsRefused) -> Explanation {
        let (path, edits) = (self.path, self.edits);
        let what = refused.problems.iter().map(|problem| {
            let (edit, reason) = (problem.edit, reasons::of(problem));
            match (&self.options.sent, edits) {
                (Sent::Anchors, _) => format!("{reason} ({path})"),
                (_, 1) => format!("edit {edit}: {reason} ({path})"),
                _ => format!("edit {edit} of {edits}: {reason} ({path})"),
            }
        });
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
                    ..self.window(&refused.document, candidate.place)
                }
            })
        });
        let dialect = self.options.dialect;
        let recovery = self.recovery_blocks(refused);
        let around = if recovery.is_empty() {
            windows_around(refused, self.options.context, dialect)
        } else {
            let rest = self.windows(&refused.document, self.beside(refused, &recovery));
            recovery.into_iter().chain(rest).collect()
        };
        Explanation {
            what: what.collect(),
            details: respelled(refused, dialect),
            next: Some(self.after_anchors(refused, !around.is_empty())),
            windows: candidates.chain(around).collect(),
        }
    }

    /// Returns the recovery block of seed 004 for each anchor that its search did not find; none in other dialects.
    fn recovery_blocks(&self, refused: &AnchorsRefused) -> Vec<Window> {
        let has_block = |problem: &&Problem| spans::has_recovery_block(self.options, problem);
        let problems = refused.problems.iter().filter(has_block);
        let blocks = problems.filter_map(|problem| {
            let span = spans::recovery(&refused.document, problem);
            Some(Window {
                title: Some(recovery_title(&spelled(self.options.dialect, problem)?)),
                marked: problem.near.range().collect(),
                ..self.window(&refused.document, span)
            })
        });
        blocks.collect()
    }

    /// Returns the lines to show beside recovery blocks: those around the other problems, and those that the other edits name.
    fn beside(&self, refused: &AnchorsRefused, blocks: &[Window]) -> Vec<LineSpan> {
        let problems = refused.problems.iter();
        let around = problems
            .filter(|problem| !spans::has_recovery_block(self.options, problem))
            .flat_map(|problem| spans::around(self.options, &refused.document, problem));
        let ends = refused.landed.iter().flat_map(LandedEdit::ends);
        let ends = ends.map(LineSpan::of).filter(|line| {
            let in_block = |block: &Window| {
                block.span.start() <= line.start() && line.end() <= block.span.end()
            };
            !blocks.iter().any(in_block)
        });
        LineSpan::merged(around.chain(ends).collect())
    }

    fn after_anchors(&self, refused: &AnchorsRefused, shows_lines: bool) -> String {
        let Self { path, all, rev, .. } = self;
        let any = |is: fn(&AnchorProblem) -> bool| refused.problems.iter().any(|p| is(&p.reason));
        if self.options.sent == Sent::Anchors {
            return if shows_lines {
                "use the anchors above".to_owned()
            } else {
                "copy the anchor from what a read shows".to_owned()
            };
        }
        // The order matters, because there is one next step for all problems: what the fresh lines cannot settle comes first.
        if any(|reason| matches!(reason, AnchorProblem::Ambiguous(_))) {
            return format!(
                "send {all} again with {rev} to use the lines above, or with the rev you read"
            );
        }
        if any(|reason| matches!(reason, AnchorProblem::Malformed(BadAnchor::SeveralLines))) {
            let range = reasons::range_operation(self.options.dialect.scheme);
            return format!(
                "for a range of lines use {range}, for one line its anchor alone; then send {all} again"
            );
        }
        if any(|reason| matches!(reason, AnchorProblem::Stale(Stale::NotOfRevision))) {
            return format!("if the line above is the one you mean, send {all} again with {rev}");
        }
        if any(|reason| matches!(reason, AnchorProblem::Malformed(_))) {
            return format!("copy the anchor from what was shown and send {all} again");
        }
        let hidden = |problem: &Problem| {
            matches!(problem.reason, AnchorProblem::PartlyShown) && problem.anchor.is_none()
        };
        if refused.problems.iter().any(hidden) {
            return "substitute only text in the part of the line that was shown".to_owned();
        }
        if any(|reason| matches!(reason, AnchorProblem::PartlyShown)) {
            return "use `substitute` with text from the part that was shown, or add \"unseen\":true to the edit if the whole line is meant".to_owned();
        }
        if any(
            |reason| matches!(reason, AnchorProblem::Unseen { partly, .. } if !partly.is_empty()),
        ) {
            return format!(
                "if these lines are meant too, add \"unseen\":true to the edit and send {all} again"
            );
        }
        if any(
            |reason| matches!(reason, AnchorProblem::Unseen { not_listed, .. } if !not_listed.is_empty()),
        ) {
            return format!(
                "read the lines that have no room here, then send {all} again, or add \"unseen\":true to the edit"
            );
        }
        if any(|reason| matches!(reason, AnchorProblem::Unseen { .. }))
            && refused
                .problems
                .iter()
                .all(|problem| matches!(problem.reason, AnchorProblem::Unseen { .. }))
        {
            return format!("if the lines above are meant too, send {all} again");
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

    fn overlap(&self, overlap: &Overlap) -> Explanation {
        let Self { path, all, rev, .. } = self;
        let Overlap { first, second, .. } = overlap;
        let lines = lines_named(overlap.lines);
        let span = spans::of_overlap(self.options, overlap);
        Explanation {
            windows: vec![self.window(&overlap.document, span)],
            ..Explanation::new(
                format!("edits {first} and {second} both change {lines} of {path}"),
                format!("merge them into one edit and send {all} again with {rev}"),
            )
        }
    }

    fn file_hash(&self, differs: &FileHashDiffers) -> Explanation {
        let Self { path, all, .. } = self;
        let (actual, expected) = (&differs.actual, shortened(&differs.expected));
        let spans = spans::of_file_hash(self.options, differs);
        Explanation {
            windows: self.windows(&differs.document, spans),
            ..Explanation::new(
                format!("{path} changed: its SHA-256 is {actual}, not {expected}"),
                format!(
                    "check the lines, then send {all} with the anchors they have now and \"file_hash\":\"{actual}\""
                ),
            )
        }
    }

    fn other_revision(&self, other: &OtherRevision) -> Explanation {
        let Self { path, all, rev, .. } = self;
        let document = &other.document;
        let now = document.revision().short();
        let lines = count(document.line_count(), "line");
        let named = match &other.rev {
            Some(rev) => format!("not {rev}"),
            None => "and the request names no rev".to_owned(),
        };
        let look = match other.lines() {
            Some(_) => "check the lines above",
            None => "read the file again",
        };
        let next = match self.options.sent {
            Sent::Edits | Sent::Anchors => {
                format!("{look}; if the change is still wanted, send {all} again with {rev}")
            }
            Sent::WholeFile { .. } => format!("{look}, then send the new content with {rev}"),
        };
        Explanation {
            windows: self.windows(document, other.lines().into_iter().collect()),
            ..Explanation::new(
                format!("{path} is at rev {now} now ({lines}), {named}"),
                next,
            )
        }
    }

    fn text_not_found(&self, document: &Document, not_found: &TextNotFound) -> Explanation {
        let Self { path, all, .. } = self;
        let rev = document.revision().short();
        let (when, next) = if not_found.is_taken {
            (
                " after the other edits of the request",
                format!("merge the edits that change this text into one, and send {all} again"),
            )
        } else {
            (
                "",
                format!("read the file (rev {rev}), or name the lines by their anchors"),
            )
        };
        let what = format!("edit {}: this text is not in {path}{when}", not_found.edit);
        Explanation {
            details: vec![shortened(&not_found.text)],
            ..Explanation::new(what, next)
        }
    }

    fn text_not_unique(&self, found: &TextNotUnique) -> Explanation {
        let Self { path, rev, .. } = self;
        let TextNotUnique { edit, count, .. } = found;
        let what = format!("edit {edit}: the text is in {path} {count} times");
        if found.lines.is_empty() {
            return Explanation::new(
                format!("{what}, each time in the new text of other edits of the request"),
                "put it into their new text directly, or set \"all\"",
            );
        }
        // An empty title: one line each needs no "Line 7 now:" above it.
        let lines = found.lines.iter().map(|&line| Window {
            title: Some(String::new()),
            ..self.window(&found.document, LineSpan::of(line))
        });
        Explanation {
            windows: lines.collect(),
            ..Explanation::new(
                what,
                format!("name the line by its anchor with {rev}, or set \"all\""),
            )
        }
    }

    /// Repeats the message of another engine (seed 000's), but shows the changed lines as windows of our own.
    fn engine(&self, document: &Document, refusal: &EngineRefusal) -> Explanation {
        let Self { path, all, .. } = self;
        let mut lines = refusal.message().lines();
        let first = lines.next().unwrap_or_default();
        let repeated = Explanation {
            what: vec![first.trim_end_matches('.').to_owned()],
            details: lines.map(str::to_owned).collect(),
            ..Explanation::default()
        };
        let next = Some(format!("take the anchors above and send {all} again"));
        let mismatches = match refusal {
            EngineRefusal::Stale { mismatches, .. } => mismatches,
            EngineRefusal::BadRequest(_) => return repeated,
            EngineRefusal::NothingChanged { not_found, .. } => {
                let not_found = not_found.iter();
                let missing = not_found.map(|missing| reasons::of_not_found(missing, path));
                return Explanation {
                    what: repeated.what.into_iter().chain(missing).collect(),
                    ..repeated
                };
            }
            EngineRefusal::OutOfRange(_) => {
                let end = LineSpan::gap(document.line_count());
                let span = end.widened(self.options.context.lines().max(1), document.line_count());
                let windows = Some(self.window(document, span)).filter(|_| !span.is_empty());
                return Explanation {
                    next: next.filter(|_| windows.is_some()),
                    windows: windows.into_iter().collect(),
                    ..repeated
                };
            }
        };
        let numbers = mismatches.iter().map(|mismatch| mismatch.line);
        let marked: Vec<usize> = numbers
            .filter_map(|line| usize::try_from(line).ok()?.checked_sub(1))
            .collect();
        let spans = spans::around_each(marked.iter().copied(), document.line_count());
        let shown = spans.into_iter().map(|span| Window {
            marked: marked.clone(),
            ..self.window(document, span)
        });
        Explanation {
            // What comes after the first sentence is about how its own message shows the lines.
            what: vec![first.split('.').next().unwrap_or_default().to_owned()],
            windows: shown.collect(),
            next,
            ..Explanation::default()
        }
    }
}

/// Returns the lines around anchors that could not be resolved; the lines they point at are marked.
#[must_use]
pub fn windows_around(refused: &AnchorsRefused, context: Context, dialect: Dialect) -> Vec<Window> {
    let problems = refused.problems.iter();
    let marked: Vec<usize> = problems.flat_map(|problem| problem.near.range()).collect();
    let spans = refused.windows(context).into_iter();
    let windows = spans.map(|span| Window {
        marked: marked.clone(),
        ..Window::new(&refused.document, span, dialect)
    });
    windows.collect()
}

/// Says in one clause why an anchor could not be resolved to a line.
#[must_use]
pub fn anchor_reason(problem: &Problem) -> String {
    reasons::of(problem)
}

/// Lists the anchors of the edits that did resolve, where they are spelled differently now: `Edit 2: 4:1f is 6:1f now.`
fn respelled(refused: &AnchorsRefused, dialect: Dialect) -> Vec<String> {
    let others = refused.landed.iter().filter_map(|landed| {
        let now = fresh_anchors(&refused.document, landed, dialect).join("..");
        let sent: Vec<&str> = landed.claims.iter().map(|claim| claim.as_str()).collect();
        let sent = shortened(&sent.join(".."));
        (now != sent).then(|| format!("Edit {}: {sent} is {now} now.", landed.edit))
    });
    others.collect()
}

/// Returns the current revisions of the refused files as JSON, in the field where a request of this shape carries them.
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

/// Turns a clause into a sentence: adds a full stop and a capital letter, except to a clause that begins with a path or the name of a field.
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
