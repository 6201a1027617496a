//! The driver of `hashline-testing`: a program that searches without the command line around it.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

/// Builds the driver beside this program; returns where it is.
pub(super) fn driver() -> Result<PathBuf> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let args = [
        "build",
        "--quiet",
        "--release",
        "-p",
        "hashline-testing",
        "--bin",
        "driver",
    ];
    let built = Command::new(cargo).args(args).status()?;
    ensure!(built.success(), "the driver cannot be built: {built}");
    Ok(std::env::current_exe()?.with_file_name("driver"))
}
