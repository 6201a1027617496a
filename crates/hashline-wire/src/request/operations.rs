//! Tables of a dialect's edit operations: the name of each, the fields that belong to it, and the function that turns them into an action.
//!
//! Dialects whose edits name their operation in a field (all but omp) are parsed with such a table. A field that belongs to another operation
//! of the dialect is refused, because ignoring it could change what the edit does; a field that the dialect's original tool ignores is listed
//! with the operation that ignores it. Functions that several dialects build their actions with are at the end of the file.

use std::fmt;

use hashline_core::anchor::Claim;
use hashline_core::edit::{EditNo, Occurrences, Operation, Place, Target, UnseenLines};
use hashline_core::files::{FileAction, Step};
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::de::value::SeqAccessDeserializer;
use serde::de::{DeserializeOwned, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

use super::parser::Parser;
use crate::error::{BadRequest, Fault};

/// The operations of a dialect, whose edits are deserialized into an `E`.
pub(super) struct Operations<E: 'static> {
    /// The field of an edit that names its operation, followed by that field's aliases.
    pub(super) keys: &'static [&'static str],
    /// One row for each operation.
    pub(super) rows: &'static [Row<E>],
    /// Operations of other tools, each with the advice what to use instead in this dialect.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

/// One operation: its name, its fields, and the function that makes an action from them.
pub(super) struct Row<E> {
    name: &'static str,
    fields: &'static [&'static str],
    make: fn(E) -> Result<FileAction, BadRequest>,
}

/// Returns the table row of an operation: its name, its fields with all their aliases, and the function that makes an action from them.
pub(super) const fn row<E>(
    name: &'static str,
    fields: &'static [&'static str],
    make: fn(E) -> Result<FileAction, BadRequest>,
) -> Row<E> {
    Row { name, fields, make }
}

/// The names of operations and fields by which the shape of an edit is recognised, independent of the type that edits deserialize into.
pub(super) trait EditNames {
    /// Returns whether the dialect has an operation of this name.
    fn has_operation(&self, name: &str) -> bool;

    /// Lists the fields of an edit that name its operation; empty if the operation is itself the name of a field, as in `{"set_line":{...}}`.
    fn keys(&self) -> &'static [&'static str] {
        &[]
    }

    /// Returns whether another tool has an operation of this name for which an error can say what to use instead.
    fn has_substitute(&self, _name: &str) -> bool {
        false
    }

    /// Returns whether an edit of this dialect may have the field.
    fn has_field(&self, field: &str) -> bool {
        self.has_operation(field)
    }
}

impl<E> EditNames for Operations<E> {
    fn keys(&self) -> &'static [&'static str] {
        self.keys
    }

    fn has_operation(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name)
    }

    fn has_substitute(&self, name: &str) -> bool {
        self.instead.iter().any(|(other, _)| *other == name)
    }

    fn has_field(&self, field: &str) -> bool {
        self.keys.contains(&field) || self.rows.iter().any(|row| row.fields.contains(&field))
    }
}

/// Joins names with commas and a final "or": `a, b or c`.
pub(super) fn one_of(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl<E> Operations<E> {
    fn row(&self, edit: &Map<String, Value>) -> Option<&'static Row<E>> {
        let mut names = self.keys.iter().filter_map(|key| edit.get(*key)?.as_str());
        names.find_map(|name| self.rows.iter().find(|row| row.name == name))
    }

    /// Refuses an edit with a field that belongs only to other operations. Fields that are null do not count: models send them.
    fn check_fields(&self, row: &Row<E>, edit: &Map<String, Value>) -> Result<(), BadRequest> {
        let own = |field: &str| row.fields.contains(&field) || self.keys.contains(&field);
        let mut sent = edit.iter().filter(|(_, value)| !value.is_null());
        let other = sent.find(|(field, _)| !own(field) && self.has_field(field));
        other.map_or(Ok(()), |(field, _)| {
            let message = format!("`{}` does not take `{field}`", row.name);
            Err(BadRequest::new(Fault::BadField, field, message))
        })
    }

    fn unknown(&self, edit: &Map<String, Value>) -> BadRequest {
        let sent = self.keys.iter().find_map(|key| edit.get(*key)?.as_str());
        let instead = self.instead.iter().find(|(name, _)| Some(*name) == sent);
        let hint = instead.map_or_else(String::new, |(_, this)| format!("; for that use {this}"));
        let sent = sent.map_or_else(
            || "missing operation".to_owned(),
            |sent| format!("unknown operation {sent:?}"),
        );
        let names: Vec<&str> = self.rows.iter().map(|row| row.name).collect();
        let message = format!("{sent}; expected {}{hint}", one_of(&names));
        BadRequest::new(Fault::UnknownOperation, self.keys[0], message)
    }
}

impl<E: DeserializeOwned> Operations<E> {
    /// Parses the edits of one file from the list named `list`. Edits after a move get the new path of the file.
    pub(super) fn steps(
        &self,
        parser: &mut Parser<'_>,
        edits: Vec<Value>,
        list: &str,
        path: &str,
    ) -> Result<Vec<Step>, BadRequest> {
        let mut path = path.to_owned();
        let mut steps = Vec::with_capacity(edits.len());
        for (index, edit) in edits.into_iter().enumerate() {
            let action = self.read(parser, edit, index, &format!("{list}[{index}]"))?;
            let next = match &action {
                FileAction::Move(to) => to.clone(),
                _ => path.clone(),
            };
            steps.push(Step {
                no: EditNo::from_index(index),
                path: std::mem::replace(&mut path, next),
                action,
            });
        }
        Ok(steps)
    }

