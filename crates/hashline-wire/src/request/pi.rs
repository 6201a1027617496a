//! Seed 004's request: a `patch`, a list of operations on any number of files.

use std::collections::{BTreeMap, HashSet};

use hashline_core::edit::{EditNo, Operation, Target};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::RevField;
use super::operations::{Operations, row};
use super::payload::needed;
use super::typed::{Asked, Reader, file_name, revision};
use crate::error::{BadRequest, Fault};

/// A request over any number of files: all of it, or nothing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "pi apply_hash request")]
pub struct PiRequest {
    /// The file of line operations that do not name one.
    #[serde(default)]
    pub path: Option<String>,
    /// The operations, in order. All anchors are those of the files as they were read.
    #[schemars(with = "Vec<PiOperation>")]
    #[serde(default)]
    pub patch: Value,
    /// Another place for the list.
    #[serde(default)]
    #[schemars(skip)]
    pub operations: Value,
    /// The revisions that the anchors were read from, by path.
    #[serde(default)]
    pub revs: Option<BTreeMap<String, String>>,
}

/// One operation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PiOperation {
    /// What to do: set_line, replace_range, insert_after, delete, add_file, move_file or delete_file.
    #[serde(default, alias = "type")]
    pub op: Option<String>,
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
    /// The line, as in `12:a3`.
    #[serde(default)]
    pub anchor: Option<String>,
    /// The first line of a range.
    #[serde(default)]
    pub start_anchor: Option<String>,
    /// The last line of a range.
    #[serde(default)]
    pub end_anchor: Option<String>,
    /// Both ends of a range to delete, as a list or as start and end.
    #[serde(default)]
    #[schemars(skip)]
    pub range: Option<Range>,
    /// The new text.
    #[serde(default)]
    pub text: Option<String>,
    /// The content of a new file, exactly.
    #[serde(default)]
    pub content: Option<String>,
    /// The file to move.
    #[serde(default, alias = "from_path")]
    pub from: Option<String>,
    /// Its new name.
    #[serde(default, alias = "to_path")]
    pub to: Option<String>,
}

/// Both ends of a range.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Value")]
pub struct Range {
    /// The first line.
    start: String,
    /// The last line.
    end: String,
}

impl TryFrom<Value> for Range {
    type Error = &'static str;

    /// Takes a list of two, or an object with `start` and `end` and nothing else.
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
            _ => Err(
                "both ends of a range belong here, as [first, last] or {\"start\": first, \"end\": last}; each is an anchor",
            ),
        }
    }
}

/// A `patch` that is an object: the list, and the path beside it.
#[derive(Deserialize)]
struct InnerPatch {
    #[serde(default)]
    path: Option<String>,
    #[serde(default, rename = "operations")]
    _operations: Value,
}

/// What an operation does, and to which file if it says so. A line operation may leave that out.
type FileStep = (Option<String>, FileAction);

