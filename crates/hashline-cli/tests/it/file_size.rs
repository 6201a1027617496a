//! Under a limit on the size of files (`ulimit -f`) every command answers: what it says was done is done, and what it refuses is not.

use serde_json::{Value, json};

use crate::stage::{HASHLINE, Ran, Stage};

/// Limits in the shell's blocks (512 or 1024 bytes): below and above a ledger's records and both slots of the counters.
const LIMITS: [&str; 9] = ["0", "1", "2", "8", "32", "64", "65", "100", "unlimited"];

/// Runs the program under a limit, with standard input from a file beside the root.
fn limited(stage: &Stage, limit: &str, args: &str, input: &str) -> Ran {
    std::fs::write(stage.home().join("input"), input).unwrap();
    stage.sh(&format!(
        "ulimit -f {limit} && exec {HASHLINE} {args} < ../input"
    ))
}

fn change(path: &str, old: &str, new: &str) -> Value {
    json!({"path": path, "edits": [{"op": "substitute", "old": old, "new": new}]})
}

#[test]
fn every_command_answers_under_a_limit_on_the_size_of_files() {
    for limit in LIMITS {
        let stage = Stage::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
        // Several times: the counters are written to two places in turn.
        for turn in 0..4 {
            for args in ["read a.txt", "search one"] {
                let ran = limited(&stage, limit, args, "");
                assert!(ran.out.contains("one"), "{limit}, {turn}: {ran:?}");
                assert_eq!(ran.code, Some(0), "{limit}, {turn}: {ran:?}");
            }
            for paths in [&["a.txt"][..], &["a.txt", "b.txt"]] {
                let before = paths.iter().map(|path| stage.text(path));
                let before: Vec<String> = before.collect();
                let files: Vec<Value> = paths
                    .iter()
                    .map(|path| change(path, "one\n", "one\none more\n"))
                    .collect();
                let request = json!({ "files": files }).to_string();
                let ran = limited(&stage, limit, "apply --json", &request);
                let done = ran.json()["ok"] == true;
                assert_eq!(ran.code == Some(0), done, "{limit}, {turn}: {ran:?}");
                for (path, before) in paths.iter().zip(before) {
                    let changed = stage.text(path) != before;
                    assert_eq!(changed, done, "{limit}, {turn}, {path}: {ran:?}");
                }
            }
            for name in ["a.txt", "b.txt"] {
                stage.write(name, "one\n");
            }
        }
    }
}

#[test]
fn an_answer_that_does_not_fit_into_its_file_is_said_on_standard_error() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let out = stage.home().join("out");
    std::fs::write(&out, "x".repeat(200_000)).unwrap();
    let request = change("a.txt", "one", "two").to_string();
    std::fs::write(stage.home().join("input"), request).unwrap();
    for redirection in [">>", "1<>"] {
        stage.write("a.txt", "one\n");
        // Beyond the limit already, at the end of the file; within it, at its start.
        let ran = stage.sh(&format!(
            "ulimit -f 64 && exec {HASHLINE} apply < ../input {redirection} ../out"
        ));
        let fits = redirection == "1<>";
        assert_eq!(stage.text("a.txt"), "two\n", "{ran:?}");
        assert_eq!(ran.code, Some(if fits { 0 } else { 2 }), "{ran:?}");
        let is_said = ran.err.contains("these files were written: a.txt");
        assert_eq!(is_said, !fits, "{ran:?}");
    }
}

#[test]
fn a_server_answers_every_call_under_a_limit_on_the_size_of_files() {
    for limit in LIMITS {
        let stage = Stage::new(&[("a.txt", "one\n")]);
        let call = |id: usize, tool: &str, arguments: Value| {
            let params = json!({"name": tool, "arguments": arguments});
            json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
        };
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "by hand", "version": "1"},
        });
        let mut messages = vec![
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        ];
        for id in 1..=6 {
            messages.push(match id % 2 {
                0 => call(id, "read", json!({"path": "a.txt"})),
                _ => {
                    let path = format!("new-{id}.txt");
                    call(id, "write", json!({"path": path, "content": "new\n"}))
                }
            });
        }
        let lines: String = messages.iter().map(|line| format!("{line}\n")).collect();
        let ran = limited(&stage, limit, "mcp", &lines);
        assert_eq!(ran.code, Some(0), "{limit}: {ran:?}");
        let answers: Vec<Value> = ran
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        for id in 1..=6 {
            let answer = answers.iter().find(|answer| answer["id"] == id);
            let answer = answer.unwrap_or_else(|| panic!("{limit}: no answer to {id}: {ran:?}"));
            let refused = answer["result"]["isError"] == true;
            if id % 2 == 1 {
                let written = stage.path(&format!("new-{id}.txt")).exists();
                assert_eq!(written, !refused, "{limit}: {answer}");
            }
        }
    }
}

/// Under this limit a small record of the ledger can be written, and one of the two places of the counters cannot.
const FOR_RECORDS_ALONE: &str = "16";

#[test]
fn what_is_not_counted_is_remembered_all_the_same_and_nothing_else_is_said() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    for turn in 0..4 {
        let ran = limited(&stage, FOR_RECORDS_ALONE, "read a.txt", "");
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{turn}");
        let new = format!("one {turn}");
        let edit = json!({"op": "replace", "at": anchor(&ran.out), "lines": [new]});
        let request = json!({"path": "a.txt", "edits": [edit]}).to_string();
        let ran = limited(&stage, FOR_RECORDS_ALONE, "apply --json", &request);
        let answer = ran.json();
        assert_eq!(answer["ok"], true, "{turn}: {ran:?}");
        let file = &answer["files"][0];
        assert!(file.get("unrecorded").is_none(), "{turn}: {ran:?}");
        assert!(answer.get("state").is_none(), "{turn}: {ran:?}");
        assert_eq!(ran.err, "", "{turn}");
    }
    // With no room for a record either, the answer says so.
    let ran = limited(&stage, "0", "read a.txt", "");
    assert!(ran.err.contains("may not be remembered"), "{ran:?}");
}

/// Returns the anchor of the first line that a read shows.
fn anchor(read: &str) -> &str {
    let lines = read.lines().filter_map(|line| line.split_once('|'));
    let mut anchors = lines.map(|(anchor, _)| anchor);
    anchors.next().expect("a line is shown")
}
