//! T22: words that stand only in a file, in a request or in the environment, looked for where they must never be.
//!
//! A log is whatever is written beside the files themselves: the journal and what else lies in its folder, the ledger and the state
//! folder, standard error, the home and temporary folders. Staged and orphaned files hold the text by nature and are no logs; an answer
//! may show lines of the file it is about, and nothing of the environment.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::exact::{self, Exact};
use super::scenario::Scenario;
use super::trace;
use super::{Bench, Extent, Row};

/// Stands in the files.
const IN_FILE: &str = "quokka7f3a91";
/// Stands in the requests.
const IN_EDIT: &str = "wombat91c2e4";
/// Stands in the environment.
const IN_ENVIRONMENT: &str = "numbat5d8e07";

const SEVERAL: Scenario = Scenario {
    name: "several files",
    before: &[
        ("a/one", "quokka7f3a91 one\nsecond\n"),
        ("two", "quokka7f3a91 two\n"),
        ("gone", "quokka7f3a91 gone\n"),
    ],
    request: r#"{"files":[
        {"path":"a/one","edits":[{"op":"substitute","old":"one","new":"wombat91c2e4"}]},
        {"path":"two","edits":[{"op":"substitute","old":"two","new":"wombat91c2e4"}]},
        {"path":"x/made","edits":[{"op":"create","content":"wombat91c2e4\n"}]},
        {"path":"gone","edits":[{"op":"move","to_path":"moved"}]}]}"#,
    after: &[],
    one_file: false,
    in_place: false,
    without: &[],
};

/// Commands that end by themselves: what is said to each, and the request, if it takes one.
const COMMANDS: [(&[&str], &str); 12] = [
    (&["read", "a/one"], ""),
    (&["read", "quokka7f3a91"], ""),
    (&["apply"], SEVERAL.request),
    (
        &["apply"],
        r#"{"path":"two","edits":[{"op":"substitute","old":"two","new":"wombat91c2e4"}]}"#,
    ),
    (
        &["apply"],
        r#"{"path":"two","edits":[{"op":"substitute","old":"wombat91c2e4","new":"x"}]}"#,
    ),
    (
        &["apply"],
        r#"{"path":"two","edits":[{"op":"replace","at":"1#zz","lines":["wombat91c2e4"]}]}"#,
    ),
    (
        &["apply"],
        r#"{"path":"two","rev":"00000000","edits":[{"op":"delete","at":"1#zz"}]}"#,
    ),
    (
        &["apply"],
        r#"{"path":".git/wombat91c2e4","edits":[{"op":"create","content":"wombat91c2e4"}]}"#,
    ),
    (&["apply"], r#"{"wombat91c2e4":"#),
    (&["apply"], r#"{"path":"two","wombat91c2e4":1}"#),
    (&["apply"], "wombat91c2e4"),
    (&["recover"], ""),
];

/// T22: no word is found in any log, whether the command ends well, is refused, or is killed at any call.
pub(super) fn secrets_are_not_printed(bench: &Bench, extent: Extent) -> Row {
    let mut row = Row::new("T22 canary");
    let scene = Scene::new(bench);
    for (words, request) in COMMANDS {
        scene.make();
        row.cases += 1;
        let mut command = Command::new(&bench.driver);
        scene.arguments(&mut command, words);
        let found = scene.run(command, request);
        row.violations.extend(
            found
                .iter()
                .map(|what| format!("{words:?} {request}: {what}")),
        );
    }
    scene.make();
    let root = scene.root();
    let calls = trace::record(bench, &root, &["apply"], SEVERAL.request, &SEVERAL, &[]);
    for call in calls.iter().step_by(extent.every(6)) {
        scene.make();
        row.cases += 1;
        let mut command = Command::new("strace");
        command.args(["-f", "-qq", "-o", "/dev/null", "-e"]);
        command.arg(format!(
            "inject={}:signal=SIGKILL:when={}",
            call.name, call.nth
        ));
        command.arg(&bench.driver);
        scene.arguments(&mut command, &["apply"]);
        let found = scene.run(command, SEVERAL.request);
        row.violations.extend(
            found
                .iter()
                .map(|what| format!("{} {}: {what}", call.name, call.nth)),
        );
        row.control += usize::from(scene.is_seen_where_it_may_be());
    }
    row
}

/// Where everything lies.
struct Scene {
    at: PathBuf,
}

impl Scene {
    fn new(bench: &Bench) -> Self {
        Self {
            at: bench.scratch.join("canary"),
        }
    }

    fn root(&self) -> PathBuf {
        self.at.join("root")
    }

    fn make(&self) {
        super::tree::make(&self.at, &[]);
        SEVERAL.set_up(&self.root());
        for folder in ["home", "tmp", "state"] {
            fs::create_dir(self.at.join(folder)).expect("the scratch folder can be written");
        }
    }

    fn arguments(&self, command: &mut Command, words: &[&str]) {
        command.arg(self.root()).args(words);
        command
            .env("HASHLINE_STATE", self.at.join("state"))
            .env("XDG_STATE_HOME", self.at.join("state"))
            .env("HOME", self.at.join("home"))
            .env("TMPDIR", self.at.join("tmp"))
            .env("HASHLINE_TOKEN", IN_ENVIRONMENT)
            .env("SECRET", IN_ENVIRONMENT)
            .env("RUST_BACKTRACE", "full")
            .env("RUST_LOG", "trace");
    }

    /// Runs a command and lists where a word was found that must not be there.
    fn run(&self, mut command: Command, request: &str) -> Vec<String> {
        use std::io::Write;
        let started = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = started.expect("the driver can be started");
        if let Some(mut stdin) = child.stdin.take() {
            let _ = stdin.write_all(request.as_bytes());
        }
        let output = child.wait_with_output().expect("it ends");
        let (out, err) = (
            String::from_utf8_lossy(&output.stdout).into_owned(),
            String::from_utf8_lossy(&output.stderr).into_owned(),
        );
        let mut found = Vec::new();
        if out.contains(IN_ENVIRONMENT) {
            found.push("the answer shows the environment".to_owned());
        }
        for word in [IN_FILE, IN_EDIT, IN_ENVIRONMENT] {
            if err.contains(word) {
                found.push(format!("standard error says {word}"));
            }
            let held = exact::holds(&self.logs(), word);
            found.extend(held.iter().map(|name| format!("{name} holds {word}")));
        }
        found
    }

    /// Looks at everything but the files themselves, staged and orphaned ones included.
    fn logs(&self) -> Exact {
        let mut found = exact::look(&self.at);
        found.retain(|name, _| {
            let area = Path::new("root/.hashline");
            let log = !name.starts_with("root") || name.starts_with(area);
            log && !name.starts_with(area.join("orphans"))
        });
        found
    }

    /// The control: the same search, where text may be: in files that were staged and left.
    fn is_seen_where_it_may_be(&self) -> bool {
        let mut staged = exact::look(&self.root());
        staged.retain(|name, _| name.to_string_lossy().contains(".hl-"));
        !exact::holds(&staged, IN_EDIT).is_empty()
    }
}
