//! Answers that nobody reads, or that cannot be written: the exit code is that of what was done.

use std::fs::OpenOptions;
use std::process::Stdio;

use crate::stage::{HASHLINE, Ran, Stage, ran};

const STALE: &str = r#"{"path":"a.txt","edits":[{"set_line":{"anchor":"1:00","new_text":"x"}}]}"#;
const APPEND: &str = r#"{"path":"a.txt","edits":[{"op":"append","lines":["more"]}]}"#;

/// Runs the program with standard output on a way that takes nothing.
fn run_into(stage: &Stage, out: impl Into<Stdio>, args: &[&str]) -> Ran {
    let mut command = stage.command(HASHLINE);
    let child = command.args(args).stdout(out).stderr(Stdio::piped());
    ran(child.spawn().unwrap().wait_with_output().unwrap())
}

fn stage() -> Stage {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    stage.write("stale.json", STALE);
    stage.write("append.json", APPEND);
    stage
}

#[test]
fn a_reader_that_is_gone_changes_no_exit_code() {
    let cases: [(&[&str], i32); 10] = [
        (&["apply", "--input", "stale.json"], 1),
        (&["apply", "--json", "--input", "stale.json"], 1),
        (&["apply", "--json", "--input", "none.json"], 2),
        (&["apply", "--json", "--input", "append.json"], 0),
        (&["read", "--json", "none.txt"], 2),
        (&["read", "a.txt", "none.txt"], 2),
        (&["verify", "a.txt", "1:00"], 1),
        (&["verify", "--json", "a.txt", "1:00"], 1),
        (&["search", "--json", "one", "none"], 2),
        (&["frobnicate", "--json"], 2),
    ];
    for (args, code) in cases {
        let stage = stage();
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let told = run_into(&stage, writer, args);
        assert_eq!(told.code, Some(code), "{args:?}: {told:?}");
        assert!(!told.err.contains("panic"), "{told:?}");
    }
}

#[test]
fn an_answer_that_cannot_be_written_says_what_became_of_the_files() {
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for args in [
        &["apply", "--input", "append.json"][..],
        &["apply", "--json", "--input", "append.json"],
    ] {
        let stage = stage();
        let told = run_into(&stage, full(), args);
        assert_eq!(told.code, Some(2), "{told:?}");
        assert_eq!(stage.text("a.txt"), "one\ntwo\nmore\n");
        for part in ["cannot write the answer", "written: a.txt", "hint: "] {
            assert!(told.err.contains(part), "{told:?}");
        }
    }
    for args in [
        &["apply", "--dry-run", "--input", "append.json"][..],
        &["apply", "--json", "--input", "stale.json"],
        &["read", "a.txt"],
    ] {
        let stage = stage();
        let told = run_into(&stage, full(), args);
        assert_eq!(told.code, Some(2), "{told:?}");
        assert!(told.err.contains("no file was changed"), "{told:?}");
        assert_eq!(stage.text("a.txt"), "one\ntwo\n");
    }
}

#[test]
fn what_fails_worst_is_the_exit_code_of_several() {
    let stage = stage();
    for paths in [["none.txt", "a.txt"], ["a.txt", "none.txt"]] {
        // The anchor is stale in the one, and the other is not there.
        let args = [&["read", "--around", "1:00"][..], &paths].concat();
        assert_eq!(stage.run(&args).code, Some(2), "{paths:?}");
    }
    assert_eq!(
        stage.run(&["read", "--around", "1:00", "a.txt"]).code,
        Some(1)
    );
}

#[test]
fn an_object_of_what_failed_says_so() {
    let stage = stage();
    let told = stage.run(&["search", "--json", "one", "a.txt", "none"]);
    assert_eq!(told.code, Some(2));
    let answer = told.json();
    assert_eq!(answer["ok"], false, "{answer}");
    assert_eq!(answer["code"], "file_not_found");
    assert!(answer["message"].is_string() && answer["written"] == false);
    assert_eq!(answer["files"][0]["path"], "a.txt", "what was found stays");

    let told = stage.run(&["verify", "--json", "a.txt", "1:60", "2:00", "x"]);
    assert_eq!(told.code, Some(1));
    let answer = told.json();
    assert_eq!(answer["code"], "stale", "{answer}");
    assert_eq!(answer["written"], false);
    assert_eq!(answer["retryable"], false, "one of them is no anchor");
    assert!(answer["message"].as_str().unwrap().contains(">>> 2:"));
    assert_eq!(answer["anchors"].as_array().unwrap().len(), 3);
    let answer = stage.run(&["verify", "--json", "a.txt", "2:00"]).json();
    assert_eq!(answer["retryable"], true);
}

#[test]
fn what_verify_finds_is_data_and_what_it_does_not_is_an_error() {
    let stage = stage();
    let told = stage.run(&["verify", "a.txt", "1:60", "2:00"]);
    assert_eq!(told.code, Some(1));
    let rev = stage.run(&["read", "--json", "a.txt"]).json()["rev"].clone();
    let rev = rev.as_str().unwrap();
    assert_eq!(
        told.out,
        format!("a.txt (rev {rev}): 1 of 2 land\n1:60 ok: 1:60|one\n")
    );
    assert!(
        told.err.contains(">>> 2:") && told.err.contains(rev),
        "{told:?}"
    );
    assert!(!told.out.contains(">>>"));
}
