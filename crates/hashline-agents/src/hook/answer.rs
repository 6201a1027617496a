//! The hook's decision about an event, in one form for all clients (agents that run hooks), and [`encode`], which converts it to a client's format.
//!
//! The hook answers `allow` only for our own edit tools, and only in a mode in which the client makes its own edits without a question: else the
//! client would not ask the user for permission. Any other tool call is allowed if the hook answers nothing.

use hashline_core::scheme::Scheme;
use hashline_wire::Refusal;
use serde_json::{Value, json};

use crate::guard::Unsure;
use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};
use crate::hook::event::{HookEvent, InputError};
use crate::hook::words;

/// The hook's decision about an event, such as a tool call that an agent is about to make.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// The client goes on as if there were no hook.
    Pass,
    /// The client goes on, and the hook reports why it could not check the tool call.
    PassBecause(PassReason),
    /// The client must not make the tool call, for this reason.
    Refuse(String),
    /// The client makes the tool call without asking the user, for this reason.
    Allow(String),
    /// The client may make the tool call, and the model gets this advice.
    Advise(String),
    /// The model gets this text at the start of the conversation.
    Tell(String),
    /// The model gets these lines with anchors instead of the output of the client's read tool.
    Show(Box<AnchoredRead>),
}

/// Why the hook allowed a tool call without checking it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PassReason {
    /// The hook took too long.
    TooSlow,
    /// The hook itself failed.
    Failed,
    /// The workspace cannot be opened, because its roots or the configuration cannot be used.
    NoWorkspace(Refusal),
    /// The guard could not parse a shell command.
    Unsure(Unsure),
}

/// Lines of a file with anchors, which replace the output of a client's read tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredRead {
    /// The path of the file, as an edit request can name it.
    pub path: String,
    /// The revision (hash of the content) of the file, as an edit request names it.
    pub rev: String,
    /// The client's name for our `edit` tool.
    pub edit_tool: String,
    /// The format of the anchors.
    pub scheme: Scheme,
    /// The number of lines of the whole file.
    pub line_count: usize,
    /// The lines that the client's read tool showed, with anchors.
    pub lines: Vec<AnchoredText>,
    /// Whether the client's output ends with the last line or with an extra empty line.
    pub end: ShownEnd,
}

/// How the output of a client's read tool ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ShownEnd {
    /// The output ends with the last line that was read.
    LastLine,
    /// The output ends with an extra empty line that the file does not have.
    EmptyLine,
}

/// One line with its anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnchoredText {
    /// The anchor: line number and tag.
    pub anchor: String,
    /// The tag in the anchor.
    pub tag: String,
    /// The text of the line.
    pub text: String,
}

/// The output of the hook for a client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HookAnswer {
    /// The JSON object for standard output; the hook prints nothing else to standard output.
    pub out: Option<Value>,
    /// The text for standard error.
    pub err: Option<String>,
    /// Whether the hook must exit with the code that blocks the tool call; used for Windsurf, which has no other way to block one.
    pub blocks: bool,
}

impl HookAnswer {
    /// Returns the answer to input that is not a valid event: the tool call is allowed, and standard error says why.
    #[must_use]
    pub fn to_bad_input(error: &InputError) -> Self {
        Self::stderr(format!("hashline hook allowed this call: {error}"))
    }

    /// Returns an answer that prints a JSON object on standard output.
    pub(crate) fn object(out: Value) -> Self {
        Self {
            out: Some(out),
            ..Self::default()
        }
    }

    /// Returns an answer that adds `text` to the model's context, in the format of Claude Code and Gemini CLI.
    pub(crate) fn context(event: &str, text: &str) -> Self {
        Self::object(json!({
            "hookSpecificOutput": {"hookEventName": event, "additionalContext": text}
        }))
    }

    /// Returns an answer that only prints text on standard error.
    pub(crate) fn stderr(err: String) -> Self {
        Self {
            err: Some(err),
            ..Self::default()
        }
    }
}

/// Converts a decision to the output format of the client that sent the event.
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

/// Returns an answer that allows the tool call and says why on standard error, and to the user if the client can show messages. A shell
/// command that could not be parsed is reported on standard error only, since the user need not act on it.
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
