//! JSON answers: the outcome of a request in the shape of its dialect, or in the common shape.
//!
//! Each dialect's answer has the field names of its original tool; the common answer ([`CommonAnswer`]) is the same for every dialect. All
//! are made from the same two types: what was done ([`FilesEdited`]) or why nothing was done ([`Refusal`]).

mod common;
mod cowboy;
mod lines;
mod names;
mod omp;
mod openagent;
mod pi;
mod push;
mod read;
pub(crate) mod spans;

use std::collections::{BTreeMap, BTreeSet};

use hashline_core::Code;
use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorProblem, AnchorsRefused, LandedEdit, Problem, Stale};
use hashline_core::files::FilesEdited;
use hashline_core::policy::Context;
use hashline_core::render::anchored;
use hashline_core::shown::LostReason;
use hashline_core::text::{Document, LineNo, LineSpan};
use schemars::JsonSchema;
use serde::Serialize;

pub use common::{CommonAnswer, Done, Refused, common};
pub use cowboy::CowboyAnswer;
pub use lines::FileLines;
pub(crate) use lines::LinesAnswer;
pub use names::dialect_code;
use names::refusal_code;
pub use omp::OmpAnswer;
pub use openagent::OpenagentAnswer;
pub use pi::PiAnswer;
pub(crate) use pi::recovery_title;
pub use push::{PushAnswer, PushRefused, PushWriteAnswer, push_refused, push_written};
pub use read::{
    CowboyReadAnswer, PushPage, PushReadAnswer, SearchedDocument, cowboy_read, pi_read, push_read,
};
pub use spans::{ShownLines, shown};

use crate::error::{BadRequest, shortened};
use crate::page::PageSize;
use crate::refusal::{Cause, Refusal, Window};
use crate::render::human;
use crate::request::{Mode, Note, Parsed, RevField, Show};

/// The outcome of an edit request: the edited files, or why the request was refused.
pub type Outcome = Result<FilesEdited, Refusal>;

/// How to answer a request: its dialect and mode, how much of the files to show, and notes and notices to include.
#[derive(Clone, Debug, Default)]
pub struct AnswerOptions {
    /// The dialect in which the anchors of the answer are written.
    pub dialect: Dialect,
    /// Whether the request writes files or is a dry run.
    pub mode: Mode,
    /// How many lines to show around each changed or refused line.
    pub context: Context,
    /// What the answer shows of an edited file: changed places, the whole file, a diff or nothing.
    pub show: Show,
    /// Where a request of this shape names the revision its anchors were read from.
    pub rev_field: RevField,
    /// In which form the answer is given.
    pub form: AnswerForm,
    /// What the caller sent: edits, a whole file, or anchors to check.
    pub sent: Sent,
    /// What to show of a file whose whole content the caller sent.
    pub whole: Whole,
    /// How large an answer in text form may be; lines of files are left out to stay below it. `None`: no limit.
    pub page: Option<PageSize>,
    /// Notes about mistakes in the request that the parser accepted, and about fields that it ignored.
    pub notes: Vec<Note>,
    /// Notices about the files on disk.
    pub disk: Vec<Notice>,
    /// Notices about the ledger (the record of shown lines).
    pub state: Vec<Notice>,
}

/// The form of an answer, which decides which lines of a file it shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AnswerForm {
    /// Text, for a model or a person.
    #[default]
    Text,
    /// The common JSON object.
    Common,
    /// The JSON object of the dialect's original tool.
    Dialect,
}

/// Information about the disk, the ledger or the counters that goes with an answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Notice {
    /// The stable name of the notice, such as `finished` or `not_private`.
    pub note: &'static str,
    /// The notice as a sentence.
    pub message: String,
    /// The files that the notice is about; absent if it is about the ledger or the counters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// The new paths of files that an interrupted request left behind and that were moved away.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

/// What the caller sent. An answer to a request without edits must not mention edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sent {
    /// Anchors to check against the current file; nothing is written.
    Anchors,
    /// A list of edits.
    #[default]
    Edits,
    /// The whole content of a file.
    WholeFile {
        /// The existing file, if the request was to create one and was refused.
        existing: Option<ExistingFile>,
    },
}

