//! Copilot CLI, from its documentation. It names no event: a tool that has run has a result.

use serde_json::{Value, json};

use super::{Client, patch};
use crate::hook::decision::Decision;
use crate::hook::encode::HookAnswer;
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ToolAction};
use crate::hook::parse::{first_text, owned, path, text};

/// Parses an event.
pub(in crate::hook) fn event(object: &Value) -> Option<HookEvent> {
    let tool = text(object, "toolName")?;
    let args = match object.get("toolArgs")? {
        // A string that holds JSON.
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let kind = match object.get("toolResult") {
        None => action(tool, &args).map(EventKind::BeforeTool),
        Some(_) => action(tool, &args).map(EventKind::AfterTool),
    };
    Some(HookEvent {
        client: Client::Copilot,
        session: owned(object, "sessionId"),
        cwd: path(object, "cwd"),
        project: None,
        kind: kind.unwrap_or(EventKind::Other),
    })
}

fn action(tool: &str, args: &Value) -> Option<ToolAction> {
    let file = || first_text(args, &["path", "file_path", "filePath"]).map(str::to_owned);
    match tool {
        "edit" => Some(ToolAction::change(tool, file()?, ChangeKind::Edit)),
        "create" => Some(ToolAction::change(tool, file()?, ChangeKind::Create)),
        "apply_patch" => Some(ToolAction::Change {
            tool: tool.to_owned(),
            files: patch::file_changes(first_text(args, &["input", "patch"])?),
        }),
        "bash" => Some(ToolAction::Shell {
            command: owned(args, "command")?,
            cwd: None,
        }),
        _ => None,
    }
}

/// Encodes a decision.
pub(in crate::hook) fn encode(decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) => HookAnswer::object(json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Advise(text) => HookAnswer::stderr(text.clone()),
        Decision::Pass | Decision::PassBecause(_) | Decision::Tell(_) | Decision::Show(_) => {
            HookAnswer::default()
        }
    }
}
