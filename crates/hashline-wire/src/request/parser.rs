//! Parsing of typed values from the JSON of a request: errors name their place, unknown fields are noted, paths and revisions are checked.

use hashline_core::dialect::Dialect;
use hashline_core::policy::Context;
use hashline_core::text::RevPrefix;
use schemars::JsonSchema;
use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Number, Value};

use super::shape::{matters_to_edit, revision_advice};
use super::tolerant::{self, PATHS};
use super::{Mode, Note, NoteKind, ParseOptions, Parsed, Shape};
use crate::error::{BadRequest, Fault, joined};

/// What every dialect's request may contain in addition to its own fields.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Extras {
    /// The file.
    #[schemars(skip)]
    pub path: Option<String>,
    /// The revision the anchors were read from, as the read answer gave it.
    pub rev: Option<String>,
    /// The encoding of the file, if a read named it, such as `windows-1252`.
    pub encoding: Option<String>,
    /// Check everything and answer the same, but write nothing.
    pub dry_run: Option<bool>,
    /// How many lines the answer shows around each change: 0 to 50, 5 unless given.
    #[serde(deserialize_with = "whole_number")]
    #[schemars(with = "Option<usize>")]
    pub context: Option<usize>,
}

/// Parses the parts of one request, and collects notes about unknown fields and accepted mistakes.
pub(super) struct Parser<'a> {
    options: &'a ParseOptions<'a>,
    notes: Vec<Note>,
    /// How many of the notes come from an earlier step.
    earlier_notes: usize,
}

impl<'a> Parser<'a> {
    /// Returns a parser that begins with the notes of an earlier step; [`Parser::into_notes`] does not refuse a request for those.
    pub(super) fn new(options: &'a ParseOptions<'a>, notes: Vec<Note>) -> Self {
        Self {
            options,
            earlier_notes: notes.len(),
            notes,
        }
    }

    /// Returns the notes, or refuses a request with an unknown field for which `matters` is true: ignoring a `file_hash` or `new_text` could
    /// write something that was not meant.
    pub(super) fn into_notes(mut self, matters: fn(&str) -> bool) -> Result<Vec<Note>, BadRequest> {
        // The earlier notes are about fields that were dropped on purpose, such as a `type` that names the tool call. `type` is also a field
        // of edits, so they would be refused here.
        if let Some(note) = self.notes[self.earlier_notes..].iter().find(|note| {
            note.kind == NoteKind::UnknownField && request_field(&note.at).is_some_and(matters)
        }) {
            let advice = revision_advice(&note.at, request_field(&note.at).unwrap_or_default());
            let message = format!("a request of this shape has no such field{advice}");
            return Err(BadRequest::new(Fault::BadField, note.at.clone(), message));
        }
        // A field that another one overrules was meant; an unknown one may be dropped from the notes.
        self.notes
            .sort_by_key(|note| !matches!(note.kind, NoteKind::Overruled { .. }));
        self.notes.truncate(MAX_NOTES);
        Ok(self.notes)
    }

    /// Returns the number of notes so far.
    pub(super) fn notes(&self) -> usize {
        self.notes.len()
    }

    /// Prefixes the places of all notes after the first `before` ones with `at`, as in `files[2].edits`.
    pub(super) fn place_notes(&mut self, before: usize, at: &str) {
        for note in &mut self.notes[before..] {
            note.at = joined(at, &note.at);
        }
    }

    /// Returns the dialect that the caller chose, if any.
    pub(super) fn dialect(&self) -> Option<Dialect> {
        self.options.dialect
    }

    /// Refuses a request with both `edits` and `operations`, because it is unclear which is meant; in the cowboy dialect `operations` wins.
    pub(super) fn one_list(&mut self, shape: Shape, value: &Value) -> Result<(), BadRequest> {
        if !(has(value, "edits") && has(value, "operations")) {
            return Ok(());
        }
        if shape == Shape::Cowboy && self.dialect() == Some(Dialect::COWBOY) {
            self.note_overruled("edits", "operations");
            return Ok(());
        }
        let message = "the request has both `edits` and `operations`; send one list";
        Err(BadRequest::new(Fault::BadField, "operations", message))
    }

    /// Renames the field that names the file, such as `file_path`, to `path`, and notes the alias.
    pub(super) fn rename_path(&mut self, value: &mut Value) {
        tolerant::rename_path(value, "", &mut self.notes);
    }

    /// Notes that the field at `at` is ignored because the field `by` takes precedence.
    pub(super) fn note_overruled(&mut self, at: &str, by: &'static str) {
        let kind = NoteKind::Overruled { by };
        self.notes.push(Note {
            at: at.to_owned(),
            kind,
        });
    }

