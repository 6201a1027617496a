//! Seed 000's request: single-key objects.

use hashline_core::edit::{Operation, Place, Target};
use hashline_core::files::FileAction;
use hashline_core::reference;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::operations::one_of;
use super::payload::{self, Text, target};
use super::typed::{Asked, Reader, edit_step, must_be_object};
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "omp edit request")]
pub struct OmpRequest {
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
    /// The edits, each with exactly one of its four keys. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<OmpEdit>")]
    #[serde(default)]
    pub edits: Value,
}

/// One edit: exactly one of the keys.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct OmpEdit {
    /// Replace one line.
    #[serde(default)]
    pub set_line: Option<SetLine>,
    /// Replace a range of lines.
    #[serde(default)]
    pub replace_lines: Option<ReplaceLines>,
    /// Insert lines after a line.
    #[serde(default)]
    pub insert_after: Option<InsertAfter>,
    /// Replace an exact text, after the edits by anchor.
    #[serde(default)]
    pub replace: Option<Replace>,
}

/// One line becomes other text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct SetLine {
    /// The line, as in `12:a3`.
    pub anchor: String,
    /// The new text; an empty string deletes the line, `"\n"` makes it blank.
    #[schemars(with = "String")]
    pub new_text: Text,
}

/// A range of lines becomes other text.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct ReplaceLines {
    /// The first line, as in `12:a3`.
    pub start_anchor: String,
    /// The last line; without it only the first is replaced.
    #[serde(default)]
    pub end_anchor: Option<String>,
    /// The new text; an empty string deletes the lines.
    #[serde(default)]
    #[schemars(with = "String")]
    pub new_text: Option<Text>,
}

/// New lines come after a line.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InsertAfter {
    /// The line, as in `12:a3`.
    pub anchor: String,
    /// The new text; an empty string is one blank line.
    #[serde(default)]
    #[schemars(with = "String")]
    pub text: Option<Text>,
    /// Another name for `text`, which wins.
    #[serde(default)]
    #[schemars(skip)]
    pub content: Option<Text>,
}

/// An exact text becomes another.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct Replace {
    /// The text to find, exactly as it stands in the file.
    pub old_text: String,
    /// The text that takes its place.
    pub new_text: String,
    /// Replace every occurrence; without it there must be exactly one.
    #[serde(default)]
    pub all: Option<bool>,
}

/// The operations, each a key of its own.
pub(super) const KEYS: &[&str] = &["set_line", "replace_lines", "insert_after", "replace"];

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let edits = reader.list(&mut value, "edits")?;
    let extras = reader.extras(&mut value)?;
    let OmpRequest { path, .. } = reader.read(value, "")?;
    let path = reader.path(path)?;
    let mut asked = reader.asked(&path, &extras)?;
    for (index, edit) in edits.into_iter().enumerate() {
        let at = format!("edits[{index}]");
        check_parts(&edit).map_err(|error| error.within(&at).in_edit(index))?;
        let edit = reader.edit::<OmpEdit>(edit, index, &at)?;
        let operation = only(edit, &at).map_err(|error| error.in_edit(index))?;
        asked.request.steps.push(edit_step(index, &path, operation));
    }
    Ok(asked)
}

/// What stands under a key of an edit must be an object, if it is there.
fn check_parts(edit: &Value) -> Result<(), BadRequest> {
    let parts = KEYS.iter().filter_map(|key| Some((key, edit.get(*key)?)));
    parts
        .filter(|(_, part)| !part.is_null())
        .try_for_each(|(key, part)| must_be_object(part, key))
}

fn only(edit: OmpEdit, at: &str) -> Result<Operation, BadRequest> {
    let operations: Vec<Operation> = [
        edit.set_line.map(set_line),
        edit.replace_lines.map(replace_lines),
        edit.insert_after.map(insert_after),
        edit.replace.map(substitute),
    ]
    .into_iter()
    .flatten()
    .collect();
    <[Operation; 1]>::try_from(operations)
        .map(|[operation]| operation)
        .map_err(|found| {
            let message = format!(
                "an edit has exactly one of {}; this one has {}",
                one_of(KEYS),
                found.len()
            );
            BadRequest::new(Fault::UnknownOperation, at, message)
        })
}

