//! The server over HTTP as options say: where it listens, which token it wants, what it leaves behind.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::stage::{HASHLINE, Stage};

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"by hand","version":"1"}}}"#;

/// A server that listens.
struct Listening {
    child: Child,
    url: String,
    token_file: PathBuf,
}

impl Listening {
    fn start(stage: &Stage, args: &[&str]) -> Self {
        let mut child = stage
            .command(HASHLINE)
            .args(["--json", "mcp"])
            .args(args)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let told: Value = serde_json::from_str(&line).unwrap();
        Self {
            child,
            url: told["urls"][0].as_str().unwrap().to_owned(),
            token_file: told["token_file"].as_str().unwrap().into(),
        }
    }

    fn token(&self) -> String {
        let text = fs::read_to_string(&self.token_file).unwrap();
        text.trim_end().to_owned()
    }

    /// Says hello with lines of a head; returns the status.
    fn hello(&self, head: &str) -> String {
        match self.url.strip_prefix("unix:") {
            Some(path) => asked(UnixStream::connect(path).unwrap(), "localhost", head),
            None => {
                let place = self.url.strip_prefix("http://").unwrap();
                let place = place.strip_suffix("/mcp").unwrap();
                asked(TcpStream::connect(place).unwrap(), place, head)
            }
        }
    }

    fn status_with(&self, token: &str) -> String {
        self.hello(&format!("Authorization: Bearer {token}\r\n"))
    }

    /// Ends it as a service is ended, and waits.
    fn end(mut self) {
        let id = i32::try_from(self.child.id()).unwrap();
        let id = rustix::process::Pid::from_raw(id).unwrap();
        rustix::process::kill_process(id, rustix::process::Signal::TERM).unwrap();
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Sends a hello over a stream; returns the status of the answer.
fn asked(mut stream: impl Read + Write, host: &str, head: &str) -> String {
    let length = HELLO.len();
    let accept = "Accept: application/json, text/event-stream\r\nContent-Type: application/json";
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {host}\r\n{accept}\r\nContent-Length: {length}\r\n{head}\r\n"
    );
    stream
        .write_all(format!("{head}{HELLO}").as_bytes())
        .unwrap();
    let mut status = String::new();
    BufReader::new(stream).read_line(&mut status).unwrap();
    status.split(' ').nth(1).unwrap().to_owned()
}

/// Sends a hello of exactly `bytes` bytes with the token; returns the status and the body of the answer.
fn sized(server: &Listening, bytes: usize) -> (String, String) {
    let place = server.url.strip_prefix("http://").unwrap();
    let place = place.strip_suffix("/mcp").unwrap();
    let mut stream = TcpStream::connect(place).unwrap();
    let accept = "Accept: application/json, text/event-stream\r\nContent-Type: application/json";
    let token = server.token();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {place}\r\n{accept}\r\nAuthorization: Bearer {token}\r\nContent-Length: {bytes}\r\nConnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).unwrap();
    let body = format!("{HELLO}{}", " ".repeat(bytes - HELLO.len()));
    // A server that refuses the head need not read the body.
    let _ = stream.write_all(body.as_bytes());
    let mut answer = String::new();
    let _ = stream.read_to_string(&mut answer);
    let status = answer.split(' ').nth(1).unwrap_or_default().to_owned();
    let body = answer.split_once("\r\n\r\n").unwrap_or_default().1;
    (status, body.to_owned())
}

#[test]
fn the_limit_of_a_body_is_the_documented_one_and_beyond_it_is_a_refusal_in_json() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let limits: [(&[&str], usize); 2] = [
        (&["--http"], 8 << 20),
        (&["--http", "--set", "limits.body=9 MiB"], 9 << 20),
    ];
    for (args, limit) in limits {
        let server = Listening::start(&stage, args);
        for bytes in [1 << 20, (4 << 20) + 1, limit] {
            let (status, body) = sized(&server, bytes);
            assert_eq!(status, "200", "{bytes}: {body}");
        }
        let (status, body) = sized(&server, limit + 1);
        assert_eq!(status, "413", "{body}");
        let refusal: Value = serde_json::from_str(&body).unwrap();
        assert_eq!(refusal["ok"], false);
        assert_eq!(refusal["code"], "too_large");
        server.end();
    }
}

fn private(stage: &Stage, name: &str) -> String {
    use std::os::unix::fs::DirBuilderExt;
    let folder = stage.home().join(name);
    fs::DirBuilder::new().mode(0o700).create(&folder).unwrap();
    folder.join("mcp.sock").display().to_string()
}

#[test]
fn servers_with_sockets_of_the_same_name_have_tokens_of_their_own() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let (one, two) = (private(&stage, "s1"), private(&stage, "s2"));
    let first = Listening::start(&stage, &["--socket", &one]);
    let second = Listening::start(&stage, &["--socket", &two]);
    assert_ne!(first.token_file, second.token_file);
    assert_eq!(first.status_with(&first.token()), "200");
    assert_eq!(second.status_with(&second.token()), "200");
    assert_eq!(second.status_with(&first.token()), "401");
    assert_eq!(first.hello(""), "401");
    let (left, kept) = (first.token_file.clone(), second.token());
    first.end();
    assert!(!left.exists() && !Path::new(&one).exists());
    assert_eq!(second.status_with(&kept), "200");
    assert_eq!(second.token(), kept);
}

#[test]
fn the_token_lies_where_it_is_told_and_origins_are_those_that_are_listed() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let folder = PathBuf::from(private(&stage, "mine"));
    let file = folder.with_file_name("token").display().to_string();
    let args = [
        "--http",
        "--token-file",
        &file,
        "--allow-origin",
        "https://one.example",
    ];
    let server = Listening::start(&stage, &args);
    assert_eq!(server.token_file, PathBuf::from(&file));
    let with = |origin: &str| {
        let token = server.token();
        server.hello(&format!(
            "Authorization: Bearer {token}\r\nOrigin: {origin}\r\n"
        ))
    };
    assert_eq!(with("https://one.example"), "200");
    assert_eq!(with("https://two.example"), "403");
    server.end();
    assert!(!Path::new(&file).exists());
}

#[test]
fn options_of_http_mean_nothing_without_it() {
    let stage = Stage::new(&[]);
    for args in [
        ["mcp", "--token-file", "t"],
        ["mcp", "--allow-origin", "https://one.example"],
        ["mcp", "--host-name", "build.example"],
    ] {
        let ran = stage.run(&args);
        assert_eq!(ran.code, Some(2), "{ran:?}");
    }
}

#[test]
fn an_address_for_others_is_known_by_its_names() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let args = ["--expose", "127.0.0.1:0", "--host-name", "build.example"];
    let server = Listening::start(&stage, &args);
    let place = server.url.strip_prefix("http://").unwrap();
    let place = place.strip_suffix("/mcp").unwrap();
    let port = place.rsplit(':').next().unwrap();
    let head = format!("Authorization: Bearer {}\r\n", server.token());
    for (name, status) in [("build.example", "200"), ("other.example", "421")] {
        let stream = TcpStream::connect(place).unwrap();
        assert_eq!(
            asked(stream, &format!("{name}:{port}"), &head),
            status,
            "{name}"
        );
    }
}
