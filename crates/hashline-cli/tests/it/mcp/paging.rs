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

/// Returns the lines that a search with something around its matches shows, of which every seventh matches.
fn around(before: usize, after: usize) -> Vec<usize> {
    let matches = (1..=LINES).filter(|line| line % 7 == 0);
    let shown =
        matches.flat_map(|line| line.saturating_sub(before).max(1)..=(line + after).min(LINES));
    let shown: std::collections::BTreeSet<usize> = shown.collect();
    shown.into_iter().collect()
}

#[test]
fn a_search_with_surroundings_misses_nothing_and_shows_nothing_twice() {
    let text: String = (1..=LINES)
        .map(|n| match n % 7 {
            0 => format!("{n} match of the file\n"),
            _ => format!("{n} line of the file\n"),
        })
        .collect();
    let stage = Stage::new(&[("big.txt", &text)]);
    for (before, after) in [(0, 0), (0, 2), (2, 0), (3, 3), (20, 20)] {
        let call = json!({"path": "big.txt", "search": "match", "contextBefore": before, "contextAfter": after});
        let pages = pages(&stage, call);
        assert!(pages.len() > 2, "it fits: nothing was tested");
        let numbers = lines(&pages).into_iter();
        let numbers: Vec<usize> = numbers
            .map(|line| line.split(' ').next().unwrap().parse().unwrap())
            .collect();
        assert_eq!(numbers, around(before, after), "{before}, {after}");
    }
}

#[test]
fn a_search_shows_as_many_matches_as_are_asked_for_over_all_pages() {
    let long: String = (1..=900)
        .map(|n| format!("{n} {}\n", "of the file ".repeat(20)))
        .collect();
    let stage = Stage::new(&[("big.txt", &long)]);
    let pages = pages(
        &stage,
        json!({"path": "big.txt", "search": "file", "maxMatches": 300}),
    );
    assert!(pages.len() > 1, "it fits: nothing was tested");
    assert_eq!(lines(&pages).len(), 300);
    let limited = self::pages(
        &stage,
        json!({"path": "big.txt", "search": "file", "offset": 11, "limit": 5}),
    );
    assert_eq!(lines(&limited).len(), 5);
}

#[test]
fn a_search_of_many_files_goes_on_until_all_was_shown() {
    let files: Vec<(String, String)> = (0..150)
        .map(|n| {
            let lines = if n == 70 { 1500 } else { 4 };
            let text = (1..=lines)
                .map(|line| format!("{n} needle {line}\n"))
                .collect();
            (format!("folder{}/{n:03}.txt", n % 3), text)
        })
        .collect();
    let borrowed: Vec<(&str, &str)> = files
        .iter()
        .map(|(name, text)| (&**name, &**text))
        .collect();
    let stage = Stage::new(&borrowed);
    let mut server = Server::start(&stage, &[]);
    let mut calls = vec![("search".to_owned(), json!({"pattern": "needle"}))];
    let mut shown = Vec::new();
    while let Some((tool, call)) = calls.pop() {
        let told = server.call(&tool, &call);
        assert!(!told.is_error, "{tool} {call}: {}", told.text);
        let next = told
            .text
            .lines()
            .filter_map(|line| line.strip_prefix("Next: "));
        calls.extend(next.map(|next| {
            let (tool, call) = next.split_once(' ').unwrap();
            (tool.to_owned(), serde_json::from_str(call).unwrap())
        }));
        shown.push(told.text);
        assert!(shown.len() < 200, "it never ends");
    }
    let mut shown = lines(&shown);
    let mut wanted: Vec<&str> = files.iter().flat_map(|(_, text)| text.lines()).collect();
    shown.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(shown, wanted);
}

#[test]
fn no_answer_is_longer_than_a_client_takes() {
    const MOST: usize = 100_000;
    let long_line = format!("{}\nshort\n", "x".repeat(900_000));
    let stage = Stage::new(&[("long.txt", &long_line)]);
    let mut server = Server::start(&stage, &[]);
    let read = server.call("read", &json!({"path": "long.txt"}));
    assert!(read.text.len() < MOST, "{}", read.text.len());
    assert!(read.text.contains("more bytes of this line are not shown"));
    assert!(
        read.text
            .contains(r#"Next: read {"path":"long.txt","offset":2}"#)
    );
    let rev = read.text.split("rev ").nth(1).unwrap()[..8].to_owned();
    let beside = json!({"path": "long.txt", "rev": rev, "edits": [{"op": "substitute", "old": "short", "new": "brief"}]});
    let told = server.call("edit", &beside);
    assert!(
        !told.is_error && told.text.len() < MOST,
        "{}",
        told.text.len()
    );
    let content: String = (0..100_000).map(|n| format!("{n}\n")).collect();
    let told = server.call("write", &json!({"path": "new.txt", "content": content}));
    assert!(
        !told.is_error && told.text.len() < MOST,
        "{}",
        told.text.len()
    );
    let all = json!({"path": "new.txt", "rev": "00000000", "edits": [{"set_line": {"anchor": "5:00", "new_text": "x"}}], "context": 50});
    let refused = server.call("edit", &all);
    assert!(refused.is_error && refused.text.len() < MOST);
    assert!(refused.text.contains("\nNext: "), "{}", refused.text);
}
