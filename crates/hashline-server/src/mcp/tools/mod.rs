//! The MCP tools: each converts its arguments into a call of the session and the result into text. Also the list of tools that a client sees.

mod read;
mod search;

use std::sync::atomic::AtomicUsize;

use hashline_core::dialect::Dialect;
use hashline_core::policy::Mode;
use hashline_session::{EditAnswer, Overrides, Service, Session};
use hashline_wire::answer::{AnswerOptions, Whole};
use hashline_wire::page::PageSize;
use hashline_wire::render::model;
use hashline_wire::request::RevRule;
use hashline_wire::schema::Tool;
use hashline_wire::{prompt, schema};
use hashline_workspace::CancelToken;
use rmcp::model::{JsonObject, MetaObject, ToolAnnotations};
use serde_json::{Value, json};

use crate::mcp::answer::{CallEffect, ToolAnswer};

/// The value of `anthropic/maxResultSizeChars` in a tool's metadata: how many characters of a result the client may pass to its model. Our own limit for an answer is much lower.
const MAX_RESULT_CHARS: usize = 100_000;

/// The answer to a call that was cancelled before it began.
pub(crate) const NOT_BEGUN: &str =
    "Nothing was written: the request was cancelled before it began.";
/// The answer to an edit while the client's own tools may not write.
pub(crate) const READ_ONLY: &str = "Nothing was written: the sandbox of this session is read-only, for hashline as for every other tool.\n\
    Next: tell the user what you would change; with a sandbox that allows writing, send the same call again.";
/// The answer to a call in which hashline itself panicked.
pub(crate) const FAILED: &str = "It is not known whether anything was written: hashline itself failed.\nNext: read the files again.";

/// The context of a tool call, besides its arguments.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ToolCall<'a> {
    /// The session for which the lines that the call shows are recorded.
    pub(crate) session: Session<'a>,
    /// The dialect of the call's anchors.
    pub(crate) dialect: Dialect,
    /// How large the answer may be, without notes that are added later.
    pub(crate) page: PageSize,
    /// Cancels the call.
    pub(crate) cancel: &'a CancelToken,
    /// A counter of the files that the call has searched, for progress notifications.
    pub(crate) searched: &'a AtomicUsize,
}

impl<'a> ToolCall<'a> {
    /// Returns the options for a refusal of a call that only reads.
    fn answer_options(&self) -> AnswerOptions {
        AnswerOptions {
            page: Some(self.page),
            ..AnswerOptions::new(self.dialect)
        }
    }

    fn overrides(&self) -> Overrides<'a> {
        Overrides {
            dialect: Some(self.dialect),
            rev_rule: RevRule::Required,
            whole: Whole::Ends,
            page: Some(self.page),
            cancel: Some(self.cancel),
            ..Overrides::default()
        }
    }
}

/// Runs a tool and returns its answer.
pub(crate) fn run(tool: Tool, arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
    match tool {
        Tool::Read => read::run(arguments, call),
        Tool::Search => search::run(arguments, call),
        Tool::Edit => edit_answer(&call.session.apply(arguments, &call.overrides())),
        Tool::Write => edit_answer(&call.session.write(arguments, &call.overrides())),
    }
}

/// Returns notes about what could not be written to the ledger.
pub(crate) fn state_notes(service: &Service) -> Vec<String> {
    let notices = service.take_notices();
    notices
        .into_iter()
        .map(|notice| format!("Note: {}", notice.message))
        .collect()
}

/// Renders the outcome of a request to change files.
fn edit_answer(answer: &EditAnswer) -> ToolAnswer {
    let effect = match (&answer.outcome, answer.options.mode) {
        (Err(_), _) => CallEffect::Refused,
        (Ok(_), Mode::Write) => CallEffect::Changed,
        (Ok(_), Mode::DryRun) => CallEffect::ReadOnly,
    };
    let text = model::answer(&answer.options, &answer.outcome);
    ToolAnswer::new(text, effect)
}

/// Lists the tools, with the descriptions and schemas of a dialect.
pub(crate) fn list(dialect: Dialect) -> Vec<rmcp::model::Tool> {
    Tool::ALL.map(|tool| listed(tool, dialect)).into()
}

fn listed(tool: Tool, dialect: Dialect) -> rmcp::model::Tool {
    let description = prompt::tool(tool, dialect).trim_end().to_owned();
    let mut listed = rmcp::model::Tool::new(
        tool.name(),
        description,
        object(schema::offered(dialect, tool)),
    );
    listed.annotations = Some(annotations(tool));
    // Clients that hide tools until they are searched for show these at once: an agent that edits needs them in every session.
    listed.meta = Some(MetaObject(object(json!({
        "anthropic/alwaysLoad": true,
        "anthropic/maxResultSizeChars": MAX_RESULT_CHARS,
    }))));
    listed
}

fn annotations(tool: Tool) -> ToolAnnotations {
    let (title, only_reads) = match tool {
        Tool::Read => ("Read files with anchors", true),
        Tool::Search => ("Search files", true),
        Tool::Edit => ("Edit lines by anchors", false),
        Tool::Write => ("Write a whole file", false),
    };
    let hints = ToolAnnotations::with_title(title)
        .read_only(only_reads)
        .open_world(false);
    if only_reads {
        hints
    } else {
        // The same edit sent twice lands once: its anchors no longer match.
        hints.destructive(true).idempotent(false)
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
