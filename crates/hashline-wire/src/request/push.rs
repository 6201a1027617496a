//! Seed 001's request: `type`, `ref`, `new_content`.

use hashline_core::anchor::Claim;
use hashline_core::edit::{Operation, Place, Target};
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Show;
use super::operations::{Operations, row};
use super::payload::{needed, target};
use super::typed::{Asked, Reader, edit_steps};
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "push edit request")]
pub struct PushRequest {
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
    /// The edits. All refs are those of the file as it was read.
    #[schemars(with = "Vec<PushEdit>")]
    #[serde(default)]
    pub edits: Value,
    /// The SHA-256 the file must have, as the read answer gave it.
    #[serde(default, alias = "expected_version")]
    pub file_hash: Option<String>,
    /// Answer with the whole annotated file as well.
    #[serde(default)]
    pub full_refresh: Option<bool>,
}

/// One edit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct PushEdit {
    /// What to do: replace_line, replace_range, insert_after, insert_before, delete_line or delete_range.
    #[serde(default, rename = "type", alias = "op")]
    pub kind: Option<String>,
    /// The line, as in `12:OcoM`.
    #[serde(default, rename = "ref")]
    pub reference: Option<String>,
    /// The first line of a range.
    #[serde(default)]
    pub start_ref: Option<String>,
    /// The last line of a range.
    #[serde(default)]
    pub end_ref: Option<String>,
    /// The new text.
    #[serde(default, alias = "content")]
    pub new_content: Option<String>,
}

/// The operations. A deletion may carry an empty `new_content`.
pub(super) const OPERATIONS: Operations<PushEdit, Operation> = Operations {
    keys: &["type", "op"],
    rows: &[
        row("replace_line", &["ref", "new_content", "content"], |edit| {
            let at = line(edit.reference)?;
            let with = text(edit.new_content)?;
            Ok(Operation::Replace { at, with })
        }),
        row(
            "replace_range",
            &["start_ref", "end_ref", "new_content", "content"],
            |edit| {
                let at = range(edit.start_ref, edit.end_ref)?;
                let with = text(edit.new_content)?;
                Ok(Operation::Replace { at, with })
            },
        ),
        row("insert_after", &["ref", "new_content", "content"], |edit| {
            insert(edit, Place::After)
        }),
        row(
            "insert_before",
            &["ref", "new_content", "content"],
            |edit| insert(edit, Place::Before),
        ),
        row("delete_line", &["ref", "new_content", "content"], |edit| {
            no_text(edit.new_content)?;
            let at = line(edit.reference)?;
            Ok(Operation::Delete { at })
        }),
        row(
            "delete_range",
            &["start_ref", "end_ref", "new_content", "content"],
            |edit| {
                no_text(edit.new_content)?;
                let at = range(edit.start_ref, edit.end_ref)?;
                Ok(Operation::Delete { at })
            },
        ),
    ],
    instead: &[],
};

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let edits = reader.list(&mut value, "edits")?;
    let extras = reader.extras(&mut value)?;
    let request: PushRequest = reader.read(value, "")?;
    let operations = OPERATIONS.read_all(reader, edits, "edits")?;
    let path = reader.path(request.path)?;
    let mut asked = reader.asked(&path, &extras)?;
    if request.full_refresh == Some(true) {
        asked.show = Show::Everything;
    }
    asked.request.steps = edit_steps(&path, operations);
    let hash = request.file_hash.map(|hash| (path, hash));
    asked.request.file_hashes.extend(hash);
    Ok(asked)
}

fn insert(edit: PushEdit, beside: fn(Claim) -> Place) -> Result<Operation, BadRequest> {
    let place = beside(reference(edit.reference, "ref")?.into());
    let text = text(edit.new_content)?;
    Ok(Operation::Insert { place, text })
}

fn line(line: Option<String>) -> Result<Target, BadRequest> {
    Ok(target(reference(line, "ref")?, None))
}

fn range(first: Option<String>, last: Option<String>) -> Result<Target, BadRequest> {
    let first = reference(first, "start_ref")?;
    Ok(target(first, Some(reference(last, "end_ref")?)))
}

fn reference(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    let why = "this edit needs a ref here";
    needed(value, Fault::MissingAnchor, field, why)
}

fn text(value: Option<String>) -> Result<Payload, BadRequest> {
    let why = "this edit needs a string here";
    needed(value, Fault::MissingText, "new_content", why).map(Payload::Text)
}

fn no_text(value: Option<String>) -> Result<(), BadRequest> {
    if value.is_some_and(|text| !text.is_empty()) {
        let message = "a deletion takes no new content";
        return Err(BadRequest::new(Fault::BadField, "new_content", message));
    }
    Ok(())
}
