//! From the revisions that were shown to the current bytes, step by step.
//!
//! All spans asked about travel together: each step of the record is looked at once, however many anchors there are. Spans that
//! meet on one place go on as one, so a step costs no more than the places there are to stand on, however many revisions the
//! anchors came from.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

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
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    /// The place; only about the place if the lines are lost.
    pub(crate) span: LineSpan,
    /// Why the lines are lost, if they are.
    pub(crate) lost: Option<Lost>,
}

/// Returns, for each query, where its lines stand in `document`.
pub(crate) fn carry_to(document: &Document, history: &History, queries: &[Query]) -> Vec<Carried> {
    let recorded = history.recorded();
    let here = history.latest_revision(document.revision());
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|&query| queries[query].revision);
    let (early, late) =
        order
            .split_at(order.partition_point(|&query| {
                here.is_some_and(|here| queries[query].revision <= here)
            }));
    let mut journey = Journey::new(queries);
    if let Some(here) = here {
        journey.walk(history, early, here);
    }
    if let (false, Some(end)) = (late.is_empty(), recorded.len().checked_sub(1)) {
        journey.walk(history, late, end);
        let short = document.line_count() <= History::MAX_LINES;
        let newer = short.then(|| &**document.fingerprints());
        journey.cross(recorded[end].fingerprints(), newer);
    }
    journey.arrived()
}

/// Queries on their way.
struct Journey<'a> {
    queries: &'a [Query],
    /// Where each query has come to; that of a query which has met another is no longer kept up.
    carried: Vec<Carried>,
    /// The query that each query goes on with: itself, or one it has met.
    with: Vec<usize>,
    /// Those that travel, each on a place of its own.
    travelling: Vec<usize>,
}

impl<'a> Journey<'a> {
    fn new(queries: &'a [Query]) -> Self {
        let start = |query: &Query| Carried {
            span: query.span,
            lost: None,
        };
        Self {
            queries,
            carried: queries.iter().map(start).collect(),
            with: (0..queries.len()).collect(),
            travelling: Vec::new(),
        }
    }

    /// Takes the queries in `order`, sorted by revision, to the revision at `end`, from wherever each of them starts.
    fn walk(&mut self, history: &History, order: &[usize], end: usize) {
        self.travelling.clear();
        let recorded = history.recorded();
        let start = order.first().map_or(end, |&i| self.queries[i].revision);
        let mut waiting = order;
        for step in start..=end {
            let joining = waiting.partition_point(|&i| self.queries[i].revision <= step);
            self.join(&waiting[..joining]);
            waiting = &waiting[joining..];
            if step == end {
                return;
            }
            match recorded[step + 1].came() {
                Came::Written(changes) => self.follow(changes),
                Came::Seen => self.cross(
                    recorded[step].fingerprints(),
                    recorded[step + 1].fingerprints(),
                ),
            }
        }
    }

    /// Takes new travellers along; those on one place become one.
    fn join(&mut self, joining: &[usize]) {
        if joining.is_empty() {
            return;
        }
        self.travelling.extend_from_slice(joining);
        let mut first: HashMap<Carried, usize> = HashMap::with_capacity(self.travelling.len());
        self.travelling
            .retain(|&i| match first.entry(self.carried[i]) {
                Entry::Vacant(place) => {
                    place.insert(i);
                    true
                }
                Entry::Occupied(met) => {
                    self.with[i] = *met.get();
                    false
                }
            });
    }

    /// Crosses a change of our own: the record says exactly where lines went.
    fn follow(&mut self, changes: &Changes) {
        for &i in &self.travelling {
            let Carried { span, lost } = self.carried[i];
            self.carried[i] = match changes.carry(span) {
                Some(span) if lost.is_none() => Carried { span, lost },
                _ => Carried {
                    span: changes.carry_region(span),
                    lost: lost.or(Some(Lost::Gone)),
                },
            };
        }
    }

    /// Crosses a change that somebody else made.
    fn cross(&mut self, older: Option<&[Fingerprint]>, newer: Option<&[Fingerprint]>) {
        let (Some(older), Some(newer)) = (older, newer) else {
            for &i in &self.travelling {
                self.carried[i].lost = self.carried[i].lost.or(Some(Lost::NotRecorded));
            }
            return;
        };
        let (alive, mut astray): (Vec<usize>, Vec<usize>) = self
            .travelling
            .iter()
            .partition(|&&i| self.carried[i].lost.is_none());
        for (&i, place) in alive
            .iter()
            .zip(foreign::carry(older, newer, &self.spans(&alive)))
        {
            match place {
                Ok(span) => self.carried[i].span = span,
                Err(why) => {
                    self.carried[i].lost = Some(why);
                    astray.push(i);
                }
            }
        }
        if !astray.is_empty() {
            let about = foreign::estimate(older, newer, &self.spans(&astray));
            for (&i, span) in astray.iter().zip(about) {
                self.carried[i].span = span;
            }
        }
    }

    fn spans(&self, which: &[usize]) -> Vec<LineSpan> {
        which.iter().map(|&i| self.carried[i].span).collect()
    }

    /// Returns where each query is now.
    fn arrived(self) -> Vec<Carried> {
        let arrived = |mut query: usize| {
            while self.with[query] != query {
                query = self.with[query];
            }
            self.carried[query]
        };
        (0..self.queries.len()).map(arrived).collect()
    }
}
