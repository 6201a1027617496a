//! Plan: sorts the edits of one document by place, makes sure that no two of them change the same lines, and chooses the line whose ending
//! new lines take.

use std::ops::Range;
use std::sync::Arc;

use crate::apply::Spliced;
use crate::dialect::{Duplicates, OverlapRule};
use crate::edit::{EditNo, Occurrences};
use crate::error::{
    AnchorProblem, AnchorsRefused, Error, EscapedBytes, Overlap, Problem, Stale, TextNotFound,
    TextNotUnique, TooLarge,
};
use crate::policy::{Landing, Policy};
use crate::render::{display, escapes};
use crate::repair::{EditWork, Hint, Repair, Repaired, RepairedEdit};
use crate::report::Moved;
use crate::resolve::{Gap, LandedBy, RevisionLines, Side, Twin};
use crate::shown::{Shown, seen_lines};
use crate::substitute::{NotMade, substitute};
use crate::text::{Changes, Document, LineNo, LineSpan, NewText};

/// The changes that the edits of a batch will make to one document. An `EditPlan` can only be made by the function `plan`.
///
/// All edits with anchors form the first stage of the plan. Each substitution of a text is a further stage on the result of the stage
/// before, because only then is it known where the text to replace is.
///
/// Invariant: the splices of a stage are sorted by place, and no two of them change the same line.
#[derive(Clone, Debug)]
pub(crate) struct EditPlan {
    pub(crate) document: Document,
    /// The document after all stages but the last.
    pub(crate) so_far: Spliced,
    /// The splices of the last stage, not yet applied.
    pub(crate) last: Vec<LineSplice>,
    pub(crate) notes: Notes,
}

/// Lines of a document that an edit replaces by new lines.
#[derive(Clone, Debug)]
pub(crate) struct LineSplice {
    pub(crate) edit: EditNo,
    /// The lines to remove; for an insertion, an empty span.
    pub(crate) span: LineSpan,
    /// Which lines of the document the new lines copy their line endings from.
    pub(crate) endings: Endings,
    pub(crate) lines: NewLines,
    /// Whether the new lines were sent whole. All splices of a stage are alike.
    pub(crate) text: NewText,
}

impl LineSplice {
    /// Makes the splice of an edit whose new lines were sent whole.
    fn whole(edit: EditNo, span: LineSpan, endings: Endings, lines: Vec<String>) -> Self {
        Self {
            edit,
            span,
            endings,
            lines: NewLines::collect(&lines),
            text: NewText::Whole,
        }
    }
}

/// New lines of an edit, without line endings.
//
// A part of a text that all splices of a substitution share, instead of a string for each line: a substitution can rewrite very many lines.
#[derive(Clone, Debug, Default)]
pub(crate) struct NewLines {
    text: Arc<Vec<u8>>,
    /// Where the lines begin and end in the text; a newline follows each but the last.
    start: usize,
    end: usize,
    len: usize,
}

impl NewLines {
    /// Copies the lines into one text, with a `\n` between them.
    fn collect(lines: &[String]) -> Self {
        if lines.is_empty() {
            return Self::default();
        }
        let text = Arc::new(lines.join("\n").into_bytes());
        Self::within(&text, 0..text.len()).of_text(&text)
    }

    /// Splits a part of a text at its newlines; an empty text becomes one blank line. The text is set by `of_text` when it is complete.
    pub(crate) fn within(text: &[u8], part: Range<usize>) -> Self {
        Self {
            len: memchr::memchr_iter(b'\n', &text[part.clone()]).count() + 1,
            start: part.start,
            end: part.end,
            text: Arc::default(),
        }
    }

