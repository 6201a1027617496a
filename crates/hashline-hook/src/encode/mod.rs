//! From a decision to what a client understands.
//!
//! No client is told `allow`: that would skip the questions it asks the person. Passing is saying nothing.

mod claude;
mod copilot;
mod cursor;
mod gemini;
mod windsurf;

use crate::answer::Answer;
use crate::client::Client;
use crate::decision::{Decision, Note};
use crate::event::{Event, Moment};
use crate::words;

/// Puts a decision into the client's own form.
#[must_use]
pub fn encode(event: &Event, decision: &Decision) -> Answer {
    let mut answer = match event.client {
        Client::Claude | Client::Codex => claude::encode(event, decision),
        Client::Gemini => gemini::encode(event, decision),
        Client::Cursor => cursor::encode(event, decision),
        Client::Windsurf => windsurf::encode(decision),
        Client::Copilot => copilot::encode(decision),
    };
    if let Decision::PassNoting(note) = decision {
        answer.err = Some(words::note(note));
    }
    answer
}

/// Tells whether the person should be told, and not only a log: what could not be judged is nobody's fault.
fn is_for_person(note: &Note) -> bool {
    !matches!(note, Note::Unsure(_))
}

/// Tells whether a tool is about to run.
fn is_before(event: &Event) -> bool {
    matches!(event.moment, Moment::Before(_))
}
