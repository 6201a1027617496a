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

    /// Tells whether an object of the request's list has the marks of this shape.
    fn marks(self, edit: &Map<String, Value>) -> bool {
        let has = |keys: &[&str]| keys.iter().any(|key| edit.contains_key(*key));
        let holds = |keys: &[&str]| {
            keys.iter()
                .any(|key| edit.get(*key).is_some_and(Value::is_object))
        };
        let op = |names: &[&str]| {
            ["op", "type"]
                .iter()
                .filter_map(|key| edit.get(*key)?.as_str())
                .any(|op| names.contains(&op))
        };
        match self {
            Self::Omp => holds(&["set_line", "replace_lines", "insert_after", "replace"]),
            Self::Push => has(&["ref", "start_ref", "end_ref", "new_content"]) || op(PUSH_ONLY),
            Self::Cowboy => has(&["action", "start"]),
            Self::Openagent => has(&["pos"]),
            Self::Pi => has(&["anchor", "start_anchor"]) || op(PI_ONLY) || holds(PI_KEYS),
            Self::Common => has(&["at", "to_path"]) || op(COMMON_ONLY),
        }
    }
}

const PUSH_ONLY: &[&str] = &["replace_line", "delete_line", "delete_range"];
const PI_ONLY: &[&str] = &["set_line", "add_file", "move_file"];
const PI_KEYS: &[&str] = &[
    "set_line",
    "replace_range",
    "insert_after",
    "delete",
    "add_file",
    "move_file",
    "delete_file",
];
const COMMON_ONLY: &[&str] = &["substitute", "create", "move"];

/// Tells the shape of a request; where it could be several, or none, that of the chosen dialect.
pub(super) fn detect(request: &Value, chosen: Dialect) -> Shape {
    let chosen = Shape::of(chosen);
    let list = |key: &str| {
        request
            .get(key)
            .and_then(Value::as_array)
            .and_then(|list| list.first())
            .and_then(Value::as_object)
    };
    let possible: &[Shape] = if request.get("patch").is_some() {
        return Shape::Pi;
    } else if request.get("files").is_some() {
        return Shape::Common;
    } else if request
        .get("operations")
        .is_some_and(|list| !list.is_null())
    {
        &[Shape::Cowboy, Shape::Pi]
    } else if request.get("filePath").is_some() {
        return Shape::Openagent;
    } else {
        &[
            Shape::Omp,
            Shape::Push,
            Shape::Cowboy,
            Shape::Openagent,
            Shape::Common,
        ]
    };
    let Some(edit) = list("operations").or_else(|| list("edits")) else {
        return fallback(chosen, possible);
    };
    if possible.contains(&chosen) && chosen.marks(edit) {
        return chosen;
    }
    possible
        .iter()
        .copied()
        .find(|shape| shape.marks(edit))
        .unwrap_or_else(|| fallback(chosen, possible))
}

/// Without marks the chosen dialect's shape; the common one if that dialect never has such a list.
fn fallback(chosen: Shape, possible: &[Shape]) -> Shape {
    if possible.contains(&chosen) || possible.is_empty() {
        chosen
    } else {
        possible[0]
    }
}
