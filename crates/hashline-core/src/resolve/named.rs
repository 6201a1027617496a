//! Finds the line of an anchor by number and tag alone: the line with the anchor's number must have the anchor's tag. No other line is
//! searched for.
//!
//! Number and tag are all that can be checked if there is no record of the lines that were shown.

use super::{AnchoredEdit, Landed, LandingResult};
use crate::anchor::Anchor;
use crate::error::{AnchorProblem, Problem, Stale};
use crate::scheme::Scheme;
use crate::text::{Document, LineNo, LineSpan, RevPrefix};

/// Finds the lines of every edit by number and tag. A revision in the request must be the current one.
pub(super) fn land_at_revision(
    document: &Document,
    rev: Option<&RevPrefix>,
    scheme: Scheme,
    edits: &[AnchoredEdit],
) -> Vec<LandingResult> {
    let other = rev.is_some_and(|rev| !rev.matches(document.revision()));
    let land_one = |edit: &AnchoredEdit| {
        if other {
            let near = about(document, &edit.first);
            let reason = AnchorProblem::Stale(Stale::OtherRevision);
            return Err(vec![edit.problem(0, reason, near)]);
        }
        land(document, scheme, edit)
    };
    edits.iter().map(land_one).collect()
}

/// Finds the lines of one edit by number and tag.
pub(super) fn land(document: &Document, scheme: Scheme, edit: &AnchoredEdit) -> LandingResult {
    let mut problems: Vec<Problem> = Vec::new();
    for (end, anchor) in edit.anchors().into_iter().enumerate() {
        if let Err(reason) = check(document, scheme, anchor) {
            problems.push(edit.problem(end, reason, about(document, anchor)));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    place(document, edit)
}

/// Returns the lines with the numbers in the anchors, whose tags were checked before.
pub(super) fn place(document: &Document, edit: &AnchoredEdit) -> LandingResult {
    let Some(span) = edit.named_span() else {
        let near = about(document, &edit.first);
        return Err(vec![edit.problem(0, AnchorProblem::Reversed, near)]);
    };
    Ok(Landed::by_ends(span, span))
}

/// Checks that the current line with the anchor's number has the anchor's tag.
pub(super) fn check(
    document: &Document,
    scheme: Scheme,
    anchor: &Anchor,
) -> Result<LineNo, AnchorProblem> {
    let line = LineNo::new(anchor.line).and_then(|number| Some((number, document.line(number)?)));
    let Some((number, line)) = line else {
        return Err(AnchorProblem::OutOfRange);
    };
    if scheme.fits(anchor.tag, line.text, number) {
        Ok(number)
    } else {
        Err(AnchorProblem::Stale(Stale::TagDiffers))
    }
}

/// Returns the line with the anchor's number, or the last line if the document is shorter.
pub(super) fn about(document: &Document, anchor: &Anchor) -> LineSpan {
    let Some(last) = document.all().last() else {
        return LineSpan::gap(0);
    };
    let number = LineNo::new(anchor.line.max(1)).unwrap_or(last);
    LineSpan::of(number.min(last))
}
