//! Which lines an answer shows.
//!
//! Every renderer takes its spans from here, and so does [`shown`], so that the ledger records exactly the lines that were shown. An
//! anchor that an answer offers and the ledger does not know would be refused when it is used.

use hashline_core::dialect::Dialect;
use hashline_core::error::{AnchorProblem, AnchorsRefused, FileHashDiffers, Overlap, Problem};
use hashline_core::files::{FileEdited, Status};
use hashline_core::policy::Context;
use hashline_core::text::{Document, LineNo, LineSpan};

use super::{AnswerOptions, Outcome, Sent, Whole, answering, lines_changed, of_first_kind};
use crate::refusal::Failure;
use crate::render::model;
use crate::request::Show;

/// The lines of one file that an answer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLines {
    /// The file.
    pub path: String,
    /// Its content, as the answer shows it.
    pub document: Document,
    /// The lines, ascending.
    pub spans: Vec<LineSpan>,
}

/// Returns the lines of each file that an answer shows, for the ledger: those of the texts, of our own answer and of the dialect's,
/// whichever of them is sent.
#[must_use]
pub fn shown(options: &AnswerOptions, outcome: &Outcome) -> Vec<ShownLines> {
    let places = |path: &str, document: &Document, spans: Vec<LineSpan>| {
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        let spans = LineSpan::merged(spans.collect());
        (!spans.is_empty()).then(|| ShownLines {
            path: path.to_owned(),
            document: document.clone(),
            spans,
        })
    };
    if options.max_bytes.is_some() {
        // Only texts have a limit: what a page leaves out was not shown.
        let page = model::page(options, outcome).shown().into_iter();
        return page
            .filter_map(|lines| places(&lines.path, &lines.document, lines.spans))
            .collect();
    }
    match outcome {
        Ok(edited) => edited
            .files
            .iter()
            .filter(|file| file.path.is_some())
            .filter_map(|file| {
                let after = &file.edited.report.after;
                places(file.name(), after, of_file(options, outcome, file))
            })
            .collect(),
        Err(refusal) => refusal
            .failures()
            .filter_map(|failure| {
                let (document, spans) = of_failure(options, failure)?;
                places(failure.path.as_deref()?, document, spans)
            })
            .collect(),
    }
}

/// Lists what is shown of a file that was edited.
fn of_file(options: &AnswerOptions, outcome: &Outcome, file: &FileEdited) -> Vec<LineSpan> {
    let mut spans = of_text(options, file);
    spans.extend(windows(options, file));
    if options.show == Show::Everything {
        spans.push(file.edited.report.after.all());
    }
    if answering(options, outcome) == Dialect::COWBOY && left_out(options, file).is_none() {
        spans.extend(preview(options, file));
    }
    spans
}

/// Lists what is shown of a file that is refused: the windows of the failure, and what a dialect's own answer shows beside them.
fn of_failure<'a>(
    options: &AnswerOptions,
    failure: &'a Failure,
) -> Option<(&'a Document, Vec<LineSpan>)> {
    let mut spans: Vec<LineSpan> = failure.windows.iter().map(|window| window.span).collect();
    if let Some(anchors) = failure.anchors() {
        spans.extend(of_anchors(options, anchors));
        return Some((&anchors.document, spans));
    }
    Some((&failure.windows.first()?.document, spans))
}

fn of_anchors(options: &AnswerOptions, refused: &AnchorsRefused) -> Vec<LineSpan> {
    let around_first = |around: fn(&Document, &Problem) -> LineSpan| {
        let first = refused.problems.iter().take(1);
        first.map(|one| around(&refused.document, one)).collect()
    };
    match options.dialect {
        Dialect::PUSH => around_first(fresh),
        Dialect::PI => around_first(recovery),
        Dialect::OMP | Dialect::OPENAGENT if lines_changed(refused, options.dialect) => {
            marked(refused)
        }
        _ => Vec::new(),
    }
}

