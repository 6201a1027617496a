//! Which dialect's shape a request has.
//!
//! Told by the names of its keys, never by which tag happens to match. Where several shapes fit, the chosen dialect's wins.

use hashline_core::dialect::Dialect;
use serde_json::{Map, Value};

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
        !edit.is_empty() && edit.keys().all(|key| self.fields().contains(&key.as_str()))
    }

    /// Lists the fields an edit of this shape may have, aliases included.
    pub(super) fn fields(self) -> &'static [&'static str] {
        match self {
            Self::Omp => &["set_line", "replace_lines", "insert_after", "replace"],
            Self::Push => &[
                "type",
                "op",
                "ref",
                "start_ref",
                "end_ref",
                "new_content",
                "content",
            ],
            Self::Cowboy => &[
                "action",
                "op",
                "operation",
                "type",
                "start",
                "line",
                "ref",
                "anchor",
                "end",
                "content",
                "new_text",
            ],
            Self::Openagent => &["op", "pos", "end", "lines"],
            Self::Pi => &[
                "op",
                "type",
                "path",
                "anchor",
                "start_anchor",
                "end_anchor",
                "range",
                "text",
                "content",
                "from",
                "from_path",
                "to",
                "to_path",
            ],
            Self::Common => &[
                "op", "at", "to", "lines", "text", "old", "new", "all", "content", "to_path",
            ],
        }
    }

    /// Tells whether an edit has fields that only this shape has.
    fn has_own_fields(self, edit: &Map<String, Value>) -> bool {
        let has = |keys: &[&str]| keys.iter().any(|key| edit.contains_key(*key));
        let holds = |keys: &[&str]| {
            keys.iter()
                .any(|key| edit.get(*key).is_some_and(Value::is_object))
        };
        match self {
            Self::Omp => holds(&["set_line", "replace_lines", "insert_after", "replace"]),
            Self::Push => has(&["ref", "start_ref", "end_ref", "new_content"]),
            Self::Cowboy => has(&["action", "start"]),
            Self::Openagent => has(&["pos"]),
            Self::Pi => has(&["anchor", "start_anchor"]) || holds(PI_OPERATIONS),
            Self::Common => has(&["at", "to_path"]),
        }
    }

    /// Tells whether an edit's operation has a name that this shape knows.
    fn knows_operation(self, edit: &Map<String, Value>) -> bool {
        let known = |keys: &[&str], names: &[&str]| {
            keys.iter()
                .filter_map(|key| edit.get(*key)?.as_str())
                .any(|name| names.contains(&name))
        };
        match self {
            Self::Omp => false,
            Self::Push => known(&["type", "op"], PUSH_OPERATIONS),
            Self::Cowboy => known(&["op", "operation", "type"], COWBOY_OPERATIONS),
            Self::Openagent => known(&["op"], OPENAGENT_OPERATIONS),
            Self::Pi => known(&["op", "type"], PI_OPERATIONS),
            Self::Common => known(&["op"], COMMON_OPERATIONS),
        }
    }
}

const PUSH_OPERATIONS: &[&str] = &[
    "replace_line",
    "replace_range",
    "insert_after",
    "insert_before",
    "delete_line",
    "delete_range",
];
const COWBOY_OPERATIONS: &[&str] = &["replace", "insert_before", "insert_after", "delete"];
const OPENAGENT_OPERATIONS: &[&str] = &["replace", "append", "prepend"];
const PI_OPERATIONS: &[&str] = &[
    "set_line",
    "replace_range",
    "insert_after",
    "delete",
    "add_file",
    "move_file",
    "delete_file",
];
const COMMON_OPERATIONS: &[&str] = &[
    "replace",
    "delete",
    "insert_before",
    "insert_after",
    "prepend",
    "append",
    "substitute",
    "create",
    "move",
    "delete_file",
];

/// Tells whether a field has a meaning in some shape's edits: one that is ignored could change what an edit does.
pub(super) fn means_something(field: &str) -> bool {
    let shapes = [
        Shape::Omp,
        Shape::Push,
        Shape::Cowboy,
        Shape::Openagent,
        Shape::Pi,
        Shape::Common,
    ];
    shapes.iter().any(|shape| shape.fields().contains(&field))
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
        .unwrap_or(chosen)
}
