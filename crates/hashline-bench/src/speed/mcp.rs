//! The MCP server over standard input and output, beside the same calls in process and a ping.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use hashline_core::dialect::Dialect;
use hashline_session::{Overrides, ReadLines, ReadSpec, Service, ServiceOptions, Session};
use hashline_wire::render::model;
use hashline_workspace::Durability;
use hashline_workspace::config::{ConfigKey, ConfigOverrides};
use serde_json::{Value, json};

use super::Sizes;
use crate::clock::{median, millis, ratio};
use crate::gates::Gates;
use crate::made_text;
use crate::program::hashline;
use crate::table::Table;

/// How often each call is made.
const CALLS: usize = 200;
/// Lines of the file that is read, and of the one that is edited.
const READ: usize = 300;
const EDITED: usize = 2000;

/// Measures the calls an agent makes most.
pub(super) fn measure(sizes: &Sizes, gates: &mut Gates, out: &mut dyn Write) -> Result<()> {
    let folder = tempfile::tempdir()?;
    fs::write(folder.path().join("read.rs"), made_text::code(READ)?)?;
    for name in ["ours.rs", "served.rs"] {
        fs::write(folder.path().join(name), made_text::code(EDITED)?)?;
    }
    let service = open(folder.path(), Some(folder.path().join("state")))?;
    let session = service.session(Some("in-process"));
    let mut server = Server::start(&hashline()?, folder.path())?;
    let (mut reads, mut edits) = (Times::default(), Times::default());
    let (mut ours, mut served) = (Edits::new("ours.rs"), Edits::new("served.rs"));
    ours.rev = rev(&read(&session, "ours.rs")?)?;
    served.rev = rev(&server.call("read", &json!({"path": "served.rs"}))?)?;
    // By turns, so that whatever else the machine does slows all of them alike.
    for _ in 0..CALLS {
        let ping = timed(|| server.ping())?;
        reads.ping.push(ping);
        edits.ping.push(ping);
        reads.ours.push(timed(|| read(&session, "read.rs"))?);
        reads
            .served
            .push(timed(|| server.call("read", &json!({"path": "read.rs"})))?);
        edits
            .ours
            .push(ours.timed(|request| apply(&session, request))?);
        edits
            .served
            .push(served.timed(|request| server.call("edit", request))?);
    }
    server.end()?;
    writeln!(
        out,
        "\n== MCP over standard input and output, median of {CALLS}\n"
    )?;
    let mut table = Table::new(1, ["call", "served", "in process", "ping", "ratio"]);
    let rows = [
        (format!("read of {READ} lines"), &reads, "read"),
        (format!("edit of {EDITED} lines, fast"), &edits, "edit"),
    ];
    for (name, times, tool) in rows {
        let [served, ours, ping] =
            [&times.served, &times.ours, &times.ping].map(|times| median(times));
        let over = ratio(served, ours + ping);
        table.row(vec![
            name,
            millis(served),
            millis(ours),
            millis(ping),
            format!("{over:.2} x"),
        ]);
        let gate = format!("MCP {tool}: at most 2 x the call in process and a ping");
        gates.check_bar(sizes.bars, gate, format!("{over:.2} x"), over <= 2.0);
    }
    table.print(out)
}

/// The times of one call.
#[derive(Default)]
struct Times {
    ours: Vec<Duration>,
    served: Vec<Duration>,
    ping: Vec<Duration>,
}

pub(super) fn timed<T>(work: impl FnOnce() -> Result<T>) -> Result<Duration> {
    let started = Instant::now();
    work()?;
    Ok(started.elapsed())
}

/// Edits of one line, one after the other, each with the revision the one before gave.
pub(super) struct Edits {
    path: &'static str,
    pub(super) rev: String,
    count: usize,
}

impl Edits {
    pub(super) fn new(path: &'static str) -> Self {
        let rev = String::new();
        Self {
            path,
            rev,
            count: 0,
        }
    }

