//! `oracle`: the recorded cases, one row a file.

use std::path;

use crate::command::{Command, cargo};
use crate::failure::Failure;

/// Runs the cases of the given folder, which holds `reference/` and `dialects/`, or those of `testdata/oracle`: in process, or over HTTP.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    let (through_http, rest) = match args {
        [option, transport, rest @ ..] if option == "--through" => {
            if transport != "http" {
                let message = format!("cases go through http, not `{transport}`");
                return Err(Failure::Usage(message));
            }
            (true, rest)
        }
        all => (false, all),
    };
    let command = if through_http {
        build_program().run()?;
        self::through_http()
    } else {
        command()
    };
    match rest {
        [] => command.run(),
        [dir] => {
            let dir = path::absolute(dir)
                .map_err(|problem| Failure::Usage(format!("`{dir}`: {problem}")))?;
            command.env("HASHLINE_ORACLE_DIR", dir).run()
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

/// Returns the command that sends the recorded cases to the service, once the program is built.
pub(super) fn through_http() -> Command {
    cargo("run --release --quiet -p hashline-testing --bin oracle -- --through http")
}

/// Returns the command that builds the program that is the service.
fn build_program() -> Command {
    cargo("build --release --quiet -p hashline-cli --bin hashline")
}
