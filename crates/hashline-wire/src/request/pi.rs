//! Seed 004's request: a `patch`, a list of operations on any number of files.

use std::collections::BTreeMap;

use hashline_core::edit::{EditNo, Operation, Target};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Map, Value};

use super::typed::{Asked, Reader, missing, revision};
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
#[serde(untagged)]
pub enum Range {
    /// As a list of two.
    Pair([String; 2]),
    /// As an object.
    Ends {
        /// The first line.
        start: String,
        /// The last line.
        end: String,
    },
}

const OPERATIONS: &[&str] = &[
    "set_line",
    "replace_range",
    "insert_after",
    "delete",
    "add_file",
    "move_file",
    "delete_file",
];

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let mut inner_path = None;
    let list = match value.get_mut("patch").map(Value::take) {
        Some(Value::Object(mut inner)) => {
            inner_path = inner.get("path").and_then(Value::as_str).map(str::to_owned);
            reader.list(&mut Value::Object(std::mem::take(&mut inner)), "operations")?
        }
        Some(Value::Array(list)) if !list.is_empty() => list,
        Some(Value::Null) | None => reader.list(&mut value, "operations")?,
        Some(_) => {
            return Err(BadRequest::new(
                Fault::NoEdits,
                "patch",
                "the request has no operations",
            ));
        }
    };
    let extras = reader.extras(&mut value)?;
    let request: PiRequest = reader.read(value, "")?;
    let mut steps = Vec::with_capacity(list.len());
    let mut current = inner_path
        .or(request.path)
        .or_else(|| reader.path(None).ok());
    for (index, item) in list.into_iter().enumerate() {
        let at = format!("patch[{index}]");
        let operation = reader.edit::<PiOperation>(flatten(item), index, &at)?;
        let (path, action) =
            step(operation, &mut current, &at).map_err(|error| error.in_edit(index))?;
        steps.push(Step {
            no: EditNo::from_index(index),
            path,
            action,
        });
    }
    let first = steps
        .first()
        .map(|step| step.path.clone())
        .unwrap_or_default();
    let mut asked = reader.asked(&first, &extras)?;
    for (path, rev) in request.revs.unwrap_or_default() {
        asked
            .request
            .revs
            .insert(normal(&path), revision(&rev, &format!("revs.{path}"))?);
    }
    asked.request.steps = steps;
    Ok(asked)
}

/// Turns `{"set_line": {...}}` into `{"op": "set_line", ...}`; `path` may stand beside the key.
fn flatten(item: Value) -> Value {
    let Value::Object(mut object) = item else {
        return item;
    };
    let keys: Vec<&str> = OPERATIONS
        .iter()
        .copied()
        .filter(|key| object.get(*key).is_some_and(Value::is_object))
        .collect();
    let [key] = keys[..] else {
        return Value::Object(object);
    };
    let Some(Value::Object(inner)) = object.remove(key) else {
        return Value::Object(object);
    };
    let mut flat = Map::new();
    flat.insert("op".to_owned(), Value::from(key));
    flat.extend(object);
    flat.extend(inner);
    Value::Object(flat)
}

fn step(
    operation: PiOperation,
    current: &mut Option<String>,
    at: &str,
) -> Result<(String, FileAction), BadRequest> {
    let PiOperation {
        op,
        path,
        anchor,
        start_anchor,
        end_anchor,
        range,
        text,
        content,
        from,
        to,
    } = operation;
    let need = |value: Option<String>, field: &str| {
        value.ok_or_else(|| {
            missing(
                Fault::BadField,
                at,
                field,
                "this operation needs a string here",
            )
        })
    };
    let own_path = || need(path.clone(), "path").map(|path| normal(&path));
    match op.as_deref() {
        Some("add_file") => Ok((own_path()?, FileAction::Create(need(content, "content")?))),
        Some("delete_file") => Ok((own_path()?, FileAction::Delete)),
        Some("move_file") => Ok((
            normal(&need(from, "from")?),
            FileAction::Move(normal(&need(to, "to")?)),
        )),
        Some("set_line" | "replace_range" | "insert_after" | "delete") => {
            let file = path
                .clone()
                .or_else(|| current.clone())
                .map(|path| normal(&path));
            let file = file.ok_or_else(|| {
                missing(
                    Fault::BadField,
                    at,
                    "path",
                    "this operation does not say which file",
                )
            })?;
            let edit = match op.as_deref() {
                Some("set_line") => {
                    Operation::replace_line(need(anchor, "anchor")?, need(text, "text")?)
                }
                Some("insert_after") => {
                    Operation::insert_after(need(anchor, "anchor")?, need(text, "text")?)
                }
                Some("delete") => Operation::Delete {
                    at: target(anchor, start_anchor, end_anchor, range, at)?,
                },
                _ => {
                    let (first, last) = (
                        need(start_anchor, "start_anchor")?,
                        need(end_anchor, "end_anchor")?,
                    );
                    Operation::replace_range(first, last, need(text, "text")?)
                }
            };
            *current = Some(file.clone());
            Ok((file, FileAction::Edit(edit)))
        }
        other => {
            let sent = other.map_or_else(
                || "it is missing".to_owned(),
                |other| format!("{other:?} is not known"),
            );
            let message = format!("one of {} belongs here; {sent}", OPERATIONS.join(", "));
            Err(missing(Fault::UnknownOperation, at, "op", &message))
        }
    }
}

fn target(
    anchor: Option<String>,
    start: Option<String>,
    end: Option<String>,
    range: Option<Range>,
    at: &str,
) -> Result<Target, BadRequest> {
    match (anchor, start, end, range) {
        (Some(line), None, None, None) => Ok(Target::Line(line.into())),
        (None, Some(first), Some(last), None) => Ok(Target::Range(first.into(), last.into())),
        (
            None,
            None,
            None,
            Some(
                Range::Pair([first, last])
                | Range::Ends {
                    start: first,
                    end: last,
                },
            ),
        ) => Ok(Target::Range(first.into(), last.into())),
        _ => {
            let message = "delete needs an anchor, or start_anchor and end_anchor, or a range; exactly one of them";
            Err(missing(Fault::MissingAnchor, at, "anchor", message))
        }
    }
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
