//! The event that a client (an agent that runs the hook) sends, in one form for all clients, and [`parse`], which reads it from JSON.
//!
//! Events do not name their client, so the client is recognised by its fields. Windsurf sends `agent_action_name`, Copilot `toolName`, and
//! the other clients `hook_event_name`, whose value before a tool call is `BeforeTool` for Gemini, `preToolUse` for Cursor and `PreToolUse`
//! for Claude and Codex.

use std::path::PathBuf;

use hashline_wire::schema::Tool;
use serde_json::Value;
use thiserror::Error;

use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};

/// The longest event that is accepted, in bytes; events can contain whole files.
pub const MAX_INPUT: usize = 8 << 20;

/// An event for which a client runs the hook, such as a tool call.
#[derive(Clone, Debug, PartialEq)]
pub struct HookEvent {
    /// The client that sent the event.
    pub client: Client,
    /// The client's identifier of the conversation.
    pub session: Option<String>,
    /// The client's working directory.
    pub cwd: Option<PathBuf>,
    /// The project folder that is open in the client, if the event names it.
    pub project: Option<PathBuf>,
    /// Whether the client would make an edit of its own now.
    pub edits: EditMode,
    /// What happened, such as the start of a conversation or a tool call.
    pub kind: EventKind,
}

/// Whether a client would make an edit of its own at the moment of an event, as its permission mode says.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EditMode {
    /// It asks the user, or decides by rules that the event does not tell.
    #[default]
    Asks,
    /// It edits files below its working directory without a question.
    Accepts,
    /// It makes no edits, as in a plan mode.
    Refuses,
}

/// The kind of an event, with the tool call that it is about.
#[derive(Clone, Debug, PartialEq)]
pub enum EventKind {
    /// A conversation with the agent begins.
    SessionStart,
    /// A tool is about to run.
    BeforeTool(ToolAction),
    /// A tool has run.
    AfterTool(ToolAction),
    /// Any other event, or a tool that neither reads nor writes files.
    Other,
}

/// What a call of one of the client's own tools does.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolAction {
    /// The tool changes files.
    Change {
        /// The client's name for the tool.
        tool: String,
        /// The changed files, and how each is changed.
        files: Vec<ChangedFile>,
    },
    /// The tool shows a file.
    Read {
        /// The path of the file, as the client writes it.
        path: String,
        /// The lines that the tool showed; `None` before it ran, or if they are not known.
        output: Option<ReadOutput>,
    },
    /// The tool is one of ours that change files.
    OwnEdit {
        /// Which of our tools it is.
        tool: Tool,
        /// The request, as our server gets it.
        request: Value,
    },
    /// The tool runs a shell command line.
    Shell {
        /// The command line.
        command: String,
        /// The directory in which the command runs, if it is not the client's working directory.
        cwd: Option<PathBuf>,
    },
}

/// A file that a tool changes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedFile {
    /// The path of the file, as the client writes it.
    pub path: String,
    /// How the file is changed.
    pub kind: ChangeKind,
}

/// How a tool changes a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChangeKind {
    /// Part of the file is changed.
    Edit,
    /// The file is created; if it exists, its content is replaced.
    Create,
    /// The file is created or replaced.
    Write,
    /// The file is deleted.
    Delete,
    /// The file is moved to this path, and may be changed too.
    MoveTo(String),
}

impl HookEvent {
    /// Returns whether the event comes before a tool call.
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

/// The output of a client's own read tool: lines of a file.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadOutput {
    /// The number of the first line, counted from 1.
    pub first: usize,
    /// The lines, joined by `\n`; a newline at the end of the file may appear as an extra empty line.
    pub text: String,
    /// The tool's whole result as JSON, in which the hook replaces the lines; null if the client does not need it back.
    pub whole: Value,
}

/// Why the input of the hook is not a valid event. The tool call is allowed in any case.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum InputError {
    /// The input is empty.
    #[error("standard input is empty; agents run this command with JSON on standard input")]
    Empty,
    /// The input is longer than [`MAX_INPUT`].
    #[error("the input is longer than {} MiB", MAX_INPUT >> 20)]
    TooLong,
    /// The input could not be read.
    #[error("standard input cannot be read")]
    Unreadable,
    /// The input is not a JSON object.
    #[error("the input is not a JSON object")]
    NotJson,
    /// The JSON object is not in the format of a known client.
    #[error("the input is not in the format of a known agent")]
    UnknownClient,
    /// The event is in the format of a known client, but has this unknown name.
    #[error("unknown event `{}`", .0.escape_debug())]
    UnknownEvent(String),
}

impl InputError {
    pub(crate) fn unknown_event(name: &str) -> Self {
        Self::UnknownEvent(name.chars().take(40).collect())
    }
}

/// Parses the JSON input of the hook.
///
/// # Errors
///
/// Returns an [`InputError`] if the input is not an event of a known client.
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

/// Returns a field that is a non-empty string, as an owned string.
pub(crate) fn owned(object: &Value, name: &str) -> Option<String> {
    text(object, name).map(str::to_owned)
}

/// Returns a field that is a non-empty string, as a path.
pub(crate) fn path(object: &Value, name: &str) -> Option<PathBuf> {
    text(object, name).map(PathBuf::from)
}

/// Returns a field that is a line number; 0 counts as 1.
pub(crate) fn line(object: &Value, name: &str) -> Option<usize> {
    let number = object.get(name)?.as_u64()?;
    usize::try_from(number.max(1)).ok()
}
