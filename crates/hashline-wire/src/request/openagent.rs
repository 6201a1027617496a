//! Seed 003's request: `op`, `pos`, `end`, `lines`.

use hashline_core::edit::{EditNo, Operation, Place, Target};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::typed::{Asked, Reader, Text, edit_step, missing};
use crate::error::{BadRequest, Fault};

/// A request to edit, rename or delete one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "openagent edit request")]
pub struct OpenagentRequest {
    /// The file.
    #[serde(default, rename = "filePath", alias = "path", alias = "file_path")]
    pub file_path: Option<String>,
    /// The edits. All references are those of the file as it was read.
    #[schemars(with = "Vec<OpenagentEdit>")]
    #[serde(default)]
    pub edits: Value,
    /// Delete the file; needs an empty list of edits.
    #[serde(default)]
    pub delete: Option<bool>,
    /// The file's new name.
    #[serde(default)]
    pub rename: Option<String>,
}

/// One edit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OpenagentEdit {
    /// What to do: replace, append or prepend.
    #[serde(default)]
    pub op: Option<String>,
    /// The line, as in `12#NK`; `append` and `prepend` without it are for the end and the start of the file.
    #[serde(default)]
    pub pos: Option<String>,
    /// The last line of a range, for `replace`.
    #[serde(default)]
    pub end: Option<String>,
    /// The new lines; an empty list with `replace` deletes.
    #[serde(default, deserialize_with = "present")]
    #[schemars(with = "Vec<String>")]
    pub lines: Option<Option<Text>>,
}

/// Tells a field that is null from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Text>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let edits = match value.get_mut("edits").map(Value::take) {
        Some(Value::Array(edits)) => edits,
        _ => Vec::new(),
    };
    let extras = reader.extras(&mut value)?;
    let request: OpenagentRequest = reader.read(value, "")?;
    check_whole(&request, edits.len())?;
    let mut operations = Vec::with_capacity(edits.len());
    for (index, edit) in edits.into_iter().enumerate() {
        let at = format!("edits[{index}]");
        let edit = reader.edit::<OpenagentEdit>(edit, index, &at)?;
        operations.push(operation(edit, &at).map_err(|error| error.in_edit(index))?);
    }
    let path = reader.path(request.file_path)?;
    let mut asked = reader.asked(&path, &extras)?;
    let numbered = operations.into_iter().enumerate();
    asked.request.steps = numbered
        .map(|(index, operation)| edit_step(index, &path, operation))
        .collect();
    let last = asked.request.steps.len();
    let add = |action| Step {
        no: EditNo::from_index(last),
        path: path.clone(),
        action,
    };
    if request.delete == Some(true) {
        asked.request.steps.push(add(FileAction::Delete));
    } else if let Some(to) = request.rename.filter(|to| *to != path) {
        asked.request.steps.push(add(FileAction::Move(to)));
    }
    Ok(asked)
}

fn check_whole(request: &OpenagentRequest, edits: usize) -> Result<(), BadRequest> {
    let delete = request.delete == Some(true);
    let fault = match () {
        () if delete && request.rename.is_some() => Some((
            Fault::DeleteAndRename,
            "delete",
            "a file cannot be deleted and renamed in one request",
        )),
        () if delete && edits > 0 => Some((
            Fault::DeleteWithEdits,
            "delete",
            "a file cannot be deleted and edited in one request",
        )),
        () if !delete && edits == 0 => Some((
            Fault::NoEdits,
            "edits",
            "the request has no edits: nothing to do",
        )),
        () => None,
    };
    fault.map_or(Ok(()), |(fault, at, message)| {
        Err(BadRequest::new(fault, at, message))
    })
}

fn operation(edit: OpenagentEdit, at: &str) -> Result<Operation, BadRequest> {
    let filled = |anchor: Option<String>| anchor.filter(|anchor| !anchor.trim().is_empty());
    let (pos, end) = (filled(edit.pos), filled(edit.end));
    let op = match edit.op.as_deref() {
        Some(op @ ("replace" | "append" | "prepend")) => op,
        other => return Err(unknown_op(other, at)),
    };
    if op == "replace" && pos.is_none() {
        return Err(missing(
            Fault::MissingAnchor,
            at,
            "pos",
            "replace needs the line it replaces here",
        ));
    }
    let lines = edit.lines.ok_or_else(|| {
        missing(
            Fault::MissingText,
            at,
            "lines",
            "this edit needs its lines here",
        )
    })?;
    let lines = lines.filter(|lines| !matches!(lines, Text::Many(list) if list.is_empty()));
    match (op, lines) {
        ("replace", lines) => {
            let pos = pos.unwrap_or_default().into();
            let at = match end {
                Some(end) => Target::Range(pos, end.into()),
                None => Target::Line(pos),
            };
            Ok(lines.map_or(Operation::Delete { at: at.clone() }, |lines| {
                Operation::Replace {
                    at,
                    with: lines.into(),
                }
            }))
        }
        (_, None) => Err(missing(
            Fault::EmptyInsert,
            at,
            "lines",
            "there is nothing to insert; a blank line is \"\"",
        )),
        (op, Some(lines)) => {
            let place = match (op, pos.or(end)) {
                ("append", Some(line)) => Place::After(line.into()),
                ("append", None) => Place::End,
                (_, Some(line)) => Place::Before(line.into()),
                (_, None) => Place::Start,
            };
            Ok(Operation::Insert {
                place,
                text: lines.into(),
            })
        }
    }
}

fn unknown_op(op: Option<&str>, at: &str) -> BadRequest {
    let hint = match op {
        Some("set_line" | "replace_line" | "replace_lines" | "replace_range") => {
            "; for that use replace with pos and end"
        }
        Some("insert_after" | "insert") => "; for that use append with pos",
        Some("insert_before") => "; for that use prepend with pos",
        Some("delete" | "delete_line") => "; for that use replace with an empty list of lines",
        _ => "",
    };
    let sent = op.map_or_else(
        || "it is missing".to_owned(),
        |op| format!("{op:?} is not known"),
    );
    missing(
        Fault::UnknownOperation,
        at,
        "op",
        &format!("replace, append or prepend belongs here; {sent}{hint}"),
    )
}
