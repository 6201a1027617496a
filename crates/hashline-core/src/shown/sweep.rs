//! From the revisions that were shown to the current bytes, step by step.
//!
//! All spans asked about travel together: each step of the record is looked at once, however many anchors there are.

use super::foreign;
use super::{Came, History, Lost};
use crate::text::{Changes, Document, Fingerprint, LineSpan};

/// A span of a recorded revision whose place in the current document is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Query {
    /// Where the revision stands in the record.
    pub(crate) revision: usize,
    /// The lines, in that revision.
    pub(crate) span: LineSpan,
}

/// Where a query's lines stand, or why they are lost and about where to look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Carried {
    /// The place; only about the place if the lines are lost.
    pub(crate) span: LineSpan,
    /// Why the lines are lost, if they are.
    pub(crate) lost: Option<Lost>,
}

/// Returns, for each query, where its lines stand in `document`.
pub(crate) fn carry_to(document: &Document, history: &History, queries: &[Query]) -> Vec<Carried> {
    let mut carried: Vec<Carried> = queries
        .iter()
        .map(|query| Carried {
            span: query.span,
            lost: None,
        })
        .collect();
    let here = history.latest_revision(document.revision());
    let (early, late): (Vec<usize>, Vec<usize>) =
        (0..queries.len()).partition(|&i| here.is_some_and(|here| queries[i].revision <= here));
    if let Some(here) = here {
        walk(history, queries, &early, here, &mut carried);
    }
    if let Some(end) = history
        .recorded()
        .len()
        .checked_sub(1)
        .filter(|_| !late.is_empty())
    {
        walk(history, queries, &late, end, &mut carried);
        let newer =
            (document.line_count() <= History::MAX_LINES).then(|| &**document.fingerprints());
        cross(
            history.recorded()[end].fingerprints(),
            newer,
            &late,
            &mut carried,
        );
    }
    carried
}

/// Takes the queries in `which` to the revision at `end`, from wherever each of them starts.
fn walk(
    history: &History,
    queries: &[Query],
    which: &[usize],
    end: usize,
    carried: &mut [Carried],
) {
    let recorded = history.recorded();
    let start = which
        .iter()
        .map(|&i| queries[i].revision)
        .min()
        .unwrap_or(end);
    for (step, pair) in (start..end).zip(recorded[start..=end].windows(2)) {
        let travelling: Vec<usize> = which
            .iter()
            .copied()
            .filter(|&i| queries[i].revision <= step)
            .collect();
        match pair[1].came() {
            Came::Written(changes) => {
                for &i in &travelling {
                    carried[i] = follow(changes, carried[i]);
                }
            }
            Came::Seen => cross(
                pair[0].fingerprints(),
                pair[1].fingerprints(),
                &travelling,
                carried,
            ),
        }
    }
}

/// Takes lines across a change of our own: the record says exactly where they went.
fn follow(changes: &Changes, carried: Carried) -> Carried {
    match changes.carry(carried.span) {
        Some(span) if carried.lost.is_none() => Carried { span, lost: None },
        _ => Carried {
            span: changes.carry_region(carried.span),
            lost: carried.lost.or(Some(Lost::Gone)),
        },
    }
}

/// Takes the queries in `which` across a change that somebody else made.
fn cross(
    older: Option<&[Fingerprint]>,
    newer: Option<&[Fingerprint]>,
    which: &[usize],
    carried: &mut [Carried],
) {
    let (Some(older), Some(newer)) = (older, newer) else {
        for &i in which {
            carried[i].lost = carried[i].lost.or(Some(Lost::NotRecorded));
        }
        return;
    };
    let (alive, lost): (Vec<usize>, Vec<usize>) =
        which.iter().partition(|&&i| carried[i].lost.is_none());
    let spans: Vec<LineSpan> = alive.iter().map(|&i| carried[i].span).collect();
    let mut astray = lost;
    for (&i, place) in alive.iter().zip(foreign::carry(older, newer, &spans)) {
        match place {
            Ok(span) => carried[i].span = span,
            Err(why) => {
                carried[i].lost = Some(why);
                astray.push(i);
            }
        }
    }
    if !astray.is_empty() {
        let spans: Vec<LineSpan> = astray.iter().map(|&i| carried[i].span).collect();
        for (&i, span) in astray.iter().zip(foreign::estimate(older, newer, &spans)) {
            carried[i].span = span;
        }
    }
}
