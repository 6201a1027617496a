//! Windsurf, from its documentation.

use serde_json::Value;

use super::Unheard;
use super::fields::{owned, path};
use crate::hook::client::Client;
use crate::hook::event::{Action, Event, How, Moment};

pub(super) fn event(said: &Value, action: &str) -> Result<Event, Unheard> {
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