    /// Parses the edit with this index (from 0), which is at the place `at` of the request, such as `edits[2]`.
    pub(super) fn read(
        &self,
        parser: &mut Parser<'_>,
        mut edit: Value,
        index: usize,
        at: &str,
    ) -> Result<FileAction, BadRequest> {
        let refused = |error: BadRequest| error.within(at).in_edit(index);
        let unseen = take_unseen(&mut edit).map_err(refused)?;
        let none = Map::new();
        let fields = edit.as_object().unwrap_or(&none);
        let row = self.row(fields).ok_or_else(|| self.unknown(fields));
        if let Ok(row) = &row {
            self.check_fields(row, fields).map_err(refused)?;
        }
        // A field with a wrong value is reported before an unknown operation.
        let edit = parser.edit(edit, index, at)?;
        let action = row.and_then(|row| (row.make)(edit)).map_err(refused)?;
        Ok(with_unseen(action, unseen))
    }
}

/// Removes the field `unseen` from an edit of any dialect, which says that lines that were never shown are meant too.
pub(super) fn take_unseen(edit: &mut Value) -> Result<UnseenLines, BadRequest> {
    let field = edit
        .as_object_mut()
        .and_then(|fields| fields.shift_remove("unseen"));
    match field {
        None | Some(Value::Null | Value::Bool(false)) => Ok(UnseenLines::Refused),
        Some(Value::Bool(true)) => Ok(UnseenLines::Accepted),
        Some(_) => {
            let message = "`unseen` must be true or false";
            Err(BadRequest::new(Fault::BadField, "unseen", message))
        }
    }
}

/// Sets what happens to lines that were never shown, in an edit that replaces or deletes lines.
pub(super) fn with_unseen(mut action: FileAction, unseen: UnseenLines) -> FileAction {
    if let FileAction::Edit(Operation::Replace { at, .. } | Operation::Delete { at }) = &mut action
    {
        at.unseen = unseen;
    }
    action
}

/// Text as one string or as a list of lines. Schemas name only one of them; both are taken.
#[derive(Clone, Debug, JsonSchema)]
#[schemars(with = "Vec<String>")]
pub enum Text {
    /// One string.
    One(String),
    /// A list of lines.
    Many(Vec<String>),
}

// Written by hand because serde's `untagged` cannot say which item of a list is not a string.
impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        from.deserialize_any(TextVisitor)
    }
}

struct TextVisitor;

impl<'de> Visitor<'de> for TextVisitor {
    type Value = Text;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a string or a list of strings, one per line")
    }

    fn visit_str<E>(self, text: &str) -> Result<Text, E> {
        Ok(Text::One(text.to_owned()))
    }

    fn visit_string<E>(self, text: String) -> Result<Text, E> {
        Ok(Text::One(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, lines: A) -> Result<Text, A::Error> {
        Vec::deserialize(SeqAccessDeserializer::new(lines)).map(Text::Many)
    }
}

impl From<Text> for Payload {
    fn from(text: Text) -> Self {
        match text {
            Text::One(text) => Self::Text(text),
            Text::Many(lines) => Self::Lines(lines),
        }
    }
}

impl Text {
    /// Returns the text, or `None` for an empty list; an empty string is kept, because it is a blank line.
    fn some_lines(self) -> Option<Self> {
        match self {
            Self::Many(lines) if lines.is_empty() => None,
            text => Some(text),
        }
    }
}

/// Returns the value of a required field, or an error that the field is missing.
pub(super) fn needed<T>(value: Option<T>, fault: Fault, field: &str) -> Result<T, BadRequest> {
    value.ok_or_else(|| BadRequest::new(fault, field, format!("missing field `{field}`")))
}

/// Makes an insertion at `place`; refuses missing lines and an empty list.
pub(super) fn insert(place: Place, lines: Option<Text>) -> Result<FileAction, BadRequest> {
    let text = lines.and_then(Text::some_lines).map(Payload::from);
    let text = text.ok_or_else(|| {
        let message = "there is nothing to insert; a blank line is \"\"";
        BadRequest::new(Fault::EmptyInsert, "lines", message)
    })?;
    Ok(FileAction::Edit(Operation::Insert { place, text }))
}

/// Makes an insertion of a string before or after the line with the anchor `line`.
pub(super) fn insert_string(
    beside: fn(Claim) -> Place,
    line: String,
    text: Payload,
) -> Result<FileAction, BadRequest> {
    let place = beside(line.into());
    Ok(FileAction::Edit(Operation::Insert { place, text }))
}

/// Returns the target of an edit: the range from `first` to `last` (inclusive), or one line if there is no `last`.
pub(super) fn target(first: String, last: Option<String>) -> Target {
    match last {
        Some(last) => Target::range(first, last),
        None => Target::line(first),
    }
}

/// Makes an edit that replaces the lines at `at`.
pub(super) fn replace(at: Target, with: Payload) -> Result<FileAction, BadRequest> {
    Ok(FileAction::Edit(Operation::Replace { at, with }))
}

/// Makes an edit that deletes the lines at `at`.
pub(super) fn delete(at: Target) -> Result<FileAction, BadRequest> {
    Ok(FileAction::Edit(Operation::Delete { at }))
}

/// Makes an edit that replaces the lines at `at`, or deletes them if the new text is missing or an empty list.
pub(super) fn replace_or_delete(at: Target, with: Option<Text>) -> FileAction {
    FileAction::Edit(match with.and_then(Text::some_lines) {
        Some(with) => Operation::Replace {
            at,
            with: with.into(),
        },
        None => Operation::Delete { at },
    })
}

/// Makes an edit that replaces an exact text: every occurrence if `all` is true, otherwise the only one.
pub(super) fn substitute(old: String, new: String, all: Option<bool>) -> FileAction {
    let count = if all == Some(true) {
        Occurrences::All
    } else {
        Occurrences::One
    };
    FileAction::Edit(Operation::Substitute { old, new, count })
}
