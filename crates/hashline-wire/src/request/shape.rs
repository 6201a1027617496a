//! Recognises which dialect's shape a request has.
//!
//! The names of the request's keys decide, never which tag happens to match: a tag of one dialect can match by chance in another. If several
//! shapes fit, the shape of the dialect that the caller chose wins.

use hashline_core::dialect::Dialect;
use serde_json::{Map, Value};

use super::operations::EditNames;
use super::parser::{has, list_key};
use super::tolerant::PATHS;
use super::{common, cowboy, omp, openagent, pi, push};

/// The shape of a request: which list holds its edits, and which fields they have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shape {
    /// `edits` of single-key objects: `set_line`, `replace_lines`, `insert_after`, `replace`.
    Omp,
    /// `edits` with `type` and `ref`.
    Push,
    /// `operations` with `action` and `start`.
    Cowboy,
    /// `edits` with `op`, `pos` and `lines`.
    Openagent,
    /// `patch`, a list of operations on any number of files.
    Pi,
    /// `edits` with `op`, `at` and `lines`: the common request, accepted in every dialect.
    #[default]
    Common,
}

impl Shape {
    const ALL: [Self; 6] = [
        Self::Omp,
        Self::Push,
        Self::Cowboy,
        Self::Openagent,
        Self::Pi,
        Self::Common,
    ];

    /// Returns the dialect that a shape belongs to; `None` for the common shape, which is accepted in every dialect.
    #[must_use]
    pub fn dialect(self) -> Option<Dialect> {
        match self {
            Self::Omp => Some(Dialect::OMP),
            Self::Push => Some(Dialect::PUSH),
            Self::Cowboy => Some(Dialect::COWBOY),
            Self::Openagent => Some(Dialect::OPENAGENT),
            Self::Pi => Some(Dialect::PI),
            Self::Common => None,
        }
    }

    fn of(dialect: Dialect) -> Self {
        let mut shapes = Self::ALL.into_iter();
        let own = shapes.find(|shape| shape.dialect() == Some(dialect));
        own.unwrap_or(Self::Common)
    }

    /// Returns the names of operations and fields in edits of this shape, and the fields that no other shape has.
    fn names(self) -> (&'static dyn EditNames, &'static [&'static str]) {
        match self {
            Self::Omp => (&omp::OneKey, &[]),
            Self::Push => (
                &push::OPERATIONS,
                &["ref", "start_ref", "end_ref", "new_content"],
            ),
            Self::Cowboy => (&cowboy::OPERATIONS, &["action", "start"]),
            Self::Openagent => (&openagent::OPERATIONS, &["pos"]),
            Self::Pi => (&pi::OPERATIONS, &["anchor", "start_anchor"]),
            Self::Common => (&common::OPERATIONS, &["at", "to_path"]),
        }
    }

    /// Returns whether an edit of this shape may have the field.
    fn has_field(self, field: &str) -> bool {
        self.names().0.has_field(field)
    }

    /// Returns whether this shape has the edit's operation and every field of it that could matter; fields that are null do not count.
    fn knows(self, edit: &Map<String, Value>) -> bool {
        let names = self.names().0;
        let has_name = self.named(edit).any(|name| names.has_substitute(name))
            || self == Self::Omp && sent(edit).any(|field| names.has_operation(field));
        (has_name || self.knows_operation(edit))
            && sent(edit).all(|field| self.has_field(field) || !matters_to_edit(field))
    }

    /// Returns whether the edit has fields and this shape has all of them.
    fn knows_fields(self, edit: &Map<String, Value>) -> bool {
        sent(edit).next().is_some() && sent(edit).all(|field| self.has_field(field))
    }

    /// Returns whether an edit has a field that only this shape has, or is wrapped in an object named after the operation, as in omp and pi.
    fn has_own_fields(self, edit: &Map<String, Value>) -> bool {
        let (names, own) = self.names();
        let wraps = || {
            let mut fields = edit.iter();
            fields.any(|(field, value)| value.is_object() && names.has_operation(field))
        };
        own.iter().any(|field| edit.contains_key(*field))
            || matches!(self, Self::Omp | Self::Pi) && wraps()
    }

    /// Returns whether this shape has the operation that the edit names.
    fn knows_operation(self, edit: &Map<String, Value>) -> bool {
        let names = self.names().0;
        self.named(edit).any(|name| names.has_operation(name))
    }

    /// Returns whether an edit has a string in the field that names the operation in this shape: if the operation is unknown, the error can
    /// list the known ones. Always false for pi, whose `op` is also the common request's, which has more operations to list.
    fn has_operation_field(self, edit: &Map<String, Value>) -> bool {
        let key = self.names().0.keys().first();
        self != Self::Pi && key.is_some_and(|key| edit.get(*key).is_some_and(Value::is_string))
    }

    /// Lists the strings in those fields of an edit that name the operation in this shape.
    fn named(self, edit: &Map<String, Value>) -> impl Iterator<Item = &str> {
        let keys = self.names().0.keys().iter();
        keys.filter_map(|key| edit.get(*key)?.as_str())
    }
}

/// Lists the fields of an edit that are not null.
fn sent(edit: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let sent = edit.iter().filter(|(_, value)| !value.is_null());
    sent.map(|(field, _)| field.as_str())
}

/// Words for lines, text and modes of writing. An unknown field with one of these words in its name (`endLine`, `new_string`, `replace_all`)
/// most likely says what an edit should do, so it must not be ignored.
const EDIT_WORDS: &[&str] = &[
    "after",
    "all",
    "anchor",
    "anchors",
    "append",
    "before",
    "begin",
    "code",
    "content",
    "contents",
    "count",
    "delete",
    "dry",
    "dryrun",
    "end",
    "file",
    "find",
    "first",
    "from",
    "global",
    "hash",
    "insert",
    "last",
    "line",
    "lines",
    "match",
    "mode",
    "new",
    "occurrence",
    "occurrences",
    "offset",
    "old",
    "op",
    "path",
    "pos",
    "position",
    "prepend",
    "preview",
    "range",
    "ref",
    "refs",
    "regex",
    "remove",
    "replace",
    "replacement",
    "rev",
    "revision",
    "revisions",
    "revs",
    "search",
    "start",
    "stop",
    "string",
    "text",
    "through",
    "to",
    "until",
    "version",
    "with",
];

/// Words for the revision of a file.
const REVISION_WORDS: &[&str] = &["rev", "revision", "revisions", "revs", "version"];

/// Returns what to do about a field at the place `at` that is refused: which field a revision belongs in; nothing for other fields.
pub(super) fn revision_advice(at: &str, field: &str) -> &'static str {
    let words = words(field);
    if !words
        .iter()
        .any(|word| REVISION_WORDS.contains(&word.as_str()))
    {
        ""
    } else if at.starts_with("patch") {
        "; the revision of each file belongs in `revs`, beside `patch`"
    } else {
        "; the revision of a file belongs in `rev`, beside its edits"
    }
}

