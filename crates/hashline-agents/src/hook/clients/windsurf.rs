//! Events and answers of Windsurf, according to its documentation.

use serde_json::Value;

use super::{Client, ClientTools, ToolKind};
use crate::hook::answer::{Decision, HookAnswer};
use crate::hook::event::{EventKind, HookEvent, InputError, path};

const TOOLS: ClientTools = &[
    ("write_code", ToolKind::Edit),
    ("run_command", ToolKind::Shell),
];

/// Parses an event of Windsurf, whose name is `pre_` or `post_` and the name of a tool.
pub(in crate::hook) fn event(object: &Value, name: &str) -> Result<HookEvent, InputError> {
    let about = object.get("tool_info").unwrap_or(&Value::Null);
    let call = |tool| super::action(TOOLS, tool, about);
    let kind = match (name.strip_prefix("pre_"), name.strip_prefix("post_")) {
        (Some(tool), _) => call(tool).map(EventKind::BeforeTool),
        (_, Some(tool)) => call(tool).map(EventKind::AfterTool),
        _ => return Err(InputError::unknown_event(name)),
    };
    Ok(HookEvent {
        cwd: path(about, "cwd"),
        ..super::event(Client::Windsurf, object, "trajectory_id", kind)
    })
}

/// Converts a decision to the output format of Windsurf.
pub(in crate::hook) fn encode(decision: &Decision) -> HookAnswer {
    match decision {
        Decision::Refuse(reason) => HookAnswer {
            blocks: true,
            ..HookAnswer::stderr(reason.clone())
        },
        Decision::Advise(text) => HookAnswer::stderr(text.clone()),
        Decision::Pass
        | Decision::Allow(_)
        | Decision::PassBecause(_)
        | Decision::Tell(_)
        | Decision::Show(_) => HookAnswer::default(),
    }
}
