//! Several files in one request: each entry of `files` is a request over one file, in any dialect's shape.
//!
//! What stands beside `files` may be the first of them, so that a caller who always names a file goes on from there.

use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use serde_json::{Map, Value};

use super::tolerant::PATHS;
use super::typed::{Asked, Reader, file_name, has, must_be_object};
use super::{CommonRequest, RevField, Shape, of_shape, shape, tolerant};
use crate::error::{BadRequest, Fault};

/// The lists that hold the edits of one file.
const LISTS: &[&str] = &["edits", "operations"];
/// What is said once for all files.
const OF_THE_WHOLE: &[&str] = &["dry_run", "context"];

/// Tells whether a request is over several files.
pub(super) fn is(value: &Value) -> bool {
    has(value, "files")
}

pub(super) fn read(
    reader: &mut Reader<'_>,
    mut value: Value,
    chosen: Dialect,
) -> Result<Asked, BadRequest> {
    let files = reader.list(&mut value, "files")?;
    let first = first(&mut value)?;
    let extras = reader.extras(&mut value)?;
    let _: CommonRequest = reader.read(value, "")?;
    let mut asked = reader.asked("", &extras)?;
    asked.rev_field = RevField::InEntry;
    let first = first.map(|file| (String::new(), file));
    let files = files.into_iter().enumerate();
    let files = files.map(|(index, file)| (format!("files[{index}]"), file));
    for (at, file) in first.into_iter().chain(files) {
        let path = shape::one_file(Shape::Common, &file, None).map(str::to_owned);
        let before = reader.notes();
        let read = one(reader, &mut asked, file, chosen);
        reader.place_notes(before, &at);
        read.map_err(|error| error.within(&at).of_file(path.as_deref()))?;
    }
    Ok(asked)
}

/// Takes out the file that stands beside the others, if one does; an empty list of edits is none.
fn first(value: &mut Value) -> Result<Option<Value>, BadRequest> {
    let lists: Vec<&Value> = LISTS.iter().filter_map(|list| value.get(*list)).collect();
    if lists.is_empty() {
        for field in ["path", "rev"] {
            if has(value, field) && value[field] != "" {
                let message = format!("with `files` each file carries its own {field}");
                return Err(BadRequest::new(Fault::BadField, field, message));
            }
        }
        return Ok(None);
    }
    // openagent deletes a file whose list of edits is empty.
    let deletes = value.get("delete").is_some_and(|delete| *delete == true);
    let nothing = !deletes && lists.into_iter().all(tolerant::is_empty);
    let Some(whole) = value.as_object_mut() else {
        return Ok(None);
    };
    let of_the_whole = |key: &String| key == "files" || OF_THE_WHOLE.contains(&key.as_str());
    let (rest, first): (Map<_, _>, Map<_, _>) = std::mem::take(whole)
        .into_iter()
        .partition(|(key, _)| of_the_whole(key));
    *whole = rest;
    if nothing {
        // What else it says is for no file, and looked at as part of the whole.
        let other =
            |field: &str| !LISTS.contains(&field) && !PATHS.contains(&field) && field != "rev";
        let says = |value: &Value| *value != "" && *value != false;
        let left = first.into_iter();
        whole.extend(left.filter(|(field, value)| other(field) && says(value)));
        return Ok(None);
    }
    Ok(Some(Value::Object(first)))
}

/// Reads one file, and adds it to those before it.
fn one(
    reader: &mut Reader<'_>,
    asked: &mut Asked,
    file: Value,
    chosen: Dialect,
) -> Result<(), BadRequest> {
    must_be_object(&file, "")?;
    if let Some(field) = OF_THE_WHOLE.iter().find(|field| has(&file, field)) {
        let message = "this is said once, beside `files`";
        return Err(BadRequest::new(Fault::BadField, *field, message));
    }
    let shape = shape::detect(&file, chosen);
    if shape == Shape::Pi || is(&file) {
        let message = "a file has a `path` and its `edits` here";
        return Err(BadRequest::new(Fault::BadField, "", message));
    }
    let path = shape::one_file(shape, &file, None);
    let path = path.ok_or_else(|| {
        let message = "the request does not say which file it is for";
        BadRequest::new(Fault::BadField, "path", message)
    })?;
    file_name(path.to_owned(), "path")?;
    let before = asked.request.steps.len();
    let part = of_shape(reader, shape, file).map_err(|error| BadRequest {
        edit: error.edit.map(|index| index + before),
        ..error
    })?;
    let steps = &asked.request.steps;
    let again = |path: &String| steps.iter().any(|step| step.path == *path);
    if part
        .request
        .steps
        .first()
        .is_some_and(|step| again(&step.path))
    {
        let message = "this file is listed twice; put all its edits into one entry";
        return Err(BadRequest::new(Fault::BadField, "path", message));
    }
    let numbered = part.request.steps.into_iter().enumerate();
    // Edits are counted through the whole request, so that `edit 3` is one edit.
    asked
        .request
        .steps
        .extend(numbered.map(|(index, mut step)| {
            step.no = EditNo::from_index(before + index);
            step
        }));
    asked.request.revs.extend(part.request.revs);
    asked.request.file_hashes.extend(part.request.file_hashes);
    Ok(())
}
