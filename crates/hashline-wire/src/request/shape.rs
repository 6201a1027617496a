//! Which dialect's shape a request has.
//!
//! Told by the names of its keys, never by which tag happens to match. Where several shapes fit, the chosen dialect's wins.

use hashline_core::dialect::Dialect;
use serde_json::{Map, Value};

use super::tolerant::PATHS;
use super::typed::{has, list_key};
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

    /// Tells whether this shape knows an edit: its operation, and every field that means something. What is null counts as absent.
    fn knows(self, edit: &Map<String, Value>) -> bool {
        self.has_word_for(edit)
            && sent(edit).all(|field| self.has_field(field) || !means_something(field))
    }

    /// Tells whether this shape knows every field of an edit.
    fn knows_fields(self, edit: &Map<String, Value>) -> bool {
        sent(edit).next().is_some() && sent(edit).all(|field| self.has_field(field))
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

    /// Tells whether this shape knows an edit's operation, or what to use for it.
    fn has_word_for(self, edit: &Map<String, Value>) -> bool {
        match self {
            Self::Omp => sent(edit).any(|field| omp::KEYS.contains(&field)),
            Self::Openagent => openagent::OPERATIONS.has_word_for(edit),
            other => other.knows_operation(edit),
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

/// Lists the fields of an edit that are not null.
fn sent(edit: &Map<String, Value>) -> impl Iterator<Item = &str> {
    let sent = edit.iter().filter(|(_, value)| !value.is_null());
    sent.map(|(field, _)| field.as_str())
}

/// Words that speak of lines or of text, or of whether anything is written. A field with one of them in its name (`endLine`, `new_string`,
/// `replace_all`) was sent to say what an edit does.
const TELLING: &[&str] = &[
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

/// Tells whether some shape has an operation of this name.
pub(super) fn is_operation(name: &str) -> bool {
    let names = push::OPERATIONS
        .names()
        .chain(cowboy::OPERATIONS.names())
        .chain(openagent::OPERATIONS.names())
        .chain(pi::OPERATIONS.names())
        .chain(common::OPERATIONS.names());
    names
        .chain(omp::KEYS.iter().copied())
        .any(|known| known == name)
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

/// Tells the shape of a request over one file, or of one file of several: that which knows every edit, the chosen dialect's before the
/// common one; where none does, the one that the first edit has most of.
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
    let likely = match possible.contains(&own) {
        // Nobody else calls the file so.
        _ if has(request, "filePath") && possible.contains(&Shape::Openagent) => Shape::Openagent,
        true => own,
        false => possible[0],
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
    let known = [own, likely, Shape::Common]
        .into_iter()
        .filter(|shape| possible.contains(shape))
        .find(|shape| edits.iter().all(|edit| shape.knows(edit)));
    let by = |marks: fn(Shape, &Map<String, Value>) -> bool| {
        let mut shapes = std::iter::once(&likely).chain(possible).copied();
        shapes.find(|shape| marks(*shape, first))
    };
    let resembles = || match likely.knows_fields(first) {
        true => Some(likely),
        false => by(Shape::has_own_fields),
    };
    known
        .or_else(resembles)
        .or_else(|| by(Shape::knows_operation))
        .or_else(|| by(Shape::might_mean))
        .unwrap_or(likely)
}

/// Returns the file that a request is for, or nothing if it may be for several.
pub(super) fn one_file<'a>(
    shape: Shape,
    request: &'a Value,
    beside: Option<&'a str>,
) -> Option<&'a str> {
    if shape == Shape::Pi || has(request, "files") {
        return None;
    }
    let mut named = PATHS.iter();
    named.find_map(|key| request.get(*key)?.as_str()).or(beside)
}
