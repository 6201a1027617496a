//! What the hook decides, in a form that all clients share.

use crate::guard::Unsure;
use hashline_core::scheme::Scheme;
use hashline_wire::Refusal;

/// What the hook decides.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The client does what it was about to do.
    Pass,
    /// The same, and the user or a log is told why.
    PassBecause(PassReason),
    /// The client must not do it, for this reason.
    Refuse(String),
    /// The client may do it, and the model gets this advice.
    Advise(String),
    /// The model is told this as the conversation begins.
    Tell(String),
    /// The model is shown these lines instead of those of the client's read tool.
    Show(Box<AnchoredRead>),
}

/// Why a call passes that the hook might have objected to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassReason {
    /// The hook took too long.
    TooSlow,
    /// The hook itself failed.
    Failed,
    /// The roots or the configuration cannot be used.
    NoWorkspace(Refusal),
    /// The guard could not tell what a command does.
    Unsure(Unsure),
}

/// Lines of a file, with anchors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredRead {
    /// The file, as an edit can name it.
    pub path: String,
    /// Its revision, as an edit names it.
    pub rev: String,
    /// What the client calls the tool that edits it.
    pub edit_tool: String,
    /// How anchors are written.
    pub scheme: Scheme,
    /// How many lines the file has.
    pub line_count: usize,
    /// The lines.
    pub lines: Vec<AnchoredText>,
    /// How the client shows the end of the lines.
    pub end: ShownEnd,
}

/// How a client shows the end of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownEnd {
    /// With the last line.
    LastLine,
    /// With one more, empty line, which the file does not have.
    EmptyLine,
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
