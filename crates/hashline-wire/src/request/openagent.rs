//! Seed 003's request: `edits` with `op`, `pos`, `end` and `lines`.

use hashline_core::anchor::Claim;
use hashline_core::edit::{EditNo, Place};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::Parsed;
use super::operations::{self, Operations, Text, needed, replace_or_delete, row, target};
use super::parser::{Parser, file_name, no_edits};
use crate::error::{BadRequest, Fault};

/// A request to edit, rename or delete one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "openagent edit request")]
pub struct OpenagentRequest {
    /// The file.
    #[serde(rename = "filePath")]
    pub file_path: Option<String>,
    /// The edits. All references are those of the file as it was read.
    #[schemars(with = "Vec<OpenagentEdit>")]
    pub edits: Value,
    /// Delete the file; needs an empty list of edits.
    pub delete: Option<bool>,
    /// The file's new name.
    pub rename: Option<String>,
}

/// One edit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OpenagentEdit {
    /// What to do: replace, append or prepend.
    pub op: Option<String>,
    /// The line, as in `12#NK`; `append` and `prepend` without it are for the end and the start of the file.
    pub pos: Option<String>,
    /// The last line of a range, for `replace`.
    pub end: Option<String>,
    /// The new lines; an empty list with `replace` deletes.
    #[serde(deserialize_with = "present")]
    #[schemars(with = "Vec<String>")]
    pub lines: Option<Option<Text>>,
}

/// Deserializes a field that is null as `Some(None)`, to distinguish it from a missing field, which is `None`.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Option<Text>>, D::Error> {
    Option::deserialize(deserializer).map(Some)
}

/// The fields of every operation: an insertion takes `end` if it has no `pos`.
const FIELDS: &[&str] = &["pos", "end", "lines"];

/// The operations of the openagent dialect.
pub(super) const OPERATIONS: Operations<OpenagentEdit> = Operations {
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

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let edits = match value.get_mut("edits").map(Value::take) {
        Some(Value::Array(edits)) => edits,
        _ => Vec::new(),
    };
    let (request, path, mut parsed) = parser.beside_edits::<OpenagentRequest>(value)?;
    if request.file_path.is_some() {
        // Its name was taken for `path`, so this one is left over.
        let message = "the request names two files";
        return Err(BadRequest::new(Fault::BadField, "filePath", message));
    }
    check_whole(&request, edits.len())?;
    parsed.request.steps = OPERATIONS.steps(parser, edits, "edits", &path)?;
    let action = match request.rename.filter(|to| *to != path) {
        _ if request.delete == Some(true) => FileAction::Delete,
        Some(to) => FileAction::Move(file_name(to, "rename")?),
        None => return Ok(parsed),
    };
    // Deleting and renaming are not in the list of edits: they go by the number of its last.
    let last = parsed.request.steps.len().saturating_sub(1);
    let no = EditNo::from_index(last);
    parsed.request.steps.push(Step { no, path, action });
    Ok(parsed)
}

fn check_whole(request: &OpenagentRequest, edits: usize) -> Result<(), BadRequest> {
    let refused = |fault, message| Err(BadRequest::new(fault, "delete", message));
    let delete = request.delete == Some(true);
    if delete && request.rename.is_some() {
        let message = "a file cannot be deleted and renamed in one request";
        return refused(Fault::DeleteAndRename, message);
    }
    if delete && edits > 0 {
        let message = "a file cannot be deleted and edited in one request";
        return refused(Fault::DeleteWithEdits, message);
    }
    if !delete && edits == 0 {
        return Err(no_edits("edits"));
    }
    Ok(())
}

fn replace(edit: OpenagentEdit) -> Result<FileAction, BadRequest> {
    let first = needed(filled(edit.pos), Fault::MissingAnchor, "pos")?;
    let lines = needed(edit.lines, Fault::MissingText, "lines")?;
    Ok(replace_or_delete(target(first, filled(edit.end)), lines))
}

/// Makes an insertion before or after the line at `pos` (or at `end` if `pos` is missing), or at `without_line` if both are missing.
fn insert(
    edit: OpenagentEdit,
    beside: fn(Claim) -> Place,
    without_line: Place,
) -> Result<FileAction, BadRequest> {
    let lines = needed(edit.lines, Fault::MissingText, "lines")?;
    let line = filled(edit.pos).or(filled(edit.end));
    let place = line.map_or(without_line, |line| beside(line.into()));
    operations::insert(place, lines)
}

/// Returns the anchor, or `None` if it is blank: a blank anchor counts as absent.
fn filled(anchor: Option<String>) -> Option<String> {
    anchor.filter(|anchor| !anchor.trim().is_empty())
}
