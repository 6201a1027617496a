//! Claude Code and Codex, which took over its shapes.

use serde_json::{Value, json};

use super::Client;
use super::patch;
use crate::hook::decision::{Decision, Ends, Showing};
use crate::hook::encode::Answer;
use crate::hook::encode::is_before;
use crate::hook::event::{Action, Event, How, Moment, ReadAnswer};
use crate::hook::parse::{line, owned, path, text};
use crate::hook::words;

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

pub(in crate::hook) fn is_its(name: &str) -> bool {
    EVENTS.contains(&name)
}

/// Parses an event.
pub(in crate::hook) fn event(said: &Value, name: &str) -> Event {
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

/// Puts a decision into the form that the client understands.
pub(in crate::hook) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Pass | Decision::PassNoting(_) => Answer::default(),
        Decision::Refuse(reason) if is_before(event) => specific(json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Refuse(reason) => Answer::told(reason.clone()),
        Decision::Advise(text) => context(event_name(event), text),
        Decision::Tell(text) => context("SessionStart", text),
        Decision::Show(showing) => shown(event, showing),
    }
}

fn event_name(event: &Event) -> &'static str {
    match is_before(event) {
        true => "PreToolUse",
        false => "PostToolUse",
    }
}

fn context(event: &str, text: &str) -> Answer {
    specific(json!({"hookEventName": event, "additionalContext": text}))
}

fn specific(output: Value) -> Answer {
    Answer::object(json!({ "hookSpecificOutput": output }))
}

/// Gives the tool's answer back as it was but for the text: the client writes the number of each line before it.
fn shown(event: &Event, showing: &Showing) -> Answer {
    let Moment::After(Action::Read {
        answer: Some(answer),
        ..
    }) = &event.moment
    else {
        return Answer::default();
    };
    let separator = char::from(showing.scheme.separator());
    let lines = showing.lines.iter();
    let lines = lines.map(|line| format!("{}{separator}{}", line.tag, line.text));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if showing.ends == Ends::WithEmptyLine {
        text.push('\n');
    }
    let mut whole = answer.whole.clone();
    if let Some(content) = whole.pointer_mut("/file/content") {
        *content = Value::String(text);
    }
    specific(json!({
        "hookEventName": "PostToolUse",
        "updatedToolOutput": whole,
        "additionalContext": words::shown_numbered(showing),
    }))
}
