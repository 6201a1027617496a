//! Requests that cannot be read: what is wrong, where, and under which stable code.

use std::fmt;

/// A request that cannot be read. Nothing was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest {
    /// Which rule it breaks.
    pub fault: Fault,
    /// Where, as in `edits[2].anchor`; empty for the request as a whole.
    pub at: String,
    /// The edit it is about, counted from 0.
    pub edit: Option<usize>,
    /// What is wrong, in words.
    pub message: String,
}

/// Which rule a request breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not JSON, or not an object.
    NotARequest,
    /// It has no edits.
    NoEdits,
    /// An edit's operation is missing or unknown.
    UnknownOperation,
    /// An edit lacks its anchor.
    MissingAnchor,
    /// An edit lacks its text.
    MissingText,
    /// An insertion has no text.
    EmptyInsert,
    /// A field has the wrong type or value, or is missing.
    BadField,
    /// A file cannot be deleted and edited.
    DeleteWithEdits,
    /// A file cannot be deleted and renamed.
    DeleteAndRename,
    /// A revision is not 8 to 32 hex digits.
    BadRevision,
    /// A regular expression cannot be used.
    BadPattern,
    /// It has more bytes than are taken.
    TooLarge,
    /// It has more edits or files than are taken.
    TooMany,
    /// It is nested deeper than is taken.
    TooDeep,
    /// The reference engine refuses its keys, in its own words.
    Reference,
}

impl Fault {
    /// Returns the stable name of the error.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::TooLarge => "too_large",
            Self::TooMany => "too_many",
            Self::EmptyInsert => "empty_insert",
            Self::BadPattern => "bad_pattern",
            _ => "bad_request",
        }
    }
}

impl BadRequest {
    pub(crate) fn new(fault: Fault, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            fault,
            at: at.into(),
            edit: None,
            message: message.into(),
        }
    }

    pub(crate) fn not_json(error: &serde_json::Error) -> Self {
        Self::new(
            Fault::NotARequest,
            "",
            format!("the request is not JSON: {error}"),
        )
    }

    /// Says which edit it is about.
    pub(crate) fn in_edit(self, index: usize) -> Self {
        Self {
            edit: Some(index),
            ..self
        }
    }
}

impl fmt::Display for BadRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.at.is_empty() {
            f.write_str(&self.message)
        } else {
            write!(f, "{}: {}", self.at, self.message)
        }
    }
}

impl std::error::Error for BadRequest {}
