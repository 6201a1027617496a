//! Decides which lines of a file an answer shows.
//!
//! Every renderer takes its spans from this module, and so does [`shown`], so that the ledger records exactly the lines that were shown. An
//! anchor that an answer shows but the ledger does not know would be refused when it is used.

use hashline_core::dialect::Dialect;
use hashline_core::error::{
    AnchorProblem, AnchorsRefused, FileHashDiffers, Overlap, Problem, Stale,
};
use hashline_core::files::{FileEdited, Status};
use hashline_core::shown::CutLine;
use hashline_core::text::{Document, LineNo, LineSpan};

use super::{
    AnswerForm, AnswerOptions, Outcome, Sent, Whole, answering, lines_changed, of_first_kind,
};
use crate::refusal::Failure;
use crate::render::model;
use crate::request::Show;

/// The lines of one file that an answer shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ShownLines {
    /// The path of the file.
    pub path: String,
    /// The content of the file that the answer shows.
    pub document: Document,
    /// The lines that are shown, ascending.
    pub spans: Vec<LineSpan>,
    /// Those of them of which only the beginning is shown.
    pub cut: Vec<CutLine>,
}

/// Returns the lines of each file that an answer shows in its form, to be recorded in the ledger.
#[must_use]
pub fn shown(options: &AnswerOptions, outcome: &Outcome) -> Vec<ShownLines> {
    let places = |path: &str, document: &Document, spans: Vec<LineSpan>| {
        let spans = spans.into_iter().filter(|span| !span.is_empty());
        let spans = LineSpan::merged(spans.collect());
        (!spans.is_empty()).then(|| ShownLines {
            path: path.to_owned(),
            document: document.clone(),
            spans,
            cut: Vec::new(),
        })
    };
    if options.page.is_some() {
        // Only texts have a limit: what a page leaves out was not shown.
        let page = model::page(options, outcome).shown().into_iter();
        return page
            .filter_map(|lines| {
                let cut = lines.cut;
                let shown = places(&lines.path, &lines.document, lines.spans)?;
                Some(ShownLines { cut, ..shown })
            })
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

/// Lists the lines of an edited file that the answer shows.
fn of_file(options: &AnswerOptions, outcome: &Outcome, file: &FileEdited) -> Vec<LineSpan> {
    let all = file.edited.report.after.all();
    match options.form {
        AnswerForm::Text => of_text(options, file),
        AnswerForm::Common if options.show == Show::Everything => vec![all],
        AnswerForm::Common => windows(options, file),
        AnswerForm::Dialect => match answering(options, outcome) {
            Dialect::OMP => of_text(options, file),
            Dialect::OPENAGENT => Vec::new(),
            Dialect::COWBOY => preview(options, file),
            _ if options.show == Show::Everything => vec![all],
            _ => windows(options, file),
        },
    }
}

/// Returns a refused file and the lines of it that the answer shows.
fn of_failure<'a>(
    options: &AnswerOptions,
    failure: &'a Failure,
) -> Option<(&'a Document, Vec<LineSpan>)> {
    let windows = failure.windows.iter().map(|window| window.span);
    match (failure.anchors(), options.form) {
        // A JSON answer has the text, too.
        (Some(anchors), AnswerForm::Common) => {
            let problems = anchors.problems.iter();
            let around = problems.flat_map(|one| around(options, &anchors.document, one));
            Some((&anchors.document, windows.chain(around).collect()))
        }
        (Some(anchors), AnswerForm::Dialect) => {
            let spans = windows.chain(of_anchors(options, anchors)).collect();
            Some((&anchors.document, spans))
        }
        _ => Some((&failure.windows.first()?.document, windows.collect())),
    }
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

/// Returns the changed places of a file with lines around them, or the ends of a long file that was sent whole; empty for [`Show::Diff`] and
/// [`Show::Nothing`].
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

/// The maximum number of changed lines (with context) of a file sent as a whole that are all shown; of more, only the beginning and the end are shown.
const MOST_OF_WHOLE: usize = 40;
/// How many lines are shown at the beginning of a long file that was sent whole.
const BEGINNING: usize = 20;
/// How many lines are shown at the end of a long file that was sent whole: enough to see that it arrived complete.
const END: usize = 5;

/// Returns the middle lines that are not shown of a long file that was sent whole; `None` if no lines are left out.
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

/// Returns the lines of an edited file that an answer in text form shows.
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

/// Returns the lines of an edited file that seed 002's answer shows: the whole file, or the changed places of a long one.
pub(super) fn preview(options: &AnswerOptions, file: &FileEdited) -> Vec<LineSpan> {
    let after = &file.edited.report.after;
    if after.line_count() <= WHOLE {
        vec![after.all()]
    } else {
        windows(options, file)
    }
}

/// Returns the lines around a refused anchor; empty for a malformed anchor, unless its line could be guessed.
pub(crate) fn around(
    options: &AnswerOptions,
    document: &Document,
    problem: &Problem,
) -> Vec<LineSpan> {
    if has_recovery_block(options, problem) {
        return vec![recovery(document, problem)];
    }
    if matches!(problem.reason, AnchorProblem::Malformed(_)) && problem.near.is_empty() {
        return Vec::new();
    }
    let places = problem.places.iter();
    let wide = places.map(|place| widened(options, document, *place));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

/// Returns whether an answer shows seed 004's recovery block for a refused anchor: where the search of that tool found no line, or several.
pub(crate) fn has_recovery_block(options: &AnswerOptions, problem: &Problem) -> bool {
    let is_unfound = matches!(
        problem.reason,
        AnchorProblem::Stale(Stale::NotRelocated { .. })
    );
    options.dialect == Dialect::PI && is_unfound
}

/// How many lines before and after a stale line seed 001's answer shows with current anchors.
const FRESH: usize = 5;

/// Returns the lines that seed 001's answer shows around a refused anchor; empty for a reversed range or a malformed anchor.
pub(super) fn fresh(document: &Document, problem: &Problem) -> LineSpan {
    match problem.reason {
        AnchorProblem::Reversed | AnchorProblem::Malformed(_) => LineSpan::gap(0),
        _ => problem.near.widened(FRESH, document.line_count()),
    }
}

/// Returns the lines that seed 004's answer shows around a refused anchor: one before, one after; empty for a reversed range or a malformed
/// anchor.
pub(crate) fn recovery(document: &Document, problem: &Problem) -> LineSpan {
    match problem.reason {
        AnchorProblem::Reversed | AnchorProblem::Malformed(_) => LineSpan::gap(0),
        _ => {
            LineSpan::of(LineNo::from_index(problem.near.start())).widened(1, document.line_count())
        }
    }
}

/// How many lines seeds 000 and 003 show before and after each changed line, which they mark with `>>>`.
const MARKED: usize = 2;

/// Returns the lines that seeds 000 and 003 show for stale anchors: the changed lines with two lines around each.
pub(super) fn marked(refused: &AnchorsRefused) -> Vec<LineSpan> {
    let lines = of_first_kind(refused).flat_map(|problem| problem.near.range().take(1));
    around_each(lines, refused.document.line_count())
}

/// Returns the lines at `indexes` with two lines before and after each, merged where they touch.
pub(crate) fn around_each(indexes: impl Iterator<Item = usize>, lines: usize) -> Vec<LineSpan> {
    let spans = indexes.map(|index| LineSpan::new(index..index + 1).widened(MARKED, lines));
    LineSpan::merged(spans.collect())
}

/// Returns the lines that two edits both change, with context around them.
pub(crate) fn of_overlap(options: &AnswerOptions, overlap: &Overlap) -> LineSpan {
    widened(options, &overlap.document, overlap.lines)
}

/// Returns the lines that a request names in a file whose SHA-256 differs from the expected one, with context around them.
pub(crate) fn of_file_hash(options: &AnswerOptions, differs: &FileHashDiffers) -> Vec<LineSpan> {
    let near = differs.near.iter();
    let wide = near.map(|&near| widened(options, &differs.document, near));
    LineSpan::merged(wide.filter(|span| !span.is_empty()).collect())
}

fn widened(options: &AnswerOptions, document: &Document, span: LineSpan) -> LineSpan {
    span.widened(options.context.lines(), document.line_count())
}
