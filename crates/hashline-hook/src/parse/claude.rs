//! Claude Code and Codex, which took over its shapes.

use serde_json::Value;

use super::fields::{line, owned, path, text};
use super::patch;
use crate::client::Client;
use crate::event::{Action, Event, Moment, ReadAnswer};

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
    let tool = || action(said);
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

fn action(said: &Value) -> Option<Action> {
    let tool = text(said, "tool_name")?;
    let input = said.get("tool_input")?;
    let path = || owned(input, "file_path");
    match tool {
        "Edit" | "MultiEdit" => Some(Action::Edit {
            tool: tool.to_owned(),
            paths: vec![path()?],
        }),
        "Write" => Some(Action::Write {
            tool: tool.to_owned(),
            path: path()?,
        }),
        "apply_patch" => Some(Action::Edit {
            tool: tool.to_owned(),
            paths: patch::paths(text(input, "command").or_else(|| text(input, "input"))?),
        }),
        "Read" => Some(Action::Read {
            path: path()?,
            answer: said.get("tool_response").and_then(read_answer),
        }),
        "Bash" => Some(Action::Shell {
            command: owned(input, "command")?,
            cwd: None,
        }),
        _ => None,
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
