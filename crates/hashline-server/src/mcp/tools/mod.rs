//! The tools: arguments in, a call of the service, text out.

mod read;
mod search;

use std::sync::atomic::AtomicUsize;

use hashline_core::dialect::Dialect;
use hashline_core::policy::Mode;
use hashline_session::{EditAnswer, Overrides, Service, Session};
use hashline_wire::answer::Whole;
use hashline_wire::render::model;
use hashline_wire::request::RevRule;
use hashline_wire::schema::Tool;
use hashline_workspace::CancelToken;
use serde_json::Value;

use crate::mcp::answer::{CallEffect, PAGE, ToolAnswer};

/// Of this many files that are shown in part the answer says how to go on.
const GO_ON_FILES: usize = 3;

/// One call under way.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCall<'a> {
    /// Whose it is.
    pub(crate) session: Session<'a>,
    /// How anchors are spelled.
    pub(crate) dialect: Dialect,
    /// Cancels it.
    pub(crate) stop: &'a CancelToken,
    /// How many files were searched.
    pub(crate) seen: &'a AtomicUsize,
}

impl<'a> ToolCall<'a> {
    fn overrides(&self) -> Overrides<'a> {
        Overrides {
            dialect: Some(self.dialect),
            rev_rule: RevRule::Required,
            whole: Whole::Ends,
            max_bytes: Some(PAGE),
            cancel: Some(self.stop),
            ..Overrides::default()
        }
    }
}

/// Runs a tool.
pub(crate) fn run(tool: Tool, arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
    match tool {
        Tool::Read => read::run(arguments, call),
        Tool::Search => search::run(arguments, call),
        Tool::Edit => edit_answer(&call.session.apply(arguments, &call.overrides())),
        Tool::Write => edit_answer(&call.session.write(arguments, &call.overrides())),
    }
}

/// Says what could not be recorded or counted.
pub(crate) fn state_notes(service: &Service) -> Vec<String> {
    let notices = service.take_notices();
    notices
        .into_iter()
        .map(|notice| format!("Note: {}", notice.message))
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

/// Renders what became of a request that was to change files.
fn edit_answer(answer: &EditAnswer) -> ToolAnswer {
    let effect = match (&answer.outcome, answer.options.mode) {
        (Err(_), _) => CallEffect::Refused,
        (Ok(_), Mode::Write) => CallEffect::Changed,
        (Ok(_), Mode::DryRun) => CallEffect::ReadOnly,
    };
    ToolAnswer {
        text: model::answer(&answer.options, &answer.outcome),
        effect,
    }
}
