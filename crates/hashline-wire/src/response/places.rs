//! Which lines an answer shows.
//!
//! Every renderer takes its spans from here, and so does [`shown`]: what is written down as shown is what was shown. A line that an
//! answer offers and the record does not know would be refused when it is taken up.

use hashline_core::dialect::Dialect;
use hashline_core::error::{
    AnchorProblem, AnchorsRefused, EngineRefusal, Error, FileHashDiffers, Overlap, Problem,
};
use hashline_core::files::{EditRefused, FileEdited, Status};
use hashline_core::policy::Context;
use hashline_core::text::{Document, LineNo, LineSpan};

use super::{
    Outcome, Refusal, Sent, Terms, Whole, answering, edit_error, lines_changed, of_first_kind,
};
use crate::request::Show;

/// The lines of one file that an answer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownPlaces {
    /// The file.
    pub path: String,
    /// Its content, as the answer shows it.
    pub document: Document,
    /// The lines, ascending.
    pub spans: Vec<LineSpan>,
}

/// What an answer shows: the places in each file, so that they can be written down as shown. These are the lines of the texts, of our
/// own answer and of the dialect's, whichever of them is sent.
#[must_use]
pub fn shown(terms: &Terms, outcome: &Outcome) -> Vec<ShownPlaces> {
    let places = |path: &str, document: &Document, spans: Vec<LineSpan>| {
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        let spans = LineSpan::merged(spans.collect());
        (!spans.is_empty()).then(|| ShownPlaces {
            path: path.to_owned(),
            document: document.clone(),
            spans,
        })
    };
    match outcome {
        Ok(edited) => edited
            .files
            .iter()
            .filter(|file| file.path.is_some())
            .filter_map(|file| {
                let after = &file.edited.report.after;
                places(file.name(), after, of_file(terms, outcome, file))
            })
            .collect(),
        Err(Refusal::Disk(error)) => error
            .fresh()
            .and_then(|now| places(error.path()?, &now.document, now.spans.clone()))
            .into_iter()
            .collect(),
        Err(refusal) => edit_error(refusal)
            .into_iter()
            .flat_map(|(refused, _)| refused.each())
            .filter_map(|one| places(&one.path, &one.document, of_refusal(terms, one)))
            .collect(),
    }
}

/// Lists what is shown of a file that was edited.
fn of_file(terms: &Terms, outcome: &Outcome, file: &FileEdited) -> Vec<LineSpan> {
    let mut spans = of_text(terms, file);
    spans.extend(windows(terms, file));
    if terms.show == Show::Everything {
        spans.push(file.edited.report.after.all());
    }
    if answering(terms, outcome) == Dialect::COWBOY && left_out(terms, file).is_none() {
        spans.extend(preview(terms, file));
    }
    spans
}

/// Lists what is shown of a file whose edits are refused.
fn of_refusal(terms: &Terms, refused: &EditRefused) -> Vec<LineSpan> {
    match &refused.error {
        Error::Anchors(anchors) => of_anchors(terms, anchors),
        Error::FileHash(differs) => of_file_hash(terms, differs),
        Error::OtherRevision(other) => other.lines().into_iter().collect(),
        Error::Overlap(overlap) => vec![of_overlap(terms, overlap)],
        Error::TextNotUnique(found) => found.lines.iter().map(|&line| LineSpan::of(line)).collect(),
        Error::Engine(EngineRefusal::Stale { mismatches, .. }) => {
            let numbers = mismatches.iter().map(|mismatch| mismatch.line);
            let indexes = numbers.filter_map(|line| usize::try_from(line).ok()?.checked_sub(1));
            around_each(indexes, refused.document.line_count())
        }
        _ => Vec::new(),
    }
}

fn of_anchors(terms: &Terms, refused: &AnchorsRefused) -> Vec<LineSpan> {
    let document = &refused.document;
    let mut spans = around_problems(terms, refused);
    spans.extend(refused.problems.iter().flat_map(candidates));
    let first = refused.problems.first();
    match terms.dialect {
        Dialect::PUSH => spans.extend(first.map(|problem| fresh(document, problem))),
        Dialect::PI => spans.extend(first.map(|problem| recovery(document, problem))),
        Dialect::OMP | Dialect::OPENAGENT if lines_changed(refused, terms.dialect) => {
            spans.extend(marked(refused));
        }
        _ => {}
    }
    spans
}

/// The touched places of a file, with lines around them, or its ends; nothing if the answer is to show nothing with anchors.
pub(crate) fn windows(terms: &Terms, file: &FileEdited) -> Vec<LineSpan> {
    match (terms.show, left_out(terms, file)) {
        (Show::Windows, Some(middle)) => {
            let lines = file.edited.report.after.line_count();
            vec![
                LineSpan::new(0..middle.start()),
                LineSpan::new(middle.end()..lines),
            ]
        }
        (Show::Windows | Show::Everything, _) => file.edited.report.windows(terms.context),
        (Show::Diff | Show::Nothing, _) => Vec::new(),
    }
}

