//! What a client tells the hook, in a form that all clients share, and [`parse`], which makes it.
//!
//! No client says who it is: it is recognised by its fields. Windsurf names an `agent_action_name`, Copilot a `toolName`; the others a
//! `hook_event_name`, which Gemini calls `BeforeTool`, Cursor `preToolUse` and Claude and Codex `PreToolUse`.

use std::path::PathBuf;

use serde_json::Value;
use thiserror::Error;

use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};

/// The longest input, in bytes: clients send whole files.
pub const MAX_INPUT: usize = 8 << 20;

/// One run of the hook, as the client describes it.
#[derive(Clone, Debug, PartialEq)]
pub struct HookEvent {
    /// The client.
    pub client: Client,
    /// The client's name for the conversation.
    pub session: Option<String>,
    /// Where the client works.
    pub cwd: Option<PathBuf>,
    /// The folder that was opened in the client, where it says so.
    pub project: Option<PathBuf>,
    /// What happens.
    pub kind: EventKind,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A conversation begins.
    SessionStart,
    /// A tool is about to run.
    BeforeTool(ToolAction),
    /// A tool has run.
    AfterTool(ToolAction),
    /// Any other event, or a tool that neither reads nor writes files.
    Other,
}

/// What a tool of the client does.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAction {
    /// Changes files.
    Change {
        /// The tool, as the client calls it.
        tool: String,
        /// What it does to which files.
        files: Vec<ChangedFile>,
    },
    /// Shows a file.
    Read {
        /// The file.
        path: String,
        /// What was shown, once the tool has run.
        output: Option<ReadOutput>,
    },
    /// Runs a command line.
    Shell {
        /// The command line.
        command: String,
        /// Where, if it is not where the client works.
        cwd: Option<PathBuf>,
    },
}

/// A file that a tool changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// The file, as the client spells it.
    pub path: String,
    /// What is done to it.
    pub kind: ChangeKind,
}

/// What is done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Part of it is changed.
    Edit,
    /// It is created; if it exists, its content is replaced.
    Create,
    /// It is created or replaced.
    Write,
    /// It is deleted.
    Delete,
    /// It is moved to another path, and may be changed too.
    MoveTo(String),
}

impl HookEvent {
    /// Tells whether a tool is about to run.
    pub(crate) fn is_before(&self) -> bool {
        matches!(self.kind, EventKind::BeforeTool(_))
    }
}

impl ToolAction {
    /// Returns the action of a tool that changes one file.
    pub(crate) fn change(tool: &str, path: String, kind: ChangeKind) -> Self {
        Self::Change {
            tool: tool.to_owned(),
            files: vec![ChangedFile { path, kind }],
        }
    }
}

/// Lines of a file as a client's own read tool shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutput {
    /// The number of the first line, counted from 1.
    pub first: usize,
    /// The lines, joined by `\n`; an ending of the last one shows as one more, empty line.
    pub text: String,
    /// The tool's whole result, in the shape that the client wants back.
    pub whole: Value,
}

/// Why the input is not an event. The call passes in any case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// It is empty.
    #[error("standard input is empty; agents run this command with JSON on standard input")]
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
    #[error("the input is not in the format of a known agent")]
    UnknownClient,
    /// A known client sends an event of this unknown name.
    #[error("unknown event `{}`", .0.escape_debug())]
    UnknownEvent(String),
}

impl InputError {
    pub(crate) fn unknown_event(name: &str) -> Self {
        Self::UnknownEvent(name.chars().take(40).collect())
    }
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
        _ if cursor::recognizes(&object, name) => Ok(cursor::event(&object, name)),
        _ if gemini::recognizes(&object, name) => Ok(gemini::event(&object, name)),
        _ if claude::recognizes(name) => Ok(claude::event(&object, name)),
        _ => Err(InputError::unknown_event(name)),
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
