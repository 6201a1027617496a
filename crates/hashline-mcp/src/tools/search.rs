//! `search`: lines that match, over files.

use hashline_core::disk::DiskError;
use hashline_core::found::Found;
use hashline_wire::render::model;
use hashline_wire::request::{SearchRequest, parse_search};
use hashline_wire::{Refusal, Terms};
use hashline_workspace::search::{Case, Most, Pattern, Query};
use serde_json::Value;

use super::read::PAGE;
use super::{Call, body};
use crate::answer::Answer;

/// The most matching lines of one answer.
const MOST_MATCHES: usize = 1000;

pub(super) fn run(arguments: &Value, call: &Call<'_>) -> Answer {
    let limits = call.session.service().request_limits();
    let (request, notes) = match parse_search(&body(arguments), &limits) {
        Ok(read) => read,
        Err(bad) => return unread(call, bad.into()),
    };
    let query = query(&request, call);
    let found = call
        .session
        .search_unless(&query, call.dialect, call.seen, Some(call.stop));
    match found {
        Ok(found) => match failed(&query, &found) {
            Some(error) => unread(call, error.clone().into()),
            None => Answer::looked(model::found(&found)).with_notes(&notes),
        },
        Err(error) => unread(call, error.into()),
    }
}

fn unread(call: &Call<'_>, refusal: Refusal) -> Answer {
    Answer::refused(model::unread(&Terms::new(call.dialect), &refusal))
}

fn query(request: &SearchRequest, call: &Call<'_>) -> Query {
    let config = call.session.service().config();
    let around = config.search_context.lines();
    let pattern = match request.literal {
        Some(true) => Pattern::Fixed(request.pattern.clone()),
        _ => Pattern::Regex(request.pattern.clone()),
    };
    let matches = request.max_matches.unwrap_or(config.search_matches);
    Query {
        case: match request.ignore_case {
            Some(true) => Case::Insensitive,
            _ => Case::Sensitive,
        },
        paths: request.path.iter().cloned().collect(),
        globs: request.glob.iter().cloned().collect(),
        before: request.context_before.unwrap_or(around),
        after: request.context_after.unwrap_or(around),
        most: Most {
            matches: matches.clamp(1, MOST_MATCHES),
            bytes: PAGE,
            bytes_a_file: PAGE / 2,
            ..Most::default()
        },
        ..Query::new(pattern)
    }
}

/// Returns why the file or folder that was named cannot be searched, if it cannot.
fn failed<'f>(query: &Query, found: &'f Found) -> Option<&'f DiskError> {
    let named = query.paths.first()?;
    let mut skipped = found.skipped.iter();
    skipped.find(|error| error.path() == Some(named))
}
