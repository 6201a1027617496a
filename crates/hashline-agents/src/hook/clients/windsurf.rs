//! Windsurf, from its documentation.

use serde_json::Value;

use super::Client;
use crate::hook::decision::Decision;
use crate::hook::encode::HookAnswer;
use crate::hook::event::{ChangeKind, EventKind, HookEvent, ToolAction};
use crate::hook::parse::{InputError, owned, path};

/// Parses an event.
pub(in crate::hook) fn event(object: &Value, action: &str) -> Result<HookEvent, InputError> {
    let about = object.get("tool_info").unwrap_or(&Value::Null);
    let shell = || {
        Some(ToolAction::Shell {
            command: owned(about, "command_line")?,
            cwd: path(about, "cwd"),
        })
    };
    let edit = || {
        Some(ToolAction::change(
            "write_code",
            owned(about, "file_path")?,
            ChangeKind::Edit,
        ))
    };
    let kind = match action {
        "pre_write_code" => edit().map(EventKind::BeforeTool),
        "post_write_code" => edit().map(EventKind::AfterTool),
        "pre_run_command" => shell().map(EventKind::BeforeTool),
        "post_run_command" => shell().map(EventKind::AfterTool),
        _ if action.starts_with("pre_") || action.starts_with("post_") => None,
        _ => return Err(InputError::UnknownEvent(action.chars().take(40).collect())),
    };
    Ok(HookEvent {
        client: Client::Windsurf,
        session: owned(object, "trajectory_id"),
        cwd: path(about, "cwd"),
        project: None,
        kind: kind.unwrap_or(EventKind::Other),
    })
}

/// Encodes a decision.
pub(in crate::hook) fn encode(decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) => HookAnswer {
            blocks: true,
            ..HookAnswer::stderr(reason.clone())
        },
        Decision::Advise(text) => HookAnswer::stderr(text.clone()),
        Decision::Pass | Decision::PassBecause(_) | Decision::Tell(_) | Decision::Show(_) => {
            HookAnswer::default()
        }
    }
}
