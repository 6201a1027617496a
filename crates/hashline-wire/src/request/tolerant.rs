//! What models get wrong about lists: sent as a string of JSON, or as one object. Understood, and noted.

use serde_json::{Map, Value};

use super::typed::REQUEST_FIELDS;
use super::{Limits, Note, NoteKind, json};
use crate::error::{BadRequest, Fault};

/// The keys under which requests hold lists of objects.
const LISTS: &[&str] = &["edits", "operations", "patch", "files"];

/// The names under which a request says its file.
const PATHS: &[&str] = &["path", "filePath", "file_path"];

/// Unwraps a request: the `tool`/`args` wrapper, lists in strings, objects for lists.
pub(super) fn tidy(
    value: Value,
    limits: &Limits,
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let value = unwrap_call(
        from_string(value, "", limits, notes)?,
        REQUEST_FIELDS,
        notes,
    )?;
    let mut object = match value {
        Value::Object(object) => object,
        Value::Array(_) => {
            let message = "a request is an object with a path and a list of edits, not a bare list";
            return Err(BadRequest::new(Fault::NotARequest, "", message));
        }
        _ => {
            return Err(BadRequest::new(
                Fault::NotARequest,
                "",
                "a request is a JSON object",
            ));
        }
    };
    for &key in LISTS {
        if let Some(list) = object.get_mut(key) {
            *list = as_list(list.take(), key, limits, notes)?;
        }
    }
    if let Some(Value::Array(files)) = object.get_mut("files") {
        for (index, file) in files.iter_mut().enumerate() {
            if let Some(edits) = file.get_mut("edits") {
                *edits = as_list(
                    edits.take(),
                    &format!("files[{index}].edits"),
                    limits,
                    notes,
                )?;
            }
        }
    }
    Ok(Value::Object(object))
}

/// Drops the wrapper of a tool call around a request. What stands beside its `args` would be lost, so it must not be one of the `fields`
/// of the request; only a path may stand there, if the arguments have none of their own that is another.
pub(super) fn unwrap_call(
    value: Value,
    fields: &[&str],
    notes: &mut Vec<Note>,
) -> Result<Value, BadRequest> {
    let Value::Object(mut call) = value else {
        return Ok(value);
    };
    let mut args = match call.get_mut("args").map(Value::take) {
        Some(Value::Object(args)) if call.contains_key("tool") => args,
        args => {
            call.extend(args.map(|args| ("args".to_owned(), args)));
            return Ok(Value::Object(call));
        }
    };
    call.retain(|field, _| field != "tool" && field != "args");
    for (field, value) in call.into_iter().filter(|(_, value)| !value.is_null()) {
        if field == "path" {
            add_path(&mut args, value)?;
        } else if fields.contains(&field.as_str()) {
            let message = "this field stands beside `args` and would be ignored; put it inside";
            return Err(BadRequest::new(Fault::BadField, field, message));
        } else {
            notes.push(Note::unknown_field(&field));
        }
    }
    Ok(Value::Object(args))
}

/// Gives arguments the path that stood beside them.
fn add_path(args: &mut Map<String, Value>, path: Value) -> Result<(), BadRequest> {
    let own = PATHS.iter().filter_map(|key| args.get(*key));
    match own
        .filter(|own| !own.is_null())
        .max_by_key(|own| **own != path)
    {
        Some(own) if *own != path => {
            let message = "one path stands beside `args` and another inside";
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

/// Reads a string that holds JSON of a list or an object; any other value stays as it is.
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
    let inner = json::read(text.as_bytes(), limits, Fault::BadField, not_json)
        .map_err(|error| error.within(at))?;
    notes.push(Note {
        at: at.to_owned(),
        kind: NoteKind::ListInString,
    });
    Ok(inner)
}
