//! Claude Code and Codex, which took over its shapes.

use serde_json::Value;

use super::fields::{line, owned, path, text};
use super::patch;
use crate::hook::client::Client;
use crate::hook::event::{Action, Event, How, Moment, ReadAnswer};

/// Every event of either that was seen; those that do not concern us too, so that they are no surprise.
const EVENTS: [&str; 28] = [
    "PreToolUse",
    "PostToolUse",
    "PostToolUseFailure",
    "PostToolBatch",
    "PermissionRequest",
    "PermissionDenied",
    "SessionStart",
    "SessionEnd",
    "Setup",
    "UserPromptSubmit",
    "UserPromptExpansion",
    "Stop",
    "StopFailure",
    "SubagentStart",
    "SubagentStop",
    "TeammateIdle",
    "TaskCreated",
    "TaskCompleted",
    "PreCompact",
    "PostCompact",
    "Notification",
    "Elicitation",
    "ElicitationResult",
    "ConfigChange",
    "CwdChanged",
    "FileChanged",
    "InstructionsLoaded",
    "WorktreeCreate",
];

pub(super) fn is_its(name: &str) -> bool {
    EVENTS.contains(&name)
}

pub(super) fn event(said: &Value, name: &str) -> Event {
    let client = client(said);
    let tool = || action(said, client);
    let moment = match name {
        "SessionStart" => Some(Moment::Start),
        "PreToolUse" => tool().map(Moment::Before),
        // A tool that failed may have changed files all the same.
        "PostToolUse" | "PostToolUseFailure" => tool().map(Moment::After),
        _ => None,
    };
    Event {
        client,
        session: owned(said, "session_id"),
        cwd: path(said, "cwd"),
        project: None,
        moment: moment.unwrap_or(Moment::Other),
    }
}

/// Tells the two apart: only Codex counts turns, applies patches, and calls its transcripts rollouts.
fn client(said: &Value) -> Client {
    let transcript = text(said, "transcript_path").unwrap_or_default();
    let is_codex = said.get("turn_id").is_some()
        || text(said, "tool_name") == Some("apply_patch")
        || transcript.contains("/.codex/")
        || transcript.contains("/rollout-");
    match is_codex {
        true => Client::Codex,
        false => Client::Claude,
    }
}

fn action(said: &Value, client: Client) -> Option<Action> {
    let tool = text(said, "tool_name")?;
    let input = said.get("tool_input")?;
    let path = || owned(input, "file_path");
    match tool {
        "Edit" | "MultiEdit" => Some(Action::change(tool, path()?, How::Edit)),
        "Write" => Some(Action::change(tool, path()?, How::Write)),
        "apply_patch" => Some(patched(
            text(input, "command").or_else(|| text(input, "input"))?,
        )),
        "Read" => Some(Action::Read {
            path: path()?,
            answer: said.get("tool_response").and_then(read_answer),
        }),
        "Bash" => Some(shell(client, owned(input, "command")?)),
        _ => None,
    }
}

/// Returns what a command line does: Codex takes one that hands over a patch for its own tool.
fn shell(client: Client, command: String) -> Action {
    match patch::in_command(&command) {
        Some(patch) if client == Client::Codex => patched(patch),
        _ => Action::Shell { command, cwd: None },
    }
}

fn patched(patch: &str) -> Action {
    Action::Change {
        tool: "apply_patch".to_owned(),
        files: patch::touches(patch),
    }
}

/// Returns the lines a read tool shows; nothing for pictures, notebooks and a file that is said not to have changed.
fn read_answer(response: &Value) -> Option<ReadAnswer> {
    let file = response.get("file")?;
    let is_text = text(response, "type") == Some("text");
    is_text.then_some(())?;
    Some(ReadAnswer {
        first: line(file, "startLine").unwrap_or(1),
        text: file.get("content")?.as_str()?.to_owned(),
        whole: response.clone(),
    })
}
