//! Plan: edits sorted, disjoint and bound to one document.

use std::collections::HashMap;

use crate::anchor::Anchor;
use crate::apply::splice;
use crate::dialect::{Duplicates, OverlapRule};
use crate::edit::{EditNo, Occurrences};
use crate::error::{EmptyInsert, Error, Overlap, TextNotFound, TextNotUnique, TooLarge};
use crate::policy::Policy;
use crate::repair::{Hint, Repair, Repaired, RepairedEdit, Work};
use crate::resolve::{Found, Gap, Inner, Side};
use crate::substitute::{NotMade, substitute};
use crate::text::{Changes, Document, LineNo, LineSpan};

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
    /// Which endings the new lines take.
    pub(crate) endings: Endings,
    pub(crate) lines: Vec<Vec<u8>>,
}

/// Which endings new lines take.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endings {
    /// That of this line; nothing in a file without lines.
    Of(Option<usize>),
    /// Each that of the line it replaces, the last one's where there are more.
    Each,
    /// The same, but the last new line has that of the last line replaced: what stands after it was not touched.
    EachThenLast,
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
    refuse_twin_substitutions(document, &edits, policy)?;
    let (mut keyed, mut substitutions) = (Vec::new(), Vec::new());
    for RepairedEdit { no: edit, work, .. } in edits {
        match work {
            Work::Replace { span, lines, .. } => {
                let lines = lines.into_iter().map(String::into_bytes).collect();
                let key = (span.start(), Rank::Replacement);
                keyed.push((
                    key,
                    Splice {
                        edit,
                        span,
                        endings: Endings::Each,
                        lines,
                    },
                ));
            }
            Work::Insert { lines, .. } if lines.is_empty() => {
                return Err(Error::EmptyInsert(EmptyInsert { edit }));
            }
            Work::Insert { gap, lines } => {
                let lines = lines.into_iter().map(String::into_bytes).collect();
                let endings = Endings::Of(ending_line(gap, document.line_count()));
                let span = LineSpan::gap(gap.index);
                keyed.push((
                    (gap.index, Rank::Gap(gap.side)),
                    Splice {
                        edit,
                        span,
                        endings,
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
    let stages = add_substitutions(document, splices, &substitutions, policy)?;
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
    policy: &Policy<'_>,
) -> Result<Vec<Vec<Splice>>, Error> {
    let mut stages = vec![splices];
    let (mut current, mut changes) = (document.clone(), Changes::default());
    for substitution in substitutions {
        if let Some(last) = stages.last().filter(|last| !last.is_empty()) {
            let spliced = splice(&current, last);
            changes = changes.then(&spliced.changes);
            current = spliced.document;
        }
        let found = substitute(&current, substitution, policy.max_bytes);
        stages.push(found.map_err(|why| not_made(document, &changes, substitution, why, policy))?);
    }
    Ok(stages)
}

/// How many places of a text that is not unique are named.
const NAMED_PLACES: usize = 20;

/// Speaks of the document as it is, not as the edits before the substitution would leave it.
fn not_made(
    document: &Document,
    changes: &Changes,
    substitution: &Substitution,
    why: NotMade,
    policy: &Policy<'_>,
) -> Error {
    let (edit, document, text) = (
        substitution.edit,
        document.clone(),
        substitution.old.clone(),
    );
    match why {
        NotMade::NotFound => Error::TextNotFound(TextNotFound {
            edit,
            document,
            text,
        }),
        NotMade::NotUnique { count, lines } => {
            let standing = lines.into_iter().filter_map(|line| changes.uncarry(line));
            let lines = standing
                .take(NAMED_PLACES)
                .map(LineNo::from_index)
                .collect();
            Error::TextNotUnique(TextNotUnique {
                edit,
                document,
                text,
                count,
                lines,
            })
        }
        NotMade::TooLarge { bytes } => Error::TooLarge(TooLarge {
            edit,
            bytes,
            limit: policy.max_bytes,
        }),
    }
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

/// Two identical substitutions, where the dialect refuses what stands twice.
fn refuse_twin_substitutions(
    document: &Document,
    edits: &[RepairedEdit],
    policy: &Policy<'_>,
) -> Result<(), Error> {
    let mut seen: HashMap<(&str, &str, Occurrences), EditNo> = HashMap::new();
    for edit in edits
        .iter()
        .filter(|_| policy.dialect.duplicates == Duplicates::Refused)
    {
        let Work::Substitute { old, new, count } = &edit.work else {
            continue;
        };
        if let Some(&first) = seen.get(&(old.as_str(), new.as_str(), *count)) {
            let (document, second, lines) = (document.clone(), edit.no, LineSpan::gap(0));
            return Err(Error::Overlap(Overlap {
                document,
                first,
                second,
                lines,
            }));
        }
        seen.insert((old, new, *count), edit.no);
    }
    Ok(())
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
