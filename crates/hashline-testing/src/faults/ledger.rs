//! The ledger, killed at every call of a run that writes it: afterwards it can be read, and what was shown before is still found.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::Duration;

use super::scenario::Scenario;
use super::trace::{self, Call, Run};
use super::{Bench, Extent, Row};

/// A run that writes the ledger.
struct Attempt {
    name: &'static str,
    words: &'static [&'static str],
    request: &'static str,
    /// What somebody does before.
    before: fn(&Lab<'_>),
    /// Whether the ledger is full, so that room must be made first.
    full: bool,
}

const NOTHING: fn(&Lab<'_>) = |_| {};

const ATTEMPTS: [Attempt; 6] = [
    Attempt {
        name: "a first read",
        words: &["read", "b"],
        request: "",
        before: NOTHING,
        full: false,
    },
    Attempt {
        name: "a read after somebody's change",
        words: &["read", "a"],
        request: "",
        before: |lab| lab.put_on_top("a"),
        full: false,
    },
    Attempt {
        name: "an edit",
        words: &["apply"],
        request: r#"{"path":"a","edits":[{"op":"substitute","old":"a 5\n","new":"A\n"}]}"#,
        before: NOTHING,
        full: false,
    },
    Attempt {
        name: "a move",
        words: &["apply"],
        request: r#"{"path":"x0","edits":[{"op":"move","to_path":"y0"}]}"#,
        before: NOTHING,
        full: false,
    },
    Attempt {
        name: "a total that is lost",
        words: &["read", "b"],
        request: "",
        before: |lab| {
            let _ = fs::remove_file(lab.state.join("ledger-2/total"));
        },
        full: false,
    },
    Attempt {
        name: "making room",
        words: &["read", "b"],
        request: "",
        before: NOTHING,
        full: true,
    },
];

/// The files whose showings must survive.
const KEPT: [&str; 2] = ["a", "m"];

/// Nothing fails but what is killed.
const AS_IT_IS: Scenario = Scenario {
    name: "ledger",
    before: &[],
    request: "",
    after: &[],
    one_file: true,
    in_place: false,
    without: &[],
};

/// Killed at every call of every attempt.
pub(super) fn killed_while_writing(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("ledger crash");
    let lab = Lab::new(bench);
    for attempt in &ATTEMPTS {
        for call in lab.calls(attempt).iter().step_by(extent.every(5)) {
            if lab.kill_at(attempt, call).code.is_some() {
                continue;
            }
            row.cases += 1;
            let describe = |what| format!("{}, {} {}: {what}", attempt.name, call.name, call.nth);
            row.violations.extend(lab.judge().err().map(describe));
        }
        // The control: logs that were cut in half remember less.
        lab.set_up(attempt);
        lab.halve_logs();
        row.control += usize::from(lab.judge().is_err());
    }
    row
}

/// A tree, a state directory, and what was shown when both were made.
struct Lab<'a> {
    bench: &'a Bench,
    root: PathBuf,
    state: PathBuf,
    /// Of each file whose showing must survive: its revision and the anchor of its 30th line.
    shown: Vec<(String, String)>,
    /// How many bytes the logs take.
    bytes: u64,
}

impl<'a> Lab<'a> {
    fn new(bench: &'a Bench) -> Self {
        let mut lab = Self {
            bench,
            root: bench.scratch.join("ledger-root"),
            state: bench.scratch.join("ledger-state"),
            shown: Vec::new(),
            bytes: 0,
        };
        let _ = fs::remove_dir_all(&lab.state);
        let _ = fs::remove_dir_all(&lab.root);
        fs::create_dir_all(&lab.root).expect("the scratch folder can be written");
        for name in ["a", "b", "m", "x0", "x1", "x2", "x3", "x4", "x5"] {
            let text: String = (1..=60).map(|line| format!("{name} {line}\n")).collect();
            fs::write(lab.root.join(name), text).expect("the scratch folder can be written");
        }
        // The ledger counts seconds, and what is older goes first when room is made: of `m` a part, then the others, then the rest.
        let a_second_later = || thread::sleep(Duration::from_millis(1100));
        lab.run(&["read", "m"], "");
        a_second_later();
        for name in ["x0", "x1", "x2", "x3", "x4", "x5"] {
            lab.run(&["read", name], "");
        }
        a_second_later();
        lab.put_on_top("m");
        lab.shown = KEPT.iter().map(|name| lab.show(name)).collect();
        lab.bytes = lab.logs().iter().map(|log| size(log)).sum();
        copy(&lab.root, &bench.scratch.join("ledger-root.made"));
        copy(&lab.state, &bench.scratch.join("ledger-state.made"));
        lab
    }

    /// Makes everything as it was when the lab was made, then what happens before an attempt.
    fn set_up(&self, attempt: &Attempt) {
        copy(&self.bench.scratch.join("ledger-root.made"), &self.root);
        copy(&self.bench.scratch.join("ledger-state.made"), &self.state);
        (attempt.before)(self);
    }

