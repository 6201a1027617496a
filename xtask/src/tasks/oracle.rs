//! `oracle`: the recorded cases, one row a file.

use std::path;

use crate::command::{Command, cargo};
use crate::failure::Failure;

/// Runs the cases of the given folder, which holds `reference/` and `dialects/`, or those of `testdata/oracle`.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    match args {
        [] => command().run(),
        [dir] => {
            let dir = path::absolute(dir)
                .map_err(|problem| Failure::Usage(format!("`{dir}`: {problem}")))?;
            command().env("HASHLINE_ORACLE_DIR", dir).run()
        }
        [_, extra, ..] => Err(Failure::Usage(format!(
            "oracle takes one folder, so `{extra}` means nothing"
        ))),
    }
}

/// Returns the command that prints the table of recorded cases and fails when one of them does.
pub(super) fn command() -> Command {
    cargo("run --release --quiet -p hashline-testing --bin oracle")
}
