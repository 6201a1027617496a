//! Counts by name, and how they are written: one line each, the name and the number.
//!
//! What a newer program counts has names that this one does not know; they are kept.

use std::collections::BTreeMap;
use std::time::Duration;

use hashline_core::totals::{Tally, Totals, Work};

use super::CountedEvent;

const DONE: &str = "done";
const CODE: &str = "code";
const RULE: &str = "rule";
const MOVED: &str = "moved";
const NANOS: &str = "nanos";

/// Numbers by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts(BTreeMap<String, u64>);

impl Counts {
    /// Counts one thing more.
    pub(super) fn add(&mut self, event: &CountedEvent) {
        let work = event.work.name();
        match event.refused {
            None => self.raise(format!("{work} {DONE}"), 1),
            Some(code) => self.raise(format!("{work} {CODE} {code}"), 1),
        }
        for rule in &event.repairs {
            self.raise(format!("{work} {RULE} {}", rule.name()), 1);
        }
        if event.moved > 0 {
            self.raise(format!("{work} {MOVED}"), event.moved as u64);
        }
        let nanos = u64::try_from(event.took.as_nanos()).unwrap_or(u64::MAX);
        self.raise(format!("{work} {NANOS}"), nanos);
    }

    fn raise(&mut self, name: String, by: u64) {
        let count = self.0.entry(name).or_default();
        *count = count.saturating_add(by);
    }

    /// Returns them as lines.
    pub(super) fn lines(&self) -> String {
        let lines = self
            .0
            .iter()
            .map(|(name, count)| format!("{name} {count}\n"));
        lines.collect()
    }

    /// Reads lines; nothing if one of them is no name and number.
    pub(super) fn read(lines: &[u8]) -> Option<Self> {
        let lines = std::str::from_utf8(lines).ok()?.lines();
        let counts = lines.map(|line| {
            let (name, count) = line.rsplit_once(' ')?;
            Some((name.to_owned(), count.parse().ok()?))
        });
        counts.collect::<Option<_>>().map(Self)
    }

    /// Returns what is known of them, by kind of work.
    pub(super) fn totals(&self) -> Totals {
        let mut totals = Totals::default();
        for (name, &count) in &self.0 {
            let mut words = name.split(' ');
            let Some(work) = words.next().and_then(Work::named) else {
                continue;
            };
            let tally = totals.works.entry(work).or_default();
            sort_in(tally, words.next(), words.next(), count);
        }
        totals
    }
}

fn sort_in(tally: &mut Tally, kind: Option<&str>, of: Option<&str>, count: u64) {
    match (kind, of) {
        (Some(DONE), None) => tally.done = count,
        (Some(MOVED), None) => tally.moved = count,
        (Some(NANOS), None) => tally.time = Duration::from_nanos(count),
        (Some(CODE), Some(code)) => _ = tally.refused.insert(code.to_owned(), count),
        (Some(RULE), Some(rule)) => _ = tally.repairs.insert(rule.to_owned(), count),
        _ => {}
    }
}
