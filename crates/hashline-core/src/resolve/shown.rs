//! Finds the line of an anchor by the record of shown lines: an anchor means the line that was shown with it, wherever that line is now.
//!
//! With 8 bits, one line in 256 has a given tag by chance, so no line is searched for by its tag. The tag only selects a recorded line,
//! and that line is followed to the current document by its exact content and the lines around it.

use super::{AnchoredEdit, Landed, LandingResult, RevisionLines, excerpt, named};
use crate::anchor::Anchor;
use crate::error::{AnchorProblem, Candidate, Problem, Stale};
use crate::scheme::Scheme;
use crate::shown::{Carried, CarryQuery, LostReason, Shown, carry_to};
use crate::text::{Document, Fingerprint, LineSpan, RevPrefix};

/// Which recorded revisions the anchors of an edit can refer to. Revisions are indexes into the history.
enum AnchorLookup {
    /// There is no record that the anchors were shown, so they are checked by number and tag.
    ByName,
    /// In these revisions the lines were shown with these anchors.
    In(Vec<usize>),
    /// The lines were not shown with these anchors in the revision that the request names, so the edit is refused. The lines that the
    /// refusal shows are found through this other revision, if possible one in which the anchors were shown.
    NotShownIn(usize),
    /// The anchors can refer to no revision, for this reason.
    Refused(AnchorProblem),
}

/// Finds the lines of every edit by the record of shown lines.
pub(super) fn land(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    scheme: Scheme,
    edits: &[AnchoredEdit],
) -> Vec<LandingResult> {
    let revisions = rev.map(|rev| (rev, shown.revisions(rev)));
    let lookups: Vec<AnchorLookup> = edits
        .iter()
        .map(|edit| match &revisions {
            Some((rev, known)) => look_up_in(document, shown, rev, known, scheme, edit),
            None => look_up_anywhere(document, shown, scheme, edit),
        })
        .collect();
    // All edits are followed through the history together, so that each step of it is looked at once.
    let mut carried = carry_all(document, shown, edits, &lookups).into_iter();
    edits
        .iter()
        .zip(lookups)
        .map(|(edit, lookup)| match lookup {
            AnchorLookup::ByName => land_by_name(document, scheme, edit),
            AnchorLookup::Refused(reason) => {
                let near = named::about(document, &edit.first);
                Err(vec![edit.problem(0, reason, near)])
            }
            AnchorLookup::NotShownIn(_) => {
                let carried = edit.named_span().and_then(|_| carried.next());
                let near = match carried {
                    Some(carried) => carried.span,
                    None => named::about(document, &edit.first),
                };
                Err(vec![stale(document, edit, Stale::NotShown, &[], near)])
            }
            AnchorLookup::In(revisions) => {
                let Some(span) = edit.named_span() else {
                    return named::place(document, edit);
                };
                let found: Vec<(usize, Carried)> =
                    revisions.into_iter().zip(&mut carried).collect();
                judge(document, shown, (rev, scheme), edit, span, &found)
            }
        })
        .collect()
}

/// Finds the lines of an edit by number and tag, because there is no record of them. The answer says so.
fn land_by_name(document: &Document, scheme: Scheme, edit: &AnchoredEdit) -> LandingResult {
    named::land(document, scheme, edit).map(Landed::unrecorded)
}

/// Finds every line of the revision that the request names in the current document.
pub(super) fn lines_of(document: &Document, shown: &Shown<'_>, rev: &RevPrefix) -> RevisionLines {
    let recorded = shown.history().recorded();
    let lines_in = |revision: &usize| recorded[*revision].fingerprints().map_or(0, <[_]>::len);
    let queries: Vec<CarryQuery> = shown
        .revisions(rev)
        .iter()
        .flat_map(|&revision| {
            let lines = (0..lines_in(&revision)).map(|line| LineSpan::new(line..line + 1));
            lines.map(move |span| CarryQuery { revision, span })
        })
        .collect();
    let mut is_found = vec![false; document.line_count()];
    for carried in carry_to(document, shown.history(), &queries) {
        if carried.lost.is_none() {
            is_found[carried.span.range()].fill(true);
        }
    }
    RevisionLines {
        rev: rev.clone(),
        is_found,
    }
}

/// Makes the problem for lines that are not as they were shown; `was` are their fingerprints when they were shown, empty if unknown.
fn stale(
    document: &Document,
    edit: &AnchoredEdit,
    stale: Stale,
    was: &[Fingerprint],
    near: LineSpan,
) -> Problem {
    let (places, left_out) = excerpt::places(document, was, near);
    Problem {
        places,
        left_out,
        ..edit.problem(0, AnchorProblem::Stale(stale), near)
    }
}

