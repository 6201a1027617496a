//! Cursor, from its documentation.

use serde_json::{Value, json};

use super::Client;
use crate::hook::decision::Decision;
use crate::hook::encode::HookAnswer;
use crate::hook::encode::is_before;
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ToolAction};
use crate::hook::parse::{first_text, owned, path, text};

/// Fields that only Cursor sends.
const OWN: [&str; 3] = ["conversation_id", "generation_id", "workspace_roots"];

/// Tells whether an event comes from Cursor: its name begins with a lower-case letter, and one of Cursor's fields is there.
pub(in crate::hook) fn is_its(said: &Value, name: &str) -> bool {
    let small = name.starts_with(|first: char| first.is_ascii_lowercase());
    small && OWN.iter().any(|field| said.get(field).is_some())
}

/// Parses an event.
pub(in crate::hook) fn event(said: &Value, name: &str) -> HookEvent {
    let kind = match name {
        "sessionStart" => Some(EventKind::SessionStart),
        "preToolUse" => tool(said).map(EventKind::BeforeTool),
        "postToolUse" | "postToolUseFailure" => tool(said).map(EventKind::AfterTool),
        "beforeShellExecution" => shell(said, said).map(EventKind::BeforeTool),
        "afterShellExecution" => shell(said, said).map(EventKind::AfterTool),
        "afterFileEdit" => edit(said, "Edit").map(EventKind::AfterTool),
        _ => None,
    };
    let project = said.get("workspace_roots").and_then(|roots| roots.get(0));
    let project = project.and_then(Value::as_str).map(Into::into);
    HookEvent {
        client: Client::Cursor,
        session: owned(said, "conversation_id"),
        cwd: path(said, "cwd"),
        project,
        kind: kind.unwrap_or(EventKind::Other),
    }
}

fn tool(said: &Value) -> Option<ToolAction> {
    let name = text(said, "tool_name")?;
    let input = said.get("tool_input")?;
    match name {
        "Edit" | "MultiEdit" | "StrReplace" => edit(input, name),
        "Write" => Some(ToolAction::change(name, file(input)?, ChangeKind::Write)),
        "Read" => Some(ToolAction::Read {
            path: file(input)?,
            output: None,
        }),
        "Shell" => shell(said, input),
        _ => None,
    }
}

fn shell(said: &Value, input: &Value) -> Option<ToolAction> {
    Some(ToolAction::Shell {
        command: owned(input, "command")?,
        cwd: path(input, "working_directory").or_else(|| path(said, "cwd")),
    })
}

fn edit(input: &Value, tool: &str) -> Option<ToolAction> {
    Some(ToolAction::change(tool, file(input)?, ChangeKind::Edit))
}

fn file(input: &Value) -> Option<String> {
    first_text(input, &["file_path", "path", "target_file"]).map(str::to_owned)
}

/// Puts a decision into the form that the client understands.
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
