//! What the hook decides, in a form that all clients share, and [`encode`], which turns it into the answer that a client expects.
//!
//! No client is told `allow`: that would skip the permissions it asks the user for. A call passes if the hook says nothing.

use hashline_core::scheme::Scheme;
use hashline_wire::Refusal;
use serde_json::{Value, json};

use crate::guard::Unsure;
use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};
use crate::hook::event::{HookEvent, InputError};
use crate::hook::words;

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

/// The answer to a client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookAnswer {
    /// The object for standard output; nothing else ever goes there.
    pub out: Option<Value>,
    /// The text for standard error.
    pub err: Option<String>,
    /// Whether the exit code blocks the call. Only for a client that knows no other way.
    pub blocks: bool,
}

impl HookAnswer {
    /// Returns the answer to input that is not an event: the call passes, and standard error says why.
    #[must_use]
    pub fn to_bad_input(error: &InputError) -> Self {
        Self::stderr(format!("hashline hook allowed this call: {error}"))
    }

    /// Returns an answer on standard output.
    pub(crate) fn object(out: Value) -> Self {
        Self {
            out: Some(out),
            ..Self::default()
        }
    }

    /// Returns an answer that adds text to what the model sees.
    pub(crate) fn context(event: &str, text: &str) -> Self {
        Self::object(json!({
            "hookSpecificOutput": {"hookEventName": event, "additionalContext": text}
        }))
    }

    /// Returns an answer on standard error alone.
    pub(crate) fn stderr(err: String) -> Self {
        Self {
            err: Some(err),
            ..Self::default()
        }
    }
}

/// Encodes a decision for the client of an event.
#[must_use]
pub fn encode(event: &HookEvent, decision: &Decision) -> HookAnswer {
    if let Decision::PassBecause(reason) = decision {
        return pass_because(event.client, reason);
    }
    match event.client {
        Client::Claude | Client::Codex => claude::encode(event, decision),
        Client::Gemini => gemini::encode(event, decision),
        Client::Cursor => cursor::encode(event, decision),
        Client::Windsurf => windsurf::encode(decision),
        Client::Copilot => copilot::encode(decision),
    }
}

/// Lets a call pass and says why: on standard error, and to the user where the client can show it. A command that could not be judged is
/// nothing the user must act on, so that goes to standard error alone.
pub(crate) fn pass_because(client: Client, reason: &PassReason) -> HookAnswer {
    let is_for_user = !matches!(reason, PassReason::Unsure(_));
    let out = match client {
        Client::Claude | Client::Gemini if is_for_user => {
            Some(json!({"systemMessage": words::pass_reason(reason)}))
        }
        Client::Cursor => Some(json!({})),
        _ => None,
    };
    HookAnswer {
        out,
        ..HookAnswer::stderr(words::pass_reason(reason))
    }
}
