//! Gemini CLI.

use serde_json::{Value, json};

use super::Client;
use crate::hook::decision::{AnchoredRead, Decision};
use crate::hook::encode::{HookAnswer, is_before};
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ReadOutput, ToolAction};
use crate::hook::parse::{first_text, owned, path, text};
use crate::hook::words;

/// Events that only Gemini has.
const OWN: [&str; 8] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

/// The text before the lines of a file that is shown in part: this, the range of lines, then [`MARK`].
const CUT: &str = "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ";
const MARK: &str = "\n--- FILE CONTENT (truncated) ---\n";

/// Tells whether an event comes from Gemini: by its name, or, for names that others use too, by the timestamp that only Gemini sends.
pub(in crate::hook) fn sent_it(object: &Value, name: &str) -> bool {
    let shared = matches!(name, "SessionStart" | "SessionEnd" | "Notification");
    OWN.contains(&name) || (shared && object.get("timestamp").is_some())
}

/// Parses an event.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    let kind = match name {
        "SessionStart" => Some(EventKind::SessionStart),
        "BeforeTool" => action(object).map(EventKind::BeforeTool),
        "AfterTool" => action(object).map(EventKind::AfterTool),
        _ => None,
    };
    HookEvent {
        client: Client::Gemini,
        session: owned(object, "session_id"),
        cwd: path(object, "cwd"),
        project: None,
        kind: kind.unwrap_or(EventKind::Other),
    }
}

fn action(object: &Value) -> Option<ToolAction> {
    let tool = text(object, "tool_name")?;
    let input = object.get("tool_input")?;
    let path = || first_text(input, &["file_path", "absolute_path"]).map(str::to_owned);
    match tool {
        "replace" => Some(ToolAction::change(tool, path()?, ChangeKind::Edit)),
        "write_file" => Some(ToolAction::change(tool, path()?, ChangeKind::Write)),
        "read_file" => Some(ToolAction::Read {
            path: path()?,
            output: object.get("tool_response").and_then(read_output),
        }),
        "run_shell_command" => Some(ToolAction::Shell {
            command: owned(input, "command")?,
            cwd: first_text(input, &["dir_path", "directory"]).map(Into::into),
        }),
        _ => None,
    }
}

fn read_output(response: &Value) -> Option<ReadOutput> {
    let shown = response.get("llmContent")?.as_str()?;
    if response.get("error").is_some_and(|error| !error.is_null()) {
        return None;
    }
    let (first, text) = match shown.strip_prefix(CUT) {
        None => (1, shown),
        Some(rest) => {
            let (lines, _) = rest.split_once('-')?;
            let (_, text) = rest.split_once(MARK)?;
            (lines.parse::<usize>().ok()?.max(1), text)
        }
    };
    Some(ReadOutput {
        first,
        text: text.to_owned(),
        whole: Value::Null,
    })
}

/// Encodes a decision.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Pass | Decision::PassBecause(_) => HookAnswer::default(),
        Decision::Refuse(reason) if is_before(event) => deny(reason),
        Decision::Refuse(reason) => HookAnswer::stderr(reason.clone()),
        Decision::Advise(text) => context("AfterTool", text),
        Decision::Tell(text) => context("SessionStart", text),
        // The reason replaces the tool's result; there is no other way to replace it.
        Decision::Show(showing) => deny(&shown(showing)),
    }
}

fn deny(reason: &str) -> HookAnswer {
    HookAnswer::object(json!({"decision": "deny", "reason": reason}))
}

fn context(event: &str, text: &str) -> HookAnswer {
    HookAnswer::object(json!({
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": text}
    }))
}

fn shown(showing: &AnchoredRead) -> String {
    let separator = char::from(showing.scheme.separator());
    let mut text = words::shown_whole(showing);
    for line in &showing.lines {
        text.push('\n');
        text.push_str(&line.anchor);
        text.push(separator);
        text.push_str(&line.text);
    }
    text
}
