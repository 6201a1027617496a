//! Reading typed pieces out of a request: where a field is wrong, unknown fields noted, paths and revisions checked.

use hashline_core::dialect::Dialect;
use hashline_core::edit::{EditNo, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Context;
use hashline_core::text::RevPrefix;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::number::whole_number;
use super::shape::means_something;
use super::{Mode, Note, NoteKind, ParseOptions, RevField, Shape, Show, tolerant};
use crate::error::{BadRequest, Fault, joined};

/// What a request asks for, before bounds are checked.
#[derive(Default)]
pub(super) struct Asked {
    pub(super) request: Request,
    pub(super) mode: Mode,
    pub(super) context: Option<Context>,
    pub(super) show: Show,
    pub(super) rev_field: RevField,
}

/// What every dialect's request may carry beside its own fields.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
pub struct Extras {
    /// The revision the anchors were read from, as the read answer gave it.
    #[serde(default)]
    pub rev: Option<String>,
    /// Check everything and answer the same, but write nothing.
    #[serde(default)]
    pub dry_run: Option<bool>,
    /// How many lines the answer shows around each change: 0 to 50, 5 unless given.
    #[serde(default, deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context: Option<usize>,
}

/// Reads the pieces of one request.
pub(super) struct Reader<'a> {
    options: &'a ParseOptions<'a>,
    notes: Vec<Note>,
    /// So many of them tell of fields that were looked at before.
    looked_at: usize,
}

impl<'a> Reader<'a> {
    /// Begins with what there was to note before: none of it refuses the request.
    pub(super) fn new(options: &'a ParseOptions<'a>, notes: Vec<Note>) -> Self {
        let looked_at = notes.len();
        Self {
            options,
            notes,
            looked_at,
        }
    }

    /// Returns what there is to note. A field of the request itself that is ignored although it means something, as `refused` tells,
    /// refuses the request: without its `file_hash` or its `new_text` it could write what was not to be written.
    pub(super) fn into_notes(mut self, refused: fn(&str) -> bool) -> Result<Vec<Note>, BadRequest> {
        if let Some(note) = self.notes[self.looked_at..].iter().find(|note| {
            note.kind == NoteKind::UnknownField && request_field(&note.at).is_some_and(refused)
        }) {
            let message =
                "this field means nothing in a request of this shape; it would be ignored";
            return Err(BadRequest::new(Fault::BadField, note.at.clone(), message));
        }
        // What was left aside was meant for something; a field that nobody knows is told of if there is room.
        self.notes
            .sort_by_key(|note| !matches!(note.kind, NoteKind::Overruled { .. }));
        self.notes.truncate(MOST_NOTES);
        Ok(self.notes)
    }

    /// Counts what was noted so far.
    pub(super) fn notes(&self) -> usize {
        self.notes.len()
    }

    /// Says where the part of a request stands that the notes after the first `before` are about.
    pub(super) fn place_notes(&mut self, before: usize, at: &str) {
        for note in &mut self.notes[before..] {
            note.at = joined(at, &note.at);
        }
    }