    /// Notes an unknown field that is ignored.
    pub(super) fn note_unknown(&mut self, at: &str) {
        self.notes.push(Note::unknown_field(at));
    }

    /// Deserializes a JSON object at `at` into a `T`, and notes unknown fields; an error names the field that is wrong.
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

    /// Deserializes an edit. A field that is null counts as absent, because models send null for fields that they do not use. An edit with an
    /// unknown field for which [`matters_to_edit`] is true is refused: ignoring the field could change what the edit does.
    pub(super) fn edit<T: DeserializeOwned>(
        &mut self,
        mut edit: Value,
        index: usize,
        at: &str,
    ) -> Result<T, BadRequest> {
        drop_nulls(&mut edit);
        let before = self.notes.len();
        // The result is not returned at once: a field that is unknown explains more than the error about the one that is missing.
        let read: Result<T, BadRequest> = self.read(edit, at);
        let unknown = self.notes[before..].iter().find_map(|note| {
            let field = note.at.strip_prefix(at)?.strip_prefix('.')?;
            matters_to_edit(field).then_some((note, field))
        });
        let Some((note, field)) = unknown else {
            return read.map_err(|error| error.in_edit(index));
        };
        // A field under a wrong name is often the one that is missing.
        let missing = read.err().map(|error| format!("; {}", error.message));
        let advice = revision_advice(at, field);
        let message = format!(
            "unknown field `{field}`{advice}{}",
            missing.unwrap_or_default()
        );
        Err(BadRequest::new(Fault::BadField, note.at.clone(), message).in_edit(index))
    }

    /// Removes the fields that every dialect's request may have (`path`, `rev`, `encoding`, `dry_run`, `context`) from a request, and returns them.
    pub(super) fn extras(&mut self, value: &mut Value) -> Result<Extras, BadRequest> {
        let mut own = Map::new();
        if let Some(object) = value.as_object_mut() {
            for key in ["path", "rev", "encoding", "dry_run", "context"] {
                own.extend(object.shift_remove_entry(key));
            }
        }
        let extras: Extras = self.read(Value::Object(own), "")?;
        // A caller that must fill in every field sends an empty revision with a new file.
        let rev = extras.rev.filter(|rev| !rev.is_empty());
        let encoding = extras.encoding.filter(|name| !name.is_empty());
        Ok(Extras {
            rev,
            encoding,
            ..extras
        })
    }

    /// Takes the list under `key` out of a request; refuses a request without it or with an empty list.
    pub(super) fn list(&self, value: &mut Value, key: &str) -> Result<Vec<Value>, BadRequest> {
        match value.get_mut(key).map(Value::take) {
            Some(Value::Array(list)) if !list.is_empty() => Ok(list),
            Some(Value::Array(_) | Value::Null) | None => Err(no_edits(key)),
            Some(_) => {
                let message = "expected a list of edits";
                Err(BadRequest::new(Fault::NoEdits, key, message))
            }
        }
    }

    /// Returns the path that the request names, or else the path in the options; refuses a request without either.
    pub(super) fn path(&self, path: Option<String>) -> Result<String, BadRequest> {
        let path = path.or_else(|| self.options.path.map(str::to_owned));
        let path = path
            .filter(|path| !path.is_empty())
            .ok_or_else(no_file_named)?;
        file_name(path, "path")
    }

    /// Parses the fields of a request over one file whose edits were taken out: the dialect's own fields, the path, and the common fields.
    pub(super) fn beside_edits<R: DeserializeOwned>(
        &mut self,
        mut value: Value,
    ) -> Result<(R, String, Parsed), BadRequest> {
        let mut extras = self.extras(&mut value)?;
        let request = self.read(value, "")?;
        let path = self.path(extras.path.take())?;
        let parsed = Parsed::new(&path, &extras)?;
        Ok((request, path, parsed))
    }
}

impl Parsed {
    /// Returns a parsed request without edits, with the context, dry run, revision and encoding that its common fields give for the file at `path`.
    pub(super) fn new(path: &str, extras: &Extras) -> Result<Self, BadRequest> {
        let mut parsed = Self {
            context: extras.context.map(Context::new),
            ..Self::default()
        };
        if extras.dry_run == Some(true) {
            parsed.mode = Mode::DryRun;
        }
        if let Some(rev) = &extras.rev {
            let rev = revision(rev, "rev")?;
            parsed.request.revs.insert(path.to_owned(), rev);
        }
        if let Some(name) = &extras.encoding {
            let encodings = &mut parsed.request.encodings;
            encodings.insert(path.to_owned(), name.clone());
        }
        Ok(parsed)
    }
}

