//! Operations as a table: what each is called, which fields belong to it, and what is made of them.
//!
//! This is how the dialects whose edits name their operation in a field are read. A field that belongs to another operation of the
//! dialect is refused, for ignoring it could change what the edit does; one that the dialect's definition ignores is listed with the
//! operation that ignores it.

use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::typed::Reader;
use crate::error::{BadRequest, Fault};

/// The operations of a dialect. An edit is read as an `E` and means an `A`.
pub(super) struct Operations<E: 'static, A: 'static> {
    /// The field that names the operation, then its other names.
    pub(super) keys: &'static [&'static str],
    /// The operations.
    pub(super) rows: &'static [Row<E, A>],
    /// Names that other tools use, and what to use for them here.
    pub(super) instead: &'static [(&'static str, &'static str)],
}

/// One operation.
pub(super) struct Row<E, A> {
    name: &'static str,
    fields: &'static [&'static str],
    make: fn(E) -> Result<A, BadRequest>,
}

/// Describes an operation: its name, the fields that belong to it with all their names, and what it makes of them.
pub(super) const fn row<E, A>(
    name: &'static str,
    fields: &'static [&'static str],
    make: fn(E) -> Result<A, BadRequest>,
) -> Row<E, A> {
    Row { name, fields, make }
}

/// Lists names as people do: `a, b or c`.
pub(super) fn one_of(names: &[&str]) -> String {
    match names.split_last() {
        Some((last, others)) => format!("{} or {last}", others.join(", ")),
        None => String::new(),
    }
}

impl<E, A> Operations<E, A> {
    /// Lists the names of the operations.
    pub(super) fn names(&self) -> impl Iterator<Item = &'static str> {
        self.rows.iter().map(|row| row.name)
    }

    /// Tells whether an edit may have a field.
    pub(super) fn has_field(&self, field: &str) -> bool {
        self.keys.contains(&field) || self.rows.iter().any(|row| row.fields.contains(&field))
    }

    /// Tells whether an edit's operation is one of these, or has a name for which another is to be used here.
    pub(super) fn has_word_for(&self, edit: &Map<String, Value>) -> bool {
        let mut names = self.keys.iter().filter_map(|key| edit.get(*key)?.as_str());
        self.knows(edit) || names.any(|name| self.instead.iter().any(|(other, _)| *other == name))
    }

    /// Tells whether an edit's operation is one of these.
    pub(super) fn knows(&self, edit: &Map<String, Value>) -> bool {
        self.row(edit).is_some()
    }

    fn row(&self, edit: &Map<String, Value>) -> Option<&'static Row<E, A>> {
        let mut names = self.keys.iter().filter_map(|key| edit.get(*key)?.as_str());
        names.find_map(|name| self.rows.iter().find(|row| row.name == name))
    }

    /// Refuses a field that belongs to another operation. Models send nulls for what they do not use; those do not count.
    fn check_fields(&self, row: &Row<E, A>, edit: &Map<String, Value>) -> Result<(), BadRequest> {
        let own = |field: &str| row.fields.contains(&field) || self.keys.contains(&field);
        let mut sent = edit.iter().filter(|(_, value)| !value.is_null());
        let other = sent.find(|(field, _)| !own(field) && self.has_field(field));
        other.map_or(Ok(()), |(field, _)| {
            let message = format!("{} takes no {field}: it would be ignored", row.name);
            Err(BadRequest::new(Fault::BadField, field, message))
        })
    }

    fn unknown(&self, edit: &Map<String, Value>) -> BadRequest {
        let sent = self.keys.iter().find_map(|key| edit.get(*key)?.as_str());
        let instead = self.instead.iter().find(|(name, _)| Some(*name) == sent);
        let hint = instead.map_or_else(String::new, |(_, this)| format!("; for that use {this}"));
        let sent = sent.map_or_else(
            || "it is missing".to_owned(),
            |sent| format!("{sent:?} is not known"),
        );
        let known = one_of(&self.names().collect::<Vec<_>>());
        let message = format!("{known} belongs here; {sent}{hint}");
        BadRequest::new(Fault::UnknownOperation, self.keys[0], message)
    }
}

impl<E: DeserializeOwned, A> Operations<E, A> {
    /// Reads the edits of the list that stands at `list`.
    pub(super) fn read_all(
        &self,
        reader: &mut Reader<'_>,
        edits: Vec<Value>,
        list: &str,
    ) -> Result<Vec<A>, BadRequest> {
        let edits = edits.into_iter().enumerate();
        edits
            .map(|(index, edit)| self.read(reader, edit, index, &format!("{list}[{index}]")))
            .collect()
    }

    /// Reads one edit, which stands at `at`.
    pub(super) fn read(
        &self,
        reader: &mut Reader<'_>,
        edit: Value,
        index: usize,
        at: &str,
    ) -> Result<A, BadRequest> {
        let refused = |error: BadRequest| error.within(at).in_edit(index);
        let none = Map::new();
        let fields = edit.as_object().unwrap_or(&none);
        let row = self.row(fields).ok_or_else(|| self.unknown(fields));
        if let Ok(row) = &row {
            self.check_fields(row, fields).map_err(refused)?;
        }
        // What is wrong with a field by itself is said before an operation that nobody knows.
        let edit = reader.edit(edit, index, at)?;
        row.and_then(|row| (row.make)(edit)).map_err(refused)
    }
}
