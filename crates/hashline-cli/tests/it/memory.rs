//! Millions of short lines do not take more memory than four times the files of the request and 64 MiB.

use std::process::Stdio;
use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{HASHLINE, Stage};

/// The most memory that a request may take, in KiB: the files here are small. The program itself is a part of it.
const MOST: u64 = 64 << 10;

/// Runs the program; returns its peak memory in KiB, and what it printed.
fn peak(stage: &Stage, args: &[&str], input: &str) -> (u64, String) {
    let beside = stage.home().join("input");
    std::fs::write(&beside, input).unwrap();
    let mut child = stage
        .command(HASHLINE)
        .args(args)
        .stdin(std::fs::File::open(&beside).unwrap())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let status = format!("/proc/{}/status", child.id());
    let mut most = 0;
    // The peak is read while the process runs: the kernel forgets it with the process. A peak only grows, so the last look counts.
    while child.try_wait().unwrap().is_none() {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let size = line.and_then(|line| line.split_whitespace().next()?.parse().ok());
        most = most.max(size.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    let output = child.wait_with_output().unwrap();
    let out = String::from_utf8_lossy(&output.stdout).into_owned();
    (most, out + &String::from_utf8_lossy(&output.stderr))
}

/// Returns requests that append 2.6 million empty lines: as a list, and as one text.
fn appends() -> [Value; 2] {
    let count = 2_600_000;
    let lines = vec![""; count];
    let text = "\n".repeat(count);
    [
        json!({"path": "a.txt", "edits": [{"op": "append", "lines": lines}]}),
        json!({"path": "a.txt", "edits": [{"op": "append", "text": text}]}),
    ]
}

#[test]
fn millions_of_empty_lines_are_refused_within_the_memory_that_is_promised() {
    for request in appends() {
        let stage = Stage::new(&[("a.txt", "one\n")]);
        let (most, answer) = peak(&stage, &["apply"], &request.to_string());
        assert!(answer.contains("lines of text"), "{answer:.300}");
        assert!(most < MOST, "{most} KiB");
        assert_eq!(stage.text("a.txt"), "one\n");
    }
}

#[test]
fn a_server_too_refuses_them_within_the_memory_that_is_promised() {
    for request in appends() {
        let stage = Stage::new(&[("a.txt", "one\n")]);
        let params = json!({"name": "edit", "arguments": request});
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": {},
            "clientInfo": {"name": "by hand", "version": "1"},
        });
        let messages = [
            json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": hello}),
            json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
            json!({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}),
        ];
        let lines: String = messages.iter().map(|line| format!("{line}\n")).collect();
        let (most, answer) = peak(&stage, &["mcp"], &lines);
        assert!(answer.contains("lines of text"), "{answer:.300}");
        assert!(most < MOST, "{most} KiB");
        assert_eq!(stage.text("a.txt"), "one\n");
    }
}

/// Returns a request that replaces a text everywhere in `a.txt`.
fn substitution(old: &str, new: &str) -> String {
    let edit = json!({"op": "substitute", "old": old, "new": new, "all": true});
    json!({"path": "a.txt", "edits": [edit]}).to_string()
}

/// Checks that replacing a text everywhere takes no more memory than the file before and after the edit allows.
fn check_substitution(text: &str, old: &str, new: &str) {
    let after = text.replace(old, new);
    let bytes = u64::try_from(text.len() + after.len()).unwrap();
    let most = MOST + 4 * bytes / 1024;
    for args in [
        &["apply", "--dry-run"][..],
        &["--json", "apply", "--dry-run"],
        &["apply", "--emit", "diff"],
    ] {
        let stage = Stage::new(&[("a.txt", text)]);
        let (peak, answer) = peak(&stage, args, &substitution(old, new));
        assert!(answer.contains("a.txt"), "{answer:.300}");
        assert!(peak < most, "{args:?}: {peak} KiB, at most {most}");
        let expected = if args.contains(&"--dry-run") {
            text
        } else {
            &after
        };
        assert!(stage.text("a.txt") == expected);
    }
}

#[test]
fn text_in_millions_of_lines_is_replaced_within_the_memory_that_is_promised() {
    check_substitution(&"aaaaa\n".repeat(4_900_000), "aa", "bb");
}

#[test]
fn text_in_millions_of_crlf_lines_is_replaced_within_the_memory_that_is_promised() {
    check_substitution(&"aaaa\r\n".repeat(2_000_000), "aa", "bb");
}

#[test]
fn a_file_grows_within_the_memory_that_is_promised() {
    check_substitution(&"aaaaaaa\n".repeat(500_000), "a", "123456789012345678");
}