    /// Returns the dialect that was chosen.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.options.dialect
    }

    /// Refuses a request with two lists of edits: which of them is meant cannot be told. By cowboy's own definition `operations` wins.
    pub(super) fn one_list(&mut self, shape: Shape, value: &Value) -> Result<(), BadRequest> {
        if !(has(value, "edits") && has(value, "operations")) {
            return Ok(());
        }
        if shape == Shape::Cowboy && self.dialect() == Some(Dialect::COWBOY) {
            self.note_overruled("edits", "operations");
            return Ok(());
        }
        let message = "`edits` stands beside it, and one of them would be ignored; send only the list that is meant";
        Err(BadRequest::new(Fault::BadField, "operations", message))
    }

    /// Gives a request whose file goes by another name a `path`, and notes it.
    pub(super) fn name_path(&mut self, value: &mut Value) {
        tolerant::name_path(value, "", &mut self.notes);
    }

    /// Notes a field that is left aside for another.
    pub(super) fn note_overruled(&mut self, at: &str, by: &'static str) {
        let kind = NoteKind::Overruled { by };
        self.notes.push(Note {
            at: at.to_owned(),
            kind,
        });
    }

    /// Notes a field that nobody reads.
    pub(super) fn note_unknown(&mut self, at: &str) {
        self.notes.push(Note::unknown_field(at));
    }

    /// Reads a value as `T`; says where it fails, and notes the fields nobody reads.
    pub(super) fn read<T: DeserializeOwned>(
        &mut self,
        value: Value,
        at: &str,
    ) -> Result<T, BadRequest> {
        must_be_object(&value, at)?;
        let mut track = serde_path_to_error::Track::new();
        let mut unknown = Vec::new();
        let tracked = serde_path_to_error::Deserializer::new(value, &mut track);
        let read = serde_ignored::deserialize(tracked, |path| {
            unknown.push(joined(at, &path.to_string().replace(".?", "")));
        });
        self.notes
            .extend(unknown.iter().map(|at| Note::unknown_field(at)));
        read.map_err(|error: serde_json::Error| {
            let path = track.path().to_string();
            let field = if path == "." { "" } else { &path };
            BadRequest::new(Fault::BadField, joined(at, field), error.to_string())
        })
    }

    /// Reads an edit. A field that is null counts as absent (models send nulls for what they do not use), and one that belongs to
    /// other edits, or sounds as if it said what the edit does, is refused: ignoring it could change what the edit does.
    pub(super) fn edit<T: DeserializeOwned>(
        &mut self,
        mut edit: Value,
        index: usize,
        at: &str,
    ) -> Result<T, BadRequest> {
        drop_nulls(&mut edit);
        let before = self.notes.len();
        let read: Result<T, BadRequest> = self.read(edit, at);
        let telling = self.notes[before..].iter().find(|note| {
            note.at
                .strip_prefix(at)
                .and_then(|field| field.strip_prefix('.'))
                .is_some_and(means_something)
        });
        let Some(note) = telling else {
            return read.map_err(|error| error.in_edit(index));
        };
        // A field under a wrong name is often the one that is missing.
        let missing = read.err().map(|error| format!("; {}", error.message));
        let message = format!(
            "this edit has no such field: it would be ignored{}",
            missing.unwrap_or_default()
        );
        Err(BadRequest::new(Fault::BadField, note.at.clone(), message).in_edit(index))
    }

    /// Takes out what every dialect's request may carry beside its own fields.
    pub(super) fn extras(&mut self, value: &mut Value) -> Result<Extras, BadRequest> {
        let mut own = Map::new();
        if let Some(object) = value.as_object_mut() {
            for key in ["rev", "dry_run", "context"] {
                own.extend(object.remove_entry(key));
            }
        }
        let extras: Extras = self.read(Value::Object(own), "")?;
        // Who must fill in every field has no revision of a file that is not there yet.
        let rev = extras.rev.filter(|rev| !rev.is_empty());
        Ok(Extras { rev, ..extras })
    }

    /// Takes the list under `key` out of a request; refuses one without edits.
    pub(super) fn list(&self, value: &mut Value, key: &str) -> Result<Vec<Value>, BadRequest> {
        match value.get_mut(key).map(Value::take) {
            Some(Value::Array(list)) if !list.is_empty() => Ok(list),
            Some(Value::Array(_)) | Some(Value::Null) | None => Err(BadRequest::new(
                Fault::NoEdits,
                key,
                "the request has no edits: nothing to do",
            )),
            Some(_) => Err(BadRequest::new(
                Fault::NoEdits,
                key,
                "a list of edits belongs here",
            )),
        }
    }

    /// Returns the file a request is for: its own path, else the one given beside it.
    pub(super) fn path(&self, path: Option<String>) -> Result<String, BadRequest> {
        let path = path.or_else(|| self.options.path.map(str::to_owned));
        let path = path.filter(|path| !path.is_empty()).ok_or_else(|| {
            BadRequest::new(
                Fault::BadField,
                "path",
                "the request does not say which file it is for",
            )
        })?;
        file_name(path, "path")
    }

    /// Starts a request for one file with what it carries beside its edits.
    pub(super) fn asked(&self, path: &str, extras: &Extras) -> Result<Asked, BadRequest> {
        let mut asked = Asked {
            mode: if extras.dry_run == Some(true) {
                Mode::DryRun
            } else {
                Mode::Write
            },
            context: extras.context.map(Context::new),
            ..Asked::default()
        };
        if let Some(rev) = &extras.rev {
            asked
                .request
                .revs
                .insert(path.to_owned(), revision(rev, "rev")?);
        }
        Ok(asked)
    }
}

