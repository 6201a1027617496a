//! Windsurf, from its documentation.

use serde_json::Value;

use super::Client;
use crate::hook::decision::Decision;
use crate::hook::encode::Answer;
use crate::hook::event::{Action, Event, How, Moment};
use crate::hook::parse::Unheard;
use crate::hook::parse::{owned, path};

/// Parses an event.
pub(in crate::hook) fn event(said: &Value, action: &str) -> Result<Event, Unheard> {
    let about = said.get("tool_info").unwrap_or(&Value::Null);
    let shell = || {
        Some(Action::Shell {
            command: owned(about, "command_line")?,
            cwd: path(about, "cwd"),
        })
    };
    let edit = || {
        Some(Action::change(
            "write_code",
            owned(about, "file_path")?,
            How::Edit,
        ))
    };
    let moment = match action {
        "pre_write_code" => edit().map(Moment::Before),
        "post_write_code" => edit().map(Moment::After),
        "pre_run_command" => shell().map(Moment::Before),
        "post_run_command" => shell().map(Moment::After),
        _ if action.starts_with("pre_") || action.starts_with("post_") => None,
        _ => return Err(Unheard::UnknownEvent(action.chars().take(40).collect())),
    };
    Ok(Event {
        client: Client::Windsurf,
        session: owned(said, "trajectory_id"),
        cwd: path(about, "cwd"),
        project: None,
        moment: moment.unwrap_or(Moment::Other),
    })
}

/// Puts a decision into the form that the client understands.
pub(in crate::hook) fn encode(decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) => Answer {
            blocks: true,
            ..Answer::told(reason.clone())
        },
        Decision::Advise(text) => Answer::told(text.clone()),
        Decision::Pass | Decision::PassNoting(_) | Decision::Tell(_) | Decision::Show(_) => {
            Answer::default()
        }
    }
}
