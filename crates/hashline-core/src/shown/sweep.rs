//! Follows lines from the revisions in which they were shown to the current document, revision by revision.
//!
//! All queries are followed together, so that each revision of the history is processed once, however many anchors there are. Queries
//! that arrive at the same lines are merged, so that a revision costs no more than the file has lines, however many revisions the anchors
//! came from.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, HashMap};

use super::foreign::{self, BlankLines};
use super::{History, LostReason, Origin, Recorded};
use crate::text::{Changes, Document, Fingerprint, FingerprintKey, LineSpan, Revision};

/// A query for the place, in the current document, of a span from a recorded revision.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CarryQuery {
    /// The revision in which the lines were shown, as an index into the history.
    pub(crate) revision: usize,
    /// The lines in that revision.
    pub(crate) span: LineSpan,
}

/// The place of a query's lines, or why they are lost and about where they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Carried {
    /// The place of the lines; for lost lines, about where they were.
    pub(crate) span: LineSpan,
    /// Why the lines are lost; `None` if they are not.
    pub(crate) lost: Option<LostReason>,
}

/// Returns the place of each query's lines in `document`.
pub(crate) fn carry_to(
    document: &Document,
    history: &History,
    queries: &[CarryQuery],
) -> Vec<Carried> {
    let recorded = history.recorded();
    let mut sweep = Sweep::new(queries, history.key());
    let Some(last) = recorded.len().checked_sub(1) else {
        return sweep.finish();
    };
    let mut order: Vec<usize> = (0..queries.len()).collect();
    order.sort_by_key(|&query| queries[query].revision);
    let here = history.latest_revision(document.revision());
    let stranded = sweep.walk(history, &order, here.unwrap_or(last));
    if let Some(here) = here {
        sweep.compare(document, &recorded[here]);
        // The others have arrived. These are at the last revision, which is not the document's.
        sweep.active = stranded;
    }
    // If the document is not recorded at all, everything takes one more step: from the last revision to it.
    if !sweep.active.is_empty() {
        let is_recorded = document.line_count() <= History::MAX_LINES;
        let newer = is_recorded.then(|| document.fingerprints(sweep.key));
        sweep.cross_foreign(recorded[last].fingerprints().as_deref(), newer.as_deref());
    }
    sweep.finish()
}

/// The queries while their lines are followed through the history.
struct Sweep<'a> {
    queries: &'a [CarryQuery],
    /// The place that each query's lines have reached; out of date for a query that was merged into another.
    carried: Vec<Carried>,
    /// For each query, the query that it was merged into, or itself.
    merged_into: Vec<usize>,
    /// The queries that are still followed, no two of them with the same lines.
    active: Vec<usize>,
    /// The key of all fingerprints in the history.
    key: FingerprintKey,
    blank: BlankLines,
}

/// The shortest way through the history to a revision, leaving out changes that were undone.
//
// A revision that comes back has the same bytes, so whatever happened in between is no change and must not lose anchors. That
// happens when somebody undoes a change, and when lines are recorded as shown just after the next edit was recorded.
pub(super) struct RevisionPath {
    /// Indexes into the history, in ascending order: each revision where it was recorded first, because that entry records how it came to
    /// be.
    pub(super) places: Vec<usize>,
    /// The position on the path of each of its revisions.
    at: BTreeMap<Revision, usize>,
}

impl RevisionPath {
    /// Returns the path to the revision at the index `end`, as far back as revisions recorded at the index `start` or later are on it.
    //
    // Of a history of thousands of revisions only those are looked at that the anchors have to cross.
    pub(super) fn to(history: &History, start: usize, end: usize) -> Self {
        let recorded = history.recorded();
        let first = |place: usize| {
            let places = history.places(recorded[place].revision);
            places.map_or(place, |places| places.first)
        };
        let earliest = (start..recorded.len()).map(first).min().unwrap_or(start);
        let before = |place: &usize| {
            let before = place.checked_sub(1).filter(|_| *place > earliest)?;
            Some(first(before))
        };
        let mut places: Vec<usize> = std::iter::successors(Some(first(end)), before).collect();
        places.reverse();
        let at = places.iter().enumerate();
        let at = at.map(|(at, &place)| (recorded[place].revision, at));
        Self {
            at: at.collect(),
            places,
        }
    }
}

impl<'a> Sweep<'a> {
    fn new(queries: &'a [CarryQuery], key: FingerprintKey) -> Self {
        let start = |query: &CarryQuery| Carried {
            span: query.span,
            lost: None,
        };
        Self {
            queries,
            carried: queries.iter().map(start).collect(),
            merged_into: (0..queries.len()).collect(),
            active: Vec::new(),
            key,
            blank: BlankLines::of(key),
        }
    }

