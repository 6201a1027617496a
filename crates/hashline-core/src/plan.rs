//! Plan: edits sorted, disjoint and bound to one document.

use crate::apply::Spliced;
use crate::dialect::{Duplicates, OverlapRule};
use crate::edit::{EditNo, Occurrences};
use crate::error::{EmptyInsert, Error, Overlap, TextNotFound, TextNotUnique, TooLarge};
use crate::policy::Policy;
use crate::render::display;
use crate::repair::{EditWork, Hint, Repair, Repaired, RepairedEdit};
use crate::report::Moved;
use crate::resolve::{Gap, InnerLines, Placement, Side, Twin};
use crate::substitute::{NotMade, substitute};
use crate::text::{Changes, Document, LineNo, LineSpan};

/// What will be done to one document, in file order. Only `plan` makes one.
///
/// The anchored edits are one stage, each substitution is another, on what the stage before left: where its text stands can only
/// be told when that is known.
///
/// Invariant: the splices of a stage are sorted by place, and no two of them touch the same line.
#[derive(Clone, Debug)]
pub(crate) struct EditPlan {
    pub(crate) document: Document,
    /// What all stages but the last come to.
    pub(crate) so_far: Spliced,
    /// The last stage, still to be carried out.
    pub(crate) last: Vec<LineSplice>,
    pub(crate) notes: Notes,
}

/// One place where lines go and come.
#[derive(Clone, Debug)]
pub(crate) struct LineSplice {
    pub(crate) edit: EditNo,
    /// The lines that go; a gap for an insertion.
    pub(crate) span: LineSpan,
    /// Which endings the new lines take.
    pub(crate) endings: Endings,
    pub(crate) lines: NewLines,
}

/// The lines that come, without endings: one text, and where each of them ends in it.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewLines {
    text: Vec<u8>,
    ends: Vec<usize>,
}

impl NewLines {
    /// Takes lines one by one.
    fn collect(lines: Vec<String>) -> Self {
        let mut all = Self::default();
        for line in lines {
            all.text.extend_from_slice(line.as_bytes());
            all.ends.push(all.text.len());
            all.text.push(b'\n');
        }
        all
    }

