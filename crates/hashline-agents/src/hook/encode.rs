//! From a decision to what a client understands.
//!
//! No client is told `allow`: that would skip the questions it asks the person. Passing is saying nothing.

use serde_json::{Value, json};

use crate::hook::clients::{Client, claude, copilot, cursor, gemini, windsurf};
use crate::hook::decision::{Decision, Note};
use crate::hook::event::{Event, Moment};
use crate::hook::parse::Unheard;
use crate::hook::words;

/// What goes back to the client.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// The object for standard output; nothing else ever goes there.
    pub out: Option<Value>,
    /// What is told on standard error.
    pub err: Option<String>,
    /// Whether the exit code says no. Only for a client that knows no other way.
    pub blocks: bool,
}

impl Answer {
    /// Returns the answer to something that is no event: it passes, and standard error says why nothing was done.
    #[must_use]
    pub fn unheard(unheard: &Unheard) -> Self {
        Self {
            err: Some(words::unheard(unheard)),
            ..Self::default()
        }
    }

    /// Returns the answer that is an object.
    pub(crate) fn object(out: Value) -> Self {
        Self {
            out: Some(out),
            ..Self::default()
        }
    }

    /// Returns the answer that only standard error tells of.
    pub(crate) fn told(err: String) -> Self {
        Self {
            err: Some(err),
            ..Self::default()
        }
    }
}

/// Puts a decision into the client's own form.
#[must_use]
pub fn encode(event: &Event, decision: &Decision) -> Answer {
    if let Decision::PassNoting(note) = decision {
        return pass_noting(event.client, note);
    }
    match event.client {
        Client::Claude | Client::Codex => claude::encode(event, decision),
        Client::Gemini => gemini::encode(event, decision),
        Client::Cursor => cursor::encode(event, decision),
        Client::Windsurf => windsurf::encode(decision),
        Client::Copilot => copilot::encode(decision),
    }
}

/// Lets a call pass and says why: on standard error, and to the person where the client shows them something. What could not be judged
/// is nobody's fault, and only for a log.
pub(crate) fn pass_noting(client: Client, note: &Note) -> Answer {
    let is_for_person = !matches!(note, Note::Unsure(_));
    let out = match client {
        Client::Claude | Client::Gemini if is_for_person => {
            Some(json!({"systemMessage": words::note(note)}))
        }
        Client::Cursor => Some(json!({})),
        _ => None,
    };
    Answer {
        out,
        ..Answer::told(words::note(note))
    }
}

/// Tells whether a tool is about to run.
pub(crate) fn is_before(event: &Event) -> bool {
    matches!(event.moment, Moment::Before(_))
}
