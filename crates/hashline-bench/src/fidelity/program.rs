//! The same changes through the program that people run: the file is read, then edited, by processes of their own.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use anyhow::{Context, Result};
use hashline_core::dialect::Dialect;
use serde_json::Value;

use super::case::Case;
use super::send::{Outcome, compare};
use crate::program::hashline;

/// A folder for the files, and the program.
pub(super) struct Program {
    folder: tempfile::TempDir,
    path: PathBuf,
}

impl Program {
    pub(super) fn new() -> Result<Self> {
        Ok(Self {
            folder: tempfile::tempdir()?,
            path: hashline()?,
        })
    }

    /// Makes the file, reads it and sends the request, with default options but for the dialect.
    pub(super) fn send(&self, dialect: Dialect, case: &Case, request: &Value) -> Result<Outcome> {
        let root = self.folder.path().join("files");
        let file = root.join(&case.path);
        let _ = fs::remove_dir_all(&root);
        fs::create_dir_all(file.parent().context("it lies in a folder")?)?;
        fs::write(&file, &case.before)?;
        let named = match dialect {
            Dialect::OMP => vec![],
            other => vec!["--dialect", other.name()],
        };
        self.run(&[&["read", &case.path], named.as_slice()].concat(), "")?;
        let apply = [&["apply", "--emit", "none"], named.as_slice()].concat();
        let output = self.run(&apply, &request.to_string())?;
        if !output.status.success() {
            let reason = String::from_utf8_lossy(&output.stderr);
            let first = reason.lines().next().unwrap_or_default();
            return Ok(Outcome::Refused(first.to_owned()));
        }
        Ok(compare(case, &fs::read(&file)?))
    }

    fn run(&self, args: &[&str], input: &str) -> Result<Output> {
        let mut child = Command::new(&self.path)
            .args(args)
            .current_dir(self.folder.path().join("files"))
            .env("XDG_STATE_HOME", self.folder.path().join("state"))
            .env("XDG_CONFIG_HOME", self.folder.path().join("config"))
            .env_remove("HASHLINE_SESSION")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().context("it listens")?;
        // A program that stops reading early says why on its standard error.
        let _ = stdin.write_all(input.as_bytes());
        drop(stdin);
        Ok(child.wait_with_output()?)
    }
}
