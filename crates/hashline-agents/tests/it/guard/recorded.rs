//! Command lines with the verdict that they must get, from files.
//!
//! The recorded ones lie in the folder named by `HASHLINE_ORACLE_DIR`, else in this repository's copy; our own beside the tests.

use std::fs;
use std::path::{Path, PathBuf};

use hashline_agents::guard::Guard;
use serde_json::Value;

/// The guard of the recorded cases.
pub(crate) fn guard() -> Guard {
    let repo = Path::new("/repo");
    Guard::new(repo, repo)
}

#[test]
fn recorded_verdicts() {
    let (folder, least) = match std::env::var_os("HASHLINE_ORACLE_DIR") {
        Some(folder) => (PathBuf::from(folder), 100),
        None => {
            let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oracle");
            (own, 334)
        }
    };
    check(&folder.join("dialects/shell-guard.jsonl"), least);
}

#[test]
fn our_own_verdicts() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/guard");
    check(&folder.join("more.jsonl"), 1286);
    check(&folder.join("kinds.jsonl"), 290);
    // These were labelled from the rules alone, most of them before they were compared with what the guard says.
    check(&folder.join("apart.jsonl"), 2562);
}

/// Returns the guard of a case, which may name a root and a working directory of its own.
fn guard_of(case: &Value) -> Guard {
    match (case["root"].as_str(), case["cwd"].as_str()) {
        (Some(root), Some(cwd)) => Guard::new(Path::new(root), Path::new(cwd)),
        _ => guard(),
    }
}

/// Judges every command line of a file that holds at least so many.
fn check(file: &Path, least: usize) {
    let text = fs::read_to_string(file).expect("the recorded cases can be read");
    let (mut judged, mut wrong) = (0, Vec::new());
    for line in text.lines().filter(|line| !line.trim().is_empty()) {
        let case: Value = serde_json::from_str(line).expect("a case is a line of JSON");
        let [command, verdict, why] =
            ["command", "verdict", "why"].map(|key| case[key].as_str().expect("a case has it"));
        let got = guard_of(&case).judge(command);
        judged += 1;
        if got.name() != verdict {
            wrong.push(format!(
                "{command:?}\n  should be {verdict} ({why}), is {got:?}"
            ));
        }
    }
    assert!(judged >= least, "only {judged} cases in {}", file.display());
    assert!(
        wrong.is_empty(),
        "{} of {judged} wrong:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}