/// The touched places of a file, with lines around them, or its ends; nothing if the answer is to show nothing with anchors.
pub(crate) fn windows(options: &AnswerOptions, file: &FileEdited) -> Vec<LineSpan> {
    match (options.show, left_out(options, file)) {
        (Show::Windows, Some(middle)) => {
            let lines = file.edited.report.after.line_count();
            vec![
                LineSpan::new(0..middle.start()),
                LineSpan::new(middle.end()..lines),
            ]
        }
        (Show::Windows | Show::Everything, _) => file.edited.report.windows(options.context),
        (Show::Diff | Show::Nothing, _) => Vec::new(),
    }
}

/// A file that was sent whole is shown whole up to this many lines.
const MOST_OF_WHOLE: usize = 40;
/// How many lines of a longer one are shown at its beginning.
const BEGINNING: usize = 20;
/// How many at its end: enough to see that it arrived whole.
const END: usize = 5;

/// The lines that are not shown of a long file that was sent whole.
pub(crate) fn left_out(options: &AnswerOptions, file: &FileEdited) -> Option<LineSpan> {
    let report = &file.edited.report;
    let was_sent = matches!(options.sent, Sent::WholeFile { .. }) || file.status() == Status::Added;
    if options.whole != Whole::Ends || options.show != Show::Windows || !was_sent {
        return None;
    }
    let touched = report.windows(options.context);
    let touched: usize = touched.iter().map(|span| span.len()).sum();
    let lines = report.after.line_count();
    (touched > MOST_OF_WHOLE).then(|| LineSpan::new(BEGINNING..lines - END))
}

/// The lines that a text shows of an edited file.
pub(crate) fn of_text(options: &AnswerOptions, file: &FileEdited) -> Vec<LineSpan> {
    let report = &file.edited.report;
    let is_there = file.status() != Status::Deleted;
    match options.show {
        Show::Everything if is_there && report.after.line_count() > 0 => {
            vec![report.after.all()]
        }
        Show::Windows if is_there && report.is_changed() => windows(options, file),
        _ => Vec::new(),
    }
}

/// Seed 002 shows the whole edited file up to this many lines.
const WHOLE: usize = 400;

/// What seed 002 shows of an edited file.
pub(super) fn preview(options: &AnswerOptions, file: &FileEdited) -> Vec<LineSpan> {
    let after = &file.edited.report.after;
    if after.line_count() <= WHOLE {
        vec![after.all()]
    } else {
        windows(options, file)
    }
}

/// The lines around an anchor that is refused. A malformed one points nowhere, unless a line was guessed for it.
pub(super) fn around(context: Context, document: &Document, problem: &Problem) -> Vec<LineSpan> {
    if matches!(problem.reason, AnchorProblem::Malformed(_)) && problem.near.is_empty() {
        return Vec::new();
    }
    let places = problem.places.iter();
    let wide = places.map(|place| place.widened(context.lines(), document.line_count()));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

/// How many lines around a stale line seed 001 hands out fresh.
const FRESH: usize = 5;

/// What seed 001 shows around an anchor that is refused.
pub(super) fn fresh(document: &Document, problem: &Problem) -> LineSpan {
    match problem.reason {
        AnchorProblem::Reversed | AnchorProblem::Malformed(_) => LineSpan::gap(0),
        _ => problem.near.widened(FRESH, document.line_count()),
    }
}

/// What seed 004 shows around an anchor that is refused: one line each way.
pub(super) fn recovery(document: &Document, problem: &Problem) -> LineSpan {
    match problem.reason {
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

/// The lines around some lines, two each way.
pub(crate) fn around_each(indexes: impl Iterator<Item = usize>, lines: usize) -> Vec<LineSpan> {
    let spans = indexes.map(|index| LineSpan::new(index..index + 1).widened(MARKED, lines));
    LineSpan::merged(spans.collect())
}

/// The lines around those that two edits are about.
pub(crate) fn of_overlap(options: &AnswerOptions, overlap: &Overlap) -> LineSpan {
    widened(options, &overlap.document, overlap.lines)
}

/// The lines around those that a request names of a file with other bytes.
pub(crate) fn of_file_hash(options: &AnswerOptions, differs: &FileHashDiffers) -> Vec<LineSpan> {
    let near = differs.near.iter();
    let wide = near.map(|&near| widened(options, &differs.document, near));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

fn widened(options: &AnswerOptions, document: &Document, span: LineSpan) -> LineSpan {
    span.widened(options.context.lines(), document.line_count())
}
