//! The tool `read`: files with an anchor before every line, as much of them as one answer can show.

use hashline_core::dialect::Dialect;
use hashline_session::ReadSpec;
use hashline_wire::render::model;
use hashline_wire::request::parse_read;
use hashline_wire::{Refusal, Written};
use serde_json::Value;

use super::ToolCall;
use crate::mcp::answer::{CallEffect, ToolAnswer};

pub(super) fn run(arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
    let limits = call.session.service().request_limits();
    // All dialects read with the same arguments: only the anchors differ.
    let request = match parse_read(arguments, Dialect::LEAN, &limits) {
        Ok(request) => request,
        Err(bad) => return refused(call, bad.into()),
    };
    let specs: Vec<ReadSpec> = request.files.iter().map(ReadSpec::from).collect();
    let shown = match call.session.read(&specs, call.dialect, Some(call.cancel)) {
        Ok(shown) => shown,
        Err(refusal) => return refused(call, refusal),
    };
    let session = &call.session;
    let page = session.read_page(&request.files, shown, call.dialect, call.page);
    let effect = if page.is_read {
        CallEffect::ReadOnly
    } else {
        CallEffect::Refused
    };
    ToolAnswer::new(page.text, effect)
        .with_notes(&request.notes)
        .with_lines(&page.notes)
}

fn refused(call: &ToolCall<'_>, refusal: Refusal) -> ToolAnswer {
    let refusal = refusal.with_written(Written::NotAsked);
    ToolAnswer::refused(model::refusal(&call.answer_options(), &refusal))
}
