//! What was counted, for the three readers of `stats`.

use std::collections::BTreeMap;

use hashline_core::totals::{Tally, Totals, Work};
use serde_json::{Map, Value, json};

const HEADS: [&str; 7] = ["work", "all", "done", "stale", "errors", "moved", "mean ms"];

/// Renders a table for a person.
#[must_use]
pub fn to_person(totals: &Totals) -> String {
    if totals.works.is_empty() {
        return "nothing was counted yet".to_owned();
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

/// Renders sentences for a model, one for each kind of work.
#[must_use]
pub fn to_model(totals: &Totals) -> String {
    if totals.works.is_empty() {
        return "Nothing was counted yet.".to_owned();
    }
    let sentence = |(work, tally): (&Work, &Tally)| {
        let mut parts = vec![format!("{} of {} done", tally.done, tally.all())];
        parts.extend(listed("refused", &tally.refused));
        parts.extend(listed("repaired", &tally.repairs));
        if tally.moved > 0 {
            parts.push(format!("{} lines found elsewhere", tally.moved));
        }
        format!(
            "{}: {}; {} ms on average.",
            work.name(),
            parts.join("; "),
            mean(tally)
        )
    };
    let sentences: Vec<String> = totals.works.iter().map(sentence).collect();
    sentences.join("\n")
}

/// Returns an object for a program.
#[must_use]
pub fn to_program(totals: &Totals) -> Value {
    let work = |(work, tally): (&Work, &Tally)| {
        let object = json!({
            "all": tally.all(),
            "done": tally.done,
            "stale": tally.stale(),
            "errors": tally.errors(),
            "refused": tally.refused,
            "repairs": tally.repairs,
            "moved": tally.moved,
            "seconds": tally.time.as_secs_f64(),
        });
        (work.name().to_owned(), object)
    };
    let works: Map<String, Value> = totals.works.iter().map(work).collect();
    json!({ "ok": true, "works": works })
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

/// The first column to the left, numbers to the right.
fn aligned(row: &[String; HEADS.len()], widths: &[usize]) -> String {
    let [name, numbers @ ..] = row;
    let mut line = format!("{name:<width$}", width = widths[0]);
    for (number, width) in numbers.iter().zip(&widths[1..]) {
        line.push_str(&format!("  {number:>width$}"));
    }
    line
}

/// Lists what a kind of work counted by name, one line for each kind of work.
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
