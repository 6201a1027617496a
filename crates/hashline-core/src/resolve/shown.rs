//! Landing by what was shown: the line the caller saw, wherever it stands now. Never a search for a tag.

use super::{AnchoredEdit, InnerLines, Landed, Landings, Placement, excerpt, named};
use crate::anchor::Anchor;
use crate::error::{AnchorProblem, Candidate, Problem, Stale};
use crate::scheme::Scheme;
use crate::shown::{Carried, CarryQuery, LostReason, Shown, carry_to};
use crate::text::{Document, LineSpan, RevPrefix};

/// Against which revisions an edit's anchors are to be read.
enum AnchorLookup {
    /// Nothing is known of these lines: by number and tag.
    ByName,
    /// In each of these places of the record.
    In(Vec<usize>),
    /// Not in the revision that is named, which did not show the line so. It is refused; where the line stands now is told from this place
    /// of the record, which did if there is one.
    NotShownIn(usize),
    /// In none.
    Refused(AnchorProblem),
}

/// Lands every edit by what was shown.
pub(super) fn land(
    document: &Document,
    shown: &Shown<'_>,
    rev: Option<&RevPrefix>,
    scheme: Scheme,
    wanted: &[AnchoredEdit],
) -> Vec<Landings> {
    let revisions = rev.map(|rev| (rev, shown.revisions(rev)));
    let readings: Vec<AnchorLookup> = wanted
        .iter()
        .map(|wanted| match &revisions {
            Some((rev, known)) => read_at(document, shown, rev, known, scheme, wanted),
            None => read_anywhere(document, shown, scheme, wanted),
        })
        .collect();
    let mut carried = carry_all(document, shown, wanted, &readings).into_iter();
    wanted
        .iter()
        .zip(readings)
        .map(|(wanted, reading)| match reading {
            AnchorLookup::ByName => named::land(document, scheme, wanted),
            AnchorLookup::Refused(trouble) => Err(vec![wanted.problem(
                0,
                trouble,
                named::about(document, &wanted.first),
            )]),
            AnchorLookup::NotShownIn(_) => {
                let stands = wanted
                    .named_span()
                    .and_then(|_| carried.next())
                    .map(|carried| carried.span);
                let near = stands.unwrap_or(named::about(document, &wanted.first));
                let problem = wanted.problem(0, AnchorProblem::Stale(Stale::NotShown), near);
                Err(vec![Problem {
                    excerpt: excerpt::of(document, &[], near),
                    ..problem
                }])
            }
            AnchorLookup::In(places) => {
                let Some(span) = wanted.named_span() else {
                    return named::place(document, wanted);
                };
                let found: Vec<(usize, Carried)> = places.into_iter().zip(&mut carried).collect();
                judge(document, shown, scheme, wanted, span, &found)
            }
        })
        .collect()
}

/// With a revision: the anchors are read there, or nowhere.
fn read_at(
    document: &Document,
    shown: &Shown<'_>,
    rev: &RevPrefix,
    known: &[usize],
    scheme: Scheme,
    wanted: &AnchoredEdit,
) -> AnchorLookup {
    match known {
        [] if rev.matches(document.revision()) => AnchorLookup::ByName,
        [] => AnchorLookup::Refused(AnchorProblem::UnknownRevision(rev.clone())),
        _ => {
            let recorded = shown.history().recorded();
            let anchors = wanted.anchors();
            let showed = |&&at: &&usize| {
                anchors
                    .iter()
                    .all(|anchor| recorded[at].showed_to_anyone(scheme, anchor))
            };
            let places: Vec<usize> = known.iter().filter(showed).copied().collect();
            let nothing_shown = known.iter().all(|&at| recorded[at].showings.is_empty());
            match (places.is_empty(), known.last()) {
                (true, _) if nothing_shown && rev.matches(document.revision()) => {
                    AnchorLookup::ByName
                }
                (true, Some(&newest)) => {
                    let elsewhere = shown.showing(scheme, &anchors);
                    AnchorLookup::NotShownIn(elsewhere.last().copied().unwrap_or(newest))
                }
                _ => AnchorLookup::In(places),
            }
        }
    }
}