    /// Returns the same lines of the complete text.
    pub(crate) fn of_text(&self, text: &Arc<Vec<u8>>) -> Self {
        Self {
            text: Arc::clone(text),
            ..*self
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of bytes of the lines, with one byte for each line ending (an estimate: `\r\n` has two).
    pub(crate) fn size(&self) -> usize {
        self.end - self.start + self.len
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        let mut rest = self.text.get(self.start..self.end).unwrap_or_default();
        (0..self.len).map(move |_| {
            let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
            let (line, after) = rest.split_at(end);
            rest = after.get(1..).unwrap_or_default();
            line
        })
    }
}

/// Which lines of the document new lines copy their line endings from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Endings {
    /// Every new line takes the ending of the line with this index; `None` in a file without lines.
    Of(Option<usize>),
    /// Each new line takes the ending of the line that it replaces. Additional new lines take the ending of the last replaced line.
    Each,
    /// Like `Each`, but the last new line always takes the ending of the last replaced line, because the text after it is not changed.
    EachThenLast,
}

/// A text to replace by another one, after the anchored edits are applied.
#[derive(Clone, Debug)]
pub(crate) struct PlannedSubstitution {
    pub(crate) edit: EditNo,
    pub(crate) old: String,
    pub(crate) new: String,
    pub(crate) count: Occurrences,
}

/// What the steps of an edit so far contribute to its report.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    pub(crate) applied: usize,
    pub(crate) duplicates: usize,
    pub(crate) repairs: Vec<Repair>,
    pub(crate) hints: Vec<Hint>,
    pub(crate) moves: Vec<Moved>,
    pub(crate) unchecked: Vec<EditNo>,
    pub(crate) unrecorded: Vec<EditNo>,
    pub(crate) not_followed: Vec<EditNo>,
}

/// Sorts the edits by place and refuses edits that change the same lines.
///
/// # Errors
///
/// [`Error::Overlap`] names the two edits; [`Error::EmptyInsert`] the insertion that has no text; [`Error::TextNotFound`] and
/// [`Error::TextNotUnique`] the substitution whose text is not in the document or occurs more than once; [`Error::TooLarge`] a
/// substitution whose result is too long; [`Error::EscapedBytes`] new text that repeats an escape of a line that it replaces.
pub(crate) fn plan(
    document: &Document,
    shown: &Shown<'_>,
    repaired: Repaired,
    policy: &Policy<'_>,
) -> Result<EditPlan, Error> {
    let notes = take_notes(document, &repaired);
    let Repaired {
        edits,
        twins,
        substitutable,
        ..
    } = repaired;
    refuse_overlaps(document, &edits, &twins, policy)?;
    edits
        .iter()
        .try_for_each(|edit| refuse_escapes(document, edit))?;
    let (splices, substitutions) = split_stages(document, edits)?;
    let may_touch = |changes: &Changes, splices: &[LineSplice], result: &Document, edit| {
        if let Some(allowed) = &substitutable {
            refuse_other_lines(document, changes, splices, edit, allowed)?;
        }
        if policy.landing == Landing::Shown {
            refuse_unshown_parts(document, shown, changes, splices, result, edit)?;
        }
        Ok(())
    };
    let (so_far, last) = add_substitutions(document, splices, &substitutions, may_touch, policy)?;
    Ok(EditPlan {
        document: document.clone(),
        so_far,
        last,
        notes,
    })
}

/// Returns the first stage, the splices of all edits with anchors in the order of their places, and the substitutions that follow it.
fn split_stages(
    document: &Document,
    edits: Vec<RepairedEdit>,
) -> Result<(Vec<LineSplice>, Vec<PlannedSubstitution>), Error> {
    let (mut ranked, mut substitutions) = (Vec::new(), Vec::new());
    for RepairedEdit { no: edit, work, .. } in edits {
        match work {
            EditWork::Replace { span, lines, .. } => {
                let splice = LineSplice::whole(edit, span, Endings::Each, lines);
                ranked.push((Rank::Replacement, splice));
            }
            EditWork::Insert { lines, .. } if lines.is_empty() => {
                return Err(Error::EmptyInsert(edit));
            }
            EditWork::Insert { gap, lines } => {
                let endings = Endings::Of(ending_line(gap, document.line_count()));
                let splice = LineSplice::whole(edit, LineSpan::gap(gap.index), endings, lines);
                ranked.push((Rank::Gap(gap.side), splice));
            }
            EditWork::Substitute { old, new, count } => substitutions.push(PlannedSubstitution {
                edit,
                old,
                new,
                count,
            }),
        }
    }
    // The sort is stable: texts inserted at one place keep their order in the request.
    ranked.sort_by_key(|(rank, splice)| (splice.span.start(), *rank));
    let splices = ranked.into_iter().map(|(_, splice)| splice).collect();
    Ok((splices, substitutions))
}

