//! Many clients that read, edit and write the same files for a minute: no errors, no lost change, and memory that does not grow.

use std::io::Write;
use std::thread;
use std::time::Instant;

use anyhow::Result;
use hashline_testing::served::load::{Load, Mix, Tally};

use super::{CLIENTS, Sizes, Stage, WORKSPACE, percentile};
use crate::clock::{median, millis, ratio};
use crate::gates::Gates;
use crate::table::{Table, count};

const MIXED: Mix = Mix {
    edits: 30,
    writes: 10,
    careful: true,
};
/// The slowest edits may take so many times as long as the slowest writes.
const BAR: f64 = 2.0;
/// Memory at the end may be so many times that after the first third.
const GROWTH: f64 = 1.25;

pub(super) fn measure(
    stage: &Stage,
    sizes: &Sizes,
    gates: &mut Gates,
    out: &mut dyn Write,
) -> Result<()> {
    let scene = stage.scene("load", sizes)?;
    let server = stage.serve(&scene.root)?;
    let load = Load::new(&scene, MIXED, server.address(), &server.token(WORKSPACE)?);
    let started = Instant::now();
    let (tallies, memory) = load.run(&[], || {
        let mut memory = vec![(started.elapsed(), server.memory())];
        while started.elapsed() < sizes.load {
            thread::sleep(sizes.interval);
            memory.push((started.elapsed(), server.memory()));
        }
        memory
    });
    server.end()?;
    let lost = scene.audit(&tallies)?;
    let title = format!(
        "{CLIENTS} clients, {} files in {} folders",
        scene.files, scene.folders
    );
    writeln!(out, "\n== Load: {title}\n")?;
    let mut table = Table::new(1, ["call", "count", "median", "p99"]);
    let all = |times: fn(&Tally) -> &[std::time::Duration]| tallies.iter().flat_map(times).copied();
    let reads: Vec<_> = all(|tally| &tally.reads).collect();
    let edits: Vec<_> = all(|tally| &tally.edits).collect();
    let writes: Vec<_> = all(|tally| &tally.writes).collect();
    for (name, times) in [
        ("read-file", &reads),
        ("edit-file", &edits),
        ("write-file", &writes),
    ] {
        table.row(vec![
            name.to_owned(),
            count(times.len() as u64),
            millis(median(times)),
            millis(percentile(times, 99)),
        ]);
    }
    table.print(out)?;
    let mut table = Table::new(0, ["seconds", "resident MiB"]);
    let mut resident = Vec::new();
    for (at, bytes) in memory {
        let mib = bytes? as f64 / f64::from(1 << 20);
        table.row(vec![
            format!("{:.1}", at.as_secs_f64()),
            format!("{mib:.1}"),
        ]);
        resident.push(mib);
    }
    writeln!(out)?;
    table.print(out)?;
    let errors: Vec<&String> = tallies.iter().flat_map(|tally| &tally.errors).collect();
    for error in errors.iter().take(5) {
        writeln!(out, "  {error}")?;
    }
    for what in lost.iter().take(5) {
        writeln!(out, "  {what}")?;
    }
    let sum = |what: fn(&Tally) -> usize| tallies.iter().map(what).sum::<usize>();
    let conflicts = sum(|tally| tally.conflicts);
    writeln!(
        out,
        "  writes refused because somebody else was faster: {conflicts}"
    )?;
    let broken = sum(|tally| tally.broken);
    let wrong = errors.len() + broken;
    gates.check("load: no errors", wrong.to_string(), wrong == 0);
    gates.check(
        "load: no change lost",
        lost.len().to_string(),
        lost.is_empty(),
    );
    let third = resident
        .get(resident.len() / 3)
        .copied()
        .unwrap_or_default();
    let growth = resident.last().copied().unwrap_or_default() / third.max(1.0);
    let gate = format!("load: memory at the end at most {GROWTH} x that after a third");
    gates.check_bar(sizes.bars, gate, format!("{growth:.2} x"), growth <= GROWTH);
    let over = ratio(percentile(&edits, 99), percentile(&writes, 99));
    let gate = format!("load: p99 of edit-file below {BAR} x that of write-file");
    gates.check_bar(sizes.bars, gate, format!("{over:.2} x"), over < BAR);
    Ok(())
}
