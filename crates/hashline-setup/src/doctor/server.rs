//! A conversation with our server, as a client has it: one line a message.

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

use super::child;

/// So long an answer is waited for.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that was started. It is ended when dropped.
pub(super) struct Server {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
}

impl Server {
    /// Starts a server and greets it.
    pub(super) fn start(mut command: Command) -> Result<Self, String> {
        let mut child = command.spawn().map_err(|error| error.to_string())?;
        let (give, lines) = channel();
        if let Some(stdout) = child.stdout.take() {
            std::thread::spawn(move || {
                let lines = BufReader::new(stdout).lines();
                lines
                    .map_while(Result::ok)
                    .all(|line| give.send(line).is_ok())
            });
        }
        // It may say much; nobody reads it, and it must not wait for that.
        drop(child.stderr.take());
        let mut server = Self {
            stdin: child.stdin.take(),
            child,
            lines,
            next: 0,
        };
        server.ask(
            "initialize",
            &json!({
                "protocolVersion": "2025-06-18",
                "capabilities": {},
                "clientInfo": {"name": "hashline doctor", "version": "0"},
            }),
        )?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Returns the names of its tools.
    pub(super) fn tools(&mut self) -> Result<Vec<String>, String> {
        let answer = self.ask("tools/list", &json!({}))?;
        let tools = answer["tools"].as_array().cloned().unwrap_or_default();
        let names = tools.iter().filter_map(|tool| tool["name"].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Calls a tool; returns its text.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.ask("tools/call", &params)?;
        let blocks = answer["content"].as_array().cloned().unwrap_or_default();
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        match answer["isError"].as_bool() {
            Some(true) => Err(first_line(&text)),
            _ => Ok(text),
        }
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.lines.recv_timeout(PATIENCE);
            let line = line.map_err(|_| format!("no answer to {method}"))?;
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
                return Err(format!("its output is no JSON: {}", first_line(&line)));
            };
            if message["id"] != id {
                continue;
            }
            return match message["error"]["message"].as_str() {
                Some(error) => Err(first_line(error)),
                None => Ok(message["result"].take()),
            };
        }
    }

    fn send(&mut self, message: &Value) -> Result<(), String> {
        let Some(stdin) = &mut self.stdin else {
            return Err("it has no input".to_owned());
        };
        let sent = writeln!(stdin, "{message}").and_then(|()| stdin.flush());
        sent.map_err(|_| "it ended at once".to_owned())
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // A server ends when nobody can speak to it any more.
        drop(self.stdin.take());
        let _ = child::wait(&mut self.child, Duration::from_secs(2));
    }
}

fn first_line(text: &str) -> String {
    text.lines()
        .next()
        .unwrap_or_default()
        .chars()
        .take(200)
        .collect()
}
