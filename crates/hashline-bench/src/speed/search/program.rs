//! The two programs: how they are started, and how their output is read.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};

use super::Lines;
use super::tree::NEEDLE;

/// A program with its arguments.
pub(super) struct Program {
    pub(super) name: &'static str,
    file: PathBuf,
    args: Vec<String>,
    /// Where the program stands.
    folder: PathBuf,
    state: Option<PathBuf>,
    read: fn(&str) -> Option<(String, usize)>,
}

impl Program {
    /// ripgrep, with line numbers, as many threads as ours, and nothing of the user's settings.
    pub(super) fn ripgrep(root: &Path, context: usize) -> Self {
        let (threads, context) = (threads().to_string(), context.to_string());
        let args = [
            "--no-config",
            "--no-heading",
            "--line-number",
            "--fixed-strings",
        ];
        let args = args
            .into_iter()
            .chain(["--threads", &threads, "--context", &context]);
        Self {
            name: "ripgrep",
            file: "rg".into(),
            args: args.chain([NEEDLE, "."]).map(str::to_owned).collect(),
            folder: root.to_path_buf(),
            state: None,
            read: ripgrep_line,
        }
    }

    /// The driver, without a ledger.
    pub(super) fn ours(driver: &Path, root: &Path, context: usize) -> Self {
        let (threads, context) = (threads().to_string(), context.to_string());
        let args = [".", "search", NEEDLE, &context, &threads];
        Self {
            name: "ours, ledger off",
            file: driver.to_path_buf(),
            args: args.map(str::to_owned).to_vec(),
            folder: root.to_path_buf(),
            state: None,
            read: our_line,
        }
    }

    /// Writes down what is shown.
    pub(super) fn with_ledger(self, state: &Path) -> Self {
        Self {
            name: "ours, ledger on",
            state: Some(state.to_path_buf()),
            ..self
        }
    }

    /// Runs the program; returns what it prints.
    pub(super) fn run(&self) -> Result<String> {
        let mut command = Command::new(&self.file);
        command
            .args(&self.args)
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        command.env_remove("HASHLINE_STATE");
        command.envs(self.state.iter().map(|state| ("HASHLINE_STATE", state)));
        let output = command.output().with_context(|| self.name)?;
        ensure!(output.status.success(), "{}: {}", self.name, output.status);
        Ok(String::from_utf8(output.stdout)?)
    }

    /// Returns the lines with the needle that the program shows.
    pub(super) fn found(&self) -> Result<Lines> {
        let output = self.run()?;
        let mut path = String::new();
        let mut lines = Lines::new();
        for line in output.lines() {
            // Code may read like the head of a file, but it has an anchor before it.
            if our_line(line).is_none()
                && let Some((head, _)) = line.split_once(" (rev ")
            {
                head.clone_into(&mut path);
            }
            if let Some((own, number)) = line.ends_with(NEEDLE).then(|| (self.read)(line)).flatten()
            {
                lines.insert((if own.is_empty() { path.clone() } else { own }, number));
            }
        }
        Ok(lines)
    }
}

/// Returns whether ripgrep can be run; installs it if that is possible.
pub(super) fn ripgrep_is_there() -> bool {
    let runs = |program: &str, args: &[&str]| {
        let mut command = Command::new(program);
        command
            .args(args)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    let there = || runs("rg", &["--version"]);
    there() || (runs("apt-get", &["install", "--yes", "ripgrep"]) && there())
}

fn threads() -> usize {
    std::thread::available_parallelism().map_or(1, NonZeroUsize::get)
}

/// `./path:12:text`
fn ripgrep_line(line: &str) -> Option<(String, usize)> {
    let (path, rest) = line.strip_prefix("./")?.split_once(':')?;
    let (number, _) = rest.split_once(':')?;
    Some((path.to_owned(), number.parse().ok()?))
}

/// `12:a3|text`, below the path.
fn our_line(line: &str) -> Option<(String, usize)> {
    let (number, _) = line.split_once(':')?;
    Some((String::new(), number.parse().ok()?))
}
