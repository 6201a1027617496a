//! The tool `search`: lines of several files that match a pattern.

use hashline_session::words::{found_files, found_sentences, read_refusal};
use hashline_session::{SearchOptions, search_failure};
use hashline_wire::page::{cost_of, within};
use hashline_wire::render::model;
use hashline_wire::request::{SearchRequest, parse_search};
use hashline_wire::schema::Tool;
use hashline_wire::{Refusal, Written, named};
use hashline_workspace::search::found::{Found, FoundFile};
use hashline_workspace::search::{Most, Query};
use serde_json::{Value, json};

use super::ToolCall;
use crate::mcp::answer::ToolAnswer;

/// For at most this many files that are shown in part, the answer gives the call that reads the rest.
const GO_ON_FILES: usize = 3;

pub(super) fn run(arguments: Value, call: &ToolCall<'_>) -> ToolAnswer {
    let limits = call.session.service().request_limits();
    let (request, notes) = match parse_search(arguments.clone(), &limits) {
        Ok(parsed) => parsed,
        Err(bad) => return refused(call, bad.into()),
    };
    let query = match call.session.service().query(&request) {
        Ok(query) => on_a_page(query, call),
        Err(refusal) => return refused(call, refusal),
    };
    let options = SearchOptions {
        progress: Some(call.searched),
        cancel: Some(call.cancel),
        ..SearchOptions::default()
    };
    match call.session.search(&query, call.dialect, &options) {
        Ok(found) => match search_failure(&query, &found) {
            Some(error) => refused(call, read_refusal(error)),
            None => {
                let lines = found_files(&found);
                let said = found_sentences(&found) + &go_on(call, &arguments, &request, &found);
                // The lines are recorded as shown: only what is said below them may be cut.
                let room = call.page.bytes().saturating_sub(cost_of(&lines));
                ToolAnswer::read_only(lines + &within(&said, room)).with_notes(&notes)
            }
        },
        Err(refusal) => refused(call, refusal),
    }
}

fn refused(call: &ToolCall<'_>, refusal: Refusal) -> ToolAnswer {
    let refusal = refusal.with_written(Written::NotAsked);
    ToolAnswer::refused(model::refusal(&call.answer_options(), &refusal))
}

/// Limits what a search shows to what fits on a page.
fn on_a_page(query: Query, call: &ToolCall<'_>) -> Query {
    let page = call.page.bytes();
    Query {
        most: Most {
            // A fifth is kept for what is said below the lines.
            bytes: page - page / 5,
            bytes_a_file: page - page / 4,
            ..query.most
        },
        ..query
    }
}

/// Formats the calls that show the remaining matches: one for each file that is shown in part, and one for the files after the last.
fn go_on(call: &ToolCall<'_>, arguments: &Value, request: &SearchRequest, found: &Found) -> String {
    let cut = |file: &&FoundFile| file.shown() < file.matches;
    let files = found.files.iter().filter(cut).take(GO_ON_FILES);
    let mut calls: Vec<String> = files
        .map(|file| {
            let in_words = format!("search again in {} alone", named(&file.path));
            model::next_call(call.page, Tool::Read, &rest_of(file, request), &in_words)
        })
        .collect();
    if let Some(last) = found
        .files
        .last()
        .filter(|_| found.files.len() < found.totals.files)
    {
        let mut on = arguments.clone();
        on["beyond"] = last.path.as_str().into();
        let in_words = format!("search the same with \"beyond\": {}", on["beyond"]);
        calls.push(model::next_call(call.page, Tool::Search, &on, &in_words));
    }
    calls.iter().map(|call| format!("\n{call}")).collect()
}

/// Returns the arguments of the `read` call that shows the remaining matches of a file.
fn rest_of(file: &FoundFile, request: &SearchRequest) -> Value {
    let mut call = json!({
        "path": file.path,
        "search": request.pattern,
        "regex": request.literal != Some(true),
        "caseSensitive": request.ignore_case != Some(true),
    });
    let around = [
        ("contextBefore", request.context_before),
        ("contextAfter", request.context_after),
    ];
    for (name, lines) in around {
        if let Some(lines) = lines {
            call[name] = lines.into();
        }
    }
    if let Some(last) = file.lines.last() {
        call["offset"] = (last.line.number.get() + 1).into();
    }
    call
}
