//! From the revisions that were shown to the current bytes, step by step.
//!
//! All spans asked about travel together: each step of the record is looked at once, however many anchors there are. Spans that
//! meet on one place go on as one, so a step costs no more than the places there are to stand on, however many revisions the
//! anchors came from.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::foreign;
use super::{Came, History, LostReason, Recorded};
use crate::text::{Changes, Document, Fingerprint, LineSpan, Revision};

/// A span of a recorded revision whose place in the current document is wanted.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarryQuery {
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
    pub(crate) lost: Option<LostReason>,
}

/// Returns, for each query, where its lines stand in `document`.
pub(crate) fn carry_to(
    document: &Document,
    history: &History,
    queries: &[CarryQuery],
) -> Vec<Carried> {
    let recorded = history.recorded();
    let mut journey = Journey::new(queries);
    let Some(last) = recorded.len().checked_sub(1) else {
        return journey.arrived();
    };
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|&query| queries[query].revision);
    let here = history.latest_revision(document.revision());
    let stranded = journey.walk(recorded, &order, here.unwrap_or(last));
    if here.is_some() {
        journey.travelling = stranded;
    }
    if !journey.travelling.is_empty() {
        let short = document.line_count() <= History::MAX_LINES;
        let newer = short.then(|| &**document.fingerprints());
        journey.cross(recorded[last].fingerprints(), newer);
    }
    journey.arrived()
}

/// Queries on their way.
struct Journey<'a> {
    queries: &'a [CarryQuery],
    /// Where each query has come to; that of a query which has met another is no longer kept up.
    carried: Vec<Carried>,
    /// The query that each query goes on with: itself, or one it has met.
    with: Vec<usize>,
    /// Those that travel, each on a place of its own.
    travelling: Vec<usize>,
}

/// The way to a place in the record, without detours: a revision that comes back has the same bytes, so whatever lies between is no
/// change. It comes back when somebody puts old bytes back, and when lines are written down as shown a moment after the next edit.
struct RevisionPath {
    /// The places on the way, ascending: each where its revision stands first, so that it is entered as it came about.
    places: Vec<usize>,
    /// Where each of their revisions stands on the way.
    at: HashMap<Revision, usize>,
}

impl RevisionPath {
    /// Finds the way to the revision at `end`.
    fn to(recorded: &[Recorded], end: usize) -> Self {
        let mut first: HashMap<Revision, usize> = HashMap::new();
        for (place, one) in recorded[..=end].iter().enumerate() {
            first.entry(one.revision).or_insert(place);
        }
        let before = |place: &usize| {
            let before = recorded.get(place.checked_sub(1)?)?;
            Some(first[&before.revision])
        };
        let last = first[&recorded[end].revision];
        let mut places: Vec<usize> = std::iter::successors(Some(last), before).collect();
        places.reverse();
        let at = places.iter().enumerate();
        let at = at.map(|(at, &place)| (recorded[place].revision, at));
        Self {
            at: at.collect(),
            places,
        }
    }
}

impl<'a> Journey<'a> {
    fn new(queries: &'a [CarryQuery]) -> Self {
        let start = |query: &CarryQuery| Carried {
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

    /// Takes the queries in `order`, sorted by revision, to the revision at `end`, from wherever each of them starts. Returns those from
    /// whom no way leads there: they stand on the last revision.
    fn walk(&mut self, recorded: &[Recorded], order: &[usize], end: usize) -> Vec<usize> {
        let way = RevisionPath::to(recorded, end);
        let mut arriving = self.find_the_way(recorded, &way, order);
        let stranded = std::mem::take(&mut self.travelling);
        for (at, &place) in way.places.iter().enumerate() {
            if at > 0 {
                self.step(recorded, place);
            }
            self.join(&arriving.remove(&at).unwrap_or_default());
        }
        stranded
    }

    /// Takes every query to the first revision that lies on the way; returns who joins where. Most are there already.
    fn find_the_way(
        &mut self,
        recorded: &[Recorded],
        way: &RevisionPath,
        order: &[usize],
    ) -> HashMap<usize, Vec<usize>> {
        let mut arriving: HashMap<usize, Vec<usize>> = HashMap::new();
        let start = order.first().map_or(0, |&i| self.queries[i].revision);
        let mut waiting = order;
        for place in start..recorded.len() {
            if place > start {
                self.step(recorded, place);
            }
            let joining = waiting.partition_point(|&i| self.queries[i].revision <= place);
            self.join(&waiting[..joining]);
            waiting = &waiting[joining..];
            if let Some(&at) = way.at.get(&recorded[place].revision) {
                let here = arriving.entry(at).or_default();
                here.append(&mut self.travelling);
            }
        }
        arriving
    }

    /// Takes those who travel from the revision before a place to the one there.
    fn step(&mut self, recorded: &[Recorded], place: usize) {
        if self.travelling.is_empty() {
            return;
        }
        match &recorded[place].came {
            Came::Written(changes) => self.follow(changes),
            Came::Seen => {
                let older = recorded[place - 1].fingerprints();
                self.cross(older, recorded[place].fingerprints());
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
                    lost: lost.or(Some(LostReason::Gone)),
                },
            };
        }
    }

    /// Crosses a change that somebody else made.
    fn cross(&mut self, older: Option<&[Fingerprint]>, newer: Option<&[Fingerprint]>) {
        let (Some(older), Some(newer)) = (older, newer) else {
            for &i in &self.travelling {
                self.carried[i].lost = self.carried[i].lost.or(Some(LostReason::NotRecorded));
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
