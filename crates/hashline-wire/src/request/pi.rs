//! Seed 004's request: a `patch`, a list of operations on any number of files.

use std::collections::{BTreeMap, HashSet};

use hashline_core::edit::{EditNo, Place};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::operations::{
    EditNames, Operations, delete, insert_string, needed, replace, row, target,
};
use super::parser::{Parser, file_name, has, revision};
use super::{Parsed, RevField};
use crate::error::{BadRequest, Fault};

/// A request over any number of files: all of it, or nothing.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "pi apply_hash request")]
pub struct PiRequest {
    /// The file of line operations that do not name one.
    pub path: Option<String>,
    /// The operations, in order. All anchors are those of the files as they were read.
    #[schemars(with = "Vec<PiOperation>")]
    pub patch: Value,
    /// Another place for the list.
    #[schemars(skip)]
    pub operations: Value,
    /// The revisions that the anchors were read from, by path.
    pub revs: Option<BTreeMap<String, String>>,
    /// The encodings of files, by path, if reads named them.
    pub encodings: Option<BTreeMap<String, String>>,
}

/// One operation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct PiOperation {
    /// What to do: set_line, replace_range, insert_after, delete, add_file, move_file or delete_file.
    #[serde(alias = "type")]
    pub op: Option<String>,
    /// The file.
    pub path: Option<String>,
    /// The line, as in `12:a3`.
    pub anchor: Option<String>,
    /// The first line of a range.
    pub start_anchor: Option<String>,
    /// The last line of a range.
    pub end_anchor: Option<String>,
    /// Both ends of a range to delete, as a list or as start and end.
    #[schemars(skip)]
    pub range: Option<Range>,
    /// The new text.
    pub text: Option<String>,
    /// The content of a new file, exactly.
    pub content: Option<String>,
    /// The file to move.
    #[serde(alias = "from_path")]
    pub from: Option<String>,
    /// Its new name.
    #[serde(alias = "to_path")]
    pub to: Option<String>,
}

/// The anchors of the first and last line of a range.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub struct Range {
    /// The anchor of the first line.
    start: String,
    /// The anchor of the last line.
    end: String,
}

impl TryFrom<Value> for Range {
    type Error = &'static str;

    /// Accepts a list of two anchors, or an object with exactly `start` and `end`.
    fn try_from(value: Value) -> Result<Self, Self::Error> {
        let ends = match &value {
            Value::Array(pair) if pair.len() == 2 => (pair.first(), pair.last()),
            Value::Object(ends) if ends.len() == 2 => (ends.get("start"), ends.get("end")),
            _ => (None, None),
        };
        match ends {
            (Some(Value::String(start)), Some(Value::String(end))) => Ok(Self {
                start: start.clone(),
                end: end.clone(),
            }),
            _ => Err("expected two anchors: [first, last] or {\"start\": first, \"end\": last}"),
        }
    }
}

/// A `patch` that is an object: a list of operations and optionally the path of their file.
#[derive(Deserialize)]
struct InnerPatch {
    #[serde(default)]
    path: Option<String>,
    #[serde(default, rename = "operations")]
    _operations: Value,
}

