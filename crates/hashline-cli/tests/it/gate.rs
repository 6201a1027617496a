//! `hashline stats --gate`: where its numbers come from, and what it says if they cannot be read. With real traffic and a real Prometheus it is run by
//! `cargo xtask service`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::process::Stdio;
use std::thread;

use serde_json::Value;

use crate::stage::{HASHLINE, Stage};

/// The verdicts of an answer.
fn verdicts(answer: &Value) -> Vec<&str> {
    let gates = answer["gates"].as_array().unwrap().iter();
    gates
        .map(|gate| gate["verdict"].as_str().unwrap())
        .collect()
}

#[test]
fn without_numbers_no_gate_passes() {
    let stage = Stage::new(&[]);
    let ran = stage.run(&["--json", "stats", "--gate"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.json()["pass"], false);
    assert_eq!(verdicts(&ran.json()), ["too_few_data"; 4]);
}

#[test]
fn a_server_is_asked_with_its_token() {
    let stage = Stage::new(&[]);
    let mut server = stage
        .command(HASHLINE)
        .args(["--json", "serve", "--http", "0"])
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut out = BufReader::new(server.stdout.take().unwrap());
    out.read_line(&mut line).unwrap();
    let started: Value = serde_json::from_str(&line).unwrap();
    let urls = started["urls"].as_array().unwrap().iter();
    let mut urls = urls.map(|url| url.as_str().unwrap());
    let url = urls
        .find(|url| url.starts_with("http://127.0.0.1"))
        .unwrap();
    let token_file = started["workspaces"][0]["token_file"].as_str().unwrap();
    let from = ["--json", "stats", "--gate", "--from", url];
    let with_token = stage.run(&[&from[..], &["--token-file", token_file]].concat());
    let without = stage.run(&from);
    let over = stage.run(&[&from[..], &["--token-file", token_file, "--over", "7d"]].concat());
    server.kill().unwrap();
    server.wait().unwrap();
    assert_eq!(with_token.code, Some(1), "{with_token:?}");
    assert_eq!(verdicts(&with_token.json()), ["too_few_data"; 4]);
    for (ran, says) in [(without, "status 401"), (over, "--over needs")] {
        assert_eq!(ran.code, Some(2), "{ran:?}");
        let message = ran.json()["message"].as_str().unwrap().to_owned();
        assert!(message.contains(says), "{message}");
    }
}

#[test]
fn what_cannot_be_read_is_an_error_and_no_verdict() {
    let stage = Stage::new(&[]);
    for (args, says) in [
        (
            &["--from", "https://localhost"][..],
            "https is not supported",
        ),
        (&["--from", "localhost:9090"], "--from is a URL"),
        (
            &["--from", "http://localhost", "--over", "1h]"],
            "--over is a time",
        ),
        (
            &["--from", "http://localhost", "--workspace", "a\"b"],
            "not a name",
        ),
        (
            &["--from", "http://localhost", "--token-file", "none"],
            "reading the token",
        ),
        (&["--workspace", "a"], "--from"),
    ] {
        let ran = stage.run(&[&["stats", "--gate"][..], args].concat());
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(says), "{ran:?}");
    }
    let answer = |body: &str| {
        let length = body.len();
        format!("HTTP/1.1 200 OK\r\nContent-Length: {length}\r\n\r\n{body}")
    };
    for (response, says) in [
        (answer("<html>"), "did not answer the query"),
        (
            answer(r#"{"status":"error","error":"no storage"}"#),
            "no storage",
        ),
        ("HTTP/1.1 500 No\r\n\r\n".to_owned(), "status 500"),
        (
            "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\ncut".to_owned(),
            "reading the metrics",
        ),
        ("SSH-2.0-x\r\n".to_owned(), "reading the metrics"),
    ] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let peer = thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                head.push(byte[0]);
            }
            stream.write_all(response.as_bytes()).unwrap();
        });
        let ran = stage.run(&["stats", "--gate", "--from", &url]);
        peer.join().unwrap();
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.err.contains(says), "{says}: {ran:?}");
    }
}