/// The operations.
pub(super) const OPERATIONS: Operations<PiOperation, FileStep> = Operations {
    keys: &["op", "type"],
    rows: &[
        row("set_line", &["path", "anchor", "text"], |operation| {
            let line = string(operation.anchor, "anchor")?;
            let edit = Operation::replace_line(line, string(operation.text, "text")?);
            Ok((operation.path, FileAction::Edit(edit)))
        }),
        row(
            "replace_range",
            &["path", "start_anchor", "end_anchor", "text"],
            |operation| {
                let first = string(operation.start_anchor, "start_anchor")?;
                let last = string(operation.end_anchor, "end_anchor")?;
                let edit = Operation::replace_range(first, last, string(operation.text, "text")?);
                Ok((operation.path, FileAction::Edit(edit)))
            },
        ),
        row("insert_after", &["path", "anchor", "text"], |operation| {
            let line = string(operation.anchor, "anchor")?;
            let edit = Operation::insert_after(line, string(operation.text, "text")?);
            Ok((operation.path, FileAction::Edit(edit)))
        }),
        row(
            "delete",
            &["path", "anchor", "start_anchor", "end_anchor", "range"],
            delete,
        ),
        row("add_file", &["path", "content"], |operation| {
            let path = string(operation.path, "path")?;
            let content = string(operation.content, "content")?;
            Ok((Some(path), FileAction::Create(content)))
        }),
        row(
            "move_file",
            &["from", "from_path", "to", "to_path"],
            |operation| {
                let from = file_name(normal(&string(operation.from, "from")?), "from")?;
                let to = file_name(normal(&string(operation.to, "to")?), "to")?;
                Ok((Some(from), FileAction::Move(to)))
            },
        ),
        row("delete_file", &["path"], |operation| {
            let path = string(operation.path, "path")?;
            Ok((Some(path), FileAction::Delete))
        }),
    ],
    instead: &[],
};

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let (list, inner_path) = operations(reader, &mut value)?;
    let extras = reader.extras(&mut value)?;
    let request: PiRequest = reader.read(value, "")?;
    if let (Some(inner), Some(outer)) = (&inner_path, &request.path)
        && normal(inner) != normal(outer)
    {
        let message = "the request has one path and its patch another";
        return Err(BadRequest::new(Fault::BadField, "path", message));
    }
    let default = inner_path
        .or(request.path)
        .or_else(|| reader.path(None).ok());
    let steps = steps(reader, list, default)?;
    let first = steps
        .first()
        .map(|step| step.path.clone())
        .unwrap_or_default();
    if extras.rev.is_some() && is_for_several(&steps) {
        let message = "the request is for several files, so it must say which of them the rev is of: {\"revs\":{path:rev}}";
        return Err(BadRequest::new(Fault::BadField, "rev", message));
    }
    let mut asked = reader.asked(&first, &extras)?;
    asked.rev_field = RevField::ByPath;
    let revs = request.revs.unwrap_or_default();
    for (path, rev) in revs.into_iter().filter(|(_, rev)| !rev.is_empty()) {
        claim_revision(&mut asked, &steps, &path, &rev)?;
    }
    asked.request.steps = steps;
    Ok(asked)
}

/// Tells whether operations are for more than one file; a file that is moved stays the same.
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

/// Takes down which revision of a file the anchors are of. It must be a file of the request, or nothing would be checked.
fn claim_revision(
    asked: &mut Asked,
    steps: &[Step],
    path: &str,
    rev: &str,
) -> Result<(), BadRequest> {
    let at = format!("revs.{path}");
    let rev = revision(rev, &at)?;
    let name = normal(path);
    let names = |step: &Step| {
        step.path == name || matches!(&step.action, FileAction::Move(to) if *to == name)
    };
    if !steps.iter().any(names) {
        let message = "no operation of the request names this file";
        return Err(BadRequest::new(Fault::BadField, at, message));
    }
    let said = asked.request.revs.get(&name);
    if said.is_some_and(|said| *said != rev) {
        let message = "the request gives two revisions of this file";
        return Err(BadRequest::new(Fault::BadField, at, message));
    }
    asked.request.revs.insert(name, rev);
    Ok(())
}

/// Takes out the list of operations, and the path beside it if it stands in an object of its own.
fn operations(
    reader: &mut Reader<'_>,
    value: &mut Value,
) -> Result<(Vec<Value>, Option<String>), BadRequest> {
    let has = |key: &str| value.get(key).is_some_and(|list| !list.is_null());
    if has("patch") && has("operations") {
        let message = "a request has `patch` or `operations`, not both";
        return Err(BadRequest::new(Fault::BadField, "operations", message));
    }
    match value.get_mut("patch").map(Value::take) {
        Some(Value::Array(list)) if !list.is_empty() => Ok((list, None)),
        Some(mut inner @ Value::Object(_)) => {
            let list = reader.list(&mut inner, "operations")?;
            let InnerPatch { path, .. } = reader.read(inner, "patch")?;
            Ok((list, path))
        }
        Some(Value::Null) | None => Ok((reader.list(value, "operations")?, None)),
        Some(_) => {
            let message = "the request has no operations";
            Err(BadRequest::new(Fault::NoEdits, "patch", message))
        }
    }
}

