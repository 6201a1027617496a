//! Gemini CLI.

use serde_json::{Value, json};

use super::Client;
use crate::hook::decision::{Decision, Showing};
use crate::hook::encode::Answer;
use crate::hook::encode::is_before;
use crate::hook::event::{Action, Event, How, Moment, ReadAnswer};
use crate::hook::parse::{first_text, owned, path, text};
use crate::hook::words;

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
pub(in crate::hook) fn is_its(said: &Value, name: &str) -> bool {
    let shared = matches!(name, "SessionStart" | "SessionEnd" | "Notification");
    OWN.contains(&name) || (shared && said.get("timestamp").is_some())
}

/// Parses an event.
pub(in crate::hook) fn event(said: &Value, name: &str) -> Event {
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

/// Puts a decision into the form that the client understands.
pub(in crate::hook) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Pass | Decision::PassNoting(_) => Answer::default(),
        Decision::Refuse(reason) if is_before(event) => deny(reason),
        Decision::Refuse(reason) => Answer::told(reason.clone()),
        Decision::Advise(text) => context("AfterTool", text),
        Decision::Tell(text) => context("SessionStart", text),
        // The reason takes the place of what the tool answered; there is no other way to replace it.
        Decision::Show(showing) => deny(&shown(showing)),
    }
}

fn deny(reason: &str) -> Answer {
    Answer::object(json!({"decision": "deny", "reason": reason}))
}

fn context(event: &str, text: &str) -> Answer {
    Answer::object(json!({
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": text}
    }))
}

fn shown(showing: &Showing) -> String {
    let separator = char::from(showing.scheme.separator());
    let mut text = words::shown_whole(showing);
    for line in &showing.lines {
        text.push('\n');
        text.push_str(&line.anchor);
        text.push(separator);
        text.push_str(&line.text);
    }
    text
}