/// Adds a stage to the plan for each substitution, on the result of the stages before it.
fn add_substitutions(
    document: &Document,
    splices: Vec<LineSplice>,
    substitutions: &[PlannedSubstitution],
    may_touch: impl Fn(&Changes, &[LineSplice], &Document, EditNo) -> Result<(), Error>,
    policy: &Policy<'_>,
) -> Result<(Spliced, Vec<LineSplice>), Error> {
    let (mut so_far, mut last) = (Spliced::unchanged(document.clone()), splices);
    for substitution in substitutions {
        so_far = so_far.then(&last);
        last = substitute(&so_far.document, substitution, policy.max_bytes)
            .map_err(|why| not_made(document, &so_far.changes, substitution, why))?;
        may_touch(&so_far.changes, &last, &so_far.document, substitution.edit)?;
    }
    Ok((so_far, last))
}

/// Refuses a substitution on a line that the named revision does not have: the caller has not seen what it would change.
fn refuse_other_lines(
    document: &Document,
    changes: &Changes,
    splices: &[LineSplice],
    edit: EditNo,
    allowed: &RevisionLines,
) -> Result<(), Error> {
    // Lines that the request itself adds are known to the caller.
    let touched = splices.iter().flat_map(|splice| splice.span.range());
    let mut existing = touched.filter_map(|line| changes.uncarry(line));
    let Some(other) = existing.find(|&line| !allowed.has(line)) else {
        return Ok(());
    };
    let near = LineSpan::new(other..other + 1);
    let reason = AnchorProblem::Stale(Stale::NotOfRevision);
    let claim = allowed.rev.to_string().into();
    Err(Error::Anchors(AnchorsRefused {
        document: document.clone(),
        problems: vec![Problem::new(edit, claim, None, reason, near)],
        landed: Vec::new(),
    }))
}

/// Refuses a substitution in a part of a line that was not shown to the caller, who was shown only the beginning of the line. `so_far` is the
/// document that the substitution is made in.
fn refuse_unshown_parts(
    document: &Document,
    shown: &Shown<'_>,
    changes: &Changes,
    splices: &[LineSplice],
    so_far: &Document,
    edit: EditNo,
) -> Result<(), Error> {
    let history = shown.history();
    if !history.has_cut_lines() {
        return Ok(());
    }
    for splice in splices {
        let (first, last) = changed_bytes(so_far, splice);
        let mut start = 0;
        for (index, line) in splice.span.range().zip(so_far.lines_in(splice.span)) {
            let end = start + line.text.len();
            // A line that was changed before in this request is known to the caller.
            let place = changes.uncarry(index).map(|at| LineSpan::new(at..at + 1));
            let seen = place.and_then(|place| {
                let own = seen_lines(document, history, shown.session(), place);
                let any = || seen_lines(document, history, None, place);
                own.iter().chain(&any()).find_map(|seen| seen.part())
            });
            if let (Some(bytes), Some(place)) = (seen, place)
                && last > start + bytes
                && first <= end
            {
                let reason = AnchorProblem::PartlyShown;
                let claim = LineNo::from_index(place.start()).to_string().into();
                return Err(Error::Anchors(AnchorsRefused {
                    document: document.clone(),
                    problems: vec![Problem::new(edit, claim, None, reason, place)],
                    landed: Vec::new(),
                }));
            }
            start = end + 1;
        }
    }
    Ok(())
}

