//! Which dialect's shape a request has.
//!
//! Told by the names of its keys, never by which tag happens to match. Where several shapes fit, the chosen dialect's wins.

use hashline_core::dialect::Dialect;
use serde_json::{Map, Value};

use super::{common, cowboy, omp, openagent, pi, push};

/// The shape of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
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
    /// `edits` with `op`, `at` and `lines`; the request every dialect accepts.
    Common,
}

impl Shape {
    /// Returns the dialect of a shape; the common one is everybody's.
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
        let own = [
            Self::Omp,
            Self::Push,
            Self::Cowboy,
            Self::Openagent,
            Self::Pi,
        ];
        own.into_iter()
            .find(|shape| shape.dialect() == Some(dialect))
            .unwrap_or(Self::Common)
    }

    /// Tells whether this shape knows every field of an edit.
    fn knows_fields(self, edit: &Map<String, Value>) -> bool {
        !edit.is_empty() && edit.keys().all(|key| self.has_field(key))
    }

    /// Tells whether an edit of this shape may have a field.
    fn has_field(self, field: &str) -> bool {
        match self {
            Self::Omp => omp::KEYS.contains(&field),
            Self::Push => push::OPERATIONS.has_field(field),
            Self::Cowboy => cowboy::OPERATIONS.has_field(field),
            Self::Openagent => openagent::OPERATIONS.has_field(field),
            Self::Pi => pi::OPERATIONS.has_field(field),
            Self::Common => common::OPERATIONS.has_field(field),
        }
    }

    /// Tells whether an edit has fields that only this shape has.
    fn has_own_fields(self, edit: &Map<String, Value>) -> bool {
        let has = |keys: &[&str]| keys.iter().any(|key| edit.contains_key(*key));
        let holds = |key: &str| edit.get(key).is_some_and(Value::is_object);
        match self {
            Self::Omp => omp::KEYS.iter().any(|key| holds(key)),
            Self::Push => has(&["ref", "start_ref", "end_ref", "new_content"]),
            Self::Cowboy => has(&["action", "start"]),
            Self::Openagent => has(&["pos"]),
            Self::Pi => has(&["anchor", "start_anchor"]) || pi::OPERATIONS.names().any(holds),
            Self::Common => has(&["at", "to_path"]),
        }
    }

    /// Tells whether an edit names an operation where this shape has one, if under a name that nobody knows: this shape can say so.
    fn might_mean(self, edit: &Map<String, Value>) -> bool {
        let named = |key: &str| edit.get(key).is_some_and(Value::is_string);
        match self {
            Self::Omp | Self::Pi => false,
            Self::Push => named("type"),
            Self::Cowboy => named("action"),
            Self::Openagent | Self::Common => named("op"),
        }
    }

    /// Tells whether an edit's operation has a name that this shape knows.
    fn knows_operation(self, edit: &Map<String, Value>) -> bool {
        match self {
            Self::Omp => false,
            Self::Push => push::OPERATIONS.knows(edit),
            Self::Cowboy => cowboy::OPERATIONS.knows(edit),
            Self::Openagent => openagent::OPERATIONS.knows(edit),
            Self::Pi => pi::OPERATIONS.knows(edit),
            Self::Common => common::OPERATIONS.knows(edit),
        }
    }
}

/// Words that speak of lines or of text. A field with one of them in its name (`endLine`, `new_string`, `replace_all`) was sent to say
/// what an edit does.
const TELLING: &[&str] = &[
    "after",
    "all",
    "anchor",
    "anchors",
    "before",
    "begin",
    "code",
    "content",
    "contents",
    "count",
    "delete",
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
    "new",
    "occurrence",
    "occurrences",
    "old",
    "op",
    "path",
    "pos",
    "position",
    "range",
    "ref",
    "refs",
    "regex",
    "replace",
    "replacement",
    "rev",
    "search",
    "start",
    "stop",
    "string",
    "text",
    "through",
    "to",
    "until",
    "with",
];

/// Tells whether a field has a meaning in some shape's edits, or a name that sounds like one: ignoring it could change what an edit does.
pub(super) fn means_something(field: &str) -> bool {
    if words(field)
        .iter()
        .any(|word| TELLING.contains(&word.as_str()))
    {
        return true;
    }
    let shapes = [
        Shape::Omp,
        Shape::Push,
        Shape::Cowboy,
        Shape::Openagent,
        Shape::Pi,
        Shape::Common,
    ];
    shapes.iter().any(|shape| shape.has_field(field))
}

/// Cuts a name into its words, in lower case: `endLine`, `end_line` and `end-line` have the same two.
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

/// Tells the shape of a request; where it could be several, or none, that of the chosen dialect.
pub(super) fn detect(request: &Value, chosen: Dialect) -> Shape {
    let present = |key: &str| request.get(key).is_some_and(|value| !value.is_null());
    let possible: &[Shape] = if present("patch") {
        return Shape::Pi;
    } else if present("files") {
        return Shape::Common;
    } else if present("filePath") {
        return Shape::Openagent;
    } else if present("operations") {
        &[Shape::Cowboy, Shape::Pi]
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
    let chosen = if possible.contains(&own) {
        own
    } else {
        possible[0]
    };
    let first = |key: &str| request.get(key)?.as_array()?.first()?.as_object();
    let Some(edit) = first("operations").or_else(|| first("edits")) else {
        return chosen;
    };
    let by = |marks: fn(Shape, &Map<String, Value>) -> bool| {
        std::iter::once(&chosen)
            .chain(possible)
            .copied()
            .find(|shape| marks(*shape, edit))
    };
    if chosen.knows_fields(edit) {
        return chosen;
    }
    by(Shape::has_own_fields)
        .or_else(|| by(Shape::knows_operation))
        .or_else(|| by(Shape::might_mean))
        .unwrap_or(chosen)
}

/// Tells the shape of one file of several: the common one if that knows its first edit, else as [`detect`].
pub(super) fn of_entry(file: &Value, chosen: Dialect) -> Shape {
    let first = file.get("edits").and_then(|edits| edits.get(0));
    let edit = first.and_then(Value::as_object);
    let is_common = |edit: &Map<String, Value>| {
        Shape::Common.knows_fields(edit) && Shape::Common.knows_operation(edit)
    };
    match edit {
        Some(edit) if is_common(edit) => Shape::Common,
        _ => detect(file, chosen),
    }
}

/// Returns the file that a request is for, or nothing if it may be for several.
pub(super) fn one_file<'a>(
    shape: Shape,
    request: &'a Value,
    beside: Option<&'a str>,
) -> Option<&'a str> {
    if shape == Shape::Pi || request.get("files").is_some_and(|files| !files.is_null()) {
        return None;
    }
    let mut named = ["path", "filePath", "file_path"].iter();
    named.find_map(|key| request.get(*key)?.as_str()).or(beside)
}
