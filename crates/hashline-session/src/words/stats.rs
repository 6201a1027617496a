//! The counters, as `hashline stats` prints them: a table for a person, an object for JSON.

use std::collections::BTreeMap;

use hashline_workspace::counters::totals::{Tally, Totals, Work};
use schemars::JsonSchema;
use serde::Serialize;

const HEADS: [&str; 7] = ["work", "all", "done", "stale", "errors", "moved", "mean ms"];

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct StatsAnswer {
    ok: bool,
    /// Counts by kind of operation, such as `read` or `apply`.
    works: BTreeMap<&'static str, WorkCounts>,
}

#[derive(Clone, Debug, Serialize, JsonSchema)]
struct WorkCounts {
    all: u64,
    done: u64,
    stale: u64,
    errors: u64,
    refused: BTreeMap<String, u64>,
    repairs: BTreeMap<String, u64>,
    moved: u64,
    seconds: f64,
}

/// Renders the counters as a table for a person.
#[must_use]
pub fn stats_table(totals: &Totals) -> String {
    if totals.works.is_empty() {
        return "nothing counted yet".to_owned();
    }
    let mut rows = vec![HEADS.map(str::to_owned)];
    rows.extend(totals.works.iter().map(row));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max();
    let widths: Vec<usize> = (0..HEADS.len()).filter_map(width).collect();
    let mut lines: Vec<String> = rows.iter().map(|row| aligned(row, &widths)).collect();
    lines.extend(details(totals, "refused", |tally| &tally.refused));
    lines.extend(details(totals, "repaired", |tally| &tally.repairs));
    lines.join("\n")
}

/// Returns the counters as an object for JSON.
#[must_use]
pub fn stats_answer(totals: &Totals) -> impl Serialize + use<> {
    let works = totals.works.iter().map(|(work, tally)| {
        let counts = WorkCounts {
            all: tally.all(),
            done: tally.done,
            stale: tally.stale(),
            errors: tally.errors(),
            refused: tally.refused.clone(),
            repairs: tally.repairs.clone(),
            moved: tally.moved,
            seconds: tally.time.as_secs_f64(),
        };
        (work.name(), counts)
    });
    StatsAnswer {
        ok: true,
        works: works.collect(),
    }
}

fn row((work, tally): (&Work, &Tally)) -> [String; HEADS.len()] {
    let numbers = [
        tally.all(),
        tally.done,
        tally.stale(),
        tally.errors(),
        tally.moved,
    ];
    let [all, done, stale, errors, moved] = numbers.map(|number| number.to_string());
    let name = work.name().to_owned();
    [name, all, done, stale, errors, moved, mean(tally)]
}

/// Formats one row of the table: the first column left-aligned, the numbers right-aligned.
fn aligned(row: &[String; HEADS.len()], widths: &[usize]) -> String {
    let [name, numbers @ ..] = row;
    let mut line = format!("{name:<width$}", width = widths[0]);
    for (number, width) in numbers.iter().zip(&widths[1..]) {
        line.push_str(&format!("  {number:>width$}"));
    }
    line
}

/// Lists the named counts (of refusals or repairs) of each kind of operation, one line per kind.
fn details<'a>(
    totals: &'a Totals,
    what: &'a str,
    counts: impl Fn(&Tally) -> &BTreeMap<String, u64> + 'a,
) -> impl Iterator<Item = String> + 'a {
    totals.works.iter().filter_map(move |(work, tally)| {
        let list = listed(what, counts(tally))?;
        Some(format!("{} {list}", work.name()))
    })
}

fn listed(what: &str, counts: &BTreeMap<String, u64>) -> Option<String> {
    let counts: Vec<String> = counts
        .iter()
        .map(|(name, count)| format!("{name} {count}"))
        .collect();
    (!counts.is_empty()).then(|| format!("{what}: {}", counts.join(", ")))
}

fn mean(tally: &Tally) -> String {
    let millis = tally.time.as_secs_f64() * 1000.0;
    format!("{:.1}", millis / tally.all().max(1) as f64)
}
