//! How a connection begins and ends: too soon, in the middle, on one side only.

use std::process::Stdio;

use serde_json::{Value, json};

use super::server::{Server, called, told};
use crate::stage::{HASHLINE, Stage};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#;

fn stage() -> Stage {
    Stage::new(&[("a.txt", "one\ntwo\n")])
}

fn read() -> Value {
    called(1, "read", &json!({"path": "a.txt"}))
}

fn write() -> Value {
    called(2, "write", &json!({"path": "new.txt", "content": "new\n"}))
}

/// Says all of this at once and nothing more, and returns what is answered.
fn said_to(stage: &Stage, input: &str) -> Vec<Value> {
    let ran = stage.feed(&["mcp"], input.as_bytes());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let lines = ran.out.lines();
    lines
        .map(|line| super::server::message(line.as_bytes()).unwrap())
        .collect()
}

fn ids(said: &[Value]) -> Vec<&Value> {
    said.iter().map(|message| &message["id"]).collect()
}

#[test]
fn a_client_that_never_speaks_is_no_trouble() {
    assert!(said_to(&stage(), "").is_empty());
}

#[test]
fn what_comes_before_initialize_does_not_end_the_server() {
    let early = [
        r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}"#,
        r#"{"jsonrpc":"2.0","method":"notifications/nobody"}"#,
        r#"{"jsonrpc":"2.0","id":9,"result":{}}"#,
        r#"{"jsonrpc":"2.0","id":9,"error":{"code":1,"message":"x"}}"#,
        "no message",
        "",
        r#"{"jsonrpc":"2.0","id":11,"method":"tools/list"}"#,
        r#"{"jsonrpc":"2.0","id":12,"method":"tools/call","params":{"name":"write","arguments":{"path":"early.txt","content":"x"}}}"#,
        r#"{"jsonrpc":"2.0","id":13,"method":"ping"}"#,
        r#"{"jsonrpc":"2.0","id":14,"method":"initialize","params":{}}"#,
        r#"{"jsonrpc":"2.0","id":15,"method":"nobody"}"#,
    ];
    for line in early {
        let stage = stage();
        let said = said_to(&stage, &format!("{line}\n{HELLO}\n{}\n", read()));
        let read = said.iter().find(|message| message["id"] == 1);
        let read = read.unwrap_or_else(|| panic!("{line}: {said:?}"));
        assert!(told(read).text.contains("|one"), "{line}: {read}");
        assert!(!stage.path("early.txt").exists(), "{line}");
    }
}

#[test]
fn what_was_asked_before_the_end_is_answered() {
    let stage = stage();
    let said = said_to(&stage, &format!("{HELLO}\n{}\n{}\n", read(), write()));
    assert_eq!(said.len(), 3, "{said:?}");
    assert_eq!(stage.text("new.txt"), "new\n");
}

#[test]
fn a_last_line_without_an_end_is_a_line() {
    let stage = stage();
    let said = said_to(&stage, &format!("{HELLO}\n{}", write()));
    assert_eq!(ids(&said), [0, 2]);
    assert_eq!(stage.text("new.txt"), "new\n");
}

#[test]
fn an_end_in_the_middle_of_a_line_changes_nothing() {
    let whole = write().to_string();
    for cut in [1, whole.len() / 2, whole.len() - 2, whole.len() - 1] {
        let stage = stage();
        let said = said_to(&stage, &format!("{HELLO}\n{}", &whole[..cut]));
        assert_eq!(said.len(), 2, "{cut}: {said:?}");
        assert_eq!(said[1]["error"]["code"], -32700, "{cut}");
        assert!(!stage.path("new.txt").exists(), "{cut}");
    }
}

#[test]
fn an_end_in_the_middle_of_a_request_lets_it_come_to_its_own() {
    let stage = stage();
    let mut server = Server::start(&stage, &[]);
    let lock = super::cancelled::lock(&stage.root());
    let id = server.begin("write", &json!({"path": "new.txt", "content": "new\n"}));
    server.said();
    server.hang_up();
    drop(lock);
    let ended = server.end();
    assert_eq!(ended.code, Some(0));
    assert_eq!(ids(&ended.said), [id]);
    assert!(!told(&ended.said[0]).is_error);
    assert_eq!(stage.text("new.txt"), "new\n");
}

#[test]
fn a_client_that_listens_no_more_does_not_stop_what_has_begun() {
    let stage = stage();
    let mut child = stage
        .command(HASHLINE)
        .arg("mcp")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let mut input = child.stdin.take().unwrap();
    // A server that has noticed listens no more either.
    let _ = std::io::Write::write_all(&mut input, format!("{HELLO}\n{}\n", write()).as_bytes());
    drop(input);
    assert!(child.wait().unwrap().code().is_some(), "it was killed");
    let new = stage.path("new.txt");
    // Whoever cannot be told that the server is ready may not be served; a file is whole, or it is not there.
    assert!(!new.exists() || stage.text("new.txt") == "new\n");
}

#[test]
fn a_client_that_stops_listening_later_does_not_undo_anything() {
    let stage = stage();
    let script = format!(
        "(cat hello; sleep 0.2; for i in 1 2 3 4 5 6 7 8 9; do printf '%s\\n' '{{\"jsonrpc\":\"2.0\",\"id\":'$i',\"method\":\"tools/call\",\"params\":{{\"name\":\"write\",\"arguments\":{{\"path\":\"n'$i'\",\"content\":\"whole\"}}}}}}'; done) | {HASHLINE} mcp | head -n 1 > first"
    );
    stage.write("hello", format!("{HELLO}\n"));
    let ran = stage.sh(&script);
    assert!(!ran.err.contains("panicked"), "{ran:?}");
    assert!(stage.text("first").contains("protocolVersion"));
    for i in 1..10 {
        assert_eq!(stage.text(&format!("n{i}")), "whole", "{i}");
    }
}
