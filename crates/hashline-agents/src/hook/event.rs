//! What a client tells the hook, in a form that all clients share.

use std::path::PathBuf;

use serde_json::Value;

use crate::hook::clients::Client;

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
        files: Vec<FileChange>,
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

/// What a tool does to one file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
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

impl ToolAction {
    /// Returns the action of a tool that changes one file.
    pub(crate) fn change(tool: &str, path: String, kind: ChangeKind) -> Self {
        Self::Change {
            tool: tool.to_owned(),
            files: vec![FileChange { path, kind }],
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
