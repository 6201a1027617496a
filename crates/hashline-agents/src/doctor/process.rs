//! Runs programs for the doctor: a program that runs to its end, and an MCP server that is used as a client would.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How often the doctor polls whether a child process has ended.
const INTERVAL: Duration = Duration::from_millis(5);

/// The output and the exit code of a program.
#[derive(Clone, Debug)]
pub(super) struct ProcessOutput {
    pub(super) code: Option<i32>,
    pub(super) out: String,
    pub(super) err: String,
}

impl ProcessOutput {
    /// Returns the first line that the program printed on standard error.
    pub(super) fn first_error(&self) -> &str {
        self.err.lines().next().unwrap_or_default()
    }
}

/// The name of the configuration folder inside the temporary folder that a tested program runs in.
pub(super) const CONFIG: &str = "config";

/// Returns a command that runs in `folder`, with state and configuration in it too, so that the user's own are not touched.
pub(super) fn command(program: &Path, args: &[String], folder: &Path) -> Command {
    let mut command = Command::new(program);
    command
        .args(args)
        .current_dir(folder)
        .env("XDG_STATE_HOME", folder.join("state"))
        .env("XDG_CONFIG_HOME", folder.join(CONFIG));
    command
}

/// Runs a program to its end with `input` on standard input, and kills it after `limit`.
pub(super) fn run(
    mut command: Command,
    input: &[u8],
    limit: Duration,
) -> Result<ProcessOutput, String> {
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    if let Some(mut stdin) = child.stdin.take() {
        // A program need not read all of its input.
        let _ = stdin.write_all(input);
    }
    let (out, err) = (child.stdout.take(), child.stderr.take());
    let (out, err) = (read_all(out), read_all(err));
    let code = wait(&mut child, limit)?;
    let text = |bytes: mpsc::Receiver<Vec<u8>>| {
        let bytes = bytes.recv_timeout(limit).unwrap_or_default();
        String::from_utf8_lossy(&bytes).into_owned()
    };
    Ok(ProcessOutput {
        code,
        out: text(out),
        err: text(err),
    })
}

/// Reads a pipe to its end in a thread of its own: a full pipe would keep the program from ending.
fn read_all(pipe: Option<impl Read + Send + 'static>) -> mpsc::Receiver<Vec<u8>> {
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        if let Some(mut pipe) = pipe {
            let _ = pipe.read_to_end(&mut bytes);
        }
        let _ = sender.send(bytes);
    });
    receiver
}

/// Waits until a child process ends, and kills it if it takes longer than `limit`.
pub(super) fn wait(child: &mut Child, limit: Duration) -> Result<Option<i32>, String> {
    let started = Instant::now();
    loop {
        match child.try_wait() {
            Ok(Some(status)) => return Ok(status.code()),
            Ok(None) if started.elapsed() < limit => std::thread::sleep(INTERVAL),
            Ok(None) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("it took longer than {} s", limit.as_secs()));
            }
            Err(error) => return Err(error.to_string()),
        }
    }
}

/// How long the doctor waits for an answer of the MCP server.
const TIMEOUT: Duration = Duration::from_secs(10);

/// How an agent is connected to its MCP servers. A server that works with pipes may still fail with sockets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Transport {
    /// Pipes, as most agents use them.
    Pipes,
    /// Socket pairs, as agents use them that run on Node.
    Sockets,
}

/// A connection to an MCP server that the doctor started; dropping it ends the server.
pub(super) struct ServerTrial {
    child: Child,
    stdin: Option<Box<dyn Write>>,
    lines: mpsc::Receiver<String>,
    next: u64,
}

impl ServerTrial {
    /// Starts a server and does the `initialize` handshake of MCP.
    pub(super) fn start(command: Command, transport: Transport) -> Result<Self, String> {
        let (child, stdin, stdout) =
            spawn(command, transport).map_err(|error| error.to_string())?;
        let (sender, lines) = mpsc::channel();
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout).lines().map_while(Result::ok);
            lines.all(|line| sender.send(line).is_ok())
        });
        let mut server = Self {
            child,
            stdin: Some(stdin),
            lines,
            next: 0,
        };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "hashline doctor", "version": "0"},
        });
        server.request("initialize", &hello)?;
        server.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}))?;
        Ok(server)
    }

    /// Returns the names of the server's tools.
    pub(super) fn tools(&mut self) -> Result<Vec<String>, String> {
        let answer = self.request("tools/list", &json!({}))?;
        let tools = answer["tools"].as_array().cloned().unwrap_or_default();
        let names = tools.iter().filter_map(|tool| tool["name"].as_str());
        Ok(names.map(str::to_owned).collect())
    }

    /// Calls a tool of the server and returns the text of its result.
    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, String> {
        let params = json!({"name": tool, "arguments": arguments});
        let answer = self.request("tools/call", &params)?;
        let blocks = answer["content"].as_array().cloned().unwrap_or_default();
        let texts = blocks.iter().filter_map(|block| block["text"].as_str());
        let text = texts.collect::<Vec<_>>().join("\n");
        match answer["isError"].as_bool() {
            Some(true) => Err(first_line(&text)),
            _ => Ok(text),
        }
    }

    fn request(&mut self, method: &str, params: &Value) -> Result<Value, String> {
        self.next += 1;
        let id = self.next;
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}))?;
        loop {
            let line = self.lines.recv_timeout(TIMEOUT);
            let line = line.map_err(|_| format!("no answer to {method}"))?;
            let Ok(mut message) = serde_json::from_str::<Value>(&line) else {
                return Err(format!("its output is not JSON: {}", first_line(&line)));
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
        let sent = stdin.write_all(format!("{message}\n").as_bytes());
        let sent = sent.and_then(|()| stdin.flush());
        sent.map_err(|_| "it ended unexpectedly".to_owned())
    }
}

impl Drop for ServerTrial {
    fn drop(&mut self) {
        // A server ends when its input is closed.
        drop(self.stdin.take());
        let _ = wait(&mut self.child, Duration::from_secs(2));
    }
}

/// A started server and the client's ends of its streams: one to write to, one to read from.
type ClientConnection = (Child, Box<dyn Write>, Box<dyn Read + Send>);

fn spawn(mut command: Command, transport: Transport) -> io::Result<ClientConnection> {
    // It is not read, and a full pipe would block the server.
    command.stderr(Stdio::null());
    match transport {
        #[cfg(unix)]
        Transport::Sockets => over_sockets(command),
        _ => {
            command.stdin(Stdio::piped()).stdout(Stdio::piped());
            let mut child = command.spawn()?;
            let ends = child.stdin.take().zip(child.stdout.take());
            let (stdin, stdout) = ends.ok_or(io::ErrorKind::BrokenPipe)?;
            Ok((child, Box::new(stdin), Box::new(stdout)))
        }
    }
}

#[cfg(unix)]
fn over_sockets(mut command: Command) -> io::Result<ClientConnection> {
    use std::os::fd::OwnedFd;
    use std::os::unix::net::UnixStream;
    let (stdin, its_stdin) = UnixStream::pair()?;
    let (stdout, its_stdout) = UnixStream::pair()?;
    command.stdin(OwnedFd::from(its_stdin));
    command.stdout(OwnedFd::from(its_stdout));
    // Its ends are closed here with the command, so that we see when it ends.
    let child = command.spawn()?;
    Ok((child, Box::new(stdin), Box::new(stdout)))
}

fn first_line(text: &str) -> String {
    let line = text.lines().next().unwrap_or_default();
    line.chars().take(200).collect()
}
