//! The server over sockets: programs written for Node and Bun give their children sockets, not pipes, as standard input and output.

use std::io::{BufRead, BufReader, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::time::Duration;

use crate::stage::{HASHLINE, Stage};

/// Far more than an answer takes; a server that says nothing must fail the test, not hang it.
const PATIENCE: Duration = Duration::from_secs(60);

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}"#;

#[test]
fn a_client_with_sockets_is_answered() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let (mut to, input) = UnixStream::pair().unwrap();
    let (from, output) = UnixStream::pair().unwrap();
    from.set_read_timeout(Some(PATIENCE)).unwrap();
    let mut child = stage
        .command(HASHLINE)
        .arg("mcp")
        .stdin(Stdio::from(OwnedFd::from(input)))
        .stdout(Stdio::from(OwnedFd::from(output)))
        .spawn()
        .unwrap();
    writeln!(to, "{HELLO}").unwrap();
    let mut answer = String::new();
    let read = BufReader::new(from).read_line(&mut answer);
    drop(to);
    child.kill().unwrap();
    child.wait().unwrap();
    read.unwrap();
    assert!(
        answer.contains(r#""protocolVersion":"2025-06-18""#),
        "{answer}"
    );
}
