//! Seed 001's request: `type`, `ref`, `new_content`.

use hashline_core::edit::{Operation, Place, Target};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Show;
use super::typed::{Asked, Reader, edit_step, missing};
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

const TYPES: &str =
    "replace_line, replace_range, insert_after, insert_before, delete_line or delete_range";

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let edits = reader.list(&mut value, "edits")?;
    let extras = reader.extras(&mut value)?;
    let request: PushRequest = reader.read(value, "")?;
    let mut operations = Vec::with_capacity(edits.len());
    for (index, edit) in edits.into_iter().enumerate() {
        let at = format!("edits[{index}]");
        let edit = reader.edit::<PushEdit>(edit, index, &at)?;
        operations.push(operation(edit, &at).map_err(|error| error.in_edit(index))?);
    }
    let path = reader.path(request.path)?;
    let mut asked = reader.asked(&path, &extras)?;
    if request.full_refresh == Some(true) {
        asked.show = Show::Everything;
    }
    asked
        .request
        .file_hashes
        .extend(request.file_hash.map(|hash| (path.clone(), hash)));
    let numbered = operations.into_iter().enumerate();
    asked.request.steps = numbered
        .map(|(index, operation)| edit_step(index, &path, operation))
        .collect();
    Ok(asked)
}

fn operation(edit: PushEdit, at: &str) -> Result<Operation, BadRequest> {
    let PushEdit {
        kind,
        reference,
        start_ref,
        end_ref,
        new_content,
    } = edit;
    let need = |value: Option<String>, field: &str| {
        value.ok_or_else(|| {
            missing(
                Fault::MissingAnchor,
                at,
                field,
                "this edit needs a ref here",
            )
        })
    };
    let text = |value: Option<String>| {
        value.ok_or_else(|| {
            missing(
                Fault::MissingText,
                at,
                "new_content",
                "this edit needs a string here",
            )
        })
    };
    let no_text = |value: Option<String>| match value {
        Some(text) if !text.is_empty() => Err(missing(
            Fault::BadField,
            at,
            "new_content",
            "a deletion takes no new content",
        )),
        _ => Ok(()),
    };
    match kind.as_deref() {
        Some("replace_line") => Ok(Operation::replace_line(
            need(reference, "ref")?,
            text(new_content)?,
        )),
        Some("replace_range") => {
            let (first, last) = (need(start_ref, "start_ref")?, need(end_ref, "end_ref")?);
            Ok(Operation::replace_range(first, last, text(new_content)?))
        }
        Some(side @ ("insert_after" | "insert_before")) => {
            let line = need(reference, "ref")?.into();
            let place = if side == "insert_after" {
                Place::After(line)
            } else {
                Place::Before(line)
            };
            Ok(Operation::Insert {
                place,
                text: text(new_content)?.into(),
            })
        }
        Some("delete_line") => {
            no_text(new_content)?;
            Ok(Operation::delete_line(need(reference, "ref")?))
        }
        Some("delete_range") => {
            no_text(new_content)?;
            let at = Target::Range(
                need(start_ref, "start_ref")?.into(),
                need(end_ref, "end_ref")?.into(),
            );
            Ok(Operation::Delete { at })
        }
        other => {
            let sent = other.map_or_else(
                || "it is missing".to_owned(),
                |other| format!("{other:?} is not known"),
            );
            Err(missing(
                Fault::UnknownOperation,
                at,
                "type",
                &format!("{TYPES} belongs here; {sent}"),
            ))
        }
    }
}
