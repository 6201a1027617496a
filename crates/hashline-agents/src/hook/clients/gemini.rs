//! Events and answers of Gemini CLI.

use serde_json::{Value, json};

use super::{Client, ClientTools, ToolKind, tool_call};
use crate::guard::lists;
use crate::hook::answer::{AnchoredRead, Decision, HookAnswer};
use crate::hook::event::{EventKind, HookEvent, ReadOutput};
use crate::hook::words;

/// Names of events that only Gemini CLI sends.
const OWN: &str = "BeforeTool AfterTool BeforeAgent AfterAgent BeforeModel AfterModel BeforeToolSelection PreCompress";

const TOOLS: ClientTools = &[
    ("replace", ToolKind::Edit),
    ("write_file", ToolKind::Write),
    ("read_file", ToolKind::Read),
    ("run_shell_command", ToolKind::Shell),
];

/// The first text of Gemini's output if its read tool shows only part of a file; the range of lines and [`MARK`] follow.
const CUT: &str = "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ";
const MARK: &str = "\n--- FILE CONTENT (truncated) ---\n";

/// Returns whether Gemini CLI sent an event: by its name, or, for names that other clients use too, by the field `timestamp`.
pub(in crate::hook) fn recognizes(object: &Value, name: &str) -> bool {
    let shared = matches!(name, "SessionStart" | "SessionEnd" | "Notification");
    lists(OWN, name) || (shared && object.get("timestamp").is_some())
}

/// Parses an event of Gemini CLI.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    let call = || tool_call(object, TOOLS, read_output);
    let kind = match name {
        "SessionStart" => Some(EventKind::SessionStart),
        "BeforeTool" => call().map(EventKind::BeforeTool),
        "AfterTool" => call().map(EventKind::AfterTool),
        _ => None,
    };
    super::event(Client::Gemini, object, "session_id", kind)
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

/// Converts a decision to the output format of Gemini CLI.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Pass | Decision::Allow(_) | Decision::PassBecause(_) => HookAnswer::default(),
        Decision::Refuse(reason) if event.is_before() => deny(reason),
        Decision::Refuse(reason) => HookAnswer::stderr(reason.clone()),
        Decision::Advise(text) => HookAnswer::context("AfterTool", text),
        Decision::Tell(text) => HookAnswer::context("SessionStart", text),
        // The reason replaces the tool's result; there is no other way to replace it.
        Decision::Show(showing) => deny(&shown(showing)),
    }
}

fn deny(reason: &str) -> HookAnswer {
    HookAnswer::object(json!({"decision": "deny", "reason": reason}))
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
