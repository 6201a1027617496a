//! Landing as the dialects' own definitions say: by name, else the only line with that tag nearby.
//!
//! An 8-bit tag is a weak proof: of lines that were changed, not moved, more than one in three would land on a wrong line. It is here
//! for comparison and for the recorded cases, never a default.

use super::{AnchoredEdit, InnerLines, Landed, Landings, Placement, named};
use crate::anchor::Anchor;
use crate::dialect::{Dialect, Relocation};
use crate::error::{AnchorProblem, Stale};
use crate::scheme::{Scheme, normalised};
use crate::text::{Document, LineNo, LineSpan};

/// Lands every edit by name, or by the dialect's search.
pub(super) fn land(
    document: &Document,
    dialect: Dialect,
    wanted: &[AnchoredEdit],
) -> Vec<Landings> {
    wanted
        .iter()
        .map(|wanted| land_one(document, dialect, wanted))
        .collect()
}

fn land_one(document: &Document, dialect: Dialect, wanted: &AnchoredEdit) -> Landings {
    if dialect.relocation == Relocation::Never {
        return named::land(document, dialect.scheme, wanted);
    }
    let mut problems = Vec::new();
    let mut lines = Vec::new();
    for (end, anchor) in wanted.anchors().into_iter().enumerate() {
        match find(document, dialect, anchor) {
            Ok(line) => lines.push(line),
            Err(trouble) => {
                problems.push(wanted.problem(end, trouble, named::about(document, anchor)));
            }
        }
    }
    if !problems.is_empty() {
        return Err(problems);
    }
    let (Some(&first), Some(&last)) = (lines.first(), lines.last()) else {
        return named::place(document, wanted);
    };
    if !as_far_apart(wanted, first, last) {
        let trouble = AnchorProblem::Stale(Stale::NotRelocated { candidates: 0 });
        return Err(vec![wanted.problem(
            0,
            trouble,
            named::about(document, &wanted.first),
        )]);
    }
    let as_named = named::place(document, wanted)?;
    let span = LineSpan::between(first, last);
    let found = if span == as_named.span {
        Placement::AsNamed
    } else {
        Placement::Moved {
            from: as_named.span,
        }
    };
    Ok(Landed {
        span,
        found,
        inner: InnerLines::Unchecked,
    })
}

/// Tells whether the ends of a range were found as far apart as they were named.
fn as_far_apart(wanted: &AnchoredEdit, first: LineNo, last: LineNo) -> bool {
    let named_last = wanted.last.as_ref().unwrap_or(&wanted.first).line;
    i128::from(named_last) - i128::from(wanted.first.line)
        == last.get() as i128 - first.get() as i128
}

/// Returns the line an anchor names, or the only line nearby that has its tag.
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

/// Returns the lines at most `reach` away from the one that was named.
fn within(document: &Document, anchor: &Anchor, reach: usize) -> LineSpan {
    let lines = document.line_count();
    let named = usize::try_from(anchor.line).unwrap_or(usize::MAX);
    let start = named.saturating_sub(reach).saturating_sub(1).min(lines);
    LineSpan::new(start..named.saturating_add(reach).min(lines))
}

/// Tells whether a candidate reads like the text that was sent with the anchor, if any was.
fn reads_as_sent(scheme: Scheme, anchor: &Anchor, text: &[u8]) -> bool {
    let Some(sent) = anchor.text.as_ref().filter(|_| scheme == Scheme::Pi) else {
        return true;
    };
    std::str::from_utf8(text).is_ok_and(|text| normalised(text) == normalised(sent))
}
