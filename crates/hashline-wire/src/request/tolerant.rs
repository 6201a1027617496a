//! Accepts requests that models send slightly wrong: a list sent as a string of JSON or as one object, an alias for `path`, a request inside
//! the wrapper of a tool call, fields that are null or empty.
//!
//! A mistake is accepted only if the request has one possible meaning, and the sender gets a note. A refusal would cost another call, and the
//! model often makes the same mistake again.

use hashline_core::dialect::Dialect;
use serde_json::{Map, Value};

use super::parser::matters_to_request;
use super::shape::is_operation;
use super::{Limits, Note, NoteKind, ParseOptions, json};
use crate::error::{BadRequest, Fault, joined};

/// The keys under which requests hold lists of objects.
const LISTS: &[&str] = &["edits", "operations", "patch", "files"];

/// The names of the field that holds a request's path; the first is the proper name, the others are aliases.
pub(super) const PATHS: &[&str] = &["path", "filePath", "file_path", "file"];

/// Normalizes a request: removes the `tool`/`args` wrapper and null fields, and turns lists that were sent as strings or objects into lists.
pub(super) fn normalize(
    value: Value,
    options: &ParseOptions<'_>,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let limits = &options.limits;
    let value = from_string(value, "", limits, notes)?;
    let value = unwrap_call(value, matters_to_request, notes)?;
    let mut object = match value {
        Value::Object(mut object) => {
            drop_call_names(&mut object, notes);
            object
        }
        Value::Array(_) => {
            let message = "a request is an object with a path and a list of edits, not a bare list";
            return Err(BadRequest::new(Fault::NotARequest, "", message));
        }
        _ => {
            let message = "a request is a JSON object";
            return Err(BadRequest::new(Fault::NotARequest, "", message));
        }
    };
    for &key in LISTS {
        if let Some(list) = object.get_mut(key) {
            *list = as_list(list.take(), key, limits, notes)?;
        }
    }
    if let Some(Value::Array(files)) = object.get_mut("files") {
        for (index, file) in files.iter_mut().enumerate() {
            for list in ["edits", "operations"] {
                if let Some(edits) = file.get_mut(list) {
                    let at = format!("files[{index}].{list}");
                    *edits = as_list(edits.take(), &at, limits, notes)?;
                }
            }
            if let Some(file) = file.as_object_mut() {
                drop_absent(file, options.dialect);
            }
        }
    }
    drop_absent(&mut object, options.dialect);
    Ok(Value::Object(object))
}

/// Drops a top-level field that names the tool call, as in `"type":"function"`, and notes it. A field with the name of an operation stays,
/// because the request may itself be an edit.
fn drop_call_names(request: &mut Map<String, Value>, notes: &mut Vec<Note>) {
    for field in ["type", "operation"] {
        let name = request.get(field).and_then(Value::as_str);
        if name.is_some_and(|name| !is_operation(name)) {
            request.shift_remove(field);
            notes.push(Note::unknown_field(field));
        }
    }
}

/// Drops the fields of a request that are null, and empty lists of edits if another list has items.
fn drop_absent(request: &mut Map<String, Value>, chosen: Option<Dialect>) {
    let holds = |key: &str| request.get(key).is_some_and(|list| !is_empty(list));
    let edits_files = holds("files");
    let has_edits = LISTS[..3].iter().any(|list| holds(list));
    // By cowboy's own definition `operations` wins over `edits` even if it is empty.
    let operations_win = chosen == Some(Dialect::COWBOY) && !edits_files;
    request.retain(|key, value| match key.as_str() {
        "files" => !is_empty(value),
        "operations" if operations_win => !value.is_null(),
        "edits" | "operations" if edits_files && !has_edits => true,
        "edits" | "operations" | "patch" if has_edits || edits_files => !is_empty(value),
        _ => !value.is_null(),
    });
}

/// Returns whether a value is null, or an empty list, object or string: models with strict schemas fill every field, even an unused one.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::Array(list) => list.is_empty(),
        Value::Object(object) => object.is_empty(),
        Value::String(text) => text.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// Drops the fields of a request that are null, because they count as absent.
pub(super) fn drop_nulls(request: &mut Value) {
    if let Some(request) = request.as_object_mut() {
        request.retain(|_, value| !value.is_null());
    }
}