/// The operations of the pi dialect.
pub(super) const OPERATIONS: Operations<PiOperation> = Operations {
    keys: &["op", "type"],
    rows: &[
        row("set_line", &["path", "anchor", "text"], |operation| {
            let at = target(string(operation.anchor, "anchor")?, None);
            replace(at, Payload::Text(string(operation.text, "text")?))
        }),
        row(
            "replace_range",
            &["path", "start_anchor", "end_anchor", "text"],
            |operation| {
                let first = string(operation.start_anchor, "start_anchor")?;
                let last = string(operation.end_anchor, "end_anchor")?;
                let text = string(operation.text, "text")?;
                replace(target(first, Some(last)), Payload::Text(text))
            },
        ),
        row("insert_after", &["path", "anchor", "text"], |operation| {
            let line = string(operation.anchor, "anchor")?;
            let text = Payload::Text(string(operation.text, "text")?);
            insert_string(Place::After, line, text)
        }),
        row(
            "delete",
            &["path", "anchor", "start_anchor", "end_anchor", "range"],
            delete_lines,
        ),
        row("add_file", &["path", "content"], |operation| {
            string(operation.content, "content").map(FileAction::Create)
        }),
        row(
            "move_file",
            &["from", "from_path", "to", "to_path"],
            |operation| {
                file_name(normal(&string(operation.from, "from")?), "from")?;
                let to = file_name(normal(&string(operation.to, "to")?), "to")?;
                Ok(FileAction::Move(to))
            },
        ),
        row("delete_file", &["path"], |_| Ok(FileAction::Delete)),
    ],
    instead: &[],
};

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let (list, inner_path) = operations(parser, &mut value)?;
    let mut extras = parser.extras(&mut value)?;
    let request: PiRequest = parser.read(value, "")?;
    let outer_path = extras.path.take();
    if let (Some(inner), Some(outer)) = (&inner_path, &outer_path)
        && normal(inner) != normal(outer)
    {
        let message = "the path of the request differs from the one in `patch`";
        return Err(BadRequest::new(Fault::BadField, "path", message));
    }
    let default = inner_path.or(outer_path).or_else(|| parser.path(None).ok());
    let steps = steps(parser, list, default)?;
    let first = steps.first().map_or("", |step| &step.path);
    if extras.rev.is_some() && is_for_several(&steps) {
        let message =
            "the request is for several files; send the revision of each: \"revs\":{path:rev}";
        return Err(BadRequest::new(Fault::BadField, "rev", message));
    }
    if extras.encoding.is_some() && is_for_several(&steps) {
        let message = "the request is for several files; send the encoding of each: \"encodings\":{path:name}";
        return Err(BadRequest::new(Fault::BadField, "encoding", message));
    }
    let mut parsed = Parsed::new(first, &extras)?;
    parsed.rev_field = RevField::ByPath;
    parsed.request.steps = steps;
    let revs = request.revs.unwrap_or_default();
    for (path, rev) in revs.into_iter().filter(|(_, rev)| !rev.is_empty()) {
        add_revision(&mut parsed.request, &path, &rev)?;
    }
    for (path, name) in request.encodings.unwrap_or_default() {
        add_encoding(&mut parsed.request, &path, name)?;
    }
    Ok(parsed)
}

/// Returns whether operations are for more than one file; a moved file counts as the same under both paths.
fn is_for_several(steps: &[Step]) -> bool {
    let mut known: HashSet<&str> = HashSet::new();
    steps.iter().any(|step| {
        let another = known.insert(&step.path) && known.len() > 1;
        if let FileAction::Move(to) = &step.action {
            known.insert(to);
        }
        another
    })
}

/// Adds the revision of a file to the request; refuses a file that no operation names, because its revision would not be checked.
fn add_revision(request: &mut Request, path: &str, rev: &str) -> Result<(), BadRequest> {
    let at = format!("revs.{path}");
    let rev = revision(rev, &at)?;
    let name = named_by_a_step(request, path, &at)?;
    let other = request.revs.get(&name).filter(|other| **other != rev);
    if other.is_some() {
        let message = "the request gives two revisions of this file";
        return Err(BadRequest::new(Fault::BadField, at, message));
    }
    request.revs.insert(name, rev);
    Ok(())
}

/// Adds the encoding of a file to the request; refuses a file that no operation names, because its encoding would be ignored.
fn add_encoding(request: &mut Request, path: &str, encoding: String) -> Result<(), BadRequest> {
    let at = format!("encodings.{path}");
    let name = named_by_a_step(request, path, &at)?;
    let known = request.encodings.insert(name, encoding.clone());
    if known.is_some_and(|known| known != encoding) {
        let message = "the request gives two encodings of this file";
        return Err(BadRequest::new(Fault::BadField, at, message));
    }
    Ok(())
}

/// Returns the normalised path of a file; refuses one that no operation names.
fn named_by_a_step(request: &Request, path: &str, at: &str) -> Result<String, BadRequest> {
    let name = normal(path);
    let names = |step: &Step| {
        step.path == name || matches!(&step.action, FileAction::Move(to) if *to == name)
    };
    if request.steps.iter().any(names) {
        return Ok(name);
    }
    let message = "no operation of the request names this file";
    Err(BadRequest::new(Fault::BadField, at, message))
}