/// No system has files with longer names.
const LONGEST_NAME: usize = 4096;

/// More than so many notes help nobody.
pub(super) const MOST_NOTES: usize = 20;

/// Fields of a request that mean something in some shape, and names that models use for them.
const REQUEST_FIELDS: &[&str] = &[
    "path",
    "filePath",
    "file_path",
    "file",
    "edits",
    "operations",
    "patch",
    "files",
    "rev",
    "revs",
    "file_hash",
    "expected_version",
    "full_refresh",
    "dry_run",
    "dryRun",
    "dry-run",
    "context",
    "rename",
    "delete",
];

/// Tells whether a field belongs to some request.
pub(super) fn is_of_a_request(field: &str) -> bool {
    REQUEST_FIELDS.contains(&field)
}

/// Tells whether a field beside the edits, or beside the content of a file, may say what shall be changed, where, or whether at all.
pub(super) fn carries_change(field: &str) -> bool {
    is_of_a_request(field) || means_something(field)
}

/// Tells whether a request has a field that is not null.
pub(super) fn has(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}

/// Names the list that holds the edits of a request which has them under either name.
pub(super) fn list_key(value: &Value) -> &'static str {
    match has(value, "operations") {
        true => "operations",
        false => "edits",
    }
}

/// Returns the name of a field of a request, of one of its files or of the object that holds its list; nothing for a field of an edit.
fn request_field(at: &str) -> Option<&str> {
    let of_file = at
        .strip_prefix("files[")
        .and_then(|rest| rest.split_once("]."));
    let inner = at.strip_prefix("patch.");
    let field = of_file.map(|(_, field)| field).or(inner).unwrap_or(at);
    let lists = ["edits[", "operations[", "patch["];
    let is_of_edit = lists.iter().any(|list| field.starts_with(list));
    (!is_of_edit).then_some(field)
}

/// Refuses a list where an object belongs: its items would be taken for the fields in order.
pub(super) fn must_be_object(value: &Value, at: &str) -> Result<(), BadRequest> {
    if value.is_object() {
        return Ok(());
    }
    let message = "a JSON object belongs here";
    Err(BadRequest::new(Fault::BadField, at, message))
}

/// Drops fields that are null, but for openagent's `lines`, where null deletes.
fn drop_nulls(edit: &mut Value) {
    if let Some(object) = edit.as_object_mut() {
        object.retain(|key, value| !value.is_null() || key == "lines");
        object
            .values_mut()
            .filter(|value| value.is_object())
            .for_each(drop_nulls);
    }
}

/// Reads a revision.
pub(super) fn revision(text: &str, at: &str) -> Result<RevPrefix, BadRequest> {
    RevPrefix::parse(text).ok_or_else(|| {
        let start: String = text.chars().take(40).collect();
        let message =
            format!("{start:?} is no revision: 8 to 32 hex digits, as the read answer gave them");
        BadRequest::new(Fault::BadRevision, at, message)
    })
}

/// Checks the name of a file.
pub(super) fn file_name(path: String, field: &str) -> Result<String, BadRequest> {
    if path.is_empty() {
        let message = "the name of a file must not be empty";
        return Err(BadRequest::new(Fault::BadField, field, message));
    }
    if path.len() > LONGEST_NAME {
        let message = format!(
            "the name of a file has at most {LONGEST_NAME} bytes; this one has {}",
            path.len()
        );
        return Err(BadRequest::new(Fault::BadField, field, message));
    }
    Ok(path)
}

/// Makes a step that edits lines.
pub(super) fn edit_step(index: usize, path: &str, operation: Operation) -> Step {
    Step {
        no: EditNo::from_index(index),
        path: path.to_owned(),
        action: FileAction::Edit(operation),
    }
}

/// Makes the steps that edit the lines of one file.
pub(super) fn edit_steps(path: &str, operations: Vec<Operation>) -> Vec<Step> {
    let numbered = operations.into_iter().enumerate();
    numbered
        .map(|(index, operation)| edit_step(index, path, operation))
        .collect()
}
