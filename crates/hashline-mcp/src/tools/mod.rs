//! The tools: arguments in, a call of the service, text out.

mod edit;
mod read;
mod search;
mod write;

use std::sync::atomic::AtomicUsize;

use hashline_core::dialect::Dialect;
use hashline_service::{Answered, Asked, Service, Session};
use hashline_wire::render::{model, state};
use hashline_wire::request::{Mode, RevRule};
use hashline_wire::schema::Tool;
use hashline_workspace::Stop;
use serde_json::Value;

use crate::answer::{Answer, Fate, without_middle};

/// One call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Call<'a> {
    /// Whose it is.
    pub(crate) session: Session<'a>,
    /// How anchors are spelled.
    pub(crate) dialect: Dialect,
    /// The word by which it is taken back.
    pub(crate) stop: &'a Stop,
    /// How many files were searched.
    pub(crate) seen: &'a AtomicUsize,
}

impl<'a> Call<'a> {
    fn asked(&self) -> Asked<'a> {
        Asked {
            dialect: Some(self.dialect),
            rev_rule: RevRule::Required,
            stop: Some(self.stop),
            ..Asked::default()
        }
    }
}

/// Runs a tool.
pub(crate) fn run(tool: Tool, arguments: Value, call: &Call<'_>) -> Answer {
    match tool {
        Tool::Read => read::run(arguments, call),
        Tool::Search => search::run(&arguments, call),
        Tool::Edit => edit::run(&arguments, call),
        Tool::Write => write::run(&arguments, call),
    }
}

/// Says what could not be remembered or counted.
pub(crate) fn state_notes(service: &Service) -> Vec<String> {
    let notes = service.take_notes();
    notes
        .iter()
        .map(|note| format!("Note: {}", state::note(note)))
        .collect()
}

/// Says that a call was taken back before it began.
pub(crate) fn not_begun() -> String {
    "Nothing was written: the request was cancelled before it began.".to_owned()
}

/// Says that the program itself failed.
pub(crate) fn broke_down() -> String {
    "It is not known whether anything was written: hashline itself failed.\nNext: read the files again."
        .to_owned()
}

/// Tells what became of a request that was to change files.
fn told(answered: &Answered) -> Answer {
    let text = model::answer(&answered.terms, &answered.outcome);
    let fate = match (&answered.outcome, answered.terms.mode) {
        (Err(_), _) => Fate::Refused,
        (Ok(_), Mode::Write) => Fate::Changed,
        (Ok(_), Mode::DryRun) => Fate::Looked,
    };
    let text = without_middle(text);
    Answer { text, fate }
}

/// Returns the JSON of arguments, as a request is sent.
fn body(arguments: &Value) -> Vec<u8> {
    arguments.to_string().into_bytes()
}