/// Returns whether ignoring a field could change what an edit does: any shape has such a field, or its name contains one of [`EDIT_WORDS`].
pub(super) fn matters_to_edit(field: &str) -> bool {
    let words = words(field);
    words.iter().any(|word| EDIT_WORDS.contains(&word.as_str()))
        || Shape::ALL.iter().any(|shape| shape.has_field(field))
}

/// Returns whether any shape has an operation of this name.
pub(super) fn is_operation(name: &str) -> bool {
    let mut shapes = Shape::ALL.iter();
    shapes.any(|shape| shape.names().0.has_operation(name))
}

/// Splits a field name into words in lower case: `endLine`, `end_line` and `end-line` all give `end` and `line`.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut after_small = false;
    for letter in name.chars() {
        if !letter.is_alphanumeric() || (letter.is_uppercase() && after_small) {
            words.push(String::new());
        }
        if letter.is_alphanumeric()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
        after_small = letter.is_lowercase();
    }
    words
}

/// Returns the shape of a request, or of one entry of `files`: the shape that has every edit, the chosen dialect's before the common one. If
/// no shape has them all, the first edit decides, so that the error is about the shape that was most likely meant.
pub(super) fn detect(request: &Value, chosen: Dialect) -> Shape {
    let possible: &[Shape] = if has(request, "patch") {
        return Shape::Pi;
    } else if has(request, "files") {
        return Shape::Common;
    } else if has(request, "operations") {
        &[Shape::Cowboy, Shape::Pi, Shape::Common]
    } else {
        &[
            Shape::Common,
            Shape::Omp,
            Shape::Push,
            Shape::Cowboy,
            Shape::Openagent,
        ]
    };
    let own = Shape::of(chosen);
    // Only openagent calls the file `filePath`.
    let likely = if has(request, "filePath") && possible.contains(&Shape::Openagent) {
        Shape::Openagent
    } else if possible.contains(&own) {
        own
    } else {
        possible[0]
    };
    let list = request.get(list_key(request)).and_then(Value::as_array);
    let edits: Vec<&Map<String, Value>> = list
        .into_iter()
        .flatten()
        .filter_map(Value::as_object)
        .collect();
    let Some(first) = edits.first() else {
        return likely;
    };
    // The chosen dialect's shape comes first: the same edit can mean a range in one shape and a single line in another (decision 0006).
    let known = [own, likely, Shape::Common]
        .into_iter()
        .filter(|shape| possible.contains(shape))
        .find(|shape| edits.iter().all(|edit| shape.knows(edit)));
    let by = |test: fn(Shape, &Map<String, Value>) -> bool| {
        let mut shapes = std::iter::once(&likely).chain(possible).copied();
        shapes.find(|shape| test(*shape, first))
    };
    known
        .or_else(|| Some(likely).filter(|likely| likely.knows_fields(first)))
        .or_else(|| by(Shape::has_own_fields))
        .or_else(|| by(Shape::knows_operation))
        .or_else(|| by(Shape::has_operation_field))
        .unwrap_or(likely)
}

/// Returns the path of the file that a request is for, or else `default`; `None` for a request that may be for several files.
pub(super) fn one_file<'a>(
    shape: Shape,
    request: &'a Value,
    default: Option<&'a str>,
) -> Option<&'a str> {
    if shape == Shape::Pi || has(request, "files") {
        return None;
    }
    let mut named = PATHS.iter();
    named
        .find_map(|key| request.get(*key)?.as_str())
        .or(default)
}
