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
    check(&folder.join("alike.jsonl"), 55);
}

/// Commands that were run, with what they did there. Those of the second file were made to get past the guard.
const RUN: &[&str] = &["run.jsonl", "attack.jsonl"];

/// The commands of these files that the guard allows although they write or print a file, and why. The list may only become shorter.
const STILL_ALLOWED: &[(&str, &str)] = &[
    (
        "GUARD.md, section 3: a substitution counts only if the command around it prints its arguments, a process substitution only as input \
         of a reader",
        "r105 r106 r107 r108 r112 r113",
    ),
    ("GUARD.md, section 8: a loop in a pipeline", "r117"),
    (
        "GUARD.md, section 3: `xargs` in a pipeline is not a reader",
        "r163 r164",
    ),
    (
        "variables of the shell are unknown, also if they hold code or the name of a command",
        "w233 w234 w235 a0236 a0270 a0271 a0274 a0275 a0276 a0594 a0595 a0596 a0784",
    ),
    (
        "aliases and arguments of functions are unknown",
        "w478 w479",
    ),
    ("a link without -f", "w156"),
    (
        "modules of Python and Perl that are run as programs",
        "w168 r052 r053 a0422 a0423 a0424 a0663",
    ),
    (
        "programs that print their standard input are not told from those that only search it",
        "r031 r050",
    ),
    (
        "languages that are not in the table: Tcl, SQL, Java",
        "w205 w206 w207 r064 r065 a0125 a0366 a0433 a0613 a0615 a0616 a1088 a1090",
    ),
    (
        "libraries of inline programs, and databases, that are not in the table",
        "a0059 a0092 a0093 a0094 a0307 a0417",
    ),
    (
        "code that a program reads from its input or decodes, and a heredoc that `cat` pipes into a shell",
        "a0794 a0875 a0982 a0873 a0979 b039 b041",
    ),
    ("files that awk names by a number or in ARGV", "a0700 a0817"),
    (
        "programs that are no readers but print what they cannot use",
        "a0513 a0619 a0620 a0622 a0645 a0649 a0650 a0658 a1373",
    ),
    ("archives and the shell's history", "r208 r209 w482"),
];

// Each was run in a scratch project and labelled by what it did there: changed a file, printed one, or neither.
#[test]
fn verdicts_on_commands_that_were_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/guard");
    let is_allowed = |id: &str| {
        let mut ids = STILL_ALLOWED
            .iter()
            .flat_map(|(_, ids)| ids.split_whitespace());
        ids.any(|own| own == id)
    };
    let (mut listed, mut wrong) = (0, Vec::new());
    for case in RUN.iter().flat_map(|file| cases(&folder.join(file))) {
        let id = case["id"].as_str().expect("a case has an id");
        let command = case["command"].as_str().expect("a case has a command");
        let expected = if is_allowed(id) {
            listed += 1;
            "allow"
        } else {
            case["verdict"].as_str().expect("a case has a verdict")
        };
        let got = guard().judge(command);
        if got.name() != expected {
            wrong.push(format!(
                "{id} {command:?}\n  should be {expected}, is {got:?}"
            ));
        }
    }
    let ids = STILL_ALLOWED
        .iter()
        .flat_map(|(_, ids)| ids.split_whitespace());
    assert_eq!(listed, ids.count(), "an id of the list has no case");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Returns the guard of a case, which may name a root and a working directory of its own.
fn guard_of(case: &Value) -> Guard {
    match (case["root"].as_str(), case["cwd"].as_str()) {
        (Some(root), Some(cwd)) => Guard::new(Path::new(root), Path::new(cwd)),
        _ => guard(),
    }
}

/// Returns the cases of a file, one in each line.
fn cases(file: &Path) -> Vec<Value> {
    let text = fs::read_to_string(file).expect("the recorded cases can be read");
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a case is a line of JSON"))
        .collect()
}

/// Judges every command line of a file that holds at least so many.
fn check(file: &Path, least: usize) {
    let (mut judged, mut wrong) = (0, Vec::new());
    for case in cases(file) {
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
