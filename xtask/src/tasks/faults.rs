//! `faults`: the fault suite, against the release build of the program that edits files.

use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// Kills, refuses and cuts off commits at every point; `--full` runs all cases instead of a sample.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::ensure_program("strace")?;
    cargo("build --release -p hashline-testing --bin driver").run()?;
    cargo("run --release -p hashline-testing --bin faults --")
        .args(args)
        .run()
}
