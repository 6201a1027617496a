//! `mutants`: breaks the code in small ways, one at a time, and lists the breaks that no test notices.

use crate::command::cargo;
use crate::failure::Failure;
use crate::tool;

/// The engine and the wire, some 2,700 breaks, which take most of a day.
const ENGINE: &str =
    "mutants -p hashline-core -p hashline-reference -p hashline-wire --minimum-test-timeout 20";

/// Commits and paths, some 600 breaks, judged by their own tests and by the simulated disk: `.config/mutants.toml` says how. A test
/// that hangs is ended by nextest (`.config/nextest.toml`); all of them together are given up on after three minutes.
const FILES: &str =
    "mutants --config .config/mutants.toml -p hashline-workspace --timeout 180 --build-timeout 900";

/// Mutates the engine, or with `files` first the file layer; other `args` go to cargo-mutants: `--re commit/entry` for one file,
/// `--shard 0/8` for a sample, `--iterate` to go on where the last run was broken off.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    tool::MUTANTS.ensure()?;
    let (what, args) = match args {
        [first, rest @ ..] if first == "files" => {
            tool::NEXTEST.ensure()?;
            (FILES, rest)
        }
        all => (ENGINE, all),
    };
    // Nobody looks at the lines of a panic here, and every break is built and linked anew.
    cargo(&format!("{what} --output target"))
        .env("CARGO_PROFILE_DEV_DEBUG", "0")
        .args(args)
        .run()
}
