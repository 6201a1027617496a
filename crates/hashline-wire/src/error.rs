//! Requests that cannot be read: what is wrong, where, and under which stable code.

use std::fmt;

use hashline_core::Code;
use hashline_core::dialect::Dialect;

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
    /// The file it is about, where that could be read.
    pub path: Option<String>,
    /// The dialect that was chosen or recognised, for an answer in its own shape.
    pub dialect: Option<Dialect>,
}

/// Which rule a request breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It is not JSON, or not an object.
    NotARequest,
    /// A key appears twice in one object.
    RepeatedKey,
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
    /// It has too many bytes.
    TooLarge,
    /// It has too many edits or files.
    TooMany,
    /// It is nested too deep.
    TooDeep,
    /// The reference engine refuses its keys, in its own words.
    Reference,
}

impl Fault {
    /// Returns the stable name of the error.
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

    /// Puts the part of the request that holds the place in front of it.
    pub(crate) fn within(mut self, at: &str) -> Self {
        self.at = shortened(&joined(at, &self.at));
        self
    }

    /// Adds the edit it is about, counted from 0.
    pub(crate) fn in_edit(mut self, index: usize) -> Self {
        self.edit = Some(index);
        self
    }

    /// Adds the file it is about, unless it is known already.
    pub(crate) fn of_file(mut self, path: Option<&str>) -> Self {
        let known = path.filter(|path| !path.is_empty()).map(shortened);
        self.path = self.path.or(known);
        self
    }

    /// Adds the dialect of the request, if that is known.
    pub(crate) fn in_dialect(mut self, dialect: Option<Dialect>) -> Self {
        self.dialect = dialect;
        self
    }
}

/// What a message quotes of a request is cut after this many characters.
const ENOUGH: usize = 400;

/// Shortens a quotation of a request to its start and its end.
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

/// Joins two parts of a place in a request, as in `edits[2]` and `anchor`.
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