    pub(super) fn timed(
        &mut self,
        send: impl FnOnce(&Value) -> Result<String>,
    ) -> Result<Duration> {
        self.count += 1;
        let text = format!("// {}", self.count);
        let edit = json!({"op": "append", "lines": [text]});
        let request = json!({"path": self.path, "rev": self.rev, "edits": [edit]});
        let started = Instant::now();
        let answer = send(&request)?;
        let time = started.elapsed();
        self.rev = rev(&answer)?;
        Ok(time)
    }
}

/// Opens a folder with a state directory, or with a record in memory.
pub(crate) fn open(folder: &Path, state: Option<PathBuf>) -> Result<Service> {
    let start = ServiceOptions {
        roots: vec![folder.to_path_buf()],
        overrides: ConfigOverrides::default().with(ConfigKey::DURABILITY, Durability::Fast),
        state,
        ..ServiceOptions::in_memory()
    };
    Service::open(&start).context("the folder can be opened")
}

pub(super) fn read(session: &Session<'_>, path: &str) -> Result<String> {
    let spec = ReadSpec {
        encoding: None,
        path: path.to_owned(),
        lines: ReadLines::All,
    };
    let dialect = Dialect::default();
    let mut reading = session
        .read(&[spec], dialect, None)
        .context("it can be read")?;
    let Some(Ok(view)) = reading.files.pop() else {
        bail!("{path} cannot be read");
    };
    let mut text = format!("{path} (rev {})\n", view.revision.short()).into_bytes();
    session.show(&view, dialect, &mut text)?;
    Ok(String::from_utf8(text)?)
}

pub(super) fn apply(session: &Session<'_>, request: &Value) -> Result<String> {
    let body = request.to_string();
    let answered = session.apply(body.as_bytes(), &Overrides::default());
    ensure!(answered.outcome.is_ok(), "refused: {request}");
    Ok(model::answer(&answered.options, &answered.outcome))
}

/// Returns the revision that an answer names.
pub(super) fn rev(answer: &str) -> Result<String> {
    let (_, rest) = answer.split_once("rev ").context("it names a revision")?;
    Ok(rest.chars().take(8).collect())
}

/// The program as a server.
pub(super) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    id: u64,
}

impl Server {
    pub(super) fn start(program: &Path, folder: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .args(["--set", "durability=fast", "mcp"])
            .current_dir(folder)
            .env("XDG_STATE_HOME", folder.join("served-state"))
            .env("XDG_CONFIG_HOME", folder.join("config"))
            .env_remove("HASHLINE_SESSION")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take();
        let output = BufReader::new(child.stdout.take().context("its output is ours")?);
        let id = 0;
        let mut server = Self {
            child,
            input,
            output,
            id,
        };
        let about = json!({"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        server.ask("initialize", &about)?;
        let begun = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        server.send(&begun)?;
        Ok(server)
    }

    fn send(&mut self, message: &Value) -> Result<()> {
        let input = self.input.as_mut().context("it is open")?;
        let mut line = message.to_string();
        line.push('\n');
        input.write_all(line.as_bytes())?;
        Ok(input.flush()?)
    }

    fn ask(&mut self, method: &str, params: &Value) -> Result<Value> {
        self.id += 1;
        self.send(&json!({"jsonrpc": "2.0", "id": self.id, "method": method, "params": params}))?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        let answer: Value = serde_json::from_str(&line)?;
        ensure!(
            answer["id"] == self.id,
            "an answer to something else: {line}"
        );
        Ok(answer)
    }

    fn ping(&mut self) -> Result<Value> {
        self.ask("ping", &json!({}))
    }

    pub(super) fn call(&mut self, tool: &str, arguments: &Value) -> Result<String> {
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let result = &answer["result"];
        ensure!(result["isError"] != true, "refused: {answer}");
        let text = result["content"][0]["text"].as_str();
        Ok(text.context("it is text")?.to_owned())
    }

    pub(super) fn end(mut self) -> Result<()> {
        drop(self.input.take());
        let ended = self.child.wait()?;
        ensure!(ended.success(), "the server failed: {ended}");
        Ok(())
    }
}