/// Renames an alias of `path` to `path` in the request at `at`, and notes it. A second alias with the same path is dropped; one with another
/// path stays, and is refused later as an unknown field.
pub(super) fn rename_path(request: &mut Value, at: &str, notes: &mut Vec<Note>) {
    let Some(request) = request.as_object_mut() else {
        return;
    };
    let name = PATHS[0];
    if request.get(name).is_none_or(is_empty) {
        let mut others = PATHS.iter().skip(1);
        let Some(other) = others.find(|other| request.get(**other).is_some_and(Value::is_string))
        else {
            return;
        };
        let path = request.shift_remove(*other).unwrap_or_default();
        request.insert(name.to_owned(), path);
        notes.push(Note {
            at: joined(at, other),
            kind: NoteKind::OtherName { name },
        });
    }
    let path = request[name].clone();
    request.retain(|key, value| key == name || !PATHS.contains(&key.as_str()) || *value != path);
}

/// Removes the wrapper of a tool call, `{"tool":...,"args":{...}}`, around a request. A field next to `args` for which `matters` is true is
/// refused, because it would be lost; a `path` next to `args` is accepted, unless the arguments name another.
pub(super) fn unwrap_call(
    value: Value,
    matters: fn(&str) -> bool,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let Value::Object(mut call) = value else {
        return Ok(value);
    };
    let mut args = match call.get_mut("args").map(Value::take) {
        // Without `tool` it is not a wrapper: `args` is an unknown field, and is refused or noted as one.
        Some(Value::Object(args)) if call.contains_key("tool") => args,
        args => {
            call.extend(args.map(|args| ("args".to_owned(), args)));
            return Ok(Value::Object(call));
        }
    };
    call.retain(|field, _| field != "tool" && field != "args");
    drop_call_names(&mut call, notes);
    for (field, value) in call.into_iter().filter(|(_, value)| !value.is_null()) {
        if field == "path" {
            add_path(&mut args, value)?;
        } else if matters(&field) {
            let message = "this field is next to `args`; put it inside";
            return Err(BadRequest::new(Fault::BadField, field, message));
        } else {
            notes.push(Note::unknown_field(&field));
        }
    }
    Ok(Value::Object(args))
}

/// Moves the path next to `args` into the arguments; refuses it if they name another path.
fn add_path(args: &mut Map<String, Value>, path: Value) -> Result<(), BadRequest> {
    let own = PATHS.iter().filter_map(|key| args.get(*key));
    match own
        .filter(|own| !own.is_null())
        .max_by_key(|own| **own != path)
    {
        Some(own) if *own != path => {
            let message = "the path next to `args` differs from the one inside";
            Err(BadRequest::new(Fault::BadField, "path", message))
        }
        Some(_) => Ok(()),
        None => {
            args.insert("path".to_owned(), path);
            Ok(())
        }
    }
}

fn as_list(
    value: Value,
    at: &str,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    match from_string(value, at, limits, notes)? {
        // pi's `patch` may be an object that holds the list.
        Value::Object(mut object) if object.contains_key("operations") => {
            if let Some(list) = object.get_mut("operations") {
                *list = as_list(list.take(), &format!("{at}.operations"), limits, notes)?;
            }
            Ok(Value::Object(object))
        }
        Value::Object(object) if !object.is_empty() => {
            notes.push(Note {
                at: at.to_owned(),
                kind: NoteKind::ObjectForList,
            });
            Ok(Value::Array(vec![Value::Object(object)]))
        }
        Value::Array(list) => list
            .into_iter()
            .enumerate()
            .map(|(index, item)| from_string(item, &format!("{at}[{index}]"), limits, notes))
            .collect::<Result<Vec<_>, _>>()
            .map(Value::Array),
        other => Ok(other),
    }
}

/// Parses a string that contains a JSON list or object, and notes it; any other value is returned unchanged.
fn from_string(
    value: Value,
    at: &str,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let Value::String(text) = &value else {
        return Ok(value);
    };
    if !text.trim_start().starts_with(['[', '{']) {
        return Ok(value);
    }
    let not_json = "a string that looks like JSON but is not";
    // The limits are checked again: to the first pass the whole list was one string.
    let inner = json::read(text.as_bytes(), limits, Fault::BadField, not_json)
        .map_err(|error| error.within(at))?;
    notes.push(Note {
        at: at.to_owned(),
        kind: NoteKind::ListInString,
    });
    Ok(inner)
}
