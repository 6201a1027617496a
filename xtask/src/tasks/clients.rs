//! `clients`: real agents, with a scripted model, against the program as it is handed out.

use crate::command::{Command, cargo, target};
use crate::failure::Failure;
use crate::tool;

/// Builds the program, installs the agents unless they are there, and runs those that are named, or all.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    cargo("build --release --locked -p hashline-cli").run()?;
    // It is more than a gigabyte.
    tool::npm_packages("clients")?;
    let target = target();
    let program = target.join("release/hashline").display().to_string();
    Command::new("node", "--test clients/test")
        .env("HASHLINE_BIN", &program)
        .run()?;
    let places = [
        "--hashline".to_owned(),
        program,
        "--scratch".to_owned(),
        target.join("clients").display().to_string(),
    ];
    Command::new("node", "clients/run.mjs")
        .args(&places)
        .args(args)
        .run()
}
