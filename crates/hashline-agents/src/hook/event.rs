//! What happens at a client, in words that all of them share.

use std::path::PathBuf;

use serde_json::Value;

use crate::hook::clients::Client;

/// Something that a client tells of.
#[derive(Clone, Debug, PartialEq)]
pub struct Event {
    /// Who tells it.
    pub client: Client,
    /// The client's name for the conversation.
    pub session: Option<String>,
    /// Where the client works.
    pub cwd: Option<PathBuf>,
    /// The folder that was opened in the client, where it says so.
    pub project: Option<PathBuf>,
    /// What happens.
    pub moment: Moment,
}

/// What happens.
#[derive(Clone, Debug, PartialEq)]
pub enum Moment {
    /// A conversation begins.
    Start,
    /// A tool is about to run.
    Before(Action),
    /// A tool has run.
    After(Action),
    /// Nothing that concerns us: another event, or a tool that neither reads nor writes files.
    Other,
}

/// What a tool of the client does.
#[derive(Clone, Debug, PartialEq)]
pub enum Action {
    /// Changes files.
    Change {
        /// The tool, as the client calls it.
        tool: String,
        /// What it does to which files.
        files: Vec<Touch>,
    },
    /// Shows a file.
    Read {
        /// The file.
        path: String,
        /// What was shown, after it was.
        answer: Option<ReadAnswer>,
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
pub struct Touch {
    /// The file, as the client spells it.
    pub path: String,
    /// What is done to it.
    pub how: How,
}

/// What is done to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum How {
    /// Some of it is changed.
    Edit,
    /// It is made; if it is there all the same, it gets other content.
    Make,
    /// It is made, or given other content altogether.
    Write,
    /// It is deleted.
    Delete,
    /// It goes to another path, maybe changed on the way.
    MoveTo(String),
}

impl Action {
    /// Returns what a tool does that touches one file.
    pub(crate) fn change(tool: &str, path: String, how: How) -> Self {
        Self::Change {
            tool: tool.to_owned(),
            files: vec![Touch { path, how }],
        }
    }
}

/// Lines of a file as a client's own tool shows them.
#[derive(Clone, Debug, PartialEq)]
pub struct ReadAnswer {
    /// The number of the first line, as people count.
    pub first: usize,
    /// The lines, joined by `\n`; an ending of the last one shows as an empty line more.
    pub text: String,
    /// The answer they stand in, as the client wants it back.
    pub whole: Value,
}
