//! Chunks: the recorded streams of seed 000, through the program.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::stage::Stage;

/// Returns the recorded streams, of the folder that `HASHLINE_ORACLE_DIR` names or of this repository.
fn recorded() -> Vec<Value> {
    let own = || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../testdata/oracle");
    let folder = std::env::var_os("HASHLINE_ORACLE_DIR").map_or_else(own, PathBuf::from);
    let text = fs::read_to_string(folder.join("reference/stream.jsonl")).unwrap();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// Returns the lines of a stream. What follows the last newline is a line there, if an empty one.
fn lines(record: &Value) -> Vec<&str> {
    match &record["lines"] {
        Value::Array(lines) => lines.iter().map(|line| line.as_str().unwrap()).collect(),
        _ => {
            let content = record["content"].as_str().unwrap();
            let text = content.strip_prefix('\u{feff}').unwrap_or(content);
            text.split('\n').collect()
        }
    }
}

/// Tells whether a file with these lines has these lines: a carriage return before a newline is part of the ending, a mark at the
/// beginning of a file is no text, and with a NUL it is no text file.
fn can_stand_in_a_file(lines: &[&str]) -> bool {
    let is_text = |line: &&str| !line.ends_with('\r') && !line.contains(['\0', '\n', '\u{feff}']);
    lines.iter().all(is_text)
}

#[test]
fn chunks_are_cut_as_recorded() {
    let stage = Stage::new(&[]);
    let mut tried = 0;
    for record in recorded() {
        let lines = lines(&record);
        if !can_stand_in_a_file(&lines) {
            continue;
        }
        let start = record["start_line"].as_u64().unwrap();
        let before = "before\n".repeat(usize::try_from(start).unwrap() - 1);
        stage.write("stream.txt", format!("{before}{}\n", lines.join("\n")));
        let start = start.to_string();
        let mut args = vec!["read", "stream.txt", "--start-line", &start, "--json"];
        let limit = |name: &str| record[name].as_u64().map(|most| most.to_string());
        let (most_lines, most_bytes) = (limit("max_chunk_lines"), limit("max_chunk_bytes"));
        for (flag, most) in [
            ("--chunk-lines", &most_lines),
            ("--chunk-bytes", &most_bytes),
        ] {
            args.extend(most.as_deref().into_iter().flat_map(|most| [flag, most]));
        }
        if most_lines.is_none() && most_bytes.is_none() {
            args.extend(["--chunk-lines", "200"]);
        }
        let ran = stage.run(&args);
        let objects = ran.out.lines();
        let objects = objects.map(|line| serde_json::from_str::<Value>(line).unwrap());
        let texts: Vec<Value> = objects.map(|object| object["text"].clone()).collect();
        assert_eq!(
            Value::from(texts),
            record["chunks"],
            "{}: {ran:?}",
            record["id"]
        );
        tried += 1;
    }
    assert!(tried > 0, "no stream was tried");
}

#[test]
fn a_line_names_the_range_between_chunks() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\nthree\nfour\nfive\n")]);
    let args = [
        "read",
        "a.txt",
        "--plain",
        "--start-line",
        "2",
        "--chunk-lines",
        "2",
    ];
    let ran = stage.run(&args);
    assert_eq!(ran.out, "two\nthree\n--- lines 4-5 of 5 ---\nfour\nfive\n");
}
