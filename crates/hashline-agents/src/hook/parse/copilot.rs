//! Copilot CLI, from its documentation. It names no event: a tool that has run has a result.

use serde_json::Value;

use super::fields::{first_text, owned, path, text};
use super::patch;
use crate::hook::client::Client;
use crate::hook::event::{Action, Event, How, Moment};

pub(super) fn event(said: &Value) -> Option<Event> {
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
