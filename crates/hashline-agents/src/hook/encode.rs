//! Encoding a decision as the answer that a client expects.
//!
//! No client is told `allow`: that would skip the permissions it asks the user for. A call passes if the hook says nothing.

use serde_json::{Value, json};

use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};
use crate::hook::decision::{Decision, PassReason};
use crate::hook::event::{EventKind, HookEvent};
use crate::hook::parse::InputError;
use crate::hook::words;

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
        Self::stderr(format!("hashline hook let this pass: {error}"))
    }

    /// Returns an answer on standard output.
    pub(crate) fn object(out: Value) -> Self {
        Self {
            out: Some(out),
            ..Self::default()
        }
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

/// Tells whether a tool is about to run.
pub(crate) fn is_before(event: &HookEvent) -> bool {
    matches!(event.kind, EventKind::BeforeTool(_))
}
