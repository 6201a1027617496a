//! What an agent does with us, done without the agent: in a temporary folder, with its own configuration.

use std::fs;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use super::configured::{Configured, setup};
use super::server::{Link, Server};
use super::{Finding, child};
use crate::agent::{Agent, Wish};

/// So long a hook is waited for.
const PATIENCE: Duration = Duration::from_secs(10);
/// The file that is edited.
const SCRATCH: &str = "scratch.txt";

/// Starts what the agent would start, and edits a scratch file.
pub(super) fn simulate(configured: &Configured) -> Vec<Finding> {
    let wish = &configured.wish;
    let about = wish.agent.title();
    let folder = tempfile::Builder::new()
        .prefix("hashline-doctor-")
        .tempdir();
    let folder = match folder.and_then(|folder| {
        fs::write(folder.path().join(SCRATCH), "one\ntwo\n")?;
        Ok(folder)
    }) {
        Ok(folder) => folder,
        Err(error) => {
            return vec![Finding::problem(
                about,
                format!("no temporary folder can be made: {error}"),
            )];
        }
    };
    let mut findings = Vec::new();
    if let Some(args) = configured.server_args() {
        findings.push(server(wish, &args, folder.path()));
    }
    findings.push(match wish.agent {
        Agent::Claude | Agent::Codex | Agent::Gemini => hook(wish, folder.path()),
        Agent::OpenCode | Agent::Pi => guard(wish, folder.path()),
    });
    findings
}

fn server(wish: &Wish, args: &[String], folder: &Path) -> Finding {
    let about = wish.agent.title();
    let line = format!("{} {}", wish.command, args.join(" "));
    match talk(wish, args, folder) {
        Ok(tools) => Finding::ok(
            about,
            format!("`{line}` answers ({tools}); read and edited a scratch file"),
        ),
        Err(why) => {
            Finding::problem(about, format!("`{line}` does not work: {why}")).mended_by(line)
        }
    }
}

/// Reads and edits the scratch file through the server; returns the names of its tools.
fn talk(wish: &Wish, args: &[String], folder: &Path) -> Result<String, String> {
    let link = match wish.agent {
        Agent::Codex => Link::Pipes,
        Agent::Claude | Agent::Gemini | Agent::OpenCode | Agent::Pi => Link::Sockets,
    };
    let mut server = Server::start(child::command(&wish.command, args, folder), link)?;
    let tools = server.tools()?;
    let shown = server.call("read", &json!({"path": SCRATCH}))?;
    let rev = revision(&shown).ok_or_else(|| "the answer to read names no revision".to_owned())?;
    let edit =
        json!({"path": SCRATCH, "rev": rev, "edits": [{"op": "append", "lines": ["three"]}]});
    server.call("edit", &edit)?;
    let text = fs::read_to_string(folder.join(SCRATCH)).unwrap_or_default();
    match text.as_str() {
        "one\ntwo\nthree\n" => Ok(tools.join(", ")),
        _ => Err("the edit did not land".to_owned()),
    }
}

/// Finds a revision in an answer: the hexadecimal number behind `rev`.
fn revision(text: &str) -> Option<String> {
    let (_, after) = text.split_once("rev ")?;
    let rev: String = after.chars().take_while(char::is_ascii_hexdigit).collect();
    (rev.len() >= 8).then_some(rev)
}

fn hook(wish: &Wish, folder: &Path) -> Finding {
    let about = wish.agent.title();
    let line = format!("{} hook", wish.command);
    let command = child::command(&wish.command, &["hook".to_owned()], folder);
    let ran = child::run(
        command,
        native_edit(wish.agent, folder).to_string().as_bytes(),
        PATIENCE,
    );
    match ran {
        Ok(ran) if ran.code == Some(0) => match serde_json::from_str::<Value>(&ran.out) {
            Ok(answer) if refuses(&answer) => {
                Finding::ok(about, format!("`{line}` refuses the agent's own edit tool"))
            }
            Ok(_) => Finding::ok(
                about,
                format!("`{line}` answers, and lets the agent's own edit tool pass"),
            ),
            Err(_) if ran.out.trim().is_empty() => Finding::warning(
                about,
                format!("`{line}` lets the agent's own edit tool pass: it is turned off"),
            )
            .mended_by("hashline doctor shows the switches in force"),
            Err(_) => Finding::problem(about, format!("`{line}` answers no JSON"))
                .mended_by(setup(wish.agent, wish.scope)),
        },
        Ok(ran) if ran.code == Some(2) && is_refusal(&ran.err) => {
            Finding::ok(about, format!("`{line}` refuses the agent's own edit tool"))
        }
        Ok(ran) => {
            let line_of = ran.err.lines().next().unwrap_or_default();
            Finding::problem(about, format!("`{line}` fails: {line_of}")).mended_by(line)
        }
        Err(why) => {
            Finding::problem(about, format!("`{line}` does not work: {why}")).mended_by(line)
        }
    }
}

/// Tells a refusal in words from the complaint of a program that does not know the command.
fn is_refusal(said: &str) -> bool {
    !said.trim().is_empty() && !said.starts_with("error: ")
}

/// Returns what the agent tells a hook before it edits with its own tool.
fn native_edit(agent: Agent, folder: &Path) -> Value {
    let file = folder.join(SCRATCH);
    let common = json!({"session_id": "doctor", "transcript_path": "", "cwd": folder});
    let (event, tool, input) = match agent {
        Agent::Gemini => (
            "BeforeTool",
            "replace",
            json!({"file_path": file, "old_string": "one", "new_string": "uno"}),
        ),
        Agent::Codex => (
            "PreToolUse",
            "apply_patch",
            json!({"command": format!("*** Begin Patch\n*** Update File: {SCRATCH}\n@@\n-one\n+uno\n*** End Patch\n")}),
        ),
        Agent::Claude | Agent::OpenCode | Agent::Pi => (
            "PreToolUse",
            "Edit",
            json!({"file_path": file, "old_string": "one", "new_string": "uno"}),
        ),
    };
    let mut message = common;
    message["hook_event_name"] = event.into();
    message["tool_name"] = tool.into();
    message["tool_input"] = input;
    message
}

fn refuses(answer: &Value) -> bool {
    answer["hookSpecificOutput"]["permissionDecision"] == "deny"
        || answer["decision"] == "deny"
        || answer["decision"] == "block"
}

/// Asks the guard, as the plugins do.
fn guard(wish: &Wish, folder: &Path) -> Finding {
    let about = wish.agent.title();
    let line = format!("{} guard --json", wish.command);
    let args = ["guard", "--json", "sed -i s/one/uno/ scratch.txt"].map(str::to_owned);
    match child::run(child::command(&wish.command, &args, folder), b"", PATIENCE) {
        Ok(ran) if ran.out.contains("write-bypass") => {
            Finding::ok(about, format!("`{line}` tells a shell command that edits"))
        }
        Ok(ran) => {
            let said = ran.err.lines().next().unwrap_or_default();
            Finding::problem(about, format!("`{line}` does not work: {said}")).mended_by(line)
        }
        Err(why) => {
            Finding::problem(about, format!("`{line}` does not work: {why}")).mended_by(line)
        }
    }
}
