//! Search over a tree of many files, process against process: the driver against ripgrep.

mod program;
pub(super) mod tree;

use std::collections::BTreeSet;
use std::io::Write;
use std::time::{Duration, Instant};

use anyhow::Result;

use self::program::Program;
use super::Sizes;
use super::driver::driver;
use crate::clock::{millis, ratio};
use crate::gates::Gates;
use crate::table::Table;

/// A search takes at most so many times as long as ripgrep.
const OVER_RIPGREP: f64 = 1.5;
/// Lines shown before and after a match.
const CONTEXTS: [usize; 2] = [0, 2];

/// Measures ripgrep, ours without a ledger, and ours with one.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let files = sizes.searched;
    let folder = tempfile::tempdir()?;
    let root = folder.path().join("tree");
    let matching = tree::plant(&root, files)?;
    writeln!(
        out,
        "\n== search of {files} files, {matching} of which match, warm\n"
    )?;
    let bar = |context| format!("search, context {context}: at most 1.5 x ripgrep");
    if !program::ripgrep_is_there() {
        writeln!(out, "skipped: ripgrep is not installed and cannot be")?;
        for context in CONTEXTS {
            gates.check_bar(sizes.bars, bar(context), "skipped", false);
        }
        return Ok(());
    }
    let driver = driver()?;
    let mut table = Table::new(1, ["program", "context", "ms", "x ripgrep"]);
    for context in CONTEXTS {
        let programs = [
            Program::ripgrep(&root, context),
            Program::ours(&driver, &root, context),
            Program::ours(&driver, &root, context).with_ledger(&folder.path().join("state")),
        ];
        let found = programs.each_ref().map(Program::found);
        let [theirs, ours, remembered] = found;
        let (theirs, ours) = (theirs?, ours?);
        let same = ours == theirs && remembered? == theirs && theirs.len() == matching;
        let figure = format!("{} lines", ours.len());
        gates.check(
            format!("search, context {context}: the lines are ripgrep's"),
            figure,
            same,
        );
        let times = times(&programs, sizes.runs * 3)?;
        for (program, time) in programs.iter().zip(&times) {
            let over = format!("{:.2}", ratio(*time, times[0]));
            table.row(vec![
                program.name.to_owned(),
                context.to_string(),
                millis(*time),
                over,
            ]);
        }
        let over = ratio(times[1], times[0]);
        let figure = format!("{over:.2} x, {} ms", millis(times[1]));
        gates.check_bar(sizes.bars, bar(context), figure, over <= OVER_RIPGREP);
    }
    table.print(out)
}

/// Lines that were found, by path and number.
type Lines = BTreeSet<(String, usize)>;

/// Returns the best time of each program. They run by turns, so that whatever else the machine does slows all of them alike.
fn times(programs: &[Program], runs: usize) -> Result<Vec<Duration>> {
    let mut best = vec![Duration::MAX; programs.len()];
    for _ in 0..runs {
        for (program, best) in programs.iter().zip(&mut best) {
            let started = Instant::now();
            program.run()?;
            *best = started.elapsed().min(*best);
        }
    }
    Ok(best)
}
