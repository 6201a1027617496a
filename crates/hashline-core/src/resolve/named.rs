//! Landing by name alone: number and tag must match the current line. Nothing is searched for.

use super::{AnchoredEdit, InnerLines, Landed, Landings, Placement};
use crate::anchor::Anchor;
use crate::error::{AnchorProblem, Problem, Stale};
use crate::scheme::Scheme;
use crate::text::{Document, LineNo, LineSpan, RevPrefix};

/// Lands every edit by name; a revision, if the request has one, must be the current one.
pub(super) fn land_at_revision(
    document: &Document,
    rev: Option<&RevPrefix>,
    scheme: Scheme,
    wanted: &[AnchoredEdit],
) -> Vec<Landings> {
    let other = rev.is_some_and(|rev| !rev.matches(document.revision()));
    let land_one = |wanted: &AnchoredEdit| {
        if other {
            let near = about(document, &wanted.first);
            return Err(vec![wanted.problem(
                0,
                AnchorProblem::Stale(Stale::OtherRevision),
                near,
            )]);
        }
        land(document, scheme, wanted)
    };
    wanted.iter().map(land_one).collect()
}

/// Lands one edit by name.
pub(super) fn land(document: &Document, scheme: Scheme, wanted: &AnchoredEdit) -> Landings {
    let mut problems: Vec<Problem> = Vec::new();
    for (end, anchor) in wanted.anchors().into_iter().enumerate() {
        if let Err(trouble) = check(document, scheme, anchor) {
            problems.push(wanted.problem(end, trouble, about(document, anchor)));
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    place(document, wanted)
}

/// Returns the lines as they were named, once each end has been checked.
pub(super) fn place(document: &Document, wanted: &AnchoredEdit) -> Landings {
    let Some(span) = wanted.named_span() else {
        return Err(vec![wanted.problem(
            0,
            AnchorProblem::Reversed,
            about(document, &wanted.first),
        )]);
    };
    let inner = if span.len() > 2 {
        InnerLines::Unchecked
    } else {
        InnerLines::Checked
    };
    Ok(Landed {
        span,
        found: Placement::AsNamed,
        inner,
    })
}

/// Checks one anchor against the current line of its number.
pub(super) fn check(
    document: &Document,
    scheme: Scheme,
    anchor: &Anchor,
) -> Result<LineNo, AnchorProblem> {
    let line =
        LineNo::from_claim(anchor.line).and_then(|number| Some((number, document.line(number)?)));
    let Some((number, line)) = line else {
        return Err(AnchorProblem::OutOfRange);
    };
    if scheme.fits(anchor.tag, line.text, number) {
        Ok(number)
    } else {
        Err(AnchorProblem::Stale(Stale::TagDiffers))
    }
}

/// Returns the line with the named number, or the last one if there are fewer.
pub(super) fn about(document: &Document, anchor: &Anchor) -> LineSpan {
    let Some(last) = document.all().last() else {
        return LineSpan::gap(0);
    };
    let number = LineNo::from_claim(anchor.line.max(1)).unwrap_or(last);
    LineSpan::of(number.min(last))
}
