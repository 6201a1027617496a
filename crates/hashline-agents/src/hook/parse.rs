//! From what a client says to an [`Event`].
//!
//! Nobody says who is asking: it is told by the shape. Windsurf names an `agent_action_name`, Copilot a `toolName`; the others a
//! `hook_event_name`, which Gemini calls `BeforeTool`, Cursor `preToolUse` and Claude and Codex `PreToolUse`.

use std::path::PathBuf;

use serde_json::Value;

use crate::hook::clients::{claude, copilot, cursor, gemini, windsurf};
use crate::hook::event::Event;

/// The longest input, in bytes: a client hands over whole files.
pub const LONGEST: usize = 8 << 20;

/// Why there is no event. Whatever it is, the call passes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Unheard {
    /// Nothing was said.
    Empty,
    /// The input is longer than [`LONGEST`].
    TooLong,
    /// It could not be read.
    Unreadable,
    /// It is no JSON object.
    NotJson,
    /// No client that is known says such a thing.
    UnknownClient,
    /// A client that is known tells of something that is not: the name of the event.
    UnknownEvent(String),
}

/// Reads what a client says.
///
/// # Errors
///
/// Says why it is no event.
pub fn parse(input: &[u8]) -> Result<Event, Unheard> {
    if input.len() > LONGEST {
        return Err(Unheard::TooLong);
    }
    if input.iter().all(u8::is_ascii_whitespace) {
        return Err(Unheard::Empty);
    }
    let said: Value = serde_json::from_slice(input).map_err(|_| Unheard::NotJson)?;
    if !said.is_object() {
        return Err(Unheard::NotJson);
    }
    if let Some(action) = text(&said, "agent_action_name") {
        return windsurf::event(&said, action);
    }
    let Some(name) = text(&said, "hook_event_name") else {
        return copilot::event(&said).ok_or(Unheard::UnknownClient);
    };
    match name {
        _ if cursor::is_its(&said, name) => Ok(cursor::event(&said, name)),
        _ if gemini::is_its(&said, name) => Ok(gemini::event(&said, name)),
        _ if claude::is_its(name) => Ok(claude::event(&said, name)),
        _ => Err(Unheard::UnknownEvent(name.chars().take(40).collect())),
    }
}

/// Returns a text that is not empty.
pub(crate) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the first of some texts that is there.
pub(crate) fn first_text<'a>(object: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| text(object, name))
}

/// Returns a text of one's own.
pub(crate) fn owned(object: &Value, name: &str) -> Option<String> {
    text(object, name).map(str::to_owned)
}

/// Returns a path.
pub(crate) fn path(object: &Value, name: &str) -> Option<PathBuf> {
    text(object, name).map(PathBuf::from)
}

/// Returns a number of a line, as people count: there is none before the first.
pub(crate) fn line(object: &Value, name: &str) -> Option<usize> {
    let number = object.get(name)?.as_u64()?;
    usize::try_from(number.max(1)).ok()
}
