//! The tools: arguments in, a call of the service, text out.

mod edit;
mod read;
mod search;
mod write;

use std::ops::Range;
use std::sync::atomic::AtomicUsize;

use hashline_core::dialect::Dialect;
use hashline_core::files::FilesEdited;
use hashline_core::text::{LineNo, LineSpan};
use hashline_session::{Answered, Asked, Service, Session};
use hashline_wire::Terms;
use hashline_wire::render::{model, state};
use hashline_wire::request::{Mode, RevRule};
use hashline_wire::response::Whole;
use hashline_wire::schema::Tool;
use hashline_workspace::CancelToken;
use serde_json::Value;

use crate::mcp::answer::{CallEffect, ToolAnswer, shortened, without_middle};

/// Of so many files that are shown in part it is said how to go on.
const GO_ON_FILES: usize = 3;

/// One call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCall<'a> {
    /// Whose it is.
    pub(crate) session: Session<'a>,
    /// How anchors are spelled.
    pub(crate) dialect: Dialect,
    /// The word by which it is taken back.
    pub(crate) stop: &'a CancelToken,
    /// How many files were searched.
    pub(crate) seen: &'a AtomicUsize,
}

impl<'a> ToolCall<'a> {
    fn asked(&self) -> Asked<'a> {
        Asked {
            dialect: Some(self.dialect),
            rev_rule: RevRule::Required,
            whole: Whole::Ends,
            stop: Some(self.stop),
            ..Asked::default()
        }
    }
}

/// Runs a tool.
pub(crate) fn run(tool: Tool, arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
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
fn told(answered: &Answered) -> ToolAnswer {
    let text = model::answer(&answered.terms, &answered.outcome);
    let effect = match (&answered.outcome, answered.terms.mode) {
        (Err(_), _) => CallEffect::Refused,
        (Ok(_), Mode::Write) => CallEffect::Changed,
        (Ok(_), Mode::DryRun) => CallEffect::ReadOnly,
    };
    let text = without_middle(text, |left| match &answered.outcome {
        Ok(edited) => go_on(&answered.terms, edited, left),
        // What to do next stands at its end anyway.
        Err(_) => Vec::new(),
    });
    ToolAnswer { text, effect }
}

/// Returns the calls that show the lines of edited files in the bytes that an answer leaves out, for the first few files.
fn go_on(terms: &Terms, edited: &FilesEdited, left: Range<usize>) -> Vec<String> {
    let mut start = match terms.mode {
        Mode::Write => 0,
        // What would be is nowhere to be read.
        Mode::DryRun => return Vec::new(),
    };
    let mut calls = Vec::new();
    for file in &edited.files {
        let block = shortened(model::file_done(terms, file));
        let inside = |at: usize| at.saturating_sub(start).min(block.len());
        let cut = block[inside(left.start)..inside(left.end)].lines();
        let numbers = cut.filter_map(|line| terms.dialect.scheme.read_shown(line));
        let numbers = numbers.filter_map(|(anchor, _)| LineNo::from_claim(anchor.line));
        let numbers: Vec<LineNo> = numbers.collect();
        if let (Some(&first), Some(&last)) = (numbers.first(), numbers.last()) {
            calls.push(model::read_lines(
                file.name(),
                LineSpan::between(first, last),
            ));
        }
        start += block.len() + 1;
    }
    calls.truncate(GO_ON_FILES);
    calls
}

/// Returns the JSON of arguments, as a request is sent.
fn body(arguments: &Value) -> Vec<u8> {
    arguments.to_string().into_bytes()
}
