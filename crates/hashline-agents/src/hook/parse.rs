//! Parsing the input of the hook into a [`HookEvent`].
//!
//! No client says who it is: it is recognised by its fields. Windsurf names an `agent_action_name`, Copilot a `toolName`; the others a
//! `hook_event_name`, which Gemini calls `BeforeTool`, Cursor `preToolUse` and Claude and Codex `PreToolUse`.

use std::path::PathBuf;

use serde_json::Value;
use thiserror::Error;

use crate::hook::clients::{claude, copilot, cursor, gemini, windsurf};
use crate::hook::event::HookEvent;

/// The longest input, in bytes: clients send whole files.
pub const MAX_INPUT: usize = 8 << 20;

/// Why the input is not an event. The call passes in any case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// It is empty.
    #[error("nothing came on standard input; a client runs this with its JSON there")]
    Empty,
    /// It is longer than [`MAX_INPUT`].
    #[error("the input is longer than {} MiB", MAX_INPUT >> 20)]
    TooLong,
    /// It could not be read.
    #[error("standard input cannot be read")]
    Unreadable,
    /// It is not a JSON object.
    #[error("the input is not a JSON object")]
    NotJson,
    /// No known client sends such an object.
    #[error("no known client sends such an object")]
    UnknownClient,
    /// A known client sends an event of this unknown name.
    #[error("the event `{}` is not known", .0.escape_debug())]
    UnknownEvent(String),
}

/// Parses the input of the hook.
///
/// # Errors
///
/// Why it is not an event.
pub fn parse(input: &[u8]) -> Result<HookEvent, InputError> {
    if input.len() > MAX_INPUT {
        return Err(InputError::TooLong);
    }
    if input.iter().all(u8::is_ascii_whitespace) {
        return Err(InputError::Empty);
    }
    let object: Value = serde_json::from_slice(input).map_err(|_| InputError::NotJson)?;
    if !object.is_object() {
        return Err(InputError::NotJson);
    }
    if let Some(action) = text(&object, "agent_action_name") {
        return windsurf::event(&object, action);
    }
    let Some(name) = text(&object, "hook_event_name") else {
        return copilot::event(&object).ok_or(InputError::UnknownClient);
    };
    match name {
        _ if cursor::sent_it(&object, name) => Ok(cursor::event(&object, name)),
        _ if gemini::sent_it(&object, name) => Ok(gemini::event(&object, name)),
        _ if claude::sent_it(name) => Ok(claude::event(&object, name)),
        _ => Err(InputError::UnknownEvent(name.chars().take(40).collect())),
    }
}

/// Returns a field that is a non-empty string.
pub(crate) fn text<'a>(object: &'a Value, name: &str) -> Option<&'a str> {
    object.get(name)?.as_str().filter(|text| !text.is_empty())
}

/// Returns the first of these fields that is a non-empty string.
pub(crate) fn first_text<'a>(object: &'a Value, names: &[&str]) -> Option<&'a str> {
    names.iter().find_map(|name| text(object, name))
}

/// The same as [`text`], owned.
pub(crate) fn owned(object: &Value, name: &str) -> Option<String> {
    text(object, name).map(str::to_owned)
}

/// Returns a field that is a path.
pub(crate) fn path(object: &Value, name: &str) -> Option<PathBuf> {
    text(object, name).map(PathBuf::from)
}

/// Returns a field that is a line number, at least 1.
pub(crate) fn line(object: &Value, name: &str) -> Option<usize> {
    let number = object.get(name)?.as_u64()?;
    usize::try_from(number.max(1)).ok()
}
