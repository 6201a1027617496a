//! Cursor, from its documentation.

use serde_json::{Value, json};

use super::Client;
use crate::hook::decision::Decision;
use crate::hook::encode::{HookAnswer, is_before};
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ToolAction};
use crate::hook::parse::{first_text, owned, path, text};

/// Fields that only Cursor sends.
const OWN: [&str; 3] = ["conversation_id", "generation_id", "workspace_roots"];

/// Tells whether an event comes from Cursor: its name begins with a lower-case letter, and one of Cursor's fields is there.
pub(in crate::hook) fn sent_it(object: &Value, name: &str) -> bool {
    let small = name.starts_with(|first: char| first.is_ascii_lowercase());
    small && OWN.iter().any(|field| object.get(field).is_some())
}

/// Parses an event.
pub(in crate::hook) fn event(object: &Value, name: &str) -> HookEvent {
    let kind = match name {
        "sessionStart" => Some(EventKind::SessionStart),
        "preToolUse" => tool(object).map(EventKind::BeforeTool),
        "postToolUse" | "postToolUseFailure" => tool(object).map(EventKind::AfterTool),
        "beforeShellExecution" => shell(object, object).map(EventKind::BeforeTool),
        "afterShellExecution" => shell(object, object).map(EventKind::AfterTool),
        "afterFileEdit" => edit(object, "Edit").map(EventKind::AfterTool),
        _ => None,
    };
    let project = object.get("workspace_roots").and_then(|roots| roots.get(0));
    let project = project.and_then(Value::as_str).map(Into::into);
    HookEvent {
        client: Client::Cursor,
        session: owned(object, "conversation_id"),
        cwd: path(object, "cwd"),
        project,
        kind: kind.unwrap_or(EventKind::Other),
    }
}

fn tool(object: &Value) -> Option<ToolAction> {
    let name = text(object, "tool_name")?;
    let input = object.get("tool_input")?;
    match name {
        "Edit" | "MultiEdit" | "StrReplace" => edit(input, name),
        "Write" => Some(ToolAction::change(name, file(input)?, ChangeKind::Write)),
        "Read" => Some(ToolAction::Read {
            path: file(input)?,
            output: None,
        }),
        "Shell" => shell(object, input),
        _ => None,
    }
}

fn shell(object: &Value, input: &Value) -> Option<ToolAction> {
    Some(ToolAction::Shell {
        command: owned(input, "command")?,
        cwd: path(input, "working_directory").or_else(|| path(object, "cwd")),
    })
}

fn edit(input: &Value, tool: &str) -> Option<ToolAction> {
    Some(ToolAction::change(tool, file(input)?, ChangeKind::Edit))
}

fn file(input: &Value) -> Option<String> {
    first_text(input, &["file_path", "path", "target_file"]).map(str::to_owned)
}

/// Encodes a decision.
pub(in crate::hook) fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) if is_before(event) => HookAnswer::object(json!({
            "permission": "deny",
            "user_message": "hashline edits and reads the files of this project",
            "agent_message": reason,
        })),
        Decision::Refuse(text) | Decision::Advise(text) => HookAnswer {
            err: Some(text.clone()),
            ..HookAnswer::object(json!({}))
        },
        Decision::Tell(text) => HookAnswer::object(json!({ "additional_context": text })),
        // Cursor expects an object even if there is nothing to say.
        Decision::Pass | Decision::PassBecause(_) | Decision::Show(_) => {
            HookAnswer::object(json!({}))
        }
    }
}
