//! From a decision to what a client understands.
//!
//! No client is told `allow`: that would skip the questions it asks the person. Passing is saying nothing.

mod claude;
mod copilot;
mod cursor;
mod gemini;
mod windsurf;

use serde_json::json;

use crate::hook::answer::Answer;
use crate::hook::client::Client;
use crate::hook::decision::{Decision, Note};
use crate::hook::event::{Event, Moment};
use crate::hook::words;

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
fn is_before(event: &Event) -> bool {
    matches!(event.moment, Moment::Before(_))
}
