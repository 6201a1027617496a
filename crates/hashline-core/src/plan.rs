//! Plan: edits sorted, disjoint and bound to one document.

use crate::anchor::Anchor;
use crate::apply::splice;
use crate::dialect::{Duplicates, OverlapRule};
use crate::edit::{EditNo, Occurrences};
use crate::error::{EmptyInsert, Error, Overlap};
use crate::policy::Policy;
use crate::repair::{Hint, Repair, Repaired, RepairedEdit, Work};
use crate::resolve::{Found, Gap, Inner, Side};
use crate::substitute::substitute;
use crate::text::{Document, LineSpan};

/// What will be done to one document, in file order. Only `plan` makes one.
///
/// Invariant: the splices of a stage are sorted by place, and no two of them touch the same line.
#[derive(Clone, Debug)]
pub struct Plan {
    pub(crate) document: Document,
    /// The anchored edits first, then one stage for each substitution, on what the stage before left.
    pub(crate) stages: Vec<Vec<Splice>>,
    pub(crate) notes: Notes,
}

/// One place where lines go and come.
#[derive(Clone, Debug)]
pub(crate) struct Splice {
    pub(crate) edit: EditNo,
    /// The lines that go; a gap for an insertion.
    pub(crate) span: LineSpan,
    /// The line whose ending new lines take; for a replacement the line each one replaces decides.
    pub(crate) ending_of: Option<usize>,
    pub(crate) lines: Vec<String>,
}

/// A text that becomes another, after the splices.
#[derive(Clone, Debug)]
pub(crate) struct Substitution {
    pub(crate) edit: EditNo,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) count: Occurrences,
}

/// What the steps before have to say in the report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) applied: usize,
    pub(crate) duplicates: usize,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) hints: Vec<Hint>,
    pub(crate) moves: Vec<NotedMove>,
    pub(crate) unchecked: Vec<EditNo>,
}

/// Lines that were not where they were named.
#[derive(Clone, Debug)]
pub(crate) struct NotedMove {
    pub(crate) edit: EditNo,
    pub(crate) anchors: Vec<Anchor>,
    pub(crate) from: LineSpan,
    pub(crate) to: LineSpan,
}

/// Sorts the edits and refuses those that get in each other's way.
///
/// # Errors
///
/// [`Error::Overlap`] names the two edits; [`Error::EmptyInsert`] an insertion with nothing to insert; [`Error::TextNotFound`] and
/// [`Error::TextNotUnique`] a substitution that cannot be made.
pub fn plan(document: &Document, repaired: Repaired, policy: &Policy<'_>) -> Result<Plan, Error> {
    let notes = take_notes(&repaired);
    let Repaired { edits, .. } = repaired;
    refuse_overlaps(document, &edits, policy)?;
    let (mut keyed, mut substitutions) = (Vec::new(), Vec::new());
    for RepairedEdit { no: edit, work, .. } in edits {
        match work {
            Work::Replace { span, lines, .. } => {
                let key = (span.start(), Rank::Replacement);
                keyed.push((
                    key,
                    Splice {
                        edit,
                        span,
                        ending_of: None,
                        lines,
                    },
                ));
            }
            Work::Insert { lines, .. } if lines.is_empty() => {
                return Err(Error::EmptyInsert(EmptyInsert { edit }));
            }
            Work::Insert { gap, lines } => {
                let ending_of = ending_line(gap, document.line_count());
                let span = LineSpan::gap(gap.index);
                keyed.push((
                    (gap.index, Rank::Gap(gap.side)),
                    Splice {
                        edit,
                        span,
                        ending_of,
                        lines,
                    },
                ));
            }
            Work::Substitute { old, new, count } => substitutions.push(Substitution {
                edit,
                old,
                new,
                count,
            }),
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    let splices = keyed.into_iter().map(|(_, splice)| splice).collect();
    let stages = add_substitutions(document, splices, &substitutions)?;
    Ok(Plan {
        document: document.clone(),
        stages,
        notes,
    })
}

/// Finds each text in what the stages before it leave.
fn add_substitutions(
    document: &Document,
    splices: Vec<Splice>,
    substitutions: &[Substitution],
) -> Result<Vec<Vec<Splice>>, Error> {
    let mut stages = vec![splices];
    let mut current = document.clone();
    for substitution in substitutions {
        if let Some(last) = stages.last() {
            current = splice(&current, last).document;
        }
        stages.push(substitute(&current, substitution)?);
    }
    Ok(stages)
}

/// What stands in a gap comes before what replaces the line after it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Gap(Side),
    Replacement,
}

/// Returns the line whose ending an inserted line takes: its anchor's, at the edges of the file the first or last line's.
fn ending_line(gap: Gap, lines: usize) -> Option<usize> {
    gap.anchor().or(match gap.side {
        Side::FileStart => Some(0),
        _ => lines.checked_sub(1),
    })
}

fn take_notes(repaired: &Repaired) -> Notes {
    let moved = |edit: &RepairedEdit| match edit.landed?.found {
        Found::Moved { from } => {
            let (anchors, to) = (edit.anchors.clone(), edit.landed?.span);
            Some(NotedMove {
                edit: edit.no,
                anchors,
                from,
                to,
            })
        }
        Found::AsNamed => None,
    };
    let unchecked = |edit: &RepairedEdit| {
        let landed = edit.landed?;
        (landed.inner == Inner::Unchecked && landed.span.len() > 2).then_some(edit.no)
    };
    Notes {
        applied: repaired.edits.len(),
        duplicates: repaired.duplicates,
        repairs: repaired.repairs.clone(),
        hints: repaired.hints.clone(),
        moves: repaired.edits.iter().filter_map(moved).collect(),
        unchecked: repaired.edits.iter().filter_map(unchecked).collect(),
    }
}

/// What an edit lays claim to.
#[derive(Clone, Copy)]
struct Footprint<'a> {
    edit: EditNo,
    /// Lines it replaces, or for `NamedLines` every line it names.
    span: LineSpan,
    lines: &'a [String],
    gap: Option<Gap>,
}

