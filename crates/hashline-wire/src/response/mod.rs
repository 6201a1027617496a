//! Answers: what became of a request, as each dialect's own objects and as ours.
//!
//! A dialect's answers keep its own names and shapes; ours is the same for every request. All of them are made from the same two
//! types: what was done ([`FilesEdited`]) or why nothing was ([`Refusal`]).

mod common;
mod cowboy;
mod found;
mod lines;
mod looked;
mod marked;
mod names;
mod omp;
mod openagent;
mod pi;
pub(crate) mod places;
mod push;
mod read;

use std::collections::BTreeSet;

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_core::disk_note::DiskNote;
use hashline_core::error::{AnchorProblem, AnchorsRefused, Error, LandedEdit, Problem, Stale};
use hashline_core::files::{EditRefused, FilesEdited, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::anchored;
use hashline_core::shown::LostReason;
use hashline_core::text::{Document, LineNo, LineSpan};
use serde_json::{Map, Value};

pub use common::common;
pub use found::found;
pub use lines::FileLines;
pub use looked::{recovered, since, state_notes, verified};
pub use names::{CODES, CodeRow, dialect_code};
pub use places::{ShownPlaces, shown};
pub use read::{CowboyReadAnswer, PushReadAnswer, cowboy_read, pi_read, push_read};

use crate::error::{BadRequest, shortened};
use crate::request::{Mode, Note, Parsed, RevField, Show};

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request cannot be read.
    Request(BadRequest),
    /// The request cannot be done.
    Files(FilesError),
    /// The files cannot be read or written so.
    Disk(DiskError),
}

impl Refusal {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Request(bad) => bad.fault.code(),
            Self::Files(error) => error.code(),
            Self::Disk(error) => error.code(),
        }
    }

    /// Tells whether the same edits can succeed once the request carries fresh anchors.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Files(FilesError::Edit(refused)) => refused.error.is_retryable(),
            Self::Disk(error) => error.is_retryable(),
            Self::Request(_) | Self::Files(_) => false,
        }
    }
}

impl From<BadRequest> for Refusal {
    fn from(bad: BadRequest) -> Self {
        Self::Request(bad)
    }
}

impl From<FilesError> for Refusal {
    fn from(error: FilesError) -> Self {
        Self::Files(error)
    }
}

impl From<DiskError> for Refusal {
    fn from(error: DiskError) -> Self {
        Self::Disk(error)
    }
}

/// What became of a request.
pub type Outcome = Result<FilesEdited, Refusal>;

/// On what terms an answer is given.
#[derive(Clone, Debug)]
pub struct Terms {
    /// The dialect of its anchors.
    pub dialect: Dialect,
    /// Whether anything was written.
    pub mode: Mode,
    /// How many lines are shown around a place.
    pub context: Context,
    /// What is shown of the new content.
    pub show: Show,
    /// Where the request is to say which revision its anchors are of.
    pub rev_field: RevField,
    /// What was sent.
    pub sent: Sent,
    /// What is shown of files that are sent whole.
    pub whole: Whole,
    /// What there was to note about the request's shape.
    pub notes: Vec<Note>,
    /// What there is to know about the disk beside what became of the request.
    pub disk: Vec<DiskNote>,
}

/// What was sent: an answer speaks of edits only to somebody who sent some.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Sent {
    /// Edits.
    #[default]
    Edits,
    /// A whole file.
    WholeFile {
        /// The file that is there already, if it was in the way.
        there: Option<There>,
    },
}

/// A file that is there already.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct There {
    /// Its revision, short.
    pub rev: String,
    /// How many lines it has.
    pub lines: usize,
}

/// What is shown of a file that was sent whole: whoever sent it knows what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Whole {
    /// As of any other file.
    #[default]
    Places,
    /// Of a long one the first and the last lines.
    Ends,
}

impl Terms {
    /// Returns the terms of a dialect, for a request that says nothing else.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            mode: Mode::default(),
            context: Context::default(),
            show: Show::default(),
            rev_field: RevField::default(),
            sent: Sent::default(),
            whole: Whole::default(),
            notes: Vec::new(),
            disk: Vec::new(),
        }
    }
}

