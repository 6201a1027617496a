//! Cursor, from its documentation.

use serde_json::{Value, json};

use super::Client;
use crate::hook::decision::Decision;
use crate::hook::encode::Answer;
use crate::hook::encode::is_before;
use crate::hook::event::{Action, Event, How, Moment};
use crate::hook::parse::{first_text, owned, path, text};

/// What only Cursor says beside an event.
const OWN: [&str; 3] = ["conversation_id", "generation_id", "workspace_roots"];

/// Tells whether an event is one of its own: their names begin with a small letter, and it names a conversation.
pub(in crate::hook) fn is_its(said: &Value, name: &str) -> bool {
    let small = name.starts_with(|first: char| first.is_ascii_lowercase());
    small && OWN.iter().any(|field| said.get(field).is_some())
}

/// Parses an event.
pub(in crate::hook) fn event(said: &Value, name: &str) -> Event {
    let moment = match name {
        "sessionStart" => Some(Moment::Start),
        "preToolUse" => tool(said).map(Moment::Before),
        "postToolUse" | "postToolUseFailure" => tool(said).map(Moment::After),
        "beforeShellExecution" => shell(said, said).map(Moment::Before),
        "afterShellExecution" => shell(said, said).map(Moment::After),
        "afterFileEdit" => edit(said, "Edit").map(Moment::After),
        _ => None,
    };
    let project = said.get("workspace_roots").and_then(|roots| roots.get(0));
    let project = project.and_then(Value::as_str).map(Into::into);
    Event {
        client: Client::Cursor,
        session: owned(said, "conversation_id"),
        cwd: path(said, "cwd"),
        project,
        moment: moment.unwrap_or(Moment::Other),
    }
}

fn tool(said: &Value) -> Option<Action> {
    let name = text(said, "tool_name")?;
    let input = said.get("tool_input")?;
    match name {
        "Edit" | "MultiEdit" | "StrReplace" => edit(input, name),
        "Write" => Some(Action::change(name, file(input)?, How::Write)),
        "Read" => Some(Action::Read {
            path: file(input)?,
            answer: None,
        }),
        "Shell" => shell(said, input),
        _ => None,
    }
}

fn shell(said: &Value, input: &Value) -> Option<Action> {
    Some(Action::Shell {
        command: owned(input, "command")?,
        cwd: path(input, "working_directory").or_else(|| path(said, "cwd")),
    })
}

fn edit(input: &Value, tool: &str) -> Option<Action> {
    Some(Action::change(tool, file(input)?, How::Edit))
}

fn file(input: &Value) -> Option<String> {
    first_text(input, &["file_path", "path", "target_file"]).map(str::to_owned)
}

/// Puts a decision into the form that the client understands.
pub(in crate::hook) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) if is_before(event) => Answer::object(json!({
            "permission": "deny",
            "user_message": "hashline edits and reads the files of this project",
            "agent_message": reason,
        })),
        Decision::Refuse(text) | Decision::Advise(text) => Answer {
            err: Some(text.clone()),
            ..Answer::object(json!({}))
        },
        Decision::Tell(text) => Answer::object(json!({ "additional_context": text })),
        // It wants an object even if there is nothing to say.
        Decision::Pass | Decision::PassNoting(_) | Decision::Show(_) => Answer::object(json!({})),
    }
}