    /// Cuts a text at its newlines; an empty one is one blank line.
    pub(crate) fn cut(text: Vec<u8>) -> Self {
        let ends = memchr::memchr_iter(b'\n', &text).chain([text.len()]);
        Self {
            ends: ends.collect(),
            text,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Counts the bytes, and one for each line.
    pub(crate) fn size(&self) -> usize {
        self.text.len() + self.ends.len()
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut start = 0;
        self.ends.iter().map(move |&end| {
            let line = &self.text[start..end];
            // Past the newline.
            start = end + 1;
            line
        })
    }
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
pub(crate) struct PlannedSubstitution {
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
    pub(crate) moves: Vec<Moved>,
    pub(crate) unchecked: Vec<EditNo>,
}

/// Sorts the edits and refuses those that get in each other's way.
///
/// # Errors
///
/// [`Error::Overlap`] names the two edits; [`Error::EmptyInsert`] an insertion with nothing to insert; [`Error::TextNotFound`] and
/// [`Error::TextNotUnique`] a substitution that cannot be made.
pub(crate) fn plan(
    document: &Document,
    repaired: Repaired,
    policy: &Policy<'_>,
) -> Result<EditPlan, Error> {
    let notes = take_notes(document, &repaired);
    let Repaired { edits, twins, .. } = repaired;
    refuse_overlaps(document, &edits, &twins, policy)?;
    let (mut keyed, mut substitutions) = (Vec::new(), Vec::new());
    for RepairedEdit { no: edit, work, .. } in edits {
        match work {
            EditWork::Replace { span, lines, .. } => {
                let lines = NewLines::collect(lines);
                let key = (span.start(), Rank::Replacement);
                keyed.push((
                    key,
                    LineSplice {
                        edit,
                        span,
                        endings: Endings::Each,
                        lines,
                    },
                ));
            }
            EditWork::Insert { lines, .. } if lines.is_empty() => {
                return Err(Error::EmptyInsert(EmptyInsert { edit }));
            }
            EditWork::Insert { gap, lines } => {
                let lines = NewLines::collect(lines);
                let endings = Endings::Of(ending_line(gap, document.line_count()));
                let span = LineSpan::gap(gap.index);
                keyed.push((
                    (gap.index, Rank::Gap(gap.side)),
                    LineSplice {
                        edit,
                        span,
                        endings,
                        lines,
                    },
                ));
            }
            EditWork::Substitute { old, new, count } => substitutions.push(PlannedSubstitution {
                edit,
                old,
                new,
                count,
            }),
        }
    }
    keyed.sort_by_key(|(key, _)| *key);
    let splices = keyed.into_iter().map(|(_, splice)| splice).collect();
    let (so_far, last) = add_substitutions(document, splices, &substitutions, policy)?;
    Ok(EditPlan {
        document: document.clone(),
        so_far,
        last,
        notes,
    })
}

/// Finds each text in what the stages before it leave.
fn add_substitutions(
    document: &Document,
    splices: Vec<LineSplice>,
    substitutions: &[PlannedSubstitution],
    policy: &Policy<'_>,
) -> Result<(Spliced, Vec<LineSplice>), Error> {
    let (mut so_far, mut last) = (Spliced::unchanged(document.clone()), splices);
    for substitution in substitutions {
        so_far = so_far.then(&last);
        last = substitute(&so_far.document, substitution, policy.max_bytes)
            .map_err(|why| not_made(document, &so_far.changes, substitution, why, policy))?;
    }
    Ok((so_far, last))
}

/// Speaks of the document as it is, not as the edits before the substitution would leave it.
fn not_made(
    document: &Document,
    changes: &Changes,
    substitution: &PlannedSubstitution,
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
            let lines = standing.map(LineNo::from_index).collect();
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

fn take_notes(document: &Document, repaired: &Repaired) -> Notes {
    let moved = |edit: &RepairedEdit| match edit.landed?.found {
        Placement::Moved { from } => {
            let to = edit.landed?.span;
            let line = document.line_at(to.start());
            Some(Moved {
                edit: edit.no,
                anchors: edit.anchors.clone(),
                from,
                to,
                text: line.map_or_else(String::new, |line| display(line.text).into_owned()),
            })
        }
        Placement::AsNamed => None,
    };
    let unchecked = |edit: &RepairedEdit| {
        let landed = edit.landed?;
        (landed.inner == InnerLines::Unchecked && landed.span.len() > 2).then_some(edit.no)
    };
    Notes {
        applied: repaired.edits.len(),
        duplicates: repaired.twins.len(),
        repairs: repaired.repairs.clone(),
        hints: repaired.hints.clone(),
        moves: repaired.edits.iter().filter_map(moved).collect(),
        unchecked: repaired.edits.iter().filter_map(unchecked).collect(),
    }
}

/// What an edit lays claim to.
#[derive(Clone, Copy)]
struct Footprint {
    /// Lines it replaces, or for `NamedLines` every line it names; else the gap it fills.
    span: LineSpan,
}

impl Footprint {
    fn of(edit: &RepairedEdit, rule: OverlapRule) -> Option<Self> {
        let span = match (&edit.work, rule) {
            (EditWork::Replace { span, .. }, _) => *span,
            (EditWork::Insert { gap, .. }, OverlapRule::NamedLines) => gap
                .anchor()
                .map_or(LineSpan::gap(gap.index), |i| LineSpan::new(i..i + 1)),
            (EditWork::Insert { gap, .. }, OverlapRule::SharedLines) => LineSpan::gap(gap.index),
            (EditWork::Substitute { .. }, _) => return None,
        };
        Some(Self { span })
    }

    /// Tells whether two edits share a line, or one of them fills a gap inside the other.
    fn meets(self, other: Self) -> bool {
        self.span.start() < other.span.end() && other.span.start() < self.span.end()
    }
}

/// Names the first edit that gets in the way of an earlier one, and that one.
fn refuse_overlaps(
    document: &Document,
    edits: &[RepairedEdit],
    twins: &[Twin],
    policy: &Policy<'_>,
) -> Result<(), Error> {
    let footprint = |edit| Footprint::of(edit, policy.dialect.overlap);
    let refused = policy.dialect.duplicates == Duplicates::Refused;
    let twins = if refused { twins } else { &[] };
    if twins.is_empty() && !any_meeting(edits.iter().filter_map(footprint).collect()) {
        return Ok(());
    }
    let footprints: Vec<Option<Footprint>> = edits.iter().map(footprint).collect();
    let earlier = |(later, b): (usize, &RepairedEdit)| {
        let meets =
            |a: &Option<Footprint>| a.zip(footprints[later]).is_some_and(|(a, b)| a.meets(b));
        let is_twin = |a: &RepairedEdit| {
            let mut twins = twins.iter().filter(|twin| twin.second == b.no);
            twins.any(|twin| twin.first == a.no)
        };
        let first = (0..later).find(|&at| meets(&footprints[at]) || is_twin(&edits[at]))?;
        let lines = shared(footprints[first], footprints[later]);
        Some(Overlap {
            document: document.clone(),
            first: edits[first].no,
            second: b.no,
            lines,
        })
    };
    let found = edits.iter().enumerate().find_map(earlier);
    found.map_or(Ok(()), |overlap| Err(Error::Overlap(overlap)))
}

/// Returns the lines that two edits share; the place of the second if they share none.
fn shared(a: Option<Footprint>, b: Option<Footprint>) -> LineSpan {
    let Some((a, b)) = a.zip(b) else {
        return LineSpan::gap(0);
    };
    let start = a.span.start().max(b.span.start());
    LineSpan::new(start..a.span.end().min(b.span.end()))
}

/// Tells whether any two meet, by comparing each in file order with the one before it that reaches farthest.
fn any_meeting(mut footprints: Vec<Footprint>) -> bool {
    footprints.sort_unstable_by_key(|footprint| footprint.span);
    let mut farthest: Option<Footprint> = None;
    for footprint in footprints {
        if farthest.is_some_and(|farthest| farthest.meets(footprint)) {
            return true;
        }
        if farthest.is_none_or(|farthest| footprint.span.end() >= farthest.span.end()) {
            farthest = Some(footprint);
        }
    }
    false
}