/// The maximum number of bytes of a path: no operating system accepts longer ones.
const LONGEST_NAME: usize = 4096;

/// The maximum number of notes that an answer contains.
pub(super) const MAX_NOTES: usize = 20;

/// The top-level fields of requests in all shapes, apart from the path and its other names ([`PATHS`]).
const REQUEST_FIELDS: &[&str] = &[
    "edits",
    "operations",
    "patch",
    "files",
    "rev",
    "revs",
    "encoding",
    "encodings",
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

/// Returns whether a request in any shape has this top-level field.
pub(super) fn is_request_field(field: &str) -> bool {
    PATHS.contains(&field) || REQUEST_FIELDS.contains(&field)
}

/// Returns whether ignoring this field of a request could change what is written.
pub(super) fn matters_to_request(field: &str) -> bool {
    is_request_field(field) || matters_to_edit(field)
}

/// Returns whether a request has a field that is not null.
pub(super) fn has(value: &Value, key: &str) -> bool {
    value.get(key).is_some_and(|value| !value.is_null())
}

/// Returns the name of the request's list of edits, for shapes that accept both `operations` and `edits`.
pub(super) fn list_key(value: &Value) -> &'static str {
    if has(value, "operations") {
        "operations"
    } else {
        "edits"
    }
}

/// Returns the field at a place such as `files[2].rev` or `rev`; `None` for the field of an edit, such as `edits[2].anchor`.
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

/// Refuses a value that is not a JSON object: from a list serde would take the items as the fields of a struct, in order.
pub(super) fn must_be_object(value: &Value, at: &str) -> Result<(), BadRequest> {
    if value.is_object() {
        return Ok(());
    }
    let message = "expected a JSON object";
    Err(BadRequest::new(Fault::BadField, at, message))
}

/// Drops the fields of an edit that are null, except `lines`: in openagent a null `lines` deletes.
fn drop_nulls(edit: &mut Value) {
    if let Some(object) = edit.as_object_mut() {
        object.retain(|key, value| !value.is_null() || key == "lines");
        object
            .values_mut()
            .filter(|value| value.is_object())
            .for_each(drop_nulls);
    }
}

pub(super) fn no_edits(list: &str) -> BadRequest {
    BadRequest::new(Fault::NoEdits, list, "the request has no edits")
}

pub(super) fn no_file_named() -> BadRequest {
    BadRequest::new(Fault::BadField, "path", "the request names no file")
}

/// Parses a revision of 8 to 32 hex digits.
pub(super) fn revision(text: &str, at: &str) -> Result<RevPrefix, BadRequest> {
    RevPrefix::parse(text).ok_or_else(|| {
        let start: String = text.chars().take(40).collect();
        let message = format!(
            "{start:?} is not a revision: expected 8 to 32 hex digits, as a read shows them"
        );
        BadRequest::new(Fault::BadRevision, at, message)
    })
}

/// Refuses an empty path, and one longer than 4096 bytes.
pub(super) fn file_name(path: String, field: &str) -> Result<String, BadRequest> {
    let bytes = path.len();
    let message = match bytes {
        0 => "the name of a file must not be empty".to_owned(),
        1..=LONGEST_NAME => return Ok(path),
        _ => format!("the name of a file has {bytes} bytes; the limit is {LONGEST_NAME}"),
    };
    Err(BadRequest::new(Fault::BadField, field, message))
}

/// Deserializes a whole number that is not negative; null becomes `None`.
pub(super) fn whole_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<usize>, D::Error> {
    let number = signed_number(from)?.map(|number| {
        let negative = |_| D::Error::custom(format!("expected 0 or more, not {number}"));
        usize::try_from(number).map_err(negative)
    });
    number.transpose()
}

/// Deserializes a whole number; null becomes `None`. Some libraries write every number with a decimal point, so `3.0` is accepted.
pub(super) fn signed_number<'de, D: Deserializer<'de>>(from: D) -> Result<Option<i64>, D::Error> {
    let number = Option::<Number>::deserialize(from)?.map(|number| {
        let whole = number.as_i64().or_else(|| whole_float(number.as_f64()?));
        whole.ok_or_else(|| D::Error::custom(format!("expected a whole number, not {number}")))
    });
    number.transpose()
}

#[expect(
    clippy::cast_possible_truncation,
    reason = "the cast saturates, and no file has that many lines"
)]
fn whole_float(number: f64) -> Option<i64> {
    (number.fract() == 0.0).then_some(number as i64)
}
