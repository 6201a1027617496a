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
    /// A key stands twice in one object.
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
    /// Tells whether the request is none at all, rather than one with something wrong in it.
    pub(crate) fn is_of_whole(self) -> bool {
        matches!(self, Self::NotARequest | Self::RepeatedKey)
    }

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

    /// Says in which part of the request the place lies that it names.
    pub(crate) fn within(self, at: &str) -> Self {
        Self {
            at: shortened(&joined(at, &self.at)),
            ..self
        }
    }

    /// Says which edit it is about.
    pub(crate) fn in_edit(self, index: usize) -> Self {
        Self {
            edit: Some(index),
            ..self
        }
    }

    /// Says which file it is about, unless that was said already.
    pub(crate) fn of_file(self, path: Option<&str>) -> Self {
        let known = path.filter(|path| !path.is_empty()).map(shortened);
        Self {
            path: self.path.or(known),
            ..self
        }
    }

    /// Says which dialect the request is in, if that is known.
    pub(crate) fn in_dialect(self, dialect: Option<Dialect>) -> Self {
        Self { dialect, ..self }
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
