//! What is decided, whoever asked.

use crate::guard::Unsure;
use hashline_core::scheme::Scheme;
use hashline_wire::Refusal;

/// What is decided.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// Nothing: the client does what it was about to do.
    Pass,
    /// The same, and there is something to know about why.
    PassNoting(Note),
    /// No, for this reason.
    Refuse(String),
    /// Yes, with this advice.
    Advise(String),
    /// The model is told something as the conversation begins.
    Tell(String),
    /// The model is shown these lines instead.
    Show(Box<Showing>),
}

/// Why nothing was done although something might have been.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    /// It took too long.
    TooSlow,
    /// Something of ours broke.
    Broke,
    /// The roots or the configuration cannot be used.
    NoWorkspace(Refusal),
    /// The guard could not tell what a command does.
    Unsure(Unsure),
}

/// Lines of a file, with anchors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Showing {
    /// The file, as an edit can name it.
    pub path: String,
    /// Its revision, as an edit names it.
    pub rev: String,
    /// How the tool that edits it is called.
    pub edit_tool: String,
    /// How anchors are written.
    pub scheme: Scheme,
    /// How many lines the file has.
    pub line_count: usize,
    /// The lines.
    pub lines: Vec<AnchoredText>,
    /// Whether the client shows the ending of the last line as an empty line more.
    pub ends: Ends,
}

/// How the lines end that a client shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ends {
    /// With the last line.
    Plainly,
    /// With an empty line more, which the file does not have.
    WithEmptyLine,
}

/// One line with its anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredText {
    /// The anchor.
    pub anchor: String,
    /// The tag in it.
    pub tag: String,
    /// The text.
    pub text: String,
}
