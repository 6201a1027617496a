//! Requests over several files: each entry of the list `files` is a request over one file, in any dialect's shape but pi's.
//!
//! A path with edits next to `files` is one more file, the first: a tool whose schema requires `path` can put a file there.

use hashline_core::dialect::Dialect;
use hashline_core::edit::EditNo;
use hashline_core::files::Step;
use serde_json::{Map, Value};

use super::parser::{Parser, file_name, has, must_be_object, no_file_named};
use super::tolerant::PATHS;
use super::{CommonRequest, Parsed, RevField, Shape, of_shape, shape, tolerant};
use crate::error::{BadRequest, Fault};

/// The lists that hold the edits of one file.
const LISTS: &[&str] = &["edits", "operations"];
/// Fields that are set once for all files.
const SHARED: &[&str] = &["dry_run", "context"];

pub(super) fn read(
    parser: &mut Parser<'_>,
    mut value: Value,
    chosen: Dialect,
) -> Result<Parsed, BadRequest> {
    let files = parser.list(&mut value, "files")?;
    let first = take_first(&mut value)?;
    let extras = parser.extras(&mut value)?;
    let _: CommonRequest = parser.read(value, "")?;
    let mut parsed = Parsed::new("", &extras)?;
    parsed.rev_field = RevField::InEntry;
    let first = first.map(|file| (String::new(), file));
    let files = files.into_iter().enumerate();
    let files = files.map(|(index, file)| (format!("files[{index}]"), file));
    for (at, file) in first.into_iter().chain(files) {
        let path = shape::one_file(Shape::Common, &file, None).map(str::to_owned);
        let before = parser.notes();
        let added = add_file(parser, &mut parsed, file, chosen);
        parser.place_notes(before, &at);
        added.map_err(|error| error.within(&at).of_file(path.as_deref()))?;
    }
    Ok(parsed)
}

/// Takes the file with its edits that is next to `files` out of the request; `None` if there is none, or its list of edits is empty.
fn take_first(value: &mut Value) -> Result<Option<Value>, BadRequest> {
    let lists: Vec<&Value> = LISTS.iter().filter_map(|list| value.get(*list)).collect();
    // openagent deletes a file whose list of edits is empty.
    let deletes = value.get("delete").is_some_and(|delete| *delete == true);
    let nothing = !deletes && lists.iter().all(|list| tolerant::is_empty(list));
    let is_listed = !lists.is_empty();
    // Nothing would be edited at that revision, so it would be ignored.
    let own: &[&str] = match (is_listed, nothing) {
        (false, _) => &["path", "rev", "encoding"],
        (true, true) => &["rev", "encoding"],
        (true, false) => &[],
    };
    for &field in own {
        if has(value, field) && value[field] != "" {
            let message = format!("with `files`, each file has its own {field}");
            return Err(BadRequest::new(Fault::BadField, field, message));
        }
    }
    if !is_listed {
        return Ok(None);
    }
    let Some(whole) = value.as_object_mut() else {
        return Ok(None);
    };
    let is_shared = |key: &String| key == "files" || SHARED.contains(&key.as_str());
    let (rest, first): (Map<_, _>, Map<_, _>) = std::mem::take(whole)
        .into_iter()
        .partition(|(key, _)| is_shared(key));
    *whole = rest;
    if nothing {
        // Its other fields belong to no file, and are checked with those of the whole request.
        let is_other = |field: &str| {
            !LISTS.contains(&field)
                && !PATHS.contains(&field)
                && field != "rev"
                && field != "encoding"
        };
        let is_set = |value: &Value| *value != "" && *value != false;
        let left = first.into_iter();
        whole.extend(left.filter(|(field, value)| is_other(field) && is_set(value)));
        return Ok(None);
    }
    Ok(Some(Value::Object(first)))
}

/// Parses one entry of `files`, and adds its edits to `parsed`.
fn add_file(
    parser: &mut Parser<'_>,
    parsed: &mut Parsed,
    file: Value,
    chosen: Dialect,
) -> Result<(), BadRequest> {
    must_be_object(&file, "")?;
    if let Some(field) = SHARED.iter().find(|field| has(&file, field)) {
        let message = "set this once, next to `files`";
        return Err(BadRequest::new(Fault::BadField, *field, message));
    }
    let shape = shape::detect(&file, chosen);
    if shape == Shape::Pi || has(&file, "files") {
        let message = "expected an object with `path` and `edits`";
        return Err(BadRequest::new(Fault::BadField, "", message));
    }
    let path = shape::one_file(shape, &file, None);
    let path = path.ok_or_else(no_file_named)?;
    file_name(path.to_owned(), "path")?;
    let all = &mut parsed.request;
    let before = all.steps.len();
    let part = of_shape(parser, shape, file).map_err(|error| BadRequest {
        edit: error.edit.map(|index| index + before),
        ..error
    })?;
    let part = part.request;
    let first = part.steps.first();
    if first.is_some_and(|first| all.steps.iter().any(|step| step.path == first.path)) {
        let message = "this file is listed twice; put all its edits into one entry";
        return Err(BadRequest::new(Fault::BadField, "path", message));
    }
    let numbered = part.steps.into_iter().enumerate();
    // Edits are counted through the whole request, so that `edit 3` is one edit.
    all.steps.extend(numbered.map(|(index, step)| Step {
        no: EditNo::from_index(before + index),
        ..step
    }));
    all.revs.extend(part.revs);
    all.file_hashes.extend(part.file_hashes);
    all.encodings.extend(part.encodings);
    Ok(())
}
