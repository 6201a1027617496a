//! Events and answers of Claude Code, and of Codex, which uses the same formats.

use hashline_wire::schema::Tool;
use serde_json::{Value, json};

use super::{Client, ClientTools, ToolKind, patch, tool_call};
use crate::guard::lists;
use crate::hook::answer::{AnchoredRead, Decision, HookAnswer, ShownEnd};
use crate::hook::event::{EventKind, HookEvent, ReadOutput, ToolAction, line, text};
use crate::hook::words;

/// All known events of Claude Code and Codex. Events that the hook ignores are listed too, so that they are not reported as unknown.
const EVENTS: &str = "PreToolUse PostToolUse PostToolUseFailure PostToolBatch PermissionRequest PermissionDenied \
    SessionStart SessionEnd Setup UserPromptSubmit UserPromptExpansion Stop StopFailure SubagentStart SubagentStop \
    TeammateIdle TaskCreated TaskCompleted PreCompact PostCompact Notification Elicitation ElicitationResult \
    ConfigChange CwdChanged FileChanged InstructionsLoaded WorktreeCreate";

const TOOLS: ClientTools = &[
    ("Edit MultiEdit", ToolKind::Edit),
    ("Write", ToolKind::Write),
    ("apply_patch", ToolKind::Patch),
    ("Read", ToolKind::Read),
    ("Bash", ToolKind::Shell),
    (
        "mcp__hl__edit mcp__plugin_hashline_hl__edit",
        ToolKind::Own(Tool::Edit),
    ),
    (
        "mcp__hl__write mcp__plugin_hashline_hl__write",
        ToolKind::Own(Tool::Write),
    ),
];

pub(in crate::hook) fn recognizes(name: &str) -> bool {
    lists(EVENTS, name)
}

/// Parses an event of Claude Code or Codex.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    let client = client(object);
    let call = || match tool_call(object, TOOLS, read_output)? {
        // Codex runs its own patch tool for a command line that hands over a patch.
        ToolAction::Shell { command, .. }
            if client == Client::Codex && patch::in_command(&command).is_some() =>
        {
            patch::in_command(&command).map(patch::action)
        }
        call => Some(call),
    };
    let kind = match name {
        "SessionStart" => Some(EventKind::SessionStart),
        "PreToolUse" => call().map(EventKind::BeforeTool),
        // A tool that failed may have changed files all the same.
        "PostToolUse" | "PostToolUseFailure" => call().map(EventKind::AfterTool),
        _ => None,
    };
    super::event(client, object, "session_id", kind)
}

/// Returns whether Claude Code or Codex sent the event: only Codex has `turn_id`, the tool `apply_patch`, and transcripts named rollouts.
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

/// Returns the lines that Claude Code's read tool shows; `None` for images, notebooks and a file reported as unchanged.
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

/// Converts a decision to the output format of Claude Code and Codex.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    let (name, is_before) = match event.kind {
        EventKind::BeforeTool(_) => ("PreToolUse", true),
        _ => ("PostToolUse", false),
    };
    match decision {
        Decision::Pass | Decision::PassBecause(_) => HookAnswer::default(),
        Decision::Refuse(reason) if is_before => specific(json!({
            "hookEventName": name,
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Refuse(reason) => HookAnswer::stderr(reason.clone()),
        // Codex does not know this answer; it decides about our tools itself.
        Decision::Allow(reason) if is_before && event.client == Client::Claude => specific(json!({
            "hookEventName": name,
            "permissionDecision": "allow",
            "permissionDecisionReason": reason,
        })),
        Decision::Allow(_) => HookAnswer::default(),
        Decision::Advise(text) => HookAnswer::context(name, text),
        Decision::Tell(text) => HookAnswer::context("SessionStart", text),
        Decision::Show(showing) => shown(event, showing),
    }
}

fn specific(output: Value) -> HookAnswer {
    HookAnswer::object(json!({ "hookSpecificOutput": output }))
}

/// Returns the read tool's result with a tag before the text of each line; the client adds the line numbers itself.
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
