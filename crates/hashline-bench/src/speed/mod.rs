//! Speed, as ratios in one run on one machine: our time, a peer's, and the floor's.
//!
//! A time is the best of several runs in one process. Bars decide in a full run; in a sample only wrong results do.

mod against;
mod baseline;
mod commit;
mod driver;
mod growth;
mod guard;
mod ledger;
pub(crate) mod mcp;
mod one_edit;
mod part;
mod program;
mod render;
mod revisions;
mod search;
mod turns;

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;

use crate::args::Args;
use crate::gates::{Bars, Gates};

/// How much work is done.
pub(crate) struct Sizes {
    /// Lines to render.
    render: usize,
    /// Lines of the file that is edited once.
    edit: usize,
    /// Lines of the files whose growth is measured.
    growth: Vec<usize>,
    /// Files of the tree that is searched.
    searched: usize,
    /// How often the file with many revisions is edited.
    revisions: usize,
    /// Runs of which the best counts.
    runs: usize,
    bars: Bars,
}

impl Sizes {
    fn full() -> Self {
        Self {
            render: 1_000_000,
            edit: 50_000,
            growth: vec![12_500, 25_000, 50_000, 100_000, 200_000],
            searched: 20_000,
            revisions: 10_000,
            runs: 9,
            bars: Bars::Decide,
        }
    }

    fn sample() -> Self {
        Self {
            render: 100_000,
            edit: 50_000,
            growth: vec![12_500, 25_000],
            searched: 2_000,
            revisions: 1_500,
            runs: 3,
            bars: Bars::Inform,
        }
    }
}

/// What can be measured, by name.
type Part = fn(&Sizes, &mut Gates, &mut dyn Write) -> Result<()>;
const PARTS: [(&str, Part); 11] = [
    ("render", render::measure),
    ("one-edit", one_edit::measure),
    ("growth", growth::measure),
    ("guard", guard::measure),
    ("ledger", ledger::measure),
    ("revisions", revisions::measure),
    ("search", search::measure),
    ("part", part::measure),
    ("commit", commit::measure),
    ("program", program::measure),
    ("mcp", mcp::measure),
];

/// Measures everything, or what `--only` names; with `--against` only how the program compares to another build of it.
pub(crate) fn run(args: &mut Args, out: &mut dyn Write) -> Result<Gates> {
    let sample = args.flag("--sample");
    let only: Option<String> = args.value("--only")?;
    let against: Option<PathBuf> = args.value("--against")?;
    let sizes = if sample {
        Sizes::sample()
    } else {
        Sizes::full()
    };
    if let Some(other) = against {
        return against::measure(&other, only.as_deref(), args, &sizes, out);
    }
    args.finish()?;
    let mut gates = Gates::default();
    for (name, measure) in PARTS {
        if only.as_deref().is_none_or(|only| only == name) {
            measure(&sizes, &mut gates, out)?;
        }
    }
    Ok(gates)
}
