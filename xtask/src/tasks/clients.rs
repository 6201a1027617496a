//! `clients`: real agents, with a scripted model, against the program as it is handed out.

use std::fs;
use std::path::PathBuf;

use crate::command::{Command, cargo, root};
use crate::failure::Failure;

/// The pinned versions of the agents and of all they use.
const LOCK: &str = "clients/package-lock.json";
/// A copy of the lock file that the installed agents came from.
const INSTALLED: &str = "clients/node_modules/.installed";

/// Builds the program, installs the agents unless they are there, and runs those that are named, or all.
pub(super) fn run(args: &[String]) -> Result<(), Failure> {
    cargo("build --release --locked -p hashline-cli").run()?;
    install()?;
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

/// Installs what the lock file says. It is more than a gigabyte, so only if something else is there.
fn install() -> Result<(), Failure> {
    let read = |name: &str| fs::read(root().join(name)).ok();
    if read(INSTALLED).is_some() && read(INSTALLED) == read(LOCK) {
        return Ok(());
    }
    // No agent needs its install script, and what is not run cannot surprise.
    Command::new(
        "npm",
        "ci --prefix clients --ignore-scripts --no-audit --no-fund",
    )
    .run()?;
    // Without the mark they are installed again next time, which is no harm.
    let _ = fs::copy(root().join(LOCK), root().join(INSTALLED));
    Ok(())
}

/// Returns the folder cargo builds into, whole: programs of the tests run in folders of their own.
fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    root().join(named.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}