/// Without a revision: in every revision in which this caller was shown the line so, both ends of a range in one.
fn read_anywhere(
    document: &Document,
    shown: &Shown<'_>,
    scheme: Scheme,
    wanted: &AnchoredEdit,
) -> AnchorLookup {
    let anchors = wanted.anchors();
    let places = shown.showing(scheme, &anchors);
    let past_the_end = |anchor: &Anchor| anchor.line > document.line_count() as u64;
    if !places.is_empty() {
        AnchorLookup::In(places)
    } else if !anchors
        .iter()
        .any(|anchor| shown.ever_showed(scheme, anchor))
        || anchors
            .iter()
            .any(|anchor| past_the_end(anchor) && !shown.ever_showed(scheme, anchor))
    {
        AnchorLookup::ByName
    } else {
        AnchorLookup::Refused(AnchorProblem::Stale(Stale::EndsApart))
    }
}

/// Takes all candidates of all edits to the current document, in one sweep.
fn carry_all(
    document: &Document,
    shown: &Shown<'_>,
    wanted: &[AnchoredEdit],
    readings: &[AnchorLookup],
) -> Vec<Carried> {
    let queries: Vec<CarryQuery> = wanted
        .iter()
        .zip(readings)
        .filter_map(|(wanted, reading)| match reading {
            AnchorLookup::In(places) => Some((places.as_slice(), wanted.named_span()?)),
            AnchorLookup::NotShownIn(place) => {
                // Any number can be claimed; only lines that were there can be followed.
                let lines = shown.history().recorded()[*place]
                    .fingerprints()
                    .map_or(document.line_count(), <[_]>::len);
                let span = wanted.named_span()?;
                let inside =
                    LineSpan::new(span.start().min(lines.saturating_sub(1))..span.end().min(lines));
                Some((std::slice::from_ref(place), inside))
            }
            AnchorLookup::ByName | AnchorLookup::Refused(_) => None,
        })
        .flat_map(|(places, span)| {
            places
                .iter()
                .map(move |&revision| CarryQuery { revision, span })
        })
        .collect();
    carry_to(document, shown.history(), &queries)
}

/// All candidates must land, and on the same lines.
fn judge(
    document: &Document,
    shown: &Shown<'_>,
    scheme: Scheme,
    wanted: &AnchoredEdit,
    named_span: LineSpan,
    found: &[(usize, Carried)],
) -> Landings {
    let Some(&(last, newest)) = found.last() else {
        return named::land(document, scheme, wanted);
    };
    if found.iter().all(|(_, carried)| *carried == newest) && newest.lost.is_none() {
        let span = newest.span;
        let found = if span == named_span {
            Placement::AsNamed
        } else {
            Placement::Moved { from: named_span }
        };
        return Ok(Landed {
            span,
            found,
            inner: InnerLines::Checked,
        });
    }
    let lost = |(_, carried): &(usize, Carried)| carried.lost;
    if let Some(why) = found
        .iter()
        .rev()
        .map(lost)
        .collect::<Option<Vec<LostReason>>>()
    {
        if why.iter().all(|why| *why == LostReason::NotRecorded) {
            return named::land(document, scheme, wanted);
        }
        let recorded = shown.history().recorded()[last].fingerprints();
        let was = recorded.and_then(|lines| lines.get(named_span.range()));
        let problem = wanted.problem(0, AnchorProblem::Stale(Stale::Lost(why[0])), newest.span);
        return Err(vec![Problem {
            excerpt: excerpt::of(document, was.unwrap_or_default(), newest.span),
            ..problem
        }]);
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
    Err(vec![wanted.problem(
        0,
        AnchorProblem::Ambiguous(candidates),
        newest.span,
    )])
}
