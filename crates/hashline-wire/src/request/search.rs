//! Requests to search files.

use schemars::JsonSchema;
use serde::Deserialize;

use super::parser::{file_name, is_request_field, whole_number};
use super::{Body, Limits, Note, parse_plain};
use crate::error::{BadRequest, Fault};

/// What is to be searched for, and where.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "search request")]
pub struct SearchRequest {
    /// The regular expression, matched against one line at a time.
    pub pattern: String,
    /// A file or folder; without it the whole workspace.
    pub path: Option<String>,
    /// Only files after this one in the order of answers: to continue where an answer ended.
    pub beyond: Option<String>,
    /// Only files whose path matches this glob, such as `*.rs` or `!tests/**`.
    pub glob: Option<String>,
    /// The encoding of all files that are searched, such as `windows-1252`; detected unless given.
    pub encoding: Option<String>,
    /// Treat the pattern as plain text.
    pub literal: Option<bool>,
    /// Ignore case; the default is false.
    #[serde(default, rename = "ignoreCase")]
    pub ignore_case: Option<bool>,
    /// How many lines to show before each match.
    #[serde(default, rename = "contextBefore", deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context_before: Option<usize>,
    /// How many lines to show after each match.
    #[serde(default, rename = "contextAfter", deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context_after: Option<usize>,
    /// How many matching lines to show at most: 1 to 1000; 0 counts as 1.
    #[serde(default, rename = "maxMatches", deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>", range(min = 1, max = 1000))]
    pub max_matches: Option<usize>,
}

/// Parses a request to search files.
///
/// # Errors
///
/// [`BadRequest`] if the request cannot be parsed or its pattern is empty: it says where and what is wrong.
pub fn parse_search<'b>(
    body: impl Into<Body<'b>>,
    limits: &Limits,
) -> Result<(SearchRequest, Vec<Note>), BadRequest> {
    let (mut request, notes): (SearchRequest, _) =
        parse_plain(body.into(), limits, is_request_field)?;
    if request.pattern.is_empty() {
        let message = "an empty pattern matches every line";
        return Err(BadRequest::new(Fault::BadPattern, "pattern", message));
    }
    let checked = |path: Option<String>, at: &str| {
        let path = path.filter(|path| !path.is_empty());
        path.map(|path| file_name(path, at)).transpose()
    };
    request.path = checked(request.path, "path")?;
    request.beyond = checked(request.beyond, "beyond")?;
    Ok((request, notes))
}