impl From<&Parsed> for Terms {
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

/// The terms on which a request that cannot be read is answered: in its dialect, if that is known.
impl From<&BadRequest> for Terms {
    fn from(bad: &BadRequest) -> Self {
        Self::new(bad.dialect.unwrap_or_default())
    }
}

/// Returns the answer in the dialect's own shape; `lean` has ours, and so has a request over several files, except in pi.
///
/// What no dialect has a place for is added under our names: corrections, hints, moves, notes; for a refusal `code`, `written`,
/// `retryable`, the `path` where one is known, the current `rev`, and in `also` the other files that are refused.
#[must_use]
pub fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    let mut own = match answering(terms, outcome) {
        Dialect::PI => pi::answer(terms, outcome),
        Dialect::OMP => omp::answer(terms, outcome),
        Dialect::PUSH => push::answer(terms, outcome),
        Dialect::COWBOY => cowboy::answer(terms, outcome),
        Dialect::OPENAGENT => openagent::answer(terms, outcome),
        _ => return common(terms, outcome),
    };
    if let (Some(own), Value::Object(ours)) = (own.as_object_mut(), common(terms, outcome)) {
        let first = ours
            .get("files")
            .and_then(|files| files.get(0))
            .and_then(Value::as_object);
        let of_file = first
            .into_iter()
            .flatten()
            .filter(|(key, _)| NOTEWORTHY.contains(&key.as_str()));
        let of_all = ours
            .iter()
            .filter(|(key, _)| OF_ALL.contains(&key.as_str()));
        for (key, value) in of_file.chain(of_all) {
            own.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    own
}

/// Returns the dialect in whose shape an answer is given. Only pi's has room for several files; `lean`'s is ours.
fn answering(terms: &Terms, outcome: &Outcome) -> Dialect {
    let several = outcome.as_ref().is_ok_and(|edited| edited.files.len() > 1);
    if several && terms.dialect != Dialect::PI {
        Dialect::LEAN
    } else {
        terms.dialect
    }
}

/// What every refusal says, whatever its shape.
const OF_ALL: &[&str] = &[
    "code",
    "written",
    "retryable",
    "path",
    "rev",
    "also",
    "notes",
];

/// What an answer must not keep to itself.
const NOTEWORTHY: &[&str] = &[
    "repairs",
    "hints",
    "moves",
    "unchecked",
    "noops",
    "duplicates",
];

/// Returns the error of a file's edits, if that is what a refusal is about.
fn edit_error(refusal: &Refusal) -> Option<(&EditRefused, &Error)> {
    match refusal {
        Refusal::Files(FilesError::Edit(refused)) => Some((refused, &refused.error)),
        _ => None,
    }
}

/// Returns the anchors that are refused, and the first of them.
fn refused_anchors(refusal: &Refusal) -> Option<(&AnchorsRefused, &Problem)> {
    match edit_error(refusal) {
        Some((_, Error::Anchors(refused))) => Some((refused, refused.problems.first()?)),
        _ => None,
    }
}

/// Lists the problems that are of one kind with the first.
fn of_first_kind(refused: &AnchorsRefused) -> impl Iterator<Item = &Problem> {
    refused
        .problems
        .iter()
        .filter(|problem| problem.trouble.code() == refused.code())
}

/// Renders the lines of a span with their anchors.
pub(crate) fn rendered(document: &Document, span: LineSpan, dialect: Dialect) -> Vec<String> {
    anchored(document, span, dialect.scheme)
        .map(|line| line.to_string())
        .collect()
}

/// Returns the anchors that an edit whose lines were found has now.
pub(crate) fn fresh_anchors(
    document: &Document,
    standing: &LandedEdit,
    dialect: Dialect,
) -> Vec<String> {
    let ends = standing.ends().into_iter();
    ends.filter_map(|line| anchor_at(document, line.index(), dialect))
        .collect()
}

/// Returns the anchor that names the line at `index` now.
pub(crate) fn anchor_at(document: &Document, index: usize, dialect: Dialect) -> Option<String> {
    let line = document.line_at(index)?;
    let number = LineNo::from_index(index);
    Some(
        dialect
            .scheme
            .anchor(number, dialect.scheme.tag(line.text, number)),
    )
}

/// Returns the numbers of the lines that the first kind of problem is about, ascending.
fn stale_lines(refused: &AnchorsRefused) -> Vec<usize> {
    let problems = of_first_kind(refused).filter(|problem| problem.anchor.is_some());
    let lines = problems.filter_map(|problem| problem.near.first());
    let lines: BTreeSet<usize> = lines.map(LineNo::get).collect();
    lines.into_iter().collect()
}

/// Returns from each anchor whose line changed to the one that line has now.
fn remaps(refused: &AnchorsRefused, dialect: Dialect) -> Map<String, Value> {
    let pairs: BTreeSet<(usize, String, String)> = of_first_kind(refused)
        .filter_map(|problem| {
            let now = fresh_anchor(&refused.document, problem, dialect)?;
            Some((problem.near.start(), spelled(dialect, problem)?, now))
        })
        .collect();
    let pairs = pairs.into_iter();
    pairs.map(|(_, sent, now)| (sent, now.into())).collect()
}

/// Returns the anchor of a problem as the dialect spells it, or as it was sent where its number is more than can be counted to.
fn spelled(dialect: Dialect, problem: &Problem) -> Option<String> {
    let anchor = problem.anchor.as_ref()?;
    Some(if anchor.line == u64::MAX {
        shortened(problem.claim.as_str())
    } else {
        dialect.scheme.respell(anchor)
    })
}

/// Tells whether what is wrong with stale anchors is what seeds 000 and 003 say of them: their lines changed. An anchor may be refused
/// for other reasons, on a line that is what it was.
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
    ) = problem.trouble
    else {
        return None;
    };
    let now = anchor_at(document, problem.near.first()?.index(), dialect)?;
    (Some(&now) != spelled(dialect, problem).as_ref()).then_some(now)
}