/// A file that a request was to create but that exists already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingFile {
    /// The file's revision, shortened.
    pub rev: String,
    /// How many lines the file has.
    pub lines: usize,
}

/// How much of a file to show to a caller that sent the whole file and so knows its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whole {
    /// The same as of an edited file: what [`Show`] selects.
    #[default]
    Places,
    /// Of a long file only the first 20 and the last 5 lines.
    Ends,
}

impl AnswerOptions {
    /// Returns the default options with the given dialect.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            ..Self::default()
        }
    }
}

impl From<&Parsed> for AnswerOptions {
    fn from(parsed: &Parsed) -> Self {
        Self {
            mode: parsed.mode,
            context: parsed.context.unwrap_or_default(),
            show: parsed.show,
            rev_field: parsed.rev_field,
            notes: parsed.notes.clone(),
            ..Self::new(parsed.dialect)
        }
    }
}

/// Options for the answer to a request that cannot be parsed: in the dialect of the request, or the default dialect if it is unknown.
impl From<&BadRequest> for AnswerOptions {
    fn from(bad: &BadRequest) -> Self {
        Self::new(bad.dialect.unwrap_or_default())
    }
}

/// An answer in the shape of a dialect.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DialectAnswer {
    /// The answer of the omp dialect.
    Omp(OmpAnswer),
    /// The answer of the push dialect.
    Push(PushAnswer),
    /// The answer of the cowboy dialect.
    Cowboy(CowboyAnswer),
    /// The answer of the openagent dialect.
    Openagent(OpenagentAnswer),
    /// The answer of the pi dialect.
    Pi(PiAnswer),
    /// The common answer.
    Common(CommonAnswer),
}

/// Returns the JSON answer in the dialect's own shape; in the common shape for `lean`, and for several files in any dialect but pi.
///
/// Facts that the original tools do not report are added in fields of our own: repairs, hints, moves, notes; for a refusal `code`, `written`,
/// `retryable`, the `path` if known, the current `rev`, and in `also` the other files that are refused.
#[must_use]
pub fn answer(options: &AnswerOptions, outcome: &Outcome) -> DialectAnswer {
    match answering(options, outcome) {
        Dialect::PI => DialectAnswer::Pi(pi::answer(options, outcome)),
        Dialect::OMP => DialectAnswer::Omp(omp::answer(options, outcome)),
        Dialect::PUSH => DialectAnswer::Push(push::answer(options, outcome)),
        Dialect::COWBOY => DialectAnswer::Cowboy(cowboy::answer(options, outcome)),
        Dialect::OPENAGENT => DialectAnswer::Openagent(openagent::answer(options, outcome)),
        _ => DialectAnswer::Common(common(options, outcome)),
    }
}

/// Returns the dialect that decides the answer's shape: for several files `lean` (the common shape), because only pi's has room for them.
fn answering(options: &AnswerOptions, outcome: &Outcome) -> Dialect {
    let several = outcome.as_ref().is_ok_and(|edited| edited.files.len() > 1);
    if several && options.dialect != Dialect::PI {
        Dialect::LEAN
    } else {
        options.dialect
    }
}

/// Serializes an error code as its stable name, such as `stale`.
pub(crate) fn code_name<S: serde::Serializer>(code: &Code, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(code.as_str())
}

/// Lists the refused anchors that have the same error code as the first. The dialects' answers have a field for only one code; the text of
/// the answer names the other problems too.
fn of_first_kind(refused: &AnchorsRefused) -> impl Iterator<Item = &Problem> {
    refused
        .problems
        .iter()
        .filter(|problem| problem.reason.code() == refused.code())
}

/// Renders the lines of a span as text, each with its anchor in front.
#[must_use]
pub fn rendered(document: &Document, span: LineSpan, dialect: Dialect) -> Vec<String> {
    anchored(document, span, dialect.scheme)
        .map(|line| line.to_string())
        .collect()
}

/// Returns the current anchors of the first and last line of an edit that could be resolved.
pub(crate) fn fresh_anchors(
    document: &Document,
    landed: &LandedEdit,
    dialect: Dialect,
) -> Vec<String> {
    let ends = landed.ends().into_iter();
    ends.filter_map(|line| anchor_at(document, line.index(), dialect))
        .collect()
}

