//! Seed 003's request: `op`, `pos`, `end`, `lines`.

use hashline_core::anchor::Claim;
use hashline_core::edit::{EditNo, Operation, Place};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::operations::{Operations, row};
use super::payload::{Text, inserted, needed, needed_lines, replace_or_delete, target};
use super::typed::{Asked, Reader, edit_steps, file_name};
use crate::error::{BadRequest, Fault};

/// A request to edit, rename or delete one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "openagent edit request")]
pub struct OpenagentRequest {
    /// The file.
    #[serde(
        default,
        rename = "filePath",
        alias = "path",
        alias = "file_path",
        alias = "file"
    )]
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

/// Every operation has them all: `end` stands in for the `pos` of an insertion.
const FIELDS: &[&str] = &["pos", "end", "lines"];

/// The operations.
pub(super) const OPERATIONS: Operations<OpenagentEdit, Operation> = Operations {
    keys: &["op"],
    rows: &[
        row("replace", FIELDS, replace),
        row("append", FIELDS, |edit| {
            insert(edit, Place::After, Place::End)
        }),
        row("prepend", FIELDS, |edit| {
            insert(edit, Place::Before, Place::Start)
        }),
    ],
    instead: &[
        ("set_line", "replace with pos and end"),
        ("replace_line", "replace with pos and end"),
        ("replace_lines", "replace with pos and end"),
        ("replace_range", "replace with pos and end"),
        ("insert_after", "append with pos"),
        ("insert", "append with pos"),
        ("insert_before", "prepend with pos"),
        ("delete", "replace with an empty list of lines"),
        ("delete_line", "replace with an empty list of lines"),
    ],
};

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let edits = match value.get_mut("edits").map(Value::take) {
        Some(Value::Array(edits)) => edits,
        _ => Vec::new(),
    };
    let extras = reader.extras(&mut value)?;
    let request: OpenagentRequest = reader.read(value, "")?;
    check_whole(&request, edits.len())?;
    let operations = OPERATIONS.read_all(reader, edits, "edits")?;
    let path = reader.path(request.file_path)?;
    let mut asked = reader.asked(&path, &extras)?;
    asked.request.steps = edit_steps(&path, operations);
    // Deleting and renaming are no edits of the list: they go by the number of its last.
    let last = asked.request.steps.len().saturating_sub(1);
    let add = |action| Step {
        no: EditNo::from_index(last),
        path: path.clone(),
        action,
    };
    if request.delete == Some(true) {
        asked.request.steps.push(add(FileAction::Delete));
    } else if let Some(to) = request.rename.filter(|to| *to != path) {
        let to = file_name(to, "rename")?;
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

fn replace(edit: OpenagentEdit) -> Result<Operation, BadRequest> {
    let why = "replace needs the line it replaces here";
    let first = needed(filled(edit.pos), Fault::MissingAnchor, "pos", why)?;
    let lines = needed_lines(edit.lines)?;
    Ok(replace_or_delete(target(first, filled(edit.end)), lines))
}

/// Inserts beside a line, `end` standing in for a missing `pos`, or at the start or the end of the file.
fn insert(
    edit: OpenagentEdit,
    beside: fn(Claim) -> Place,
    alone: Place,
) -> Result<Operation, BadRequest> {
    let text = inserted(needed_lines(edit.lines)?)?;
    let line = filled(edit.pos).or(filled(edit.end));
    let place = line.map_or(alone, |line| beside(line.into()));
    Ok(Operation::Insert { place, text })
}

/// An anchor that is blank counts as absent.
fn filled(anchor: Option<String>) -> Option<String> {
    anchor.filter(|anchor| !anchor.trim().is_empty())
}
