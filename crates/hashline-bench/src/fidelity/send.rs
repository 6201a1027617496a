//! Sends a request through the parser and the engine and compares what comes out.

use hashline_core::dialect::Dialect;
use hashline_core::files::{Files, edit_files};
use hashline_core::scheme::sha256;
use hashline_core::shown::{History, Shown};
use hashline_core::{Document, Policy};
use hashline_wire::{ParseOptions, Profile, parse};
use serde_json::Value;

use super::case::Case;

/// What became of a request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The file is what the change made of it.
    Exact,
    /// The file is something else.
    Altered,
    /// Nothing was done, for this reason.
    Refused(String),
}

/// Sends the request, under the defaults or the dialect's own definition. The whole file was shown before.
pub(super) fn send(dialect: Dialect, profile: Profile, case: &Case, request: &Value) -> Outcome {
    let options = ParseOptions {
        dialect: Some(dialect),
        profile,
        ..ParseOptions::default()
    };
    let parsed = match parse(request.to_string().as_bytes(), &options) {
        Ok(parsed) => parsed,
        Err(error) => return Outcome::Refused(error.to_string()),
    };
    let policy = match profile {
        Profile::Default => Policy::new(dialect),
        Profile::Seed => hashline_reference::seed_policy(dialect),
    };
    match edit_files(parsed.request, &OneFile::shown(dialect, case), &policy) {
        Ok(edited) => {
            let written = edited.writes().remove(&case.path).flatten();
            let bytes = written
                .as_ref()
                .map_or(case.before.as_bytes(), Document::bytes);
            compare(case, bytes)
        }
        Err(error) => Outcome::Refused(error.to_string()),
    }
}

/// Compares the file with what the change made of it.
pub(super) fn compare(case: &Case, bytes: &[u8]) -> Outcome {
    if sha256(bytes) == case.after_sha256 {
        Outcome::Exact
    } else {
        Outcome::Altered
    }
}

/// The one file there is, and what was shown of it.
struct OneFile<'a> {
    path: &'a str,
    document: Document,
    history: History,
}

impl<'a> OneFile<'a> {
    fn shown(dialect: Dialect, case: &'a Case) -> Self {
        let document = Document::new(case.before.as_str());
        let mut history = History::default();
        history.showed(&document, None, dialect.scheme, &[document.all()]);
        Self {
            path: &case.path,
            document,
            history,
        }
    }
}

impl Files for OneFile<'_> {
    fn document(&self, path: &str) -> Option<Document> {
        (path == self.path).then(|| self.document.clone())
    }

    fn shown(&self, _path: &str) -> Shown<'_> {
        Shown::new(&self.history, None)
    }
}
