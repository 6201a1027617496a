//! Millions of empty lines do not take more memory than four times the files of the request and 64 MiB.

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
