//! `api`: the service against its own OpenAPI document, with schemathesis.

use crate::command::{Command, cargo, target};
use crate::failure::Failure;
use crate::tool;

/// Builds the program, installs schemathesis unless it is there, and runs it.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    cargo("build --locked -p hashline-cli").run()?;
    let target = target();
    let python = target.join("api/python");
    tool::python_packages("clients/api/requirements.txt", &python)?;
    let places = [
        ("--hashline", target.join("debug/hashline")),
        ("--scratch", target.join("api/scratch")),
    ];
    let places = places.map(|(option, path)| [option.to_owned(), path.display().to_string()]);
    let python = python.join("bin/python").display().to_string();
    Command::new("env", "")
        .args(&[python, "clients/api/run.py".to_owned()])
        .args(places.as_flattened())
        .args(args)
        .run()
}

/// Returns the command of this task, for the steps of another.
pub(super) fn command() -> Command {
    cargo("xtask api")
}
