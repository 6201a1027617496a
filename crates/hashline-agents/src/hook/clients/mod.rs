//! The clients (agents that run hooks) and what each supports; a file for each client has its formats of events and answers.

pub(crate) mod claude;
pub(crate) mod copilot;
pub(crate) mod cursor;
pub(crate) mod gemini;
mod patch;
pub(crate) mod windsurf;

use hashline_wire::agent::Agent;
use hashline_wire::schema::Tool;
use serde_json::Value;

use crate::guard::lists;
use crate::hook::event::{
    ChangeKind, EditMode, EventKind, HookEvent, ReadOutput, ToolAction, first_text, owned, path,
    text,
};

/// An agent that runs the hook.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor; its formats are taken from its documentation.
    Cursor,
    /// Windsurf; its formats are taken from its documentation.
    Windsurf,
    /// Copilot CLI; its formats are taken from its documentation.
    Copilot,
}

/// When a client accepts advice for the model about a tool call that is allowed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdviceTime {
    /// The client accepts advice before the tool runs.
    Before,
    /// The client accepts advice after the tool ran.
    After,
    /// The client is not known to accept advice.
    Never,
}

impl Client {
    /// Returns the prefix that the client adds to the names of our MCP tools, given that our server is registered as `hl`; empty if the
    /// client adds none.
    pub(crate) const fn tool_prefix(self) -> &'static str {
        match self {
            Self::Claude | Self::Codex => "mcp__hl__",
            Self::Gemini => "mcp_hl_",
            Self::Cursor | Self::Windsurf | Self::Copilot => "",
        }
    }

    /// Returns the agent that the client is; `None` for one that setup does not set up.
    pub(crate) const fn agent(self) -> Option<Agent> {
        match self {
            Self::Claude => Some(Agent::Claude),
            Self::Codex => Some(Agent::Codex),
            Self::Gemini => Some(Agent::Gemini),
            Self::Cursor | Self::Windsurf | Self::Copilot => None,
        }
    }

    /// Returns when the client accepts advice about a tool call that is allowed.
    pub(crate) const fn advice(self) -> AdviceTime {
        match self {
            Self::Claude => AdviceTime::Before,
            Self::Codex | Self::Gemini => AdviceTime::After,
            Self::Cursor | Self::Windsurf | Self::Copilot => AdviceTime::Never,
        }
    }

    /// Returns whether a hook may replace the output of the client's own read tool.
    pub(crate) const fn rewrites_reads(self) -> bool {
        matches!(self, Self::Claude | Self::Gemini)
    }
}

/// What one of a client's own tools does.
#[derive(Clone, Copy, Debug)]
enum ToolKind {
    Edit,
    Write,
    Create,
    Patch,
    Read,
    Shell,
    /// A tool of our server that changes files.
    Own(Tool),
}

/// A client's own tools: names, separated by blanks, and what these tools do.
type ClientTools = &'static [(&'static str, ToolKind)];

// The fields of a tool's input. Clients call them differently, but no client uses one of these names for something else, so one list for
// all of them is enough. Tools are listed for each client: a server's tool may well be called `edit` somewhere.
const PATH_FIELDS: &[&str] = &[
    "file_path",
    "path",
    "filePath",
    "absolute_path",
    "target_file",
];
const COMMAND_FIELDS: &[&str] = &["command", "command_line"];
const FOLDER_FIELDS: &[&str] = &["working_directory", "dir_path", "directory", "cwd"];
const PATCH_FIELDS: &[&str] = &["command", "input", "patch"];

/// Returns what a tool call does; `None` if the tool is not one of `tools`, or `input` lacks a required field.
fn action(tools: ClientTools, tool: &str, input: &Value) -> Option<ToolAction> {
    let (_, kind) = tools.iter().find(|(names, _)| lists(names, tool))?;
    let field = |names| first_text(input, names).map(str::to_owned);
    let change = |kind| Some(ToolAction::change(tool, field(PATH_FIELDS)?, kind));
    match kind {
        ToolKind::Edit => change(ChangeKind::Edit),
        ToolKind::Write => change(ChangeKind::Write),
        ToolKind::Create => change(ChangeKind::Create),
        ToolKind::Patch => Some(patch::action(first_text(input, PATCH_FIELDS)?)),
        ToolKind::Read => Some(ToolAction::Read {
            path: field(PATH_FIELDS)?,
            output: None,
        }),
        ToolKind::Own(tool) => Some(ToolAction::OwnEdit {
            tool: *tool,
            request: input.clone(),
        }),
        ToolKind::Shell => Some(ToolAction::Shell {
            command: field(COMMAND_FIELDS)?,
            cwd: first_text(input, FOLDER_FIELDS).map(Into::into),
        }),
    }
}

/// Returns what the tool call of an event does, for clients that send `tool_name`, `tool_input` and `tool_response`.
fn tool_call(
    object: &Value,
    tools: ClientTools,
    read_output: fn(&Value) -> Option<ReadOutput>,
) -> Option<ToolAction> {
    let mut call = action(tools, text(object, "tool_name")?, object.get("tool_input")?)?;
    if let ToolAction::Read { output, .. } = &mut call {
        *output = object.get("tool_response").and_then(read_output);
    }
    Some(call)
}

/// Creates an event from a client's JSON object; `session` is the name of the field that identifies the conversation.
fn event(client: Client, object: &Value, session: &str, kind: Option<EventKind>) -> HookEvent {
    HookEvent {
        client,
        session: owned(object, session),
        cwd: path(object, "cwd"),
        project: None,
        edits: match text(object, "permission_mode") {
            Some("plan") => EditMode::Refuses,
            Some("acceptEdits") => EditMode::Accepts,
            // In the mode `bypassPermissions` nothing is asked anyway.
            _ => EditMode::Asks,
        },
        kind: kind.unwrap_or(EventKind::Other),
    }
}