/// Looks the anchors up only in the revision that the request names, because the caller says that it has seen this revision.
fn look_up_in(
    document: &Document,
    shown: &Shown<'_>,
    rev: &RevPrefix,
    known: &[usize],
    scheme: Scheme,
    edit: &AnchoredEdit,
) -> AnchorLookup {
    match known {
        [] if rev.matches(document.revision()) => AnchorLookup::ByName,
        [] => AnchorLookup::Refused(AnchorProblem::UnknownRevision(rev.clone())),
        _ => {
            let recorded = shown.history().recorded();
            let anchors = edit.anchors();
            let showed = |&&at: &&usize| {
                anchors
                    .iter()
                    .all(|anchor| recorded[at].showed_to_anyone(scheme, anchor))
            };
            let revisions: Vec<usize> = known.iter().filter(showed).copied().collect();
            let nothing_shown = known.iter().all(|&at| recorded[at].showings.is_empty());
            match (revisions.is_empty(), known.last()) {
                // The named revision is current and nothing of it was ever shown: the line itself is all there is to compare with.
                (true, _) if nothing_shown && rev.matches(document.revision()) => {
                    AnchorLookup::ByName
                }
                (true, Some(&newest)) => {
                    let elsewhere = shown.showing(scheme, &anchors);
                    AnchorLookup::NotShownIn(elsewhere.last().copied().unwrap_or(newest))
                }
                _ => AnchorLookup::In(revisions),
            }
        }
    }
}

/// Looks the anchors up in every revision in which they were shown to this caller; for a range, both anchors in the same revision.
//
// An anchor without a revision may mean any of them, and `judge` lets it pass only if all lead to the same lines.
fn look_up_anywhere(
    document: &Document,
    shown: &Shown<'_>,
    scheme: Scheme,
    edit: &AnchoredEdit,
) -> AnchorLookup {
    let anchors = edit.anchors();
    let revisions = shown.showing(scheme, &anchors);
    let past_the_end = |anchor: &Anchor| anchor.line > document.line_count() as u64;
    if !revisions.is_empty() {
        AnchorLookup::In(revisions)
    } else if !anchors
        .iter()
        .any(|anchor| shown.ever_showed(scheme, anchor))
        || anchors
            .iter()
            .any(|anchor| past_the_end(anchor) && !shown.ever_showed(scheme, anchor))
    {
        AnchorLookup::ByName
    } else {
        // Both ends were shown, but never together: nobody saw this range.
        AnchorLookup::Refused(AnchorProblem::Stale(Stale::EndsApart))
    }
}

/// Follows the lines of every edit from each possible revision to the current document.
fn carry_all(
    document: &Document,
    shown: &Shown<'_>,
    edits: &[AnchoredEdit],
    lookups: &[AnchorLookup],
) -> Vec<Carried> {
    let queries: Vec<CarryQuery> = edits
        .iter()
        .zip(lookups)
        .filter_map(|(edit, lookup)| match lookup {
            AnchorLookup::In(revisions) => Some((revisions.as_slice(), edit.named_span()?)),
            AnchorLookup::NotShownIn(revision) => {
                // Any number can be claimed; only lines that existed can be followed.
                let lines = shown.history().recorded()[*revision]
                    .fingerprints()
                    .map_or(document.line_count(), <[_]>::len);
                let span = edit.named_span()?;
                let inside =
                    LineSpan::new(span.start().min(lines.saturating_sub(1))..span.end().min(lines));
                Some((std::slice::from_ref(revision), inside))
            }
            AnchorLookup::ByName | AnchorLookup::Refused(_) => None,
        })
        .flat_map(|(revisions, span)| {
            revisions
                .iter()
                .map(move |&revision| CarryQuery { revision, span })
        })
        .collect();
    carry_to(document, shown.history(), &queries)
}

/// Decides which lines an edit changes: followed from every possible revision, its anchors must lead to the same lines.
fn judge(
    document: &Document,
    shown: &Shown<'_>,
    (rev, scheme): (Option<&RevPrefix>, Scheme),
    edit: &AnchoredEdit,
    named_span: LineSpan,
    found: &[(usize, Carried)],
) -> LandingResult {
    let Some(&(last, newest)) = found.last() else {
        return land_by_name(document, scheme, edit);
    };
    if found.iter().all(|(_, carried)| *carried == newest) && newest.lost.is_none() {
        return Ok(Landed::checked(newest.span, named_span));
    }
    let lost = |(_, carried): &(usize, Carried)| carried.lost;
    if let Some(why) = found
        .iter()
        .rev()
        .map(lost)
        .collect::<Option<Vec<LostReason>>>()
    {
        // The file has too many lines to be recorded, so these cannot be followed: only number and tag are left to check. If the request
        // names a revision, that is not enough: it says that its anchors are those of another file.
        if rev.is_none() && why.iter().all(|why| *why == LostReason::NotRecorded) {
            return land_by_name(document, scheme, edit);
        }
        let recorded = shown.history().recorded()[last].fingerprints();
        let was = recorded.and_then(|lines| lines.get(named_span.range()));
        let (lost, was) = (Stale::Lost(why[0]), was.unwrap_or_default());
        return Err(vec![stale(document, edit, lost, was, newest.span)]);
    }
    let recorded = shown.history().recorded();
    let candidates = found
        .iter()
        .map(|&(at, Carried { span, lost })| Candidate {
            revision: recorded[at].revision,
            place: span,
            lost,
        })
        .collect();
    let reason = AnchorProblem::Ambiguous(candidates);
    Err(vec![edit.problem(0, reason, newest.span)])
}
