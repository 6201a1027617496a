//! Answers that do not fit: each ends with the call to go on with, and together they show everything once.

use serde_json::{Value, json};

use super::server::Server;
use crate::stage::Stage;

/// A file of so many lines does not fit into one answer.
const LINES: usize = 5000;

fn big() -> String {
    (1..=LINES)
        .map(|n| format!("line {n} of the file\n"))
        .collect()
}

/// Reads on until there is nothing to go on with; returns each answer.
fn pages(stage: &Stage, first: Value) -> Vec<String> {
    let mut server = Server::start(stage, &[]);
    let mut pages = Vec::new();
    let mut next = Some(first);
    while let Some(call) = next {
        let told = server.call("read", &call);
        assert!(!told.is_error, "{call}: {}", told.text);
        let last = told.text.lines().next_back().unwrap_or_default();
        next = last
            .strip_prefix("Next: read ")
            .map(|call| serde_json::from_str(call).unwrap());
        pages.push(told.text);
        assert!(pages.len() < 100, "it never ends: {next:?}");
    }
    pages
}

/// Returns the lines of a file that answers show, without their anchors.
fn lines(pages: &[String]) -> Vec<&str> {
    let pages = pages.iter().flat_map(|page| page.lines());
    let anchored = |line: &'_ str| {
        line.bytes()
            .next()
            .is_some_and(|byte| byte.is_ascii_digit())
    };
    pages
        .filter(|line| anchored(line))
        .filter_map(|line| Some(line.split_once('|')?.1))
        .collect()
}

#[test]
fn a_big_file_is_shown_whole_and_once() {
    let big = big();
    let stage = Stage::new(&[("big.txt", &big)]);
    let pages = pages(&stage, json!({"path": "big.txt"}));
    assert!(pages.len() > 2, "it fits: nothing was tested");
    assert_eq!(lines(&pages), big.lines().collect::<Vec<_>>());
}

#[test]
fn a_part_of_a_big_file_is_shown_whole_and_once() {
    let big = big();
    let stage = Stage::new(&[("big.txt", &big)]);
    let pages = pages(
        &stage,
        json!({"path": "big.txt", "offset": 101, "limit": 4000}),
    );
    assert!(pages.len() > 2, "it fits: nothing was tested");
    let wanted: Vec<&str> = big.lines().skip(100).take(4000).collect();
    assert_eq!(lines(&pages), wanted);
}

#[test]
fn several_big_files_are_shown_whole_and_once() {
    let big = big();
    let names = ["a.txt", "b.txt", "c.txt"];
    let files: Vec<(&str, &str)> = names.iter().map(|name| (*name, big.as_str())).collect();
    let stage = Stage::new(&files);
    let mut server = Server::start(&stage, &[]);
    let mut calls = vec![json!({"paths": names})];
    let mut shown = Vec::new();
    while let Some(call) = calls.pop() {
        let told = server.call("read", &call);
        let next = told
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("Next: read "));
        calls.extend(next.map(|call| serde_json::from_str::<Value>(call).unwrap()));
        shown.push(told.text);
        assert!(shown.len() < 100, "it never ends");
    }
    let mut shown = lines(&shown);
    let mut wanted: Vec<&str> = names.iter().flat_map(|_| big.lines()).collect();
    shown.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(shown, wanted);
}

#[test]
fn a_search_in_a_file_goes_on_as_it_began() {
    let long: String = (1..1900)
        .map(|n| format!("line {n} {}\n", "of the file ".repeat(10)))
        .collect();
    let stage = Stage::new(&[("big.txt", &long)]);
    let call = json!({
        "path": "big.txt", "search": "^LINE [0-9]*[13579] ", "regex": true, "caseSensitive": false,
        "contextBefore": 0, "contextAfter": 0, "maxMatches": 1000,
    });
    let pages = pages(&stage, call);
    let wanted: Vec<&str> = long.lines().step_by(2).collect();
    assert!(pages.len() > 1, "it fits: nothing was tested");
    assert_eq!(lines(&pages), wanted);
}
