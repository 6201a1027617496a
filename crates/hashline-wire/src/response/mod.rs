//! Answers: what became of a request, as each dialect's own objects and as ours.
//!
//! A dialect's answers keep its own names and shapes; ours is the same for every request. All of them are made from the same two
//! types: what was done ([`FilesEdited`]) or why nothing was ([`Refusal`]).

mod common;
mod cowboy;
mod marked;
mod names;
mod omp;
mod openagent;
mod pi;
mod push;
mod read;

use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorsRefused, Error, Problem};
use hashline_core::files::{EditRefused, FilesEdited, FilesError};
use hashline_core::policy::Context;
use hashline_core::render::anchored;
use hashline_core::text::{Document, LineNo, LineSpan};
use serde_json::Value;

pub use common::common;
pub use names::{CODES, CodeRow, dialect_code};
pub use read::{CowboyReadAnswer, PushReadAnswer, cowboy_read, pi_read, push_read};

use crate::error::BadRequest;
use crate::request::{Mode, Note, Parsed, Show};

/// Why nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The request cannot be read.
    Request(BadRequest),
    /// The request cannot be done.
    Files(FilesError),
}

impl Refusal {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Self::Request(bad) => bad.fault.code(),
            Self::Files(error) => error.code(),
        }
    }

    /// Tells whether the same edits can succeed once the request carries fresh anchors.
    #[must_use]
    pub fn is_retryable(&self) -> bool {
        matches!(self, Self::Files(FilesError::Edit(refused)) if refused.error.is_retryable())
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
    /// What there was to note about the request's shape.
    pub notes: Vec<Note>,
}

impl Terms {
    /// Returns the terms of a dialect, for requests that could not be read.
    #[must_use]
    pub fn new(dialect: Dialect) -> Self {
        let (mode, context, show) = (Mode::default(), Context::default(), Show::default());
        Self {
            dialect,
            mode,
            context,
            show,
            notes: Vec::new(),
        }
    }
}

impl From<&Parsed> for Terms {
    fn from(parsed: &Parsed) -> Self {
        Self {
            mode: parsed.mode,
            context: parsed.context.unwrap_or_default(),
            show: parsed.show,
            notes: parsed.notes.clone(),
            ..Self::new(parsed.dialect)
        }
    }
}

/// Returns the answer in the dialect's own shape; `lean` has ours.
#[must_use]
pub fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    match terms.dialect {
        Dialect::OMP => omp::answer(terms, outcome),
        Dialect::PUSH => push::answer(terms, outcome),
        Dialect::COWBOY => cowboy::answer(terms, outcome),
        Dialect::OPENAGENT => openagent::answer(terms, outcome),
        Dialect::PI => pi::answer(terms, outcome),
        _ => common(terms, outcome),
    }
}

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

/// Returns the stale lines of a refusal, ascending, and what their anchors are now: `(line number, sent, current)`.
fn remapped(refused: &AnchorsRefused, dialect: Dialect) -> Vec<(usize, String, String)> {
    let mut lines: Vec<(usize, String, String)> = of_first_kind(refused)
        .filter_map(|problem| {
            let now = anchor_at(&refused.document, problem.near.start(), dialect)?;
            let sent = dialect.scheme.respell(problem.anchor.as_ref()?);
            Some((LineNo::from_index(problem.near.start()).get(), sent, now))
        })
        .collect();
    lines.sort();
    lines.dedup();
    lines
}
