//! A command as a person would type it at the repository's root.
//!
//! What is printed is what is run: the shell line comes from the same value as the process.

use std::ffi::{OsStr, OsString};
use std::fmt;
use std::path::PathBuf;
use std::process::{self, ExitStatus, Output, Stdio};

use crate::failure::Failure;
use crate::screen;

/// A program, its arguments and what is added to its environment.
#[derive(Clone, Debug)]
pub(crate) struct Command {
    env: Vec<(&'static str, OsString)>,
    program: &'static str,
    args: Vec<String>,
}

/// Returns the cargo command made of these words, which hold no spaces of their own.
pub(crate) fn cargo(words: &str) -> Command {
    Command::new("cargo", words)
}

impl Command {
    /// Makes the command of `program` and these words, which hold no spaces of their own.
    pub(crate) fn new(program: &'static str, words: &str) -> Self {
        Self {
            env: Vec::new(),
            program,
            args: words.split_whitespace().map(str::to_owned).collect(),
        }
    }

    /// Adds arguments as they are.
    pub(crate) fn args(mut self, args: &[String]) -> Self {
        self.args.extend_from_slice(args);
        self
    }

    /// Sets one variable for this command.
    pub(crate) fn env(mut self, name: &'static str, value: impl AsRef<OsStr>) -> Self {
        self.env.push((name, value.as_ref().to_owned()));
        self
    }

    /// Prints the command, runs it and waits for its end.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        screen::note(format_args!("$ {self}"));
        let status = self
            .process()
            .status()
            .map_err(|source| self.not_started(source))?;
        if status.success() {
            Ok(())
        } else {
            Err(self.ended(status))
        }
    }

    /// Runs the command unseen and returns what it said, however it ended.
    pub(crate) fn capture(&self) -> Result<Output, Failure> {
        self.process()
            .stdin(Stdio::null())
            .output()
            .map_err(|source| self.not_started(source))
    }

    /// Runs the command and returns its standard output; what it has to complain about is shown.
    pub(crate) fn read(&self) -> Result<String, Failure> {
        let output = self.capture()?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        screen::note(String::from_utf8_lossy(&output.stderr));
        Err(self.ended(output.status))
    }

    fn ended(&self, status: ExitStatus) -> Failure {
        Failure::Ended {
            command: self.clone(),
            status,
        }
    }

    fn not_started(&self, source: std::io::Error) -> Failure {
        Failure::NotStarted {
            command: self.clone(),
            source,
        }
    }

    fn process(&self) -> process::Command {
        let mut process = process::Command::new(self.program);
        process
            .args(&self.args)
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .current_dir(root());
        process
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in &self.env {
            write!(f, "{name}={} ", quoted(&value.to_string_lossy()))?;
        }
        f.write_str(self.program)?;
        self.args
            .iter()
            .try_for_each(|arg| write!(f, " {}", quoted(arg)))
    }
}

/// Returns the repository's root: every command runs there, wherever the task was called.
pub(crate) fn root() -> PathBuf {
    // Asked of cargo at run time: two clones that share a target folder share this program, too.
    let xtask = std::env::var_os("CARGO_MANIFEST_DIR")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")), PathBuf::from);
    xtask.join("..")
}

/// Returns the folder cargo builds into, whole: some programs run in folders of their own.
pub(crate) fn target() -> PathBuf {
    let named = std::env::var_os("CARGO_TARGET_DIR");
    root().join(named.map_or_else(|| PathBuf::from("target"), PathBuf::from))
}

/// Returns `word` as a POSIX shell reads it back.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::cargo;

    #[test]
    fn a_command_reads_as_it_is_typed() {
        let command = cargo("doc --no-deps").env("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            command.to_string(),
            "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps"
        );
    }

    #[test]
    fn an_argument_of_the_caller_stays_one_word() {
        let command = cargo("test --").args(&["it's one".to_owned(), String::new()]);
        assert_eq!(command.to_string(), r"cargo test -- 'it'\''s one' ''");
    }
}