/// Returns the first and the last byte (exclusive) of the old lines of a splice that change; the bytes of an ending count as one.
fn changed_bytes(document: &Document, splice: &LineSplice) -> (usize, usize) {
    let old: Vec<&[u8]> = document
        .lines_in(splice.span)
        .map(|line| line.text)
        .collect();
    let new: Vec<&[u8]> = splice.lines.iter().collect();
    let (old, new) = (old.join(&b'\n'), new.join(&b'\n'));
    let same = |(one, other): &(&u8, &u8)| one == other;
    let first = old.iter().zip(&new).take_while(same).count();
    let (old_rest, new_rest) = (&old[first..], &new[first..]);
    let tail = old_rest.iter().rev().zip(new_rest.iter().rev());
    let tail = tail.take_while(same).count();
    (first, old.len() - tail)
}

/// Makes the error for a substitution that cannot be made. The error names line numbers of the current document, because the caller has
/// not seen the result of the edits before the substitution.
fn not_made(
    document: &Document,
    changes: &Changes,
    substitution: &PlannedSubstitution,
    why: NotMade,
) -> Error {
    let (edit, document, text) = (
        substitution.edit,
        document.clone(),
        substitution.old.clone(),
    );
    match why {
        NotMade::NotFound => Error::TextNotFound(TextNotFound {
            edit,
            is_taken: memchr::memmem::find(document.bytes(), text.as_bytes()).is_some(),
            text,
        }),
        NotMade::NotUnique { count, lines } => {
            let existing = lines.into_iter().filter_map(|line| changes.uncarry(line));
            let lines = existing.map(LineNo::from_index).collect();
            Error::TextNotUnique(TextNotUnique {
                edit,
                document,
                text,
                count,
                lines,
            })
        }
        NotMade::TooLarge { found, most, unit } => Error::TooLarge(TooLarge {
            edit,
            found,
            limit: most,
            unit,
        }),
    }
}

/// The order of edits that start at the same line: text inserted before the line comes before the replacement of the line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Rank {
    Gap(Side),
    Replacement,
}

/// Returns the line whose ending an inserted line takes: the line with the insertion's anchor; at the start or end of the file, the first
/// or last line.
fn ending_line(gap: Gap, lines: usize) -> Option<usize> {
    gap.anchor().or(match gap.side {
        Side::FileStart => Some(0),
        _ => lines.checked_sub(1),
    })
}

fn take_notes(document: &Document, repaired: &Repaired) -> Notes {
    let moved = |edit: &RepairedEdit| {
        let landed = edit.landed?;
        let line = document.line_at(landed.span.start());
        Some(Moved {
            edit: edit.no,
            anchors: edit.anchors.clone(),
            from: landed.moved_from?,
            to: landed.span,
            text: line.map_or_else(String::new, |line| display(line.text).into_owned()),
        })
    };
    let unchecked = |edit: &RepairedEdit| {
        let landed = edit.landed?;
        let only_ends = matches!(landed.by, LandedBy::NumberAndTag | LandedBy::Policy);
        (only_ends && landed.span.len() > 2).then_some(edit.no)
    };
    let landed_by = |by: LandedBy| {
        let edits = repaired.edits.iter();
        let edits = edits.filter(|edit| edit.landed.is_some_and(|landed| landed.by == by));
        edits.map(|edit| edit.no).collect()
    };
    Notes {
        applied: repaired.edits.len(),
        duplicates: repaired.twins.len(),
        repairs: repaired.repairs.clone(),
        hints: repaired.hints.clone(),
        moves: repaired.edits.iter().filter_map(moved).collect(),
        unchecked: repaired.edits.iter().filter_map(unchecked).collect(),
        unrecorded: landed_by(LandedBy::NumberAndTag),
        not_followed: landed_by(LandedBy::SameNumber),
    }
}

