//! A server that runs, and a client that speaks to it by hand.
//!
//! Whatever the server writes is held to be JSON-RPC 2.0, line by line, whichever test runs.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use crate::stage::{HASHLINE, Stage};

/// A server that is silent for so long hangs.
const HANGS: Duration = Duration::from_secs(120);
/// The id under which the harness asks whether the server is still there.
const PULSE: &str = "pulse";

/// A server that runs.
pub(super) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Receiver<Result<Value, String>>,
    /// What came while something else was waited for.
    unasked: VecDeque<Value>,
    next_id: i64,
}

/// What a tool answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) is_error: bool,
    pub(super) text: String,
}

/// What a server said before it ended, and how it ended.
#[derive(Debug)]
pub(super) struct Ended {
    pub(super) said: Vec<Value>,
    pub(super) code: Option<i32>,
}

impl Server {
    /// Starts a server that has not heard anything yet.
    pub(super) fn silent(stage: &Stage, args: &[&str]) -> Self {
        let mut command = stage.command(HASHLINE);
        command
            .env_remove("CLAUDE_CODE_SESSION_ID")
            .arg("mcp")
            .args(args);
        Self::of(command)
    }

    /// Starts a server and shakes hands with it.
    pub(super) fn start(stage: &Stage, args: &[&str]) -> Self {
        let mut server = Self::silent(stage, args);
        server.shake_hands(&json!({}));
        server
    }

    fn of(mut command: Command) -> Self {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let output = listen(child.stdout.take().unwrap());
        Self {
            input: child.stdin.take(),
            child,
            output,
            unasked: VecDeque::new(),
            next_id: 1,
        }
    }

    /// Returns the number of the process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Says hello as a client of these abilities.
    pub(super) fn shake_hands(&mut self, capabilities: &Value) -> Value {
        self.shake_hands_as("by hand", capabilities)
    }

    /// Says hello as a client of this name and these abilities.
    pub(super) fn shake_hands_as(&mut self, name: &str, capabilities: &Value) -> Value {
        let hello = json!({
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": {"name": name, "version": "1"},
        });
        let info = self.ask("initialize", hello);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        info
    }

    /// Sends bytes as they are. A server that listens no more is no trouble.
    pub(super) fn raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().unwrap();
        let _ = input.write_all(bytes).and_then(|()| input.flush());
    }

    /// Sends a message.
    pub(super) fn send(&mut self, message: &Value) {
        self.raw(format!("{message}\n").as_bytes());
    }

    /// Sends a call of a tool and does not wait for its answer. Returns its id.
    pub(super) fn begin(&mut self, tool: &str, arguments: &Value) -> i64 {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&called(id, tool, arguments));
        id
    }

    /// Calls a tool.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Told {
        let id = self.begin(tool, arguments);
        told(&self.answer(&id.into()))
    }

    /// Takes a call back.
    pub(super) fn cancel(&mut self, id: i64) {
        let params = json!({"requestId": id, "reason": "not wanted any more"});
        self.send(
            &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params}),
        );
    }

    /// Asks, and returns the whole message that answers.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next_id;
        self.next_id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        self.answer(&id.into())
    }

    /// Waits for the answer to a request; what comes before is kept.
    pub(super) fn answer(&mut self, id: &Value) -> Value {
        let answers = |message: &Value| message.get("method").is_none() && message["id"] == *id;
        if let Some(at) = self.unasked.iter().position(answers) {
            return self.unasked.remove(at).unwrap();
        }
        loop {
            let message = self.next();
            if answers(&message) {
                return message;
            }
            self.unasked.push_back(message);
        }
    }

    /// Waits for a request or a notification of the server.
    pub(super) fn wanted(&mut self, method: &str) -> Value {
        let wants = |message: &Value| message["method"] == method;
        if let Some(at) = self.unasked.iter().position(wants) {
            return self.unasked.remove(at).unwrap();
        }
        loop {
            let message = self.next();
            if wants(&message) {
                return message;
            }
            self.unasked.push_back(message);
        }
    }

    /// Returns all that was said so far: the server has to answer once more after it.
    pub(super) fn said(&mut self) -> Vec<Value> {
        self.send(&json!({"jsonrpc": "2.0", "id": PULSE, "method": "ping"}));
        self.answer(&PULSE.into());
        self.unasked.drain(..).collect()
    }

    /// Hears nothing more and says nothing more; the child lives on.
    pub(super) fn hang_up(&mut self) {
        self.input = None;
    }

    /// Says nothing more, and waits until the server has ended.
    pub(super) fn end(mut self) -> Ended {
        self.input = None;
        let mut said: Vec<Value> = self.unasked.drain(..).collect();
        said.extend(self.output.iter().map(Result::unwrap));
        let code = self.child.wait().unwrap().code();
        Ended { said, code }
    }

    fn next(&mut self) -> Value {
        let line = self.output.recv_timeout(HANGS);
        line.expect("the server says something").unwrap()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // Nobody waits for it any more; one that has ended cannot be killed.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns a call of a tool.
pub(super) fn called(id: i64, tool: &str, arguments: &Value) -> Value {
    let params = json!({"name": tool, "arguments": arguments});
    json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})
}