/// Reads the operations. A line operation that names no file is for that of the line operation before it.
fn steps(
    reader: &mut Reader<'_>,
    list: Vec<Value>,
    default: Option<String>,
) -> Result<Vec<Step>, BadRequest> {
    let mut current = default;
    let mut steps = Vec::with_capacity(list.len());
    for (index, item) in list.into_iter().enumerate() {
        let at = format!("patch[{index}]");
        let refused = |error: BadRequest| error.within(&at).in_edit(index);
        let item = flatten(item).map_err(refused)?;
        let about = named_file(&item).or_else(|| current.clone());
        let (path, action) = OPERATIONS
            .read(reader, item, index, &at)
            .and_then(|step| in_file(step, current.as_deref()).map_err(refused))
            .map_err(|error| error.of_file(about.as_deref()))?;
        if matches!(action, FileAction::Edit(_)) {
            current = Some(path.clone());
        }
        let no = EditNo::from_index(index);
        steps.push(Step { no, path, action });
    }
    Ok(steps)
}

/// Returns the file that an operation names, whatever else may be wrong with it.
fn named_file(item: &Value) -> Option<String> {
    let mut fields = ["path", "from", "from_path"].iter();
    fields
        .find_map(|field| item.get(*field)?.as_str())
        .map(normal)
}

fn in_file(
    (path, action): FileStep,
    current: Option<&str>,
) -> Result<(String, FileAction), BadRequest> {
    let why = "this operation does not say which file";
    let path = needed(path.as_deref().or(current), Fault::BadField, "path", why)?;
    Ok((file_name(normal(path), "path")?, action))
}

/// Turns `{"set_line": {...}}` into `{"op": "set_line", ...}`; `path` may stand beside the key. What stands both beside it and inside must
/// be the same.
fn flatten(item: Value) -> Result<Value, BadRequest> {
    let Value::Object(mut object) = item else {
        return Ok(item);
    };
    let keys: Vec<&str> = OPERATIONS
        .names()
        .filter(|key| object.get(*key).is_some_and(Value::is_object))
        .collect();
    let [key] = keys[..] else {
        return Ok(Value::Object(object));
    };
    let mut flat = Map::new();
    flat.insert("op".to_owned(), Value::from(key));
    let inner = match object.shift_remove(key) {
        Some(Value::Object(inner)) => inner,
        _ => Map::new(),
    };
    for (field, value) in object.into_iter().chain(inner) {
        if flat.get(&field).is_some_and(|other| *other != value) {
            let message = format!("this is said twice of one {key}, and differently");
            return Err(BadRequest::new(Fault::BadField, field, message));
        }
        flat.insert(field, value);
    }
    Ok(Value::Object(flat))
}

fn delete(operation: PiOperation) -> Result<FileStep, BadRequest> {
    let PiOperation {
        path,
        anchor,
        start_anchor: start,
        end_anchor: end,
        range,
        ..
    } = operation;
    let at = match (
        anchor,
        start,
        end,
        range.map(|range| (range.start, range.end)),
    ) {
        (Some(line), None, None, None) => Target::Line(line.into()),
        (None, Some(first), Some(last), None) | (None, None, None, Some((first, last))) => {
            Target::Range(first.into(), last.into())
        }
        _ => {
            let message = "delete needs an anchor, or start_anchor and end_anchor, or a range; exactly one of them";
            return Err(BadRequest::new(Fault::MissingAnchor, "anchor", message));
        }
    };
    Ok((path, FileAction::Edit(Operation::Delete { at })))
}

fn string(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    let why = "this operation needs a string here";
    needed(value, Fault::BadField, field, why)
}

/// Drops `./` and doubled slashes, so that one file has one name.
fn normal(path: &str) -> String {
    let rooted = path.starts_with('/');
    let parts: Vec<&str> = path
        .split('/')
        .filter(|part| !part.is_empty() && *part != ".")
        .collect();
    format!("{}{}", if rooted { "/" } else { "" }, parts.join("/"))
}