/// So many lines of a file that was sent whole are shown without leaving any out.
const MOST_OF_WHOLE: usize = 40;
/// Of a longer one so many at its beginning.
const BEGINNING: usize = 20;
/// And so many at its end.
const END: usize = 5;

/// The lines that are not shown of a long file that was sent whole.
pub(crate) fn left_out(terms: &Terms, file: &FileEdited) -> Option<LineSpan> {
    let report = &file.edited.report;
    let was_sent = matches!(terms.sent, Sent::WholeFile { .. }) || file.status() == Status::Added;
    if terms.whole != Whole::Ends || terms.show != Show::Windows || !was_sent {
        return None;
    }
    let touched = report.windows(terms.context);
    let touched: usize = touched.iter().map(|span| span.len()).sum();
    let lines = report.after.line_count();
    (touched > MOST_OF_WHOLE).then(|| LineSpan::new(BEGINNING..lines - END))
}

/// What a text shows of an edited file.
pub(crate) fn of_text(terms: &Terms, file: &FileEdited) -> Vec<LineSpan> {
    let report = &file.edited.report;
    let is_there = file.status() != Status::Deleted;
    match terms.show {
        Show::Everything if is_there && report.after.line_count() > 0 => {
            vec![report.after.all()]
        }
        Show::Windows if is_there && report.is_changed() => windows(terms, file),
        _ => Vec::new(),
    }
}

/// Up to so many lines seed 002 shows the whole edited file.
const WHOLE: usize = 400;

/// What seed 002 shows of an edited file.
pub(super) fn preview(terms: &Terms, file: &FileEdited) -> Vec<LineSpan> {
    let after = &file.edited.report.after;
    if after.line_count() <= WHOLE {
        vec![after.all()]
    } else {
        windows(terms, file)
    }
}

/// The lines around every anchor that is refused, and those that the anchors of the other edits name; what touches is one.
pub(crate) fn around_problems(terms: &Terms, refused: &AnchorsRefused) -> Vec<LineSpan> {
    around_all(refused, terms.context)
}

/// The same, with so many lines around each.
pub(crate) fn around_all(refused: &AnchorsRefused, context: Context) -> Vec<LineSpan> {
    refused.windows(context)
}

/// The lines around an anchor that is refused. A malformed one points nowhere, unless a line was guessed for it.
pub(super) fn around(context: Context, document: &Document, problem: &Problem) -> Vec<LineSpan> {
    if matches!(problem.trouble, AnchorProblem::Malformed(_)) && problem.near.is_empty() {
        return Vec::new();
    }
    let places = problem.places().into_iter();
    let wide = places.map(|place| place.widened(context.lines(), document.line_count()));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

/// The lines that an ambiguous anchor may mean.
fn candidates(problem: &Problem) -> Vec<LineSpan> {
    match &problem.trouble {
        AnchorProblem::Ambiguous(candidates) => candidates.iter().map(|one| one.place).collect(),
        _ => Vec::new(),
    }
}

/// How many lines around a stale line seed 001 hands out fresh.
const FRESH: usize = 5;

/// What seed 001 shows around an anchor that is refused.
pub(super) fn fresh(document: &Document, problem: &Problem) -> LineSpan {
    match problem.trouble {
        AnchorProblem::Reversed | AnchorProblem::Malformed(_) => LineSpan::gap(0),
        _ => problem.near.widened(FRESH, document.line_count()),
    }
}

/// What seed 004 shows around an anchor that is refused: one line each way.
pub(super) fn recovery(document: &Document, problem: &Problem) -> LineSpan {
    match problem.trouble {
        AnchorProblem::Reversed | AnchorProblem::Malformed(_) => LineSpan::gap(0),
        _ => {
            LineSpan::of(LineNo::from_index(problem.near.start())).widened(1, document.line_count())
        }
    }
}

/// How many lines stand around a changed one in the `>>>` block of seeds 000 and 003.
const MARKED: usize = 2;

/// What the `>>>` block of seeds 000 and 003 shows.
pub(super) fn marked(refused: &AnchorsRefused) -> Vec<LineSpan> {
    let lines = of_first_kind(refused).flat_map(|problem| problem.near.range().take(1));
    around_each(lines, refused.document.line_count())
}

fn around_each(indexes: impl Iterator<Item = usize>, lines: usize) -> Vec<LineSpan> {
    let spans = indexes.map(|index| LineSpan::new(index..index + 1).widened(MARKED, lines));
    LineSpan::merged(spans.collect())
}

/// The lines around those that two edits are about.
pub(crate) fn of_overlap(terms: &Terms, overlap: &Overlap) -> LineSpan {
    widened(terms, &overlap.document, overlap.lines)
}

/// The lines around those that a request names of a file with other bytes.
pub(crate) fn of_file_hash(terms: &Terms, differs: &FileHashDiffers) -> Vec<LineSpan> {
    let near = differs.near.iter();
    let wide = near.map(|&near| widened(terms, &differs.document, near));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

fn widened(terms: &Terms, document: &Document, span: LineSpan) -> LineSpan {
    span.widened(terms.context.lines(), document.line_count())
}