/// Reads the answer of a tool: one text, and nothing beside it.
pub(super) fn told(message: &Value) -> Told {
    let result = &message["result"];
    assert!(result.get("structuredContent").is_none(), "{message}");
    let content = result["content"].as_array();
    let content = content.unwrap_or_else(|| panic!("no result: {message}"));
    assert_eq!(content.len(), 1, "{message}");
    Told {
        is_error: result["isError"] == true,
        text: content[0]["text"].as_str().unwrap().to_owned(),
    }
}

/// Reads lines in a thread of its own, so that the server is never kept waiting.
fn listen(output: ChildStdout) -> Receiver<Result<Value, String>> {
    let (way, heard) = channel();
    thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n') {
            let Ok(line) = line else { return };
            if way.send(message(&line)).is_err() {
                return;
            }
        }
    });
    heard
}

/// Reads a line as JSON-RPC 2.0, or says why it is none.
pub(super) fn message(line: &[u8]) -> Result<Value, String> {
    let wrong = |why: &str| format!("{why}: {}", String::from_utf8_lossy(line));
    let value: Value = serde_json::from_slice(line).map_err(|_| wrong("no JSON"))?;
    let has = |key: &str| value.get(key).is_some();
    if value["jsonrpc"] != "2.0" {
        return Err(wrong("no JSON-RPC 2.0"));
    }
    match (has("method"), has("result"), has("error")) {
        (true, false, false) => Ok(value),
        (false, true, false) if has("id") && !value["id"].is_null() => Ok(value),
        (false, false, true) if has("id") && value["error"]["code"].is_i64() => Ok(value),
        _ => Err(wrong("neither request, notification nor answer")),
    }
}

#[test]
fn what_is_no_json_rpc_is_seen() {
    let wrong: [&[u8]; 8] = [
        b"",
        b"hashline 0.1.0",
        br#"{"id":1,"result":{}}"#,
        br#"{"jsonrpc":"2.0","result":{}}"#,
        br#"{"jsonrpc":"2.0","id":null,"result":{}}"#,
        br#"{"jsonrpc":"2.0","error":{"code":1,"message":""}}"#,
        br#"{"jsonrpc":"2.0","id":1,"result":{},"error":{"code":1,"message":""}}"#,
        br#"[{"jsonrpc":"2.0","id":1,"result":{}}]"#,
    ];
    for line in wrong {
        assert!(message(line).is_err(), "{}", String::from_utf8_lossy(line));
    }
    assert!(message(br#"{"jsonrpc":"2.0","id":1,"result":{}}"#).is_ok());
}