fn refuse_overlaps(
    document: &Document,
    edits: &[RepairedEdit],
    policy: &Policy<'_>,
) -> Result<(), Error> {
    let footprints: Vec<Footprint<'_>> = edits
        .iter()
        .filter_map(|edit| footprint(edit, policy))
        .collect();
    let meet = |a: &Footprint<'_>, b: &Footprint<'_>| meets(a, b, policy);
    if !any_meeting(&footprints, meet) {
        return Ok(());
    }
    let earlier = |(later, b): (usize, &Footprint<'_>)| {
        let a = footprints[..later].iter().find(|a| meet(a, b))?;
        let start = a.span.start().max(b.span.start());
        let lines = LineSpan::new(start..a.span.end().min(b.span.end()).max(start));
        Some(Overlap {
            document: document.clone(),
            first: a.edit,
            second: b.edit,
            lines,
        })
    };
    let found = footprints.iter().enumerate().find_map(earlier);
    found.map_or(Ok(()), |overlap| Err(Error::Overlap(overlap)))
}

fn footprint<'a>(edit: &'a RepairedEdit, policy: &Policy<'_>) -> Option<Footprint<'a>> {
    let lines = edit.work.lines()?;
    let (span, gap) = match (&edit.work, policy.dialect.overlap) {
        (Work::Replace { span, .. }, _) => (*span, None),
        (Work::Insert { gap, .. }, OverlapRule::NamedLines) => (
            gap.anchor()
                .map_or(LineSpan::gap(gap.index), |i| LineSpan::new(i..i + 1)),
            Some(*gap),
        ),
        (Work::Insert { gap, .. }, OverlapRule::SharedLines) => {
            (LineSpan::gap(gap.index), Some(*gap))
        }
        (Work::Substitute { .. }, _) => return None,
    };
    Some(Footprint {
        edit: edit.no,
        span,
        lines,
        gap,
    })
}

fn meets(a: &Footprint<'_>, b: &Footprint<'_>, policy: &Policy<'_>) -> bool {
    let twins = || {
        policy.dialect.duplicates == Duplicates::Refused
            && a.gap.is_some()
            && a.gap == b.gap
            && a.lines == b.lines
    };
    match (a.span.is_empty(), b.span.is_empty()) {
        (false, false) => a.span.start() < b.span.end() && b.span.start() < a.span.end(),
        (true, false) => b.span.start() < a.span.start() && a.span.start() < b.span.end(),
        (false, true) => a.span.start() < b.span.start() && b.span.start() < a.span.end(),
        (true, true) => twins(),
    }
}

/// Tells whether any two meet, by looking at neighbours in file order only.
fn any_meeting(
    footprints: &[Footprint<'_>],
    meet: impl Fn(&Footprint<'_>, &Footprint<'_>) -> bool,
) -> bool {
    let mut sorted: Vec<&Footprint<'_>> = footprints.iter().collect();
    sorted.sort_by_key(|footprint| {
        (
            footprint.span.start(),
            footprint.span.end(),
            footprint.gap,
            footprint.lines,
        )
    });
    let mut widest: Option<&Footprint<'_>> = None;
    for (index, footprint) in sorted.iter().enumerate() {
        let before = index.checked_sub(1).map(|index| sorted[index]);
        if [before, widest]
            .into_iter()
            .flatten()
            .any(|other| meet(other, footprint))
        {
            return true;
        }
        if widest.is_none_or(|widest| footprint.span.end() >= widest.span.end())
            && !footprint.span.is_empty()
        {
            widest = Some(footprint);
        }
    }
    false
}