fn set_line(SetLine { anchor, new_text }: SetLine) -> Operation {
    replace_or_delete(Target::Line(anchor.into()), Some(new_text))
}

fn replace_lines(
    ReplaceLines {
        start_anchor,
        end_anchor,
        new_text,
    }: ReplaceLines,
) -> Operation {
    let end = end_anchor.filter(|end| !end.is_empty());
    replace_or_delete(target(start_anchor, end), new_text)
}

fn insert_after(edit: InsertAfter) -> Operation {
    let InsertAfter {
        anchor,
        text,
        content,
    } = edit;
    let text = text.or(content).unwrap_or(Text::One(String::new()));
    Operation::Insert {
        place: Place::After(anchor.into()),
        text: text.into(),
    }
}

fn substitute(replace: Replace) -> Operation {
    payload::substitute(replace.old_text, replace.new_text, replace.all)
}

/// An empty string deletes here too.
fn replace_or_delete(at: Target, text: Option<Text>) -> Operation {
    let text = text.filter(|text| !matches!(text, Text::One(text) if text.is_empty()));
    payload::replace_or_delete(at, text)
}

/// Reads the request as the reference does: the first key that is present decides, other keys are ignored.
pub(super) fn read_as_defined(
    reader: &mut Reader<'_>,
    mut value: Value,
) -> Result<Asked, BadRequest> {
    let edits = match value.get_mut("edits").map(Value::take) {
        Some(Value::Array(edits)) => edits,
        _ => Vec::new(),
    };
    let extras = reader.extras(&mut value)?;
    let OmpRequest { path, .. } = reader.read(value, "")?;
    let path = reader.path(path)?;
    let mut asked = reader.asked(&path, &extras)?;
    let refuse = |message: String| BadRequest::new(Fault::Reference, "edits", message);
    if edits.is_empty() || path.ends_with(".ipynb") {
        // Without edits, and for a notebook, the content plays no part in what the reference says.
        let said = reference::edit_file(&path, "", &[]);
        return Err(refuse(said.map_or_else(
            |failure| failure.message().to_owned(),
            |done| done.text,
        )));
    }
    for (index, edit) in edits.iter().enumerate() {
        let keys: Vec<&str> = edit
            .as_object()
            .map(|edit| edit.keys().map(String::as_str).collect())
            .unwrap_or_default();
        if let Some(message) = reference::key_error(index, &keys) {
            return Err(refuse(message).in_edit(index));
        }
    }
    for (index, edit) in edits.iter().enumerate() {
        let halves = halves_as_defined(edit).map_err(|message| refuse(message).in_edit(index));
        let halves = halves.map_err(|error| first_bad_reference(&asked).map_or(error, refuse))?;
        asked.request.steps.extend(
            halves
                .into_iter()
                .map(|operation| edit_step(index, &path, operation)),
        );
    }
    Ok(asked)
}

/// The reference reads the anchors edit by edit: a bad one in an earlier edit is its first error.
fn first_bad_reference(asked: &Asked) -> Option<String> {
    let operations = asked
        .request
        .steps
        .iter()
        .filter_map(|step| match &step.action {
            FileAction::Edit(operation) => Some(operation),
            _ => None,
        });
    let mut claims = operations.flat_map(Operation::claims);
    claims.find_map(|claim| reference::parse_ref(claim.as_str()).err())
}

/// Returns the two halves an edit of the reference may have: the one by anchor and the one by text.
fn halves_as_defined(edit: &Value) -> Result<Vec<Operation>, String> {
    let part = |key: &str| edit.get(key).filter(|value| !value.is_null()).cloned();
    let anchored = if let Some(part) = part("set_line") {
        Some(set_line(read_part(part)?))
    } else if let Some(part) = part("replace_lines") {
        Some(replace_lines(read_part(part)?))
    } else if part("replace").is_some() && part("insert_after").is_some() {
        return Err(
            "replace edits are applied separately; do not pass them to applyHashlineEdits"
                .to_owned(),
        );
    } else {
        part("insert_after")
            .map(read_part)
            .transpose()?
            .map(insert_after)
    };
    let replace = part("replace").map(read_part).transpose()?.map(substitute);
    Ok(anchored.into_iter().chain(replace).collect())
}

fn read_part<T: DeserializeOwned>(part: Value) -> Result<T, String> {
    serde_json::from_value(part).map_err(|error| error.to_string())
}
