//! Calls of the `git` program.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::corpus;

/// Runs git in a folder and returns what it printed.
pub(crate) fn run(folder: &Path, args: &[&str]) -> Result<Vec<u8>> {
    let output = Command::new("git")
        .arg("-C")
        .arg(folder)
        .args(args)
        .output()
        .context("the git program is needed")?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        bail!("git {}: {}", args.join(" "), words.trim());
    }
    Ok(output.stdout)
}

/// Returns the root of the repository around the current folder; the current folder if there is none.
pub(crate) fn root() -> PathBuf {
    let here = Path::new(".");
    let root = run(here, &["rev-parse", "--show-toplevel"]).ok();
    let root = root.and_then(|bytes| String::from_utf8(bytes).ok());
    root.map_or(here.to_owned(), |root| PathBuf::from(root.trim_end()))
}

/// Lists the files that git tracks under a root; where there is no git, those of the crates.
pub(crate) fn tracked(root: &Path) -> Vec<PathBuf> {
    let Ok(listed) = run(root, &["ls-files", "-z"]) else {
        return corpus::walk(&root.join("crates"));
    };
    let names = listed
        .split(|&byte| byte == 0)
        .filter(|name| !name.is_empty());
    names
        .map(|name| root.join(&*String::from_utf8_lossy(name)))
        .collect()
}
