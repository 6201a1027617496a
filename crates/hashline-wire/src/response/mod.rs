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
use hashline_core::error::{AnchorsRefused, Error, Problem, Trouble};
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
    /// Returns the terms of a dialect, for a request that says nothing else.
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

/// The terms on which a request that cannot be read is answered: in its dialect, if that is known.
impl From<&BadRequest> for Terms {
    fn from(bad: &BadRequest) -> Self {
        Self::new(bad.dialect.unwrap_or_default())
    }
}

/// Returns the answer in the dialect's own shape; `lean` has ours, and so has a request over several files, except in pi.
///
/// What no dialect has a place for is added under our names: corrections, hints, moves, notes; for a refusal `code`, `written`,
/// `retryable`, the `path` where one is known, and the current `rev`.
#[must_use]
pub fn answer(terms: &Terms, outcome: &Outcome) -> Value {
    let several = outcome.as_ref().is_ok_and(|edited| edited.files.len() > 1);
    let mut own = match terms.dialect {
        Dialect::PI => pi::answer(terms, outcome),
        _ if several => return common(terms, outcome),
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
        let of_all = ours.iter().filter(|(key, _)| {
            ["code", "written", "retryable", "path", "rev", "notes"].contains(&key.as_str())
        });
        for (key, value) in of_file.chain(of_all) {
            own.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    own
}

/// What an answer must not keep to itself.
const NOTEWORTHY: &[&str] = &[
    "repairs",
    "hints",
    "moves",
    "unchecked",
    "noops",
    "duplicates",
];

/// What an answer shows: the places in each file, so that they can be written down as shown.
#[must_use]
pub fn shown(terms: &Terms, outcome: &Outcome) -> Vec<ShownPlaces> {
    let places = |path: &str, document: &Document, spans| ShownPlaces {
        path: path.to_owned(),
        document: document.clone(),
        spans,
    };
    match outcome {
        Ok(edited) => edited
            .files
            .iter()
            .filter(|file| file.path.is_some())
            .map(|file| {
                let after = file.edited.report.after();
                let spans = match terms.show {
                    Show::Everything => vec![after.all()],
                    Show::Windows => file.edited.report.windows(terms.context),
                };
                places(file.name(), after, spans)
            })
            .collect(),
        Err(refusal) => match edit_error(refusal) {
            Some((refused, Error::Anchors(anchors))) => {
                vec![places(
                    &refused.path,
                    &anchors.document,
                    refused_spans(terms, anchors),
                )]
            }
            Some((refused, Error::FileHash(differs))) => {
                let spans = spans_around(terms, &differs.document, differs.near.iter().copied());
                vec![places(&refused.path, &differs.document, spans)]
            }
            Some((refused, Error::Overlap(overlap))) => {
                let lines = overlap.document.line_count();
                let spans = vec![overlap.lines.widened(terms.context.lines(), lines)];
                vec![places(&refused.path, &overlap.document, spans)]
            }
            Some((refused, Error::TextNotUnique(found))) => {
                let spans = found.lines.iter().map(|&line| LineSpan::of(line)).collect();
                vec![places(&refused.path, &found.document, spans)]
            }
            _ => Vec::new(),
        },
    }
}

/// The lines of one file that an answer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPlaces {
    /// The file.
    pub path: String,
    /// Its content, as the answer shows it.
    pub document: Document,
    /// The lines.
    pub spans: Vec<LineSpan>,
}

/// Returns the lines around every anchor that is refused, and what it may mean.
pub(crate) fn refused_spans(terms: &Terms, refused: &AnchorsRefused) -> Vec<LineSpan> {
    // A malformed anchor points nowhere, unless a line was guessed for it.
    let pointing = refused.problems.iter().filter(|problem| {
        !matches!(problem.trouble, Trouble::Malformed(_)) || !problem.near.is_empty()
    });
    spans_around(
        terms,
        &refused.document,
        pointing.map(|problem| problem.near),
    )
}

/// Widens places by the context of an answer; what then touches is one.
pub(crate) fn spans_around(
    terms: &Terms,
    document: &Document,
    places: impl Iterator<Item = LineSpan>,
) -> Vec<LineSpan> {
    let wide = places.map(|near| near.widened(terms.context.lines(), document.line_count()));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
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
