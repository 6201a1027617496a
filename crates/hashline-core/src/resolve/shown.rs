//! Finds the line of an anchor by the record of shown lines: an anchor means the line that was shown with it, wherever that line is now.
//!
//! With 8 bits, one line in 256 has a given tag by chance, so no line is searched for by its tag. The tag only selects a recorded line,
//! and that line is followed to the current document by its exact content and the lines around it.

use super::{AnchoredEdit, Landed, LandedBy, LandingResult, RevisionLines, excerpt, named};
use crate::anchor::Anchor;
use crate::edit::UnseenLines;
use crate::error::{AnchorProblem, Candidate, Problem, Stale};
use crate::scheme::Scheme;
use crate::shown::{
    Carried, CarryQuery, History, LostReason, NEAR, Seen, Shown, carry_to, seen_lines,
};
use crate::text::{Document, Fingerprint, FingerprintKey, LineSpan, RevPrefix};

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
            AnchorLookup::ByName => land_by_name(document, shown, scheme, edit),
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
                let unknown: (&[Fingerprint], _) = (&[], shown.history().key());
                Err(vec![stale(document, edit, Stale::NotShown, unknown, near)])
            }
            AnchorLookup::In(revisions) => {
                let Some(span) = edit.named_span() else {
                    return named::place(document, edit);
                };
                let found: Vec<(usize, Carried)> =
                    revisions.into_iter().zip(&mut carried).collect();
                judge(document, shown, (rev, scheme), edit, span, found)
            }
        })
        .collect()
}

/// Finds the lines of an edit by number and tag, because there is no record that they were shown with these anchors. The answer says so.
///
/// Number and tag are not enough for a line that anybody was shown only in part, in whichever file. And a caller who was shown lines of the file at all
/// must have seen the inner lines of a range: only without any record is there nothing to check.
fn land_by_name(
    document: &Document,
    shown: &Shown<'_>,
    scheme: Scheme,
    edit: &AnchoredEdit,
) -> LandingResult {
    let landed = named::land(document, scheme, edit)?.unrecorded();
    let history = shown.history();
    let elsewhere = shown.partly_shown_in(document, landed.span);
    if edit.unseen.is_none() || !history.has_showings(None) && elsewhere.is_none() {
        return Ok(landed);
    }
    let by_anyone = seen_lines(document, history, None, landed.span);
    let mut seen = if history.has_showings(shown.session()) {
        seen_lines(document, history, shown.session(), landed.span)
    } else {
        vec![Seen::Whole; landed.span.len()]
    };
    let elsewhere = elsewhere.unwrap_or_else(|| vec![false; landed.span.len()]);
    for (own, (any, is_cut)) in seen.iter_mut().zip(by_anyone.into_iter().zip(elsewhere)) {
        match any {
            Seen::Part(_) => *own = any,
            Seen::Nothing if is_cut => *own = Seen::Part(0),
            Seen::Nothing | Seen::Whole => {}
        }
    }
    refuse_unseen(edit, landed, &seen)
}

