//! Seed 000's request: single-key objects.

use hashline_core::edit::{Operation, Place, Target};
use hashline_core::files::FileAction;
use hashline_reference as reference;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::operations::one_of;
use super::payload::{self, Text, target};
use super::typed::{Asked, Reader, edit_step};
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
    #[schemars(with = "String")]
    pub new_text: Text,
}

/// New lines come after a line.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct InsertAfter {
    /// The line, as in `12:a3`.
    pub anchor: String,
    /// The new text; an empty string is one blank line.
    #[serde(alias = "content")]
    #[schemars(with = "String")]
    pub text: Text,
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
        let operation = one_edit(reader, edit, index)?;
        asked.request.steps.push(edit_step(index, &path, operation));
    }
    Ok(asked)
}

/// Reads an edit: exactly one key, and under it the fields of its operation and no other.
fn one_edit(
    reader: &mut Reader<'_>,
    mut edit: Value,
    index: usize,
) -> Result<Operation, BadRequest> {
    let at = format!("edits[{index}]");
    let mut parts = Vec::new();
    for key in KEYS {
        let part = edit.get_mut(*key).map(Value::take);
        parts.extend(part.filter(|part| !part.is_null()).map(|part| (*key, part)));
    }
    let count = parts.len();
    let not_one = || {
        let names = one_of(KEYS);
        let message = format!("an edit has exactly one of {names}; this one has {count}");
        BadRequest::new(Fault::UnknownOperation, at.clone(), message).in_edit(index)
    };
    if count == 0 && edit.is_object() {
        // What it has instead would only be called unknown.
        return Err(not_one());
    }
    reader.edit::<OmpEdit>(edit, index, &at)?;
    let (Some((key, part)), 1) = (parts.pop(), count) else {
        return Err(not_one());
    };
    let at = format!("{at}.{key}");
    Ok(match key {
        "set_line" => set_line(reader.edit(part, index, &at)?),
        "replace_lines" => replace_lines(reader.edit(part, index, &at)?),
        "insert_after" => insert_after(reader.edit(part, index, &at)?),
        _ => substitute(reader.edit(part, index, &at)?),
    })
}

fn set_line(edit: SetLine) -> Operation {
    replace_or_delete(target(edit.anchor, None), Some(edit.new_text))
}

fn replace_lines(edit: ReplaceLines) -> Operation {
    let end = edit.end_anchor.filter(|end| !end.is_empty());
    replace_or_delete(target(edit.start_anchor, end), Some(edit.new_text))
}

fn insert_after(edit: InsertAfter) -> Operation {
    let place = Place::After(edit.anchor.into());
    let text = edit.text.into();
    Operation::Insert { place, text }
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
        Some(ReplaceLinesAsDefined::operation(read_part(part)?))
    } else if part("replace").is_some() && part("insert_after").is_some() {
        return Err(
            "replace edits are applied separately; do not pass them to applyHashlineEdits"
                .to_owned(),
        );
    } else {
        part("insert_after")
            .map(read_part)
            .transpose()?
            .map(InsertAfterAsDefined::operation)
    };
    let replace = part("replace").map(read_part).transpose()?.map(substitute);
    Ok(anchored.into_iter().chain(replace).collect())
}

/// As the reference has it: without a text the lines are deleted.
#[derive(Deserialize)]
struct ReplaceLinesAsDefined {
    start_anchor: String,
    #[serde(default)]
    end_anchor: Option<String>,
    #[serde(default)]
    new_text: Option<Text>,
}

impl ReplaceLinesAsDefined {
    fn operation(self) -> Operation {
        replace_lines(ReplaceLines {
            start_anchor: self.start_anchor,
            end_anchor: self.end_anchor,
            new_text: self.new_text.unwrap_or_else(no_text),
        })
    }
}

/// As the reference has it: `text` wins over `content`, and without either one blank line is inserted.
#[derive(Deserialize)]
struct InsertAfterAsDefined {
    anchor: String,
    #[serde(default)]
    text: Option<Text>,
    #[serde(default)]
    content: Option<Text>,
}

impl InsertAfterAsDefined {
    fn operation(self) -> Operation {
        insert_after(InsertAfter {
            anchor: self.anchor,
            text: self.text.or(self.content).unwrap_or_else(no_text),
        })
    }
}

fn no_text() -> Text {
    Text::One(String::new())
}

fn read_part<T: DeserializeOwned>(part: Value) -> Result<T, String> {
    serde_json::from_value(part).map_err(|error| error.to_string())
}
