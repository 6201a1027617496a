//! The two diff libraries on a million lines: which one makes our unified diffs?
//!
//! Each measurement runs in a process of its own, so that its peak of memory is its own, and is given up after a while.

mod memory;
mod pair;
mod peer;
mod process;

use std::io::Write;

use anyhow::{Context, Result};

use crate::args::Args;
use crate::clock::millis;
use crate::gates::Gates;
use crate::table::{Table, bar};
use pair::Source;
use peer::Peer;
use process::{Measured, Outcome, Task};

const LINES: usize = 1_000_000;
const CHANGED: [usize; 4] = [1, 1_000, 100_000, 500_000];
const SAMPLE_LINES: usize = 20_000;
const SAMPLE_CHANGED: [usize; 4] = [1, 50, 500, 2_500];

/// Compares the libraries, or, in a process started for it, measures one of them.
pub(crate) fn run(args: &mut Args, out: &mut dyn Write) -> Result<Gates> {
    if let Some(name) = args.value::<String>("--measure")? {
        let peer = Peer::named(&name).with_context(|| format!("there is no library {name}"))?;
        let source: Option<String> = args.value("--text")?;
        let task = Task {
            source: source
                .and_then(|name| Source::named(&name))
                .unwrap_or(Source::Repeated),
            lines: args.value("--lines")?.unwrap_or(LINES),
            changed: args.value("--changed")?.unwrap_or(1),
        };
        args.finish()?;
        writeln!(out, "{}", process::measure_here(peer, task)?)?;
        return Ok(Gates::default());
    }
    let sample = args.flag("--sample");
    args.finish()?;
    let (lines, all_changed) = if sample {
        (SAMPLE_LINES, SAMPLE_CHANGED)
    } else {
        (LINES, CHANGED)
    };
    let mut gates = Gates::default();
    for source in Source::ALL {
        if source.text(lines)?.is_none() {
            writeln!(
                out,
                "\n{} text: there are not {lines} lines, left out",
                source.name()
            )?;
            continue;
        }
        for changed in all_changed {
            let task = Task {
                source,
                lines,
                changed,
            };
            compare(task, &mut gates, out)?;
        }
    }
    Ok(gates)
}

fn compare(task: Task, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let Task {
        source,
        lines,
        changed,
    } = task;
    writeln!(
        out,
        "\n== diff of {lines} lines ({} text), {changed} of them changed\n",
        source.name()
    )?;
    let header = [
        "library, algorithm",
        "ms",
        "peak MB over the texts",
        "hunks",
        "added",
        "removed",
        "",
    ];
    let mut table = Table::new(1, header);
    let outcomes = Peer::ALL.map(|peer| Ok((peer, process::measure(peer, task)?)));
    let outcomes: Vec<(Peer, Outcome)> = outcomes.into_iter().collect::<Result<_>>()?;
    let done = |outcome: &Outcome| {
        outcome
            .as_ref()
            .ok()
            .map(|measured| measured.time.as_secs_f64())
    };
    let longest = outcomes
        .iter()
        .filter_map(|(_, outcome)| done(outcome))
        .fold(0.0, f64::max);
    for (peer, outcome) in &outcomes {
        table.row(row(*peer, outcome, longest));
        let name = format!(
            "{} text, {changed} changed, {}: the hunks lead from one text to the other",
            source.name(),
            peer.name()
        );
        let (figure, holds) = match outcome {
            Ok(measured) => (format!("{} hunks", measured.hunks), measured.valid),
            Err(limit) => (
                format!("not done in {} s, nothing to check", limit.as_secs()),
                true,
            ),
        };
        gates.check(name, figure, holds);
    }
    table.print(out)?;
    let times = outcomes
        .iter()
        .filter_map(|(peer, outcome)| Some((peer, done(outcome)?)));
    if let Some((fastest, _)) = times.min_by(|(_, a), (_, b)| a.total_cmp(b)) {
        writeln!(out, "\n  fastest: {}", fastest.name())?;
    }
    Ok(())
}

fn row(peer: Peer, outcome: &Outcome, longest: f64) -> Vec<String> {
    match outcome {
        Ok(Measured {
            time,
            peak,
            hunks,
            added,
            removed,
            ..
        }) => {
            let peak = peak.map_or("?".to_owned(), |bytes| format!("{:.0}", bytes as f64 / 1e6));
            let drawn = format!("{:<30}", bar(time.as_secs_f64(), longest, 30));
            let counts = [hunks, added, removed].map(|count| count.to_string());
            let first = vec![peer.name().to_owned(), millis(*time), peak];
            [first, counts.to_vec(), vec![drawn]].concat()
        }
        Err(limit) => vec![peer.name().to_owned(), format!("> {}", limit.as_millis())],
    }
}
