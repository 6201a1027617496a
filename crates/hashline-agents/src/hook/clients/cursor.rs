//! Events and answers of Cursor, according to its documentation.

use serde_json::{Value, json};

use super::{Client, ClientTools, ToolKind, action, tool_call};
use crate::hook::answer::{Decision, HookAnswer};
use crate::hook::event::{EventKind, HookEvent};

const TOOLS: ClientTools = &[
    ("Edit MultiEdit StrReplace", ToolKind::Edit),
    ("Write", ToolKind::Write),
    ("Read", ToolKind::Read),
    ("Shell", ToolKind::Shell),
];

/// JSON fields that only Cursor sends.
const OWN: [&str; 3] = ["conversation_id", "generation_id", "workspace_roots"];

/// Returns whether Cursor sent an event: its name begins with a lower-case letter, and it has one of the fields that only Cursor sends.
pub(in crate::hook) fn recognizes(object: &Value, name: &str) -> bool {
    let small = name.starts_with(|first: char| first.is_ascii_lowercase());
    small && OWN.iter().any(|field| object.get(field).is_some())
}

/// Parses an event of Cursor.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    // What its read tool shows cannot be replaced, so it is not looked at.
    let call = || tool_call(object, TOOLS, |_| None);
    let kind = match name {
        "sessionStart" => Some(EventKind::SessionStart),
        "preToolUse" => call().map(EventKind::BeforeTool),
        "postToolUse" | "postToolUseFailure" => call().map(EventKind::AfterTool),
        "beforeShellExecution" => action(TOOLS, "Shell", object).map(EventKind::BeforeTool),
        "afterShellExecution" => action(TOOLS, "Shell", object).map(EventKind::AfterTool),
        "afterFileEdit" => action(TOOLS, "Edit", object).map(EventKind::AfterTool),
        _ => None,
    };
    let project = object.get("workspace_roots").and_then(|roots| roots.get(0));
    HookEvent {
        project: project.and_then(Value::as_str).map(Into::into),
        ..super::event(Client::Cursor, object, "conversation_id", kind)
    }
}

/// Converts a decision to the output format of Cursor.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) if event.is_before() => HookAnswer::object(json!({
            "permission": "deny",
            "user_message": "the files of this project are read and edited with hashline",
            "agent_message": reason,
        })),
        Decision::Refuse(text) | Decision::Advise(text) => HookAnswer {
            err: Some(text.clone()),
            ..HookAnswer::object(json!({}))
        },
        Decision::Tell(text) => HookAnswer::object(json!({ "additional_context": text })),
        // Cursor expects an object even if there is nothing to say.
        Decision::Pass | Decision::Allow(_) | Decision::PassBecause(_) | Decision::Show(_) => {
            HookAnswer::object(json!({}))
        }
    }
}