/// Finds every line of the revision that the request names in the current document.
pub(super) fn lines_of(document: &Document, shown: &Shown<'_>, rev: &RevPrefix) -> RevisionLines {
    let recorded = shown.history().recorded();
    let lines_in = |revision: &usize| {
        recorded[*revision]
            .fingerprints()
            .map_or(0, |lines| lines.len())
    };
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
    was: (&[Fingerprint], FingerprintKey),
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
    // Whoever has a session and read the file again means what it saw last; otherwise reading again would not help.
    let current = shown.history().latest_revision(document.revision());
    if let (Some(current), true) = (current, shown.session().is_some())
        && revisions.contains(&current)
    {
        return AnchorLookup::In(vec![current]);
    }
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
                    .map_or(document.line_count(), |lines| lines.len());
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

/// Removes candidates that are no objection: their lines are lost, but the anchors were shown in the current revision too, with the same
/// bytes as before.
fn without_old_copies(
    document: &Document,
    history: &History,
    named_span: LineSpan,
    mut found: Vec<(usize, Carried)>,
) -> Vec<(usize, Carried)> {
    let recorded = history.recorded();
    let is_current = |(at, carried): &(usize, Carried)| {
        recorded[*at].revision == document.revision() && carried.lost.is_none()
    };
    if found.len() > 1 && found.iter().any(is_current) {
        found.retain(|(at, carried)| {
            carried.lost.is_none()
                || !ends_of(named_span)
                    .into_iter()
                    .all(|end| stand_at(document, history, *at, end, end))
        });
    }
    found
}

/// Returns the first and the last line of a span, which are those that anchors name.
fn ends_of(span: LineSpan) -> [LineSpan; 2] {
    let last = span.end().saturating_sub(1).max(span.start());
    [
        LineSpan::new(span.start()..span.start() + 1),
        LineSpan::new(last..last + 1),
    ]
}

/// Returns whether the lines `now` of the document have the bytes that the lines `was` had in the revision at the index `at`, as far as these are
/// recorded: of a file with too many lines only those that were shown.
fn stand_at(
    document: &Document,
    history: &History,
    at: usize,
    was: LineSpan,
    now: LineSpan,
) -> bool {
    let recorded = &history.recorded()[at];
    let mut lines = document.fingerprints_in(now, history.key());
    was.range().all(|index| {
        let line = lines.next();
        let was = recorded.fingerprint_of(index);
        was.is_none_or(|was| line == Some(was))
    })
}

/// Decides which lines an edit changes: followed from every possible revision, its anchors must lead to the same lines.
fn judge(
    document: &Document,
    shown: &Shown<'_>,
    (rev, scheme): (Option<&RevPrefix>, Scheme),
    edit: &AnchoredEdit,
    named_span: LineSpan,
    mut found: Vec<(usize, Carried)>,
) -> LandingResult {
    let history = shown.history();
    let mut in_place = false;
    for (at, carried) in &mut found {
        let has_all = history.recorded()[*at].has_all_fingerprints();
        // The file has too many lines to be recorded, so these cannot be followed: what is left to check are their numbers, and the bytes
        // that were shown of them and of the lines beside them. If the request names a revision, that is not enough: it says that its
        // anchors are those of another file.
        let is_same = if rev.is_none() && carried.lost == Some(LostReason::NotRecorded) {
            in_place = true;
            let beside = named_span.widened(NEAR, usize::MAX);
            *carried = Carried {
                span: named_span,
                lost: None,
            };
            stand_at(document, history, *at, beside, beside)
        } else {
            // Lines that were followed have been compared on the way, except in a file whose lines are not recorded.
            carried.lost.is_some()
                || has_all
                || stand_at(document, history, *at, named_span, carried.span)
        };
        if !is_same {
            carried.span = named_span.widened(0, document.line_count());
            carried.lost = Some(LostReason::Changed);
        }
    }
    let found = without_old_copies(document, history, named_span, found);
    let Some(&(last, newest)) = found.last() else {
        return land_by_name(document, shown, scheme, edit);
    };
    if found.iter().all(|(_, carried)| *carried == newest) && newest.lost.is_none() {
        let landed = Landed::checked(newest.span, named_span);
        let landed = if in_place {
            landed.not_followed()
        } else {
            landed
        };
        return check_seen(document, shown, scheme, edit, &found, landed);
    }
    let lost = |(_, carried): &(usize, Carried)| carried.lost;
    let lost: Option<Vec<LostReason>> = found.iter().rev().map(lost).collect();
    if let Some(why) = lost {
        let recorded = history.recorded()[last].fingerprints();
        let was = recorded
            .as_deref()
            .and_then(|lines| lines.get(named_span.range()));
        let was = (was.unwrap_or_default(), history.key());
        let lost = Stale::Lost(why[0]);
        return Err(vec![stale(document, edit, lost, was, newest.span)]);
    }
    let recorded = history.recorded();
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

/// Refuses an edit of lines that the caller has not seen: lines inside a range that were never shown, and lines that were shown in part.
fn check_seen(
    document: &Document,
    shown: &Shown<'_>,
    scheme: Scheme,
    edit: &AnchoredEdit,
    found: &[(usize, Carried)],
    landed: Landed,
) -> LandingResult {
    if edit.unseen.is_none() {
        return Ok(landed);
    }
    let recorded = shown.history().recorded();
    // Anchors that another session was shown can be used with its revision. Then what that session saw counts.
    let own = shown.session().filter(|_| {
        let anchors = edit.anchors();
        let showed =
            |anchor: &&Anchor, at: usize| recorded[at].showed(scheme, anchor, shown.session());
        found
            .iter()
            .any(|&(at, _)| anchors.iter().all(|anchor| showed(anchor, at)))
    });
    let named = landed.moved_from.unwrap_or(landed.span);
    if found
        .iter()
        .any(|&(at, _)| recorded[at].shows_whole(named, own))
    {
        return Ok(landed);
    }
    let mut seen: Vec<Seen> = named
        .range()
        .map(|index| {
            let seen = found.iter().map(|&(at, _)| recorded[at].seen(index, own));
            seen.max().unwrap_or(Seen::Nothing)
        })
        .collect();
    if landed.by == LandedBy::Record {
        let earlier = seen_lines(document, shown.history(), own, landed.span);
        for (seen, earlier) in seen.iter_mut().zip(earlier) {
            *seen = (*seen).max(earlier);
        }
    }
    refuse_unseen(edit, landed, &seen)
}

/// Refuses an edit of the lines of which not the whole was seen.
fn refuse_unseen(edit: &AnchoredEdit, landed: Landed, seen: &[Seen]) -> LandingResult {
    if edit.unseen == Some(UnseenLines::Accepted) {
        return Ok(landed);
    }
    for (end, at) in [0, seen.len() - 1].into_iter().enumerate() {
        if matches!(seen[at], Seen::Part(_)) {
            let line = landed.span.start() + at;
            let near = LineSpan::new(line..line + 1);
            return Err(vec![edit.problem(end, AnchorProblem::PartlyShown, near)]);
        }
    }
    let inner = 1..seen.len().saturating_sub(1).max(1);
    let lines_with = |is_meant: fn(&Seen) -> bool| {
        let lines = inner.clone().filter(|&at| is_meant(&seen[at]));
        let lines = lines.map(|at| landed.span.start() + at);
        LineSpan::merged(lines.map(|line| LineSpan::new(line..line + 1)).collect())
    };
    let lines = lines_with(|seen| *seen != Seen::Whole);
    if lines.is_empty() {
        return Ok(landed);
    }
    let partly = lines_with(|seen| matches!(seen, Seen::Part(_)));
    let (places, not_listed) = excerpt::unseen(&lines);
    let near = lines[0];
    let reason = AnchorProblem::Unseen {
        lines,
        partly,
        not_listed,
    };
    Err(vec![Problem {
        places,
        ..edit.problem(0, reason, near)
    }])
}
