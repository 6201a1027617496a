//! The program that people run, built beside this one.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

/// Returns a cargo that can be given a task.
pub(crate) fn cargo() -> Command {
    Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()))
}

/// Builds the program; returns where it is.
pub(crate) fn hashline() -> Result<PathBuf> {
    let args = ["build", "--quiet", "--release", "-p", "hashline-cli"];
    let built = cargo().args(args).status()?;
    ensure!(built.success(), "the program cannot be built: {built}");
    Ok(std::env::current_exe()?.with_file_name("hashline"))
}
