//! The landing battery: does an edit land on the lines that were shown, or not at all?
//!
//! A trial is a short story about one real file: an agent is shown lines, it and others write, and then it edits with anchors it
//! has. Truth is by construction ([`version`]), the verdict comes from the resulting document ([`verdict`]), never from what the
//! engine says of itself. The same requests are sent under four landings, for comparison.

mod attempt;
mod battery;
mod context;
mod distance;
mod draft;
mod gates;
mod kinds;
mod print;
mod rule;
mod scene;
mod tally;
mod verdict;
mod version;
mod wish;
mod writer;

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Result;

use crate::args::Args;
use crate::corpus::{Class, Corpus};
use crate::gates::Gates;
use battery::play_all;

const TRIALS: u64 = 20_000;
const SAMPLE: u64 = 500;

/// Runs the battery.
pub(crate) fn run(args: &mut Args, out: &mut dyn Write) -> Result<Gates> {
    let usual = if args.flag("--sample") {
        SAMPLE
    } else {
        TRIALS
    };
    let trials = args.value("--trials")?.unwrap_or(usual);
    let seed = args.value("--seed")?.unwrap_or(1);
    let folder: Option<PathBuf> = args.value("--corpus")?;
    let only: String = args.value("--only")?.unwrap_or_default();
    args.finish()?;
    let corpus = Corpus::load(folder.as_deref(), seed)?;
    writeln!(
        out,
        "landing: {trials} trials a kind, seed {seed}; {}\n",
        corpus.describe()
    )?;
    print::legend(out)?;
    let mut checked = Gates::default();
    for class in Class::ALL
        .into_iter()
        .filter(|&class| corpus.files(class).line_count() > 0)
    {
        let started = Instant::now();
        let results = play_all(corpus.files(class), seed, trials, &only);
        let (name, seconds) = (class.name(), started.elapsed().as_secs_f64());
        writeln!(out, "\n== {name} files, {seconds:.0} s: counts\n")?;
        print::counts(&results, out)?;
        writeln!(out, "\n== {name} files: percent\n")?;
        print::shares(&results, out)?;
        writeln!(
            out,
            "\n== {name} files: by distance of the nearest outside change\n"
        )?;
        print::distances(&results, out)?;
        writeln!(
            out,
            "\n== {name} files: how far a line's context must be read\n"
        )?;
        context::print(corpus.files(class), seed, trials, out)?;
        writeln!(
            out,
            "\n== {name} files: ambiguous requests, sent again with the revision offered\n"
        )?;
        print::retries(&results, out)?;
        gates::check(class, &results, trials, &only, &mut checked);
    }
    Ok(checked)
}
