//! Finds the line of an anchor as the original tools do: by number and tag, or else on the only searched line that has the tag.
//!
//! An 8-bit tag is weak evidence: for lines that were changed, not moved, more than one edit in three would hit a wrong line. So
//! searching by tag is never the default; it is used to compare hashline with the original tools and by their recorded test cases.

use super::{AnchoredEdit, Landed, LandingResult, named};
use crate::anchor::Anchor;
use crate::dialect::{Dialect, Relocation};
use crate::error::{AnchorProblem, Stale};
use crate::scheme::{Scheme, normalised};
use crate::text::{Document, LineNo, LineSpan};

/// Finds the lines of every edit by number and tag, or by the search of the dialect's original tool.
pub(super) fn land(
    document: &Document,
    dialect: Dialect,
    edits: &[AnchoredEdit],
) -> Vec<LandingResult> {
    edits
        .iter()
        .map(|edit| land_one(document, dialect, edit))
        .collect()
}

fn land_one(document: &Document, dialect: Dialect, edit: &AnchoredEdit) -> LandingResult {
    if dialect.relocation == Relocation::Never {
        return named::land(document, dialect.scheme, edit);
    }
    let mut problems = Vec::new();
    let mut lines = Vec::new();
    for (end, anchor) in edit.anchors().into_iter().enumerate() {
        match find(document, dialect, anchor) {
            Ok(line) => lines.push(line),
            Err(reason) => {
                problems.push(edit.problem(end, reason, named::about(document, anchor)));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else {
        return named::place(document, edit);
    };
    if !as_far_apart(edit, first, last) {
        let reason = AnchorProblem::Stale(Stale::NotRelocated { candidates: 0 });
        let near = named::about(document, &edit.first);
        return Err(vec![edit.problem(0, reason, near)]);
    }
    let as_named = named::place(document, edit)?.span;
    Ok(Landed::by_ends(LineSpan::between(first, last), as_named))
}

/// Returns whether first and last line of a range were found as many lines apart as the numbers in the anchors.
fn as_far_apart(edit: &AnchoredEdit, first: LineNo, last: LineNo) -> bool {
    let named_last = edit.last.as_ref().unwrap_or(&edit.first).line;
    i128::from(named_last) - i128::from(edit.first.line) == last.get() as i128 - first.get() as i128
}

/// Returns the line with the anchor's number and tag, or else the only other searched line that has the tag.
fn find(document: &Document, dialect: Dialect, anchor: &Anchor) -> Result<LineNo, AnchorProblem> {
    let reach = match (
        named::check(document, dialect.scheme, anchor),
        dialect.relocation,
    ) {
        (Ok(line), _) => return Ok(line),
        (Err(AnchorProblem::OutOfRange), Relocation::WholeFile) => {
            return Err(AnchorProblem::OutOfRange);
        }
        (Err(_), Relocation::Within(reach)) => reach,
        (Err(_), _) => document.line_count(),
    };
    let near = within(document, anchor, reach);
    let tagger = &mut dialect.scheme.tagger();
    let candidates: Vec<LineNo> = near
        .range()
        .zip(document.lines_in(near))
        .map(|(index, line)| (LineNo::from_index(index), line.text))
        .filter(|&(number, _)| number.get() as u64 != anchor.line)
        .filter(|&(number, text)| dialect.scheme.names(anchor.tag, tagger.value(text, number)))
        .filter(|&(_, text)| reads_as_sent(dialect.scheme, anchor, text))
        .map(|(number, _)| number)
        .collect();
    match candidates.as_slice() {
        [line] => Ok(*line),
        _ => Err(AnchorProblem::Stale(Stale::NotRelocated {
            candidates: candidates.len(),
        })),
    }
}

/// Returns the lines that are at most `reach` lines away from the anchor's number.
fn within(document: &Document, anchor: &Anchor, reach: usize) -> LineSpan {
    let lines = document.line_count();
    let named = usize::try_from(anchor.line).unwrap_or(usize::MAX);
    let start = named.saturating_sub(reach).saturating_sub(1).min(lines);
    LineSpan::new(start..named.saturating_add(reach).min(lines))
}

/// Returns whether a line has the text that the request sent with the anchor; true if it sent none.
fn reads_as_sent(scheme: Scheme, anchor: &Anchor, text: &[u8]) -> bool {
    let Some(sent) = anchor.text.as_ref().filter(|_| scheme == Scheme::Pi) else {
        return true;
    };
    std::str::from_utf8(text).is_ok_and(|text| normalised(text) == normalised(sent))
}
