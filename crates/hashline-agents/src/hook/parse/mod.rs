//! From what a client says to an [`Event`].
//!
//! Nobody says who is asking: it is told by the shape. Windsurf names an `agent_action_name`, Copilot a `toolName`; the others a
//! `hook_event_name`, which Gemini calls `BeforeTool`, Cursor `preToolUse` and Claude and Codex `PreToolUse`.

mod claude;
mod copilot;
mod cursor;
mod fields;
mod gemini;
mod patch;
mod windsurf;

use serde_json::Value;

use crate::hook::event::Event;
use fields::text;

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
