//! Copilot CLI, from its documentation. It names no event: a tool that has run has a result.

use serde_json::{Value, json};

use super::Client;
use super::patch;
use crate::hook::decision::Decision;
use crate::hook::encode::Answer;
use crate::hook::event::{Action, Event, How, Moment};
use crate::hook::parse::{first_text, owned, path, text};

/// Parses an event.
pub(in crate::hook) fn event(said: &Value) -> Option<Event> {
    let tool = text(said, "toolName")?;
    let args = match said.get("toolArgs")? {
        // They come as a text that holds an object.
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let moment = match said.get("toolResult") {
        None => action(tool, &args).map(Moment::Before),
        Some(_) => action(tool, &args).map(Moment::After),
    };
    Some(Event {
        client: Client::Copilot,
        session: owned(said, "sessionId"),
        cwd: path(said, "cwd"),
        project: None,
        moment: moment.unwrap_or(Moment::Other),
    })
}

fn action(tool: &str, args: &Value) -> Option<Action> {
    let file = || first_text(args, &["path", "file_path", "filePath"]).map(str::to_owned);
    match tool {
        "edit" => Some(Action::change(tool, file()?, How::Edit)),
        "create" => Some(Action::change(tool, file()?, How::Make)),
        "apply_patch" => Some(Action::Change {
            tool: tool.to_owned(),
            files: patch::touches(first_text(args, &["input", "patch"])?),
        }),
        "bash" => Some(Action::Shell {
            command: owned(args, "command")?,
            cwd: None,
        }),
        _ => None,
    }
}

/// Puts a decision into the form that the client understands.
pub(in crate::hook) fn encode(decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) => Answer::object(json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Advise(text) => Answer::told(text.clone()),
        Decision::Pass | Decision::PassNoting(_) | Decision::Tell(_) | Decision::Show(_) => {
            Answer::default()
        }
    }
}
