//! Answers: the outcome of a request, as each dialect's own objects and as ours.
//!
//! A dialect's answers keep its own names and shapes; ours ([`CommonAnswer`]) is the same for every request. All of them are made from
//! the same two types: what was done ([`FilesEdited`]) or why nothing was ([`Refusal`]).

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
pub use push::PushAnswer;
pub use read::{
    CowboyReadAnswer, PushReadAnswer, SearchedDocument, cowboy_read, pi_read, push_read,
};
pub use spans::{ShownLines, shown};

use crate::error::{BadRequest, shortened};
use crate::refusal::{Cause, Refusal, Window};
use crate::render::human;
use crate::request::{Mode, Note, Parsed, RevField, Show};

/// The outcome of a request.
pub type Outcome = Result<FilesEdited, Refusal>;

/// How an answer is given.
#[derive(Clone, Debug, Default)]
pub struct AnswerOptions {
    /// The dialect of its anchors.
    pub dialect: Dialect,
    /// Whether anything was to be written.
    pub mode: Mode,
    /// How many lines are shown around a place.
    pub context: Context,
    /// What is shown of the new content.
    pub show: Show,
    /// Where the request is to name the revision of its anchors.
    pub rev_field: RevField,
    /// What was sent.
    pub sent: Sent,
    /// What is shown of files that are sent whole.
    pub whole: Whole,
    /// How many bytes an answer in text may have; lines of files are left out to stay below.
    pub max_bytes: Option<usize>,
    /// What there was to note about the request's shape.
    pub notes: Vec<Note>,
    /// What there is to know about the disk.
    pub disk: Vec<Notice>,
    /// What there is to know about the ledger and the counters.
    pub state: Vec<Notice>,
}

/// Something to know beside the answer: about the disk, the ledger or the counters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Notice {
    /// Its stable name.
    pub note: &'static str,
    /// One sentence.
    pub message: String,
    /// The files it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub paths: Option<Vec<String>>,
    /// Where something that was moved out of the way is kept.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub kept: Vec<String>,
}

/// What was sent: an answer speaks of edits only to somebody who sent some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sent {
    /// Anchors to look up: nothing was to be written.
    Anchors,
    /// Edits.
    #[default]
    Edits,
    /// A whole file.
    WholeFile {
        /// The file that exists already, if it was in the way.
        existing: Option<ExistingFile>,
    },
}

/// A file that exists already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExistingFile {
    /// Its revision, short.
    pub rev: String,
    /// How many lines it has.
    pub lines: usize,
}

/// What is shown of a file that was sent whole: whoever sent it knows its content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whole {
    /// The same as of any other file.
    #[default]
    Places,
    /// Of a long one the first and the last lines.
    Ends,
}

impl AnswerOptions {
    /// Returns the options for a dialect and a request that says nothing else.
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

/// A request that cannot be parsed is answered in its dialect, if that is known.
impl From<&BadRequest> for AnswerOptions {
    fn from(bad: &BadRequest) -> Self {
        Self::new(bad.dialect.unwrap_or_default())
    }
}

/// An answer in the shape of a dialect.
#[derive(Clone, Debug, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum DialectAnswer {
    /// Seed 000's.
    Omp(OmpAnswer),
    /// Seed 001's.
    Push(PushAnswer),
    /// Seed 002's.
    Cowboy(CowboyAnswer),
    /// Seed 003's.
    Openagent(OpenagentAnswer),
    /// Seed 004's.
    Pi(PiAnswer),
    /// Ours.
    Common(CommonAnswer),
}

/// Returns the answer in the dialect's own shape; `lean` has ours, and so has a request over several files, except in pi.
///
/// What no dialect has a place for is added under our names: repairs, hints, moves, notes; for a refusal `code`, `written`,
/// `retryable`, the `path` where one is known, the current `rev`, and in `also` the other files that are refused.
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

/// Returns the dialect in whose shape an answer is given. Only pi's has room for several files; `lean`'s is ours.
fn answering(options: &AnswerOptions, outcome: &Outcome) -> Dialect {
    let several = outcome.as_ref().is_ok_and(|edited| edited.files.len() > 1);
    if several && options.dialect != Dialect::PI {
        Dialect::LEAN
    } else {
        options.dialect
    }
}

/// Serializes a code as its name.
pub(crate) fn code_name<S: serde::Serializer>(code: &Code, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(code.as_str())
}

/// Lists the problems with the code of the first one. The seeds' answers have room for one code; the text names the others too.
fn of_first_kind(refused: &AnchorsRefused) -> impl Iterator<Item = &Problem> {
    refused
        .problems
        .iter()
        .filter(|problem| problem.reason.code() == refused.code())
}

/// Renders the lines of a span with their anchors.
#[must_use]
pub fn rendered(document: &Document, span: LineSpan, dialect: Dialect) -> Vec<String> {
    anchored(document, span, dialect.scheme)
        .map(|line| line.to_string())
        .collect()
}

/// Returns the anchors that an edit whose lines were found has now.
pub(crate) fn fresh_anchors(
    document: &Document,
    landed: &LandedEdit,
    dialect: Dialect,
) -> Vec<String> {
    let ends = landed.ends().into_iter();
    ends.filter_map(|line| anchor_at(document, line.index(), dialect))
        .collect()
}

/// Returns the anchor that names the line at `index` now.
pub(crate) fn anchor_at(document: &Document, index: usize, dialect: Dialect) -> Option<String> {
    let number = LineNo::from_index(index);
    let line = document.line(number)?;
    let tag = dialect.scheme.tag(line.text, number);
    Some(dialect.scheme.anchor(number, tag))
}

/// Renders the `>>>` block of seeds 000 and 003: changed lines with two lines around each, fresh anchors in front.
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

/// Returns the edit that a request which cannot be parsed is refused for, counted from 0.
fn unparsed_edit(refusal: &Refusal) -> Option<usize> {
    match &refusal.failure.cause {
        Cause::Request(bad) => bad.edit,
        _ => None,
    }
}

/// Returns the numbers of the lines that the first kind of problem is about, ascending.
fn stale_lines(refused: &AnchorsRefused) -> Vec<usize> {
    let problems = of_first_kind(refused).filter(|problem| problem.anchor.is_some());
    let lines = problems.filter_map(|problem| problem.near.first());
    let lines: BTreeSet<usize> = lines.map(LineNo::get).collect();
    lines.into_iter().collect()
}

/// Anchors that were sent, each with the one its line has now. A list instead of a map, to keep the order of the lines in the JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema)]
#[schemars(transparent)]
pub struct Remaps(#[schemars(with = "BTreeMap<String, String>")] Vec<(String, String)>);

impl Serialize for Remaps {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_map(self.0.iter().map(|(sent, now)| (sent, now)))
    }
}

/// Returns from each anchor whose line changed to the one that line has now.
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

/// Returns the anchor of a problem as the dialect spells it, or as it was sent if its number is too large.
fn spelled(dialect: Dialect, problem: &Problem) -> Option<String> {
    let anchor = problem.anchor.as_ref()?;
    Some(if anchor.line == u64::MAX {
        shortened(problem.claim.as_str())
    } else {
        dialect.scheme.respell(anchor)
    })
}

/// Tells whether anchors are stale because their lines changed, which is what the message of seeds 000 and 003 says. An anchor may be
/// refused for other reasons, on a line that did not change.
fn lines_changed(refused: &AnchorsRefused, dialect: Dialect) -> bool {
    of_first_kind(refused)
        .all(|problem| fresh_anchor(&refused.document, problem, dialect).is_some())
}

/// Returns the anchor that stands for a stale one now, if its line changed.
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
