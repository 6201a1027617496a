//! The program that people run, built beside this one.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, ensure};

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

/// Copies a program into a folder, as installing it does; returns where it is.
///
/// Measured programs are copies, because the file that a linker writes lies in the page cache in smaller pieces than a copy, and starts more slowly.
pub(crate) fn install(program: &Path, folder: &Path) -> Result<PathBuf> {
    let name = program.file_name().context("a program has a name")?;
    let copy = folder.join(name);
    fs::copy(program, &copy).with_context(|| program.display().to_string())?;
    Ok(copy)
}
