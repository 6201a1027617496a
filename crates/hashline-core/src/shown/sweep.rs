//! From the revisions that were shown to the current bytes, step by step.
//!
//! All spans asked about travel together: each step of the record is looked at once, however many anchors there are. Spans that
//! meet on one place go on as one, so a step costs no more than the places there are to stand on, however many revisions the
//! anchors came from.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::foreign;
use super::{Came, History, Lost, Recorded};
use crate::text::{Changes, Document, Fingerprint, LineSpan, Revision};

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

/// What is known of a stretch of the record as a whole.
struct Ways<'a> {
    /// Where each revision stands last.
    last: HashMap<Revision, usize>,
    /// What our own edits did, by the revisions they led between.
    own: HashMap<(Revision, Revision), &'a Changes>,
}

impl<'a> Ways<'a> {
    /// Looks at records, the first of which stands at `start`.
    fn new(recorded: &'a [Recorded], start: usize) -> Self {
        let places = recorded.iter().zip(start..);
        let own = recorded.windows(2).filter_map(|pair| match pair[1].came() {
            Came::Written(changes) => Some(((pair[0].revision(), pair[1].revision()), changes)),
            Came::Seen => None,
        });
        Self {
            last: places.map(|(one, at)| (one.revision(), at)).collect(),
            own: own.collect(),
        }
    }
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
    ///
    /// A revision that comes back has the same bytes, so whoever stands on it goes on from where it stands last: what lies between is no
    /// change. It comes back when somebody puts old bytes back, and when lines are written down as shown a moment after the next edit.
    fn walk(&mut self, history: &History, order: &[usize], end: usize) {
        self.travelling.clear();
        let recorded = history.recorded();
        let start = order.first().map_or(end, |&i| self.queries[i].revision);
        let ways = Ways::new(&recorded[start..=end], start);
        let mut waiting = order;
        let mut ahead: HashMap<usize, Vec<usize>> = HashMap::new();
        for step in start..=end {
            let joining = waiting.partition_point(|&i| self.queries[i].revision <= step);
            self.join(&waiting[..joining]);
            self.join(&ahead.remove(&step).unwrap_or_default());
            waiting = &waiting[joining..];
            if step == end {
                return;
            }
            let last = ways.last[&recorded[step].revision()];
            if last > step {
                let here = ahead.entry(last).or_default();
                here.append(&mut self.travelling);
                continue;
            }
            let next = &recorded[step + 1];
            let leads = (recorded[step].revision(), next.revision());
            match (next.came(), ways.own.get(&leads)) {
                (Came::Written(changes), _) => self.follow(changes),
                // The bytes before and after are those of an edit of ours: it says where lines went.
                (Came::Seen, Some(changes)) => self.follow(changes),
                (Came::Seen, None) => {
                    self.cross(recorded[step].fingerprints(), next.fingerprints());
                }
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
