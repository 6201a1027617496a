//! `mutants`: breaks the code in small ways, one at a time, and lists the breaks that no test notices.

use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// The engine and the wire, some 2,700 breaks, which take most of a day.
const ENGINE: &str = "mutants -p hashline-core -p hashline-wire";

/// Commits, paths and reading, judged by their own tests and by the simulated disk.
const FILES: &str = "mutants -p hashline-workspace --test-package hashline-workspace --test-package hashline-testing \
    --file crates/hashline-workspace/src/commit/*.rs --file crates/hashline-workspace/src/*.rs";

/// Mutates the engine, or with `files` first the file layer; other `args` go to cargo-mutants, such as `--file` or `--shard`.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::MUTANTS.ensure()?;
    let (what, args) = match args {
        [first, rest @ ..] if first == "files" => (FILES, rest),
        all => (ENGINE, all),
    };
    cargo(&format!("{what} --minimum-test-timeout 20 --output target"))
        .args(args)
        .run()
}