/// Takes the list of operations out of a request; also returns the path next to the list if `patch` is an object.
fn operations(
    parser: &mut Parser<'_>,
    value: &mut Value,
) -> Result<(Vec<Value>, Option<String>), BadRequest> {
    if has(value, "patch") && has(value, "operations") {
        let message = "a request has `patch` or `operations`, not both";
        return Err(BadRequest::new(Fault::BadField, "operations", message));
    }
    match value.get_mut("patch").map(Value::take) {
        Some(Value::Array(list)) if !list.is_empty() => Ok((list, None)),
        Some(mut inner @ Value::Object(_)) => {
            let list = parser.list(&mut inner, "operations")?;
            let InnerPatch { path, .. } = parser.read(inner, "patch")?;
            Ok((list, path))
        }
        Some(Value::Null) | None => Ok((parser.list(value, "operations")?, None)),
        Some(_) => {
            let message = "the request has no operations";
            Err(BadRequest::new(Fault::NoEdits, "patch", message))
        }
    }
}

/// Parses the operations. An operation on lines that names no file is for the file of the previous operation on lines.
fn steps(
    parser: &mut Parser<'_>,
    list: Vec<Value>,
    default: Option<String>,
) -> Result<Vec<Step>, BadRequest> {
    let mut current = default;
    let mut steps = Vec::with_capacity(list.len());
    for (index, item) in list.into_iter().enumerate() {
        let at = format!("patch[{index}]");
        let refused = |error: BadRequest| error.within(&at).in_edit(index);
        // Before the operation is read, so that an error in it can name its file.
        let item = flatten(item).map_err(refused)?;
        let named = named_file(&item);
        let about = named.clone().or_else(|| current.clone());
        let step = OPERATIONS
            .read(parser, item, index, &at)
            .and_then(|action| {
                let is_edit = matches!(action, FileAction::Edit(_));
                // An operation on a whole file must name it: a `delete_file` must not delete the file that the edit before it was for.
                let path = if is_edit { about.clone() } else { named };
                let path = needed(path, Fault::BadField, "path").map_err(refused)?;
                let path = file_name(normal(&path), "path").map_err(refused)?;
                let no = EditNo::from_index(index);
                Ok(Step { no, path, action })
            })
            .map_err(|error| error.of_file(about.as_deref()))?;
        if matches!(step.action, FileAction::Edit(_)) {
            current = Some(step.path.clone());
        }
        steps.push(step);
    }
    Ok(steps)
}

/// Returns the path that an operation names, even if the operation is otherwise invalid.
fn named_file(item: &Value) -> Option<String> {
    let mut fields = ["path", "from", "from_path"].iter();
    fields
        .find_map(|field| item.get(*field)?.as_str())
        .map(normal)
}

/// Turns `{"set_line": {...}}` into `{"op": "set_line", ...}`. Fields such as `path` may be inside the inner object or next to it; a field in
/// both must have the same value.
fn flatten(item: Value) -> Result<Value, BadRequest> {
    let Value::Object(mut object) = item else {
        return Ok(item);
    };
    let is_wrapper =
        |(key, value): &(&String, &Value)| value.is_object() && OPERATIONS.has_operation(key);
    let mut wrappers = object.iter().filter(is_wrapper).map(|(key, _)| key.clone());
    let (Some(key), None) = (wrappers.next(), wrappers.next()) else {
        return Ok(Value::Object(object));
    };
    let mut flat = Map::new();
    let inner = match object.shift_remove(&key) {
        Some(Value::Object(inner)) => inner,
        _ => Map::new(),
    };
    flat.insert("op".to_owned(), Value::from(key));
    for (field, value) in object.into_iter().chain(inner) {
        if flat.get(&field).is_some_and(|other| *other != value) {
            let message = "this operation has two different values for this field";
            return Err(BadRequest::new(Fault::BadField, field, message));
        }
        flat.insert(field, value);
    }
    Ok(Value::Object(flat))
}

fn delete_lines(operation: PiOperation) -> Result<FileAction, BadRequest> {
    let PiOperation {
        anchor,
        start_anchor,
        end_anchor,
        range,
        ..
    } = operation;
    let range = range.map(|range| (range.start, range.end));
    match (anchor, start_anchor, end_anchor, range) {
        (Some(line), None, None, None) => delete(target(line, None)),
        (None, Some(first), Some(last), None) | (None, None, None, Some((first, last))) => {
            delete(target(first, Some(last)))
        }
        _ => {
            let message = "delete needs one of: anchor; start_anchor and end_anchor; range";
            Err(BadRequest::new(Fault::MissingAnchor, "anchor", message))
        }
    }
}

fn string(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    needed(value, Fault::BadField, field)
}

/// Drops `./` and doubled slashes from a path, so that each file has one name.
fn normal(path: &str) -> String {
    let rooted = path.starts_with('/');
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}
