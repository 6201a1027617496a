//! Runs the program under `strace`: records its system calls, or carries out the kills and failures that a test asks for.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use super::Bench;
use super::scenario::Scenario;

/// One system call of a run: its name, and which call of that name it is, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Call {
    pub(super) name: String,
    pub(super) nth: usize,
    /// The whole line of the record.
    pub(super) line: String,
}

/// What a run came to.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The exit code; nothing if it was killed.
    pub(super) code: Option<i32>,
    /// What it printed to standard output, then to standard error.
    pub(super) text: String,
}

impl Run {
    fn of(output: &Output) -> Self {
        // strace kills itself the way its child was killed.
        let bytes = [&output.stdout[..], &output.stderr[..]].concat();
        Self {
            code: output.status.code(),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    /// Returns the code of a refusal, `ok`, or what else became of the run.
    pub(super) fn outcome(&self) -> &str {
        match self.code {
            _ if self.panicked() => "panicked",
            Some(0) => "ok",
            // What `timeout` had to kill.
            None | Some(137) => "killed",
            Some(_) => self.text.split(':').next().unwrap_or_default(),
        }
    }

    pub(super) fn panicked(&self) -> bool {
        self.code == Some(101)
            || self.text.contains("panicked")
            || self.text.starts_with("internal:")
    }
}

/// Runs the program plainly.
pub(super) fn plain(bench: &Bench, root: &Path, words: &[&str], input: &str) -> Run {
    let mut command = Command::new(&bench.driver);
    command.arg(root).args(words);
    finish(command, input)
}

/// Runs the program with calls that fail, or a call at which it is killed, each as `strace` says it.
pub(super) fn injected(
    bench: &Bench,
    root: &Path,
    words: &[&str],
    input: &str,
    injections: &[String],
) -> Run {
    // A run that hangs is killed, and counts as one that was.
    let mut command = Command::new("timeout");
    command.args(["--signal=KILL", "30", "strace", "-f", "-qq", "-o"]);
    command.arg("/dev/null");
    for injection in injections {
        command.arg("-e").arg(format!("inject={injection}"));
    }
    command.arg(&bench.driver).arg(root).args(words);
    finish(command, input)
}

/// Records the calls of a run from the moment it opens the root.
pub(super) fn record(
    bench: &Bench,
    root: &Path,
    words: &[&str],
    input: &str,
    scenario: &Scenario,
    environment: &[(&str, &str)],
) -> Vec<Call> {
    let log = bench.scratch.join("record");
    let mut command = Command::new("strace");
    command.args(["-f", "-qq", "-y", "-o"]).arg(&log);
    for without in scenario.without {
        command.arg("-e").arg(format!("inject={without}"));
    }
    command.envs(environment.iter().copied());
    command.arg(&bench.driver).arg(root).args(words);
    finish(command, input);
    let text = fs::read_to_string(&log).unwrap_or_default();
    parse(&text, &root.to_string_lossy())
}

fn parse(log: &str, root: &str) -> Vec<Call> {
    let opened = format!("(\"{root}\", ");
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut started = false;
    let mut calls = Vec::new();
    for line in log.lines() {
        let Some((_, rest)) = line.split_once(' ') else {
            continue;
        };
        let rest = rest.trim_start();
        let Some((name, _)) = rest.split_once('(') else {
            continue;
        };
        let nth = counts.entry(name.to_owned()).or_default();
        *nth += 1;
        started |= name.starts_with("open") && rest.contains(&opened);
        if started && !["exit_group", "exit"].contains(&name) {
            calls.push(Call {
                name: name.to_owned(),
                nth: *nth,
                line: rest.to_owned(),
            });
        }
    }
    calls
}

/// Starts a program, hands it its input and waits for its end.
pub(super) fn finish(mut command: Command, input: impl AsRef<[u8]>) -> Run {
    let child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let mut child = child.expect("strace and the driver can be started");
    if let Some(mut stdin) = child.stdin.take() {
        // A program that was killed reads nothing.
        let _ = stdin.write_all(input.as_ref());
    }
    Run::of(&child.wait_with_output().expect("it ends"))
}