/// Returns the lines that an edit changes (empty for an insertion); with the rule `NamedLines`, for an insertion the line that its anchor
/// names.
fn footprint(edit: &RepairedEdit, rule: OverlapRule) -> Option<LineSpan> {
    match (&edit.work, rule) {
        (EditWork::Replace { span, .. }, _) => Some(*span),
        (EditWork::Insert { gap, .. }, OverlapRule::NamedLines) => Some(
            gap.anchor()
                .map_or(LineSpan::gap(gap.index), |i| LineSpan::new(i..i + 1)),
        ),
        (EditWork::Insert { gap, .. }, OverlapRule::SharedLines) => Some(LineSpan::gap(gap.index)),
        (EditWork::Substitute { .. }, _) => None,
    }
}

/// Returns whether two spans share a line, or one is empty and inside the other.
fn overlap(a: LineSpan, b: LineSpan) -> bool {
    a.start() < b.end() && b.start() < a.end()
}

/// Refuses the first edit that overlaps an earlier edit of the request.
fn refuse_overlaps(
    document: &Document,
    edits: &[RepairedEdit],
    twins: &[Twin],
    policy: &Policy<'_>,
) -> Result<(), Error> {
    let footprint = |edit| footprint(edit, policy.dialect.overlap);
    let refused = policy.dialect.duplicates == Duplicates::Refused;
    let twins = if refused { twins } else { &[] };
    // The quick check looks at each edit once. Only if it fails are all pairs compared, to name the first two in request order.
    if twins.is_empty() && !any_overlap(edits.iter().filter_map(footprint).collect()) {
        return Ok(());
    }
    let footprints: Vec<Option<LineSpan>> = edits.iter().map(footprint).collect();
    let earlier = |(later, b): (usize, &RepairedEdit)| {
        let overlaps =
            |a: Option<LineSpan>| a.zip(footprints[later]).is_some_and(|(a, b)| overlap(a, b));
        let is_twin = |a: &RepairedEdit| {
            let mut twins = twins.iter().filter(|twin| twin.second == b.no);
            twins.any(|twin| twin.first == a.no)
        };
        let first = (0..later).find(|&at| overlaps(footprints[at]) || is_twin(&edits[at]))?;
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

/// Refuses new text for lines with bytes that are not UTF-8 if it repeats an escape with which such a byte was shown. The caller means the byte,
/// and would write four characters.
fn refuse_escapes(document: &Document, edit: &RepairedEdit) -> Result<(), Error> {
    let EditWork::Replace { span, lines, .. } = &edit.work else {
        return Ok(());
    };
    if lines.is_empty() {
        return Ok(());
    }
    let replaced = document.lines_in(*span).zip(span.range());
    for (line, index) in replaced.filter(|(line, _)| line.as_str().is_none()) {
        for escape in escapes(line.text) {
            if lines.iter().any(|new| new.contains(&escape)) {
                return Err(Error::EscapedBytes(EscapedBytes {
                    edit: edit.no,
                    line: LineNo::from_index(index),
                    escape,
                }));
            }
        }
    }
    Ok(())
}

/// Returns the lines that two edits share; an empty span if they share none.
fn shared(a: Option<LineSpan>, b: Option<LineSpan>) -> LineSpan {
    let Some((a, b)) = a.zip(b) else {
        return LineSpan::gap(0);
    };
    LineSpan::new(a.start().max(b.start())..a.end().min(b.end()))
}

/// Returns whether any two spans overlap. The spans are sorted by place, and each is compared only with the earlier span that ends last.
fn any_overlap(mut spans: Vec<LineSpan>) -> bool {
    spans.sort_unstable();
    let mut farthest: Option<LineSpan> = None;
    for span in spans {
        if farthest.is_some_and(|farthest| overlap(farthest, span)) {
            return true;
        }
        if farthest.is_none_or(|farthest| span.end() >= farthest.end()) {
            farthest = Some(span);
        }
    }
    false
}
