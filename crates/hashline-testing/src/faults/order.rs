//! T7: what must be durable before what, read off the record of the calls.

use super::scenario::Scenario;
use super::trace::{self, Call};
use super::{Bench, Row};

/// T7: bytes are synced before they get a name, the journal before the first swap, the names before the commit point, and that too.
pub(super) fn durable_in_order(bench: &Bench, scenarios: &[Scenario]) -> Row {
    let mut row = Row::new("T7 order");
    for scenario in scenarios {
        let root = bench.scratch.join("root");
        let recorded = |environment: &[(&str, &str)]| {
            scenario.set_up(&root);
            let request = scenario.request;
            trace::record(
                bench,
                &root,
                scenario.words(),
                request,
                scenario,
                environment,
            )
        };
        row.cases += 1;
        let breaches = breaches(&recorded(&[]));
        row.violations.extend(
            breaches
                .iter()
                .map(|what| format!("{}: {what}", scenario.name)),
        );
        let fast = recorded(&[("HASHLINE_DURABILITY", "fast")]);
        row.control += usize::from(!self::breaches(&fast).is_empty());
    }
    row
}

fn breaches(calls: &[Call]) -> Vec<String> {
    let mut found = Vec::new();
    let is_sync = |call: &Call| call.name == "fsync";
    let is_swap = |call: &Call| {
        call.name == "renameat2" && call.line.contains("RENAME") && call.line.ends_with("= 0")
    };
    // Bytes before names: a file that is linked in was synced after it was written.
    for (at, link) in calls
        .iter()
        .enumerate()
        .filter(|(_, call)| call.name == "linkat" && call.line.contains("/proc/self/fd/"))
    {
        let number = link
            .line
            .split("/proc/self/fd/")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or_default();
        let about = |call: &&Call| call.line.contains(&format!("({number}<"));
        let written = calls[..at]
            .iter()
            .rposition(|c| c.name == "pwrite64" && about(&c));
        let synced = calls[..at].iter().rposition(|c| is_sync(c) && about(&c));
        if written.is_some() && synced < written {
            found.push(format!("named before it was synced: {}", link.line));
        }
    }
    // The commit point of several files.
    let point = calls
        .iter()
        .position(|call| call.line.contains("\"journal.done\"") && call.name.starts_with("rename"));
    let swaps: Vec<usize> = (0..calls.len()).filter(|&at| is_swap(&calls[at])).collect();
    let synced_between = |from: usize, to: usize| calls[from..to].iter().any(is_sync);
    match (point, swaps.first(), swaps.last()) {
        (Some(point), Some(&first), Some(&last)) => {
            let journal = calls.iter().position(|call| {
                call.line.contains("\"journal\"") && ["linkat", "renameat"].contains(&&*call.name)
            });
            let durable = journal.is_some_and(|journal| {
                let area = |call: &Call| is_sync(call) && call.line.contains(".hashline>");
                journal < first && calls[journal..first].iter().any(area)
            });
            if !durable {
                found.push("the journal is not durable before the first swap".to_owned());
            }
            let last = last.min(point);
            if !synced_between(last, point) {
                found.push("the names are not durable before the commit point".to_owned());
            }
            if !synced_between(point, calls.len()) {
                found.push("the commit point is not durable".to_owned());
            }
        }
        (None, Some(_), Some(&last)) if !synced_between(last, calls.len()) => {
            found.push("the swap is not durable".to_owned());
        }
        _ => {}
    }
    found
}
