//! `mutants`: breaks the engine in small ways, one at a time, and lists the breaks that no test notices.

use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// Mutates the engine and the wire, some 2,700 times, which takes most of a day; `args` go to cargo-mutants, such as `--file` or `--shard`.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::MUTANTS.ensure()?;
    cargo("mutants -p hashline-core -p hashline-wire --minimum-test-timeout 20 --output target")
        .args(args)
        .run()
}
