//! Requests that cannot be parsed: what is wrong, where in the JSON, and the stable error code.

use std::fmt;

use hashline_core::Code;
use hashline_core::dialect::Dialect;

/// Why a request cannot be parsed. Nothing was read or written for the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BadRequest {
    /// Which rule the request breaks.
    pub fault: Fault,
    /// Where in the request the error is, as in `edits[2].anchor`; empty for the request as a whole.
    pub at: String,
    /// The index (from 0) of the edit that is wrong, if a single one is.
    pub edit: Option<usize>,
    /// What is wrong, as a clause in lower case without a full stop.
    pub message: String,
    /// The file that the request is for, if its name could be parsed.
    pub path: Option<String>,
    /// The dialect that the caller chose or the parser recognised: the error is answered in that dialect's shape.
    pub dialect: Option<Dialect>,
}

/// Which rule a request breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The request is not JSON, or not a JSON object.
    NotARequest,
    /// A key appears twice in one JSON object.
    RepeatedKey,
    /// The request has no edits.
    NoEdits,
    /// An edit's operation is missing or unknown.
    UnknownOperation,
    /// An edit lacks its anchor.
    MissingAnchor,
    /// An edit lacks its new text.
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
    /// A search pattern is empty and would match every line.
    BadPattern,
    /// The request has more bytes than [`Limits::bytes`](crate::request::Limits::bytes).
    TooLarge,
    /// The request has more edits or files than [`Limits`](crate::request::Limits) allows.
    TooMany,
    /// The JSON of the request is nested deeper than [`Limits::depth`](crate::request::Limits::depth).
    TooDeep,
    /// The reference engine (seed 000's) refuses the keys of an edit; the message is that engine's own.
    Reference,
}

impl Fault {
    /// Returns the stable error code that answers and exit codes use for this fault.
    #[must_use]
    pub fn code(self) -> Code {
        match self {
            Self::TooLarge => Code::TooLarge,
            Self::TooMany => Code::TooMany,
            Self::EmptyInsert => Code::EmptyInsert,
            Self::BadPattern => Code::BadPattern,
            _ => Code::BadRequest,
        }
    }
}

impl BadRequest {
    pub(crate) fn new(fault: Fault, at: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            fault,
            at: shortened(&at.into()),
            edit: None,
            message: shortened(&message.into()),
            path: None,
            dialect: None,
        }
    }

    /// Prefixes the error's place with `at`: `anchor` within `edits[2]` becomes `edits[2].anchor`.
    pub(crate) fn within(mut self, at: &str) -> Self {
        self.at = shortened(&joined(at, &self.at));
        self
    }

    /// Sets the index (from 0) of the edit that is wrong.
    pub(crate) fn in_edit(mut self, index: usize) -> Self {
        self.edit = Some(index);
        self
    }

    /// Sets the file that the request is for, unless the error names one already.
    pub(crate) fn of_file(mut self, path: Option<&str>) -> Self {
        let known = path.filter(|path| !path.is_empty()).map(shortened);
        self.path = self.path.or(known);
        self
    }

    /// Sets the dialect of the request; `None` if it is not known.
    pub(crate) fn in_dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }
}

/// The maximum number of characters of a request that an error message quotes.
const ENOUGH: usize = 400;

/// Shortens a text longer than 400 characters to its start and its end, with `[...]` between them.
#[must_use]
pub fn shortened(text: &str) -> String {
    let letters = text.chars().count();
    if letters <= ENOUGH {
        return text.to_owned();
    }
    let (start, end) = (ENOUGH / 2, ENOUGH / 4);
    let head: String = text.chars().take(start).collect();
    let tail: String = text.chars().skip(letters - end).collect();
    format!("{head}[...]{tail}")
}

/// Joins two parts of a place in a request: `edits[2]` and `anchor` give `edits[2].anchor`.
pub(crate) fn joined(outer: &str, inner: &str) -> String {
    let dot = if outer.is_empty() || inner.is_empty() || inner.starts_with('[') {
        ""
    } else {
        "."
    };
    format!("{outer}{dot}{inner}")
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