    fn environment(&self, attempt: Option<&Attempt>) -> Vec<(&'static str, String)> {
        let state = self.state.to_string_lossy().into_owned();
        let mut environment = vec![("HASHLINE_STATE", state)];
        if attempt.is_some_and(|attempt| attempt.full) {
            environment.push(("HASHLINE_LEDGER_BYTES", (self.bytes + 100).to_string()));
        }
        environment
    }

    /// Runs the program plainly.
    fn run(&self, words: &[&str], input: &str) -> Run {
        let mut command = Command::new(&self.bench.driver);
        command.arg(&self.root).args(words);
        command.envs(self.environment(None));
        trace::finish(command, input)
    }

    /// Records the calls of an attempt.
    fn calls(&self, attempt: &Attempt) -> Vec<Call> {
        self.set_up(attempt);
        let environment = self.environment(Some(attempt));
        let environment: Vec<(&str, &str)> = environment
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        let (words, request) = (attempt.words, attempt.request);
        let calls = trace::record(
            self.bench,
            &self.root,
            words,
            request,
            &AS_IT_IS,
            &environment,
        );
        assert_eq!(self.judge(), Ok(()), "{}: it works", attempt.name);
        let anew = calls.iter().any(|call| {
            call.name.starts_with("rename")
                && call.line.contains("ledger-2")
                && call.line.contains(".new")
        });
        assert_eq!(
            anew, attempt.full,
            "{}: a log is written anew",
            attempt.name
        );
        calls
    }

    /// Runs an attempt on a fresh tree and kills it at one call.
    fn kill_at(&self, attempt: &Attempt, call: &Call) -> Run {
        self.set_up(attempt);
        let mut command = Command::new("timeout");
        command.args([
            "--signal=KILL",
            "30",
            "strace",
            "-f",
            "-qq",
            "-o",
            "/dev/null",
        ]);
        let kill = format!("inject={}:signal=SIGKILL:when={}", call.name, call.nth);
        command.args(["-e", &kill]).arg(&self.bench.driver);
        command.arg(&self.root).args(attempt.words);
        command.envs(self.environment(Some(attempt)));
        trace::finish(command, attempt.request)
    }

    /// Shows a file; returns its revision and the anchor of its 30th line.
    fn show(&self, name: &str) -> (String, String) {
        let text = self.run(&["read", name], "").text;
        let mut lines = text.lines();
        let rev = lines.next().unwrap_or_default().to_owned();
        let line = lines.nth(29).unwrap_or_default();
        let anchor = line.split('|').next().unwrap_or_default();
        (rev, anchor.to_owned())
    }

    /// Edits by what was shown before, after somebody else changed the files: that only works for whoever remembers.
    fn judge(&self) -> Result<(), String> {
        for (name, (rev, anchor)) in KEPT.iter().zip(&self.shown) {
            let path = self.root.join(name);
            self.put_on_top(name);
            let meant = Self::meant(name);
            let edit = format!(r#"{{"op":"replace","at":"{anchor}","lines":["checked"]}}"#);
            let request = format!(r#"{{"path":"{name}","rev":"{rev}","edits":[{edit}]}}"#);
            let before = fs::read_to_string(&path).unwrap_or_default();
            let run = self.run(&["apply"], &request);
            let after = fs::read_to_string(&path).unwrap_or_default();
            if run.code != Some(0) {
                return Err(format!("{name} is forgotten: {}", run.text));
            }
            if after != before.replace(&meant, "checked\n") {
                return Err(format!("{name}: another line was changed"));
            }
        }
        Ok(())
    }

    /// Returns the line of a file that was its 30th when it was shown.
    fn meant(name: &str) -> String {
        // One line was on top of `m` then.
        let number = if name == "m" { 29 } else { 30 };
        format!("{name} {number}\n")
    }

    /// Puts a line on top of a file, as somebody else would.
    fn put_on_top(&self, name: &str) {
        let path = self.root.join(name);
        let text = fs::read_to_string(&path).unwrap_or_default();
        let written = fs::write(path, format!("somebody was here\n{text}"));
        written.expect("the scratch folder can be written");
    }

    fn logs(&self) -> Vec<PathBuf> {
        let listed = fs::read_dir(self.state.join("ledger-2"));
        let listed = listed.into_iter().flatten().flatten();
        let paths = listed.map(|entry| entry.path());
        let is_log = |path: &PathBuf| !path.ends_with("total") && !path.ends_with("secret");
        paths.filter(is_log).collect()
    }

    fn halve_logs(&self) {
        for log in self.logs() {
            let bytes = fs::read(&log).unwrap_or_default();
            let _ = fs::write(log, &bytes[..bytes.len() / 2]);
        }
    }
}

fn size(path: &Path) -> u64 {
    fs::metadata(path).map_or(0, |facts| facts.len())
}

/// Makes a folder a copy of another.
fn copy(from: &Path, to: &Path) {
    let _ = fs::remove_dir_all(to);
    let copied = Command::new("cp").arg("-a").arg(from).arg(to).status();
    assert!(
        copied.is_ok_and(|status| status.success()),
        "it can be copied"
    );
}
