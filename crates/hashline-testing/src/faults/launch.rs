//! Starting the program in ways a person could: with other rights, limits or surroundings, and never for ever.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::Bench;
use super::trace::{Run, finish};

/// How long any run may take before it counts as one that hangs, in seconds: far more than the slowest machine needs.
const HANGS: &str = "30";
/// The same for a run that does many things.
const HANGS_LONG: &str = "3600";

/// A way to start the program.
#[derive(Clone, Debug)]
pub(super) struct Launch<'a> {
    bench: &'a Bench,
    root: &'a Path,
    hangs: &'static str,
    through: Vec<String>,
    environment: Vec<(&'static str, OsString)>,
}

impl<'a> Launch<'a> {
    pub(super) fn new(bench: &'a Bench, root: &'a Path) -> Self {
        Self {
            bench,
            root,
            hangs: HANGS,
            through: Vec::new(),
            environment: Vec::new(),
        }
    }

    /// Starts it through another program, given with its arguments.
    pub(super) fn through(mut self, words: &[&str]) -> Self {
        self.through
            .extend(words.iter().map(|&word| word.to_owned()));
        self
    }

    /// Gives it time for many things.
    pub(super) fn for_long(mut self) -> Self {
        self.hangs = HANGS_LONG;
        self
    }

    /// Sets a variable of its environment.
    pub(super) fn with(mut self, name: &'static str, value: impl Into<OsString>) -> Self {
        self.environment.push((name, value.into()));
        self
    }

    /// Runs it with these arguments and this input.
    pub(super) fn run(
        &self,
        words: impl IntoIterator<Item = impl Into<OsString>>,
        input: impl AsRef<[u8]>,
    ) -> Run {
        let mut command = Command::new("timeout");
        command
            .args(["--signal=KILL", self.hangs])
            .args(&self.through);
        command.arg(&self.bench.driver).arg(self.root);
        command.args(words.into_iter().map(Into::into));
        command.envs(self.environment.iter().map(|(name, value)| (name, value)));
        finish(command, input)
    }
}
