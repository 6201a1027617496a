//! Gemini CLI.

use serde_json::Value;

use super::fields::{first_text, owned, path, text};
use crate::hook::client::Client;
use crate::hook::event::{Action, Event, How, Moment, ReadAnswer};

/// Events that only it has.
const OWN: [&str; 8] = [
    "BeforeTool",
    "AfterTool",
    "BeforeAgent",
    "AfterAgent",
    "BeforeModel",
    "AfterModel",
    "BeforeToolSelection",
    "PreCompress",
];

/// What stands before the lines of a file that is not shown whole: a headline, the lines that are shown, the mark.
const CUT: &str = "\nIMPORTANT: The file content has been truncated.\nStatus: Showing lines ";
const MARK: &str = "\n--- FILE CONTENT (truncated) ---\n";

/// Tells whether an event is one of its own, or one it shares with others but gives a time to, as only it does.
pub(super) fn is_its(said: &Value, name: &str) -> bool {
    let shared = matches!(name, "SessionStart" | "SessionEnd" | "Notification");
    OWN.contains(&name) || (shared && said.get("timestamp").is_some())
}

pub(super) fn event(said: &Value, name: &str) -> Event {
    let moment = match name {
        "SessionStart" => Some(Moment::Start),
        "BeforeTool" => action(said).map(Moment::Before),
        "AfterTool" => action(said).map(Moment::After),
        _ => None,
    };
    Event {
        client: Client::Gemini,
        session: owned(said, "session_id"),
        cwd: path(said, "cwd"),
        project: None,
        moment: moment.unwrap_or(Moment::Other),
    }
}

fn action(said: &Value) -> Option<Action> {
    let tool = text(said, "tool_name")?;
    let input = said.get("tool_input")?;
    let path = || first_text(input, &["file_path", "absolute_path"]).map(str::to_owned);
    match tool {
        "replace" => Some(Action::change(tool, path()?, How::Edit)),
        "write_file" => Some(Action::change(tool, path()?, How::Write)),
        "read_file" => Some(Action::Read {
            path: path()?,
            answer: said.get("tool_response").and_then(read_answer),
        }),
        "run_shell_command" => Some(Action::Shell {
            command: owned(input, "command")?,
            cwd: first_text(input, &["dir_path", "directory"]).map(Into::into),
        }),
        _ => None,
    }
}

fn read_answer(response: &Value) -> Option<ReadAnswer> {
    let shown = response.get("llmContent")?.as_str()?;
    if response.get("error").is_some_and(|error| !error.is_null()) {
        return None;
    }
    let (first, text) = match shown.strip_prefix(CUT) {
        None => (1, shown),
        Some(rest) => {
            let (lines, _) = rest.split_once('-')?;
            let (_, text) = rest.split_once(MARK)?;
            (lines.parse::<usize>().ok()?.max(1), text)
        }
    };
    Some(ReadAnswer {
        first,
        text: text.to_owned(),
        whole: Value::Null,
    })
}