/// Returns the current anchor of the line at `index` (from 0); `None` past the end of the document.
pub(crate) fn anchor_at(document: &Document, index: usize, dialect: Dialect) -> Option<String> {
    let number = LineNo::from_index(index);
    let line = document.line(number)?;
    let tag = dialect.scheme.tag(line.text, number);
    Some(dialect.scheme.anchor(number, tag))
}

/// Renders the block in which seeds 000 and 003 show changed lines: each marked `>>>`, with two lines around it and current anchors in front.
fn marked_block(refused: &AnchorsRefused, dialect: Dialect) -> String {
    let first_lines = of_first_kind(refused).flat_map(|problem| problem.near.range().take(1));
    let marked: Vec<usize> = first_lines.collect();
    let spans = spans::marked(refused).into_iter();
    let windows = spans.map(|span| Window {
        marked: marked.clone(),
        ..Window::new(&refused.document, span, dialect)
    });
    human::windows(&windows.collect::<Vec<_>>()).join("\n")
}

/// Returns the index (from 0) of the edit that could not be parsed; `None` if the refusal has another cause.
fn unparsed_edit(refusal: &Refusal) -> Option<usize> {
    match &refusal.failure.cause {
        Cause::Request(bad) => bad.edit,
        _ => None,
    }
}

/// Returns the numbers (from 1, ascending) of the lines at refused anchors that have the same error code as the first.
fn stale_lines(refused: &AnchorsRefused) -> Vec<usize> {
    let problems = of_first_kind(refused).filter(|problem| problem.anchor.is_some());
    let lines = problems.filter_map(|problem| problem.near.first());
    let lines: BTreeSet<usize> = lines.map(LineNo::get).collect();
    lines.into_iter().collect()
}

/// Maps each anchor that was sent and whose line changed to the current anchor of that line.
// A list, to keep the order of the lines in the JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct Remaps(#[schemars(with = "BTreeMap<String, String>")] Vec<(String, String)>);

impl Serialize for Remaps {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(sent, now)| (sent, now)))
    }
}

/// Maps each refused anchor whose line changed to the current anchor of that line.
fn remaps(refused: &AnchorsRefused, dialect: Dialect) -> Remaps {
    let pairs: BTreeSet<(usize, String, String)> = of_first_kind(refused)
        .filter_map(|problem| {
            let now = fresh_anchor(&refused.document, problem, dialect)?;
            Some((problem.near.start(), spelled(dialect, problem)?, now))
        })
        .collect();
    let mut remaps: Vec<(String, String)> = Vec::new();
    for (_, sent, now) in pairs {
        // As in an object, the last one counts.
        match remaps.iter_mut().find(|(other, _)| *other == sent) {
            Some(known) => known.1 = now,
            None => remaps.push((sent, now)),
        }
    }
    Remaps(remaps)
}

/// Returns a refused anchor in the dialect's format, or as it was sent if its line number does not fit into 64 bits.
pub(crate) fn spelled(dialect: Dialect, problem: &Problem) -> Option<String> {
    let anchor = problem.anchor.as_ref()?;
    Some(if anchor.line == u64::MAX {
        shortened(problem.claim.as_str())
    } else {
        dialect.scheme.respell(anchor)
    })
}

/// Returns whether all refused anchors are stale because their lines changed, as the message of seeds 000 and 003 claims. An anchor may be
/// refused for other reasons although its line did not change.
fn lines_changed(refused: &AnchorsRefused, dialect: Dialect) -> bool {
    of_first_kind(refused)
        .all(|problem| fresh_anchor(&refused.document, problem, dialect).is_some())
}

/// Returns the current anchor of the line that a stale anchor points at; `None` if that line did not change.
fn fresh_anchor(document: &Document, problem: &Problem, dialect: Dialect) -> Option<String> {
    let AnchorProblem::Stale(
        Stale::TagDiffers
        | Stale::NotRelocated { .. }
        | Stale::Lost(LostReason::Changed | LostReason::Gone),
    ) = problem.reason
    else {
        return None;
    };
    let now = anchor_at(document, problem.near.first()?.index(), dialect)?;
    (Some(&now) != spelled(dialect, problem).as_ref()).then_some(now)
}
