//! Events and answers of Copilot CLI, according to its documentation. Copilot's events have no name; an event with a `toolResult` comes after
//! the tool ran.

use serde_json::{Value, json};

use super::{Client, ClientTools, ToolKind, action};
use crate::hook::answer::{Decision, HookAnswer};
use crate::hook::event::{EventKind, HookEvent, text};

const TOOLS: ClientTools = &[
    ("edit", ToolKind::Edit),
    ("create", ToolKind::Create),
    ("apply_patch", ToolKind::Patch),
    ("bash", ToolKind::Shell),
];

/// Parses an event of Copilot CLI.
pub(in crate::hook) fn event(object: &Value) -> Option<HookEvent> {
    let tool = text(object, "toolName")?;
    let args = match object.get("toolArgs")? {
        // A string that holds JSON.
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let call = action(TOOLS, tool, &args);
    let kind = match object.get("toolResult") {
        None => call.map(EventKind::BeforeTool),
        Some(_) => call.map(EventKind::AfterTool),
    };
    Some(super::event(Client::Copilot, object, "sessionId", kind))
}

/// Converts a decision to the output format of Copilot CLI.
pub(in crate::hook) fn encode(decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) => HookAnswer::object(json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Advise(text) => HookAnswer::stderr(text.clone()),
        Decision::Pass
        | Decision::Allow(_)
        | Decision::PassBecause(_)
        | Decision::Tell(_)
        | Decision::Show(_) => HookAnswer::default(),
    }
}
