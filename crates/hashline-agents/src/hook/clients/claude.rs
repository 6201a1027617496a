//! Claude Code, and Codex, which uses the same formats.

use serde_json::{Value, json};

use super::{Client, patch};
use crate::hook::decision::{AnchoredRead, Decision, ShownEnd};
use crate::hook::encode::{HookAnswer, is_before};
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ReadOutput, ToolAction};
use crate::hook::parse::{line, owned, path, text};
use crate::hook::words;

/// Every event of either that is known. Those that do not concern us are listed too, so that they are not reported as unknown.
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

pub(in crate::hook) fn sent_it(name: &str) -> bool {
    EVENTS.contains(&name)
}

/// Parses an event.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    let client = client(object);
    let tool = || action(object, client);
    let kind = match name {
        "SessionStart" => Some(EventKind::SessionStart),
        "PreToolUse" => tool().map(EventKind::BeforeTool),
        // A tool that failed may have changed files all the same.
        "PostToolUse" | "PostToolUseFailure" => tool().map(EventKind::AfterTool),
        _ => None,
    };
    HookEvent {
        client,
        session: owned(object, "session_id"),
        cwd: path(object, "cwd"),
        project: None,
        kind: kind.unwrap_or(EventKind::Other),
    }
}

/// Tells the two apart: only Codex has `turn_id`, the tool `apply_patch`, and transcripts named rollouts.
fn client(object: &Value) -> Client {
    let transcript = text(object, "transcript_path").unwrap_or_default();
    let is_codex = object.get("turn_id").is_some()
        || text(object, "tool_name") == Some("apply_patch")
        || transcript.contains("/.codex/")
        || transcript.contains("/rollout-");
    if is_codex {
        Client::Codex
    } else {
        Client::Claude
    }
}

fn action(object: &Value, client: Client) -> Option<ToolAction> {
    let tool = text(object, "tool_name")?;
    let input = object.get("tool_input")?;
    let path = || owned(input, "file_path");
    match tool {
        "Edit" | "MultiEdit" => Some(ToolAction::change(tool, path()?, ChangeKind::Edit)),
        "Write" => Some(ToolAction::change(tool, path()?, ChangeKind::Write)),
        "apply_patch" => Some(patched(
            text(input, "command").or_else(|| text(input, "input"))?,
        )),
        "Read" => Some(ToolAction::Read {
            path: path()?,
            output: object.get("tool_response").and_then(read_output),
        }),
        "Bash" => Some(shell(client, owned(input, "command")?)),
        _ => None,
    }
}

/// Returns what a command line does: Codex runs its own patch tool for one that hands over a patch.
fn shell(client: Client, command: String) -> ToolAction {
    match patch::in_command(&command) {
        Some(patch) if client == Client::Codex => patched(patch),
        _ => ToolAction::Shell { command, cwd: None },
    }
}

fn patched(patch: &str) -> ToolAction {
    ToolAction::Change {
        tool: "apply_patch".to_owned(),
        files: patch::file_changes(patch),
    }
}

/// Returns the lines that a read tool shows; `None` for pictures, notebooks and a file reported as unchanged.
fn read_output(response: &Value) -> Option<ReadOutput> {
    let file = response.get("file")?;
    let is_text = text(response, "type") == Some("text");
    is_text.then_some(())?;
    Some(ReadOutput {
        first: line(file, "startLine").unwrap_or(1),
        text: file.get("content")?.as_str()?.to_owned(),
        whole: response.clone(),
    })
}

/// Encodes a decision.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Pass | Decision::PassBecause(_) => HookAnswer::default(),
        Decision::Refuse(reason) if is_before(event) => specific(json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Refuse(reason) => HookAnswer::stderr(reason.clone()),
        Decision::Advise(text) => context(event_name(event), text),
        Decision::Tell(text) => context("SessionStart", text),
        Decision::Show(showing) => shown(event, showing),
    }
}

fn event_name(event: &HookEvent) -> &'static str {
    if is_before(event) {
        "PreToolUse"
    } else {
        "PostToolUse"
    }
}

fn context(event: &str, text: &str) -> HookAnswer {
    specific(json!({"hookEventName": event, "additionalContext": text}))
}

fn specific(output: Value) -> HookAnswer {
    HookAnswer::object(json!({ "hookSpecificOutput": output }))
}

/// Returns the tool's result with other text: the client writes the number of each line before it.
fn shown(event: &HookEvent, showing: &AnchoredRead) -> HookAnswer {
    let EventKind::AfterTool(ToolAction::Read {
        output: Some(output),
        ..
    }) = &event.kind
    else {
        return HookAnswer::default();
    };
    let separator = char::from(showing.scheme.separator());
    let lines = showing.lines.iter();
    let lines = lines.map(|line| format!("{}{separator}{}", line.tag, line.text));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if showing.end == ShownEnd::EmptyLine {
        text.push('\n');
    }
    let mut whole = output.whole.clone();
    if let Some(content) = whole.pointer_mut("/file/content") {
        *content = Value::String(text);
    }
    specific(json!({
        "hookEventName": "PostToolUse",
        "updatedToolOutput": whole,
        "additionalContext": words::shown_numbered(showing),
    }))
}
