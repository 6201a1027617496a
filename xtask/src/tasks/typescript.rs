//! `typescript`: the TypeScript client in Node, Bun and workerd, and the example that uses it, against the service.

use crate::command::{Command, cargo, target};
use crate::failure::Failure;
use crate::tool;

/// The client.
const CLIENT: &str = "clients/typescript";
/// The example: an app and a worker in front of the service.
const EXAMPLE: &str = "examples/push";
/// Comes with the packages: the system's own may be too old for the test runner.
const NODE: &str = "clients/typescript/node_modules/node24/bin/node";

/// Builds the program, installs the packages unless they are there, builds the client, and runs all tests; `args` go to Node's test runner.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    cargo("build --locked -p hashline-cli").run()?;
    tool::npm_packages(CLIENT)?;
    tool::npm_packages(EXAMPLE)?;
    let compiler = format!("{CLIENT}/node_modules/typescript/bin/tsc -p {CLIENT}");
    Command::new(NODE, &compiler).run()?;
    let program = target().join("debug/hashline").display().to_string();
    let files = [CLIENT, EXAMPLE].map(|folder| format!("{folder}/test/*.test.mjs"));
    Command::new(NODE, "--test")
        .args(args)
        .args(&files)
        .env("HASHLINE_BIN", &program)
        .run()
}

/// Returns the command of this task, for the steps of another.
pub(super) fn command() -> Command {
    cargo("xtask typescript")
}
