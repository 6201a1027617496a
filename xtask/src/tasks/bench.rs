//! `bench`: the benchmarks, each a subcommand of `hashline-bench`, which lists them when none is named.

use crate::command::{Command, cargo};
use crate::failure::Failure;

/// The benchmarks that `test` runs on a small sample, so that their bars hold on every change.
pub(super) const SAMPLED: &[&str] = &["fidelity", "landing", "speed", "diff"];

/// Runs the named benchmark with its arguments.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    build_driver().run()?;
    cargo("run --release -p hashline-bench --").args(args).run()
}

/// Returns the command that builds the programs whose reads and edits are measured and killed.
pub(super) fn build_driver() -> Command {
    cargo("build --release --quiet -p hashline-testing --bin driver -p hashline-cli --bin hashline")
}

/// Returns the command that runs one benchmark on a small sample.
pub(super) fn sampled(name: &str) -> Command {
    cargo(&format!(
        "run --release --quiet -p hashline-bench -- {name} --sample"
    ))
}