    /// Follows the queries in `order`, sorted by revision, to the revision at the index `end`. Returns the queries from which no path
    /// leads to `end`; their lines are followed to the last revision instead.
    fn walk(&mut self, history: &History, order: &[usize], end: usize) -> Vec<usize> {
        let recorded = history.recorded();
        let start = order
            .first()
            .map_or(end, |&query| self.queries[query].revision);
        let path = RevisionPath::to(history, start, end);
        let mut arriving = self.reach_path(recorded, &path, order);
        let stranded = std::mem::take(&mut self.active);
        for (at, &place) in path.places.iter().enumerate() {
            if at > 0 {
                self.step(recorded, place);
            }
            self.join(&arriving.remove(&at).unwrap_or_default());
        }
        stranded
    }

    /// Follows every query to the first revision that is on the path. Returns, by position on the path, the queries that join it.
    fn reach_path(
        &mut self,
        recorded: &[Recorded],
        path: &RevisionPath,
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
            if let Some(&at) = path.at.get(&recorded[place].revision) {
                let here = arriving.entry(at).or_default();
                here.append(&mut self.active);
            }
        }
        arriving
    }

    /// Follows the active queries from the revision before the index `place` to the revision at `place`.
    fn step(&mut self, recorded: &[Recorded], place: usize) {
        if self.active.is_empty() {
            return;
        }
        match &recorded[place].origin {
            Origin::Written { changes, .. } => self.follow_own(changes),
            Origin::Seen => {
                let older = recorded[place - 1].fingerprints();
                let newer = recorded[place].fingerprints();
                self.cross_foreign(older.as_deref(), newer.as_deref());
            }
        }
    }

    /// Adds queries to the active ones, and merges those with the same lines.
    fn join(&mut self, joining: &[usize]) {
        if joining.is_empty() {
            return;
        }
        self.active.extend_from_slice(joining);
        let mut first: HashMap<Carried, usize> = HashMap::with_capacity(self.active.len());
        self.active.retain(|&i| match first.entry(self.carried[i]) {
            Entry::Vacant(place) => {
                place.insert(i);
                true
            }
            Entry::Occupied(met) => {
                self.merged_into[i] = *met.get();
                false
            }
        });
    }

    /// Follows the active queries across a change that hashline made, whose record tells exactly where each line went.
    fn follow_own(&mut self, changes: &Changes) {
        for &i in &self.active {
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

    /// Follows the active queries across a change that another program made.
    fn cross_foreign(&mut self, older: Option<&[Fingerprint]>, newer: Option<&[Fingerprint]>) {
        let (Some(older), Some(newer)) = (older, newer) else {
            for &i in &self.active {
                self.carried[i].lost = self.carried[i].lost.or(Some(LostReason::NotRecorded));
            }
            return;
        };
        let (alive, mut lost): (Vec<usize>, Vec<usize>) = self
            .active
            .iter()
            .partition(|&&i| self.carried[i].lost.is_none());
        for (&i, place) in alive.iter().zip(foreign::carry(
            older,
            newer,
            &self.spans(&alive),
            &self.blank,
        )) {
            match place {
                Ok(span) => self.carried[i].span = span,
                Err(why) => {
                    self.carried[i].lost = Some(why);
                    lost.push(i);
                }
            }
        }
        if !lost.is_empty() {
            let about = foreign::estimate(older, newer, &self.spans(&lost));
            for (&i, span) in lost.iter().zip(about) {
                self.carried[i].span = span;
            }
        }
    }

    /// Compares the lines of the active queries with those of the revision that they have reached, which is the document's. Lines that
    /// differ are lost.
    //
    // Two files with the same revision and other bytes can be made on purpose, so that equal revisions do not prove equal lines.
    fn compare(&mut self, document: &Document, here: &Recorded) {
        let Some(lines) = here.fingerprints() else {
            return;
        };
        for &i in &self.active {
            let Carried { span, lost } = self.carried[i];
            let now = document.fingerprints_in(span, self.key);
            let was = lines.get(span.range()).unwrap_or_default();
            if lost.is_none() && !now.eq(was.iter().copied()) {
                self.carried[i].lost = Some(LostReason::Changed);
            }
        }
    }

    fn spans(&self, which: &[usize]) -> Vec<LineSpan> {
        which.iter().map(|&i| self.carried[i].span).collect()
    }

    /// Returns the place that each query's lines have reached.
    fn finish(self) -> Vec<Carried> {
        let carried = |mut query: usize| {
            while self.merged_into[query] != query {
                query = self.merged_into[query];
            }
            self.carried[query]
        };
        (0..self.queries.len()).map(carried).collect()
    }
}
