//! The query of a search request.

use hashline_wire::Refusal;
use hashline_wire::request::SearchRequest;
use hashline_workspace::DiskError;
use hashline_workspace::encoding::TextEncoding;
use hashline_workspace::search::found::Found;
use hashline_workspace::search::{Case, Most, Pattern, Query};

use crate::service::Service;
use crate::words::read_refusal;

/// How many matching lines of one file are shown at most, unless the request gives another limit.
const MOST_OF_A_FILE: usize = 100;

impl Service {
    /// Returns the query of a search request, with what the request leaves out as configured.
    ///
    /// # Errors
    ///
    /// `encoding` if there is no encoding with the name that the request gives.
    pub fn query(&self, request: &SearchRequest) -> Result<Query, Refusal> {
        let config = self.config();
        let around = config.search_context.lines();
        let pattern = match request.literal {
            Some(true) => Pattern::Fixed(request.pattern.clone()),
            _ => Pattern::Regex(request.pattern.clone()),
        };
        let encoding = request.encoding.as_deref().filter(|name| !name.is_empty());
        let encoding = encoding.map(TextEncoding::parse).transpose();
        let matches = request.max_matches.unwrap_or(config.search_matches);
        Ok(Query {
            case: match request.ignore_case {
                Some(true) => Case::Insensitive,
                _ => Case::Sensitive,
            },
            encoding: encoding.map_err(|why| read_refusal(&why.into()))?,
            paths: request.path.iter().cloned().collect(),
            beyond: request.beyond.clone(),
            globs: request.glob.iter().cloned().collect(),
            before: request.context_before.unwrap_or(around),
            after: request.context_after.unwrap_or(around),
            most: Most {
                matches: matches.clamp(1, Most::MAX_MATCHES),
                matches_a_file: matches.clamp(MOST_OF_A_FILE, Most::MAX_MATCHES),
                ..Most::default()
            },
            ..Query::new(pattern)
        })
    }
}

/// Returns the error of the file or folder that a search request names, if it could not be searched.
#[must_use]
pub fn search_failure<'f>(query: &Query, found: &'f Found) -> Option<&'f DiskError> {
    let named = query.paths.first()?;
    let mut skipped = found.skipped.iter();
    let plain = |path: &str| path.trim_end_matches('/').to_owned();
    skipped.find(|error| matches!(&error.path, Some(path) if plain(path) == plain(named)))
}
