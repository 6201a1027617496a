//! Seed 000's request: each edit is an object with one key, which names the operation, as in `{"set_line":{...}}`.

use hashline_core::edit::{EditNo, Operation, Place, Target, UnseenLines};
use hashline_core::files::{FileAction, Step};
use hashline_reference as reference;
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::Parsed;
use super::operations::{self, EditNames, Text, one_of, take_unseen, target, with_unseen};
use super::parser::Parser;
use super::shape::revision_advice;
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "omp edit request")]
pub struct OmpRequest {
    /// The file.
    pub path: Option<String>,
    /// The edits, each with exactly one of its four keys. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<OmpEdit>")]
    pub edits: Value,
}

/// One edit: exactly one of the keys.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct OmpEdit {
    /// Replace one line.
    pub set_line: Option<SetLine>,
    /// Replace a range of lines.
    pub replace_lines: Option<ReplaceLines>,
    /// Insert lines after a line.
    pub insert_after: Option<InsertAfter>,
    /// Replace an exact text, after the edits by anchor.
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
    /// The text to find, exactly as it appears in the file.
    pub old_text: String,
    /// The text that takes its place.
    pub new_text: String,
    /// Replace every occurrence; without it there must be exactly one.
    pub all: Option<bool>,
}

/// The operations of the omp dialect; each is the only key of an edit.
const KEYS: &[&str] = &["set_line", "replace_lines", "insert_after", "replace"];

/// Recognises omp's edits, whose only key is the name of the operation.
pub(super) struct OneKey;

impl EditNames for OneKey {
    fn has_operation(&self, name: &str) -> bool {
        KEYS.contains(&name)
    }
}

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let edits = parser.list(&mut value, "edits")?;
    let (_, path, mut parsed) = parser.beside_edits::<OmpRequest>(value)?;
    for (index, edit) in edits.into_iter().enumerate() {
        let action = one_edit(parser, edit, index)?;
        parsed.request.steps.push(step(index, &path, action));
    }
    Ok(parsed)
}

fn step(index: usize, path: &str, action: FileAction) -> Step {
    Step {
        no: EditNo::from_index(index),
        path: path.to_owned(),
        action,
    }
}

/// Parses an edit, which must have exactly one key, the operation, whose value has only fields of that operation.
fn one_edit(
    parser: &mut Parser<'_>,
    mut edit: Value,
    index: usize,
) -> Result<FileAction, BadRequest> {
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
        // Otherwise the error would be about the unknown keys that it has instead.
        return Err(not_one());
    }
    let beside = take_unseen(&mut edit).map_err(|error| error.within(&at).in_edit(index))?;
    // The parts were taken out, so this reads nothing; it finds unknown fields beside them.
    parser.edit::<OmpEdit>(edit, index, &at)?;
    let (Some((key, mut part)), 1) = (parts.pop(), count) else {
        return Err(not_one());
    };
    let at = format!("{at}.{key}");
    let inside = take_unseen(&mut part).map_err(|error| error.within(&at).in_edit(index))?;
    let unseen = match (beside, inside) {
        (UnseenLines::Refused, UnseenLines::Refused) => UnseenLines::Refused,
        _ => UnseenLines::Accepted,
    };
    let action = match key {
        "set_line" => set_line(parser.edit(part, index, &at)?),
        "replace_lines" => replace_lines(parser.edit(part, index, &at)?),
        "insert_after" => insert_after(parser.edit(part, index, &at)?),
        _ => substitute(parser.edit(part, index, &at)?),
    };
    Ok(with_unseen(action, unseen))
}

fn set_line(edit: SetLine) -> FileAction {
    replace_or_delete(target(edit.anchor, None), Some(edit.new_text))
}

fn replace_lines(edit: ReplaceLines) -> FileAction {
    let end = edit.end_anchor.filter(|end| !end.is_empty());
    replace_or_delete(target(edit.start_anchor, end), Some(edit.new_text))
}

fn insert_after(edit: InsertAfter) -> FileAction {
    let place = Place::After(edit.anchor.into());
    let text = edit.text.into();
    FileAction::Edit(Operation::Insert { place, text })
}

fn substitute(replace: Replace) -> FileAction {
    operations::substitute(replace.old_text, replace.new_text, replace.all)
}

/// Makes an edit that replaces the lines at `at`, or deletes them if the text is missing, an empty list or an empty string.
fn replace_or_delete(at: Target, text: Option<Text>) -> FileAction {
    let text = text.filter(|text| !matches!(text, Text::One(text) if text.is_empty()));
    operations::replace_or_delete(at, text)
}

/// Parses a request as seed 000's original tool (the reference) does: the first known key of an edit decides, other keys are ignored.
pub(super) fn read_as_defined(
    parser: &mut Parser<'_>,
    mut value: Value,
) -> Result<Parsed, BadRequest> {
    let edits = match value.get_mut("edits").map(Value::take) {
        Some(Value::Array(edits)) => edits,
        _ => Vec::new(),
    };
    let (_, path, mut parsed) = parser.beside_edits::<OmpRequest>(value)?;
    let refuse = |message: String| BadRequest::new(Fault::Reference, "edits", message);
    if edits.is_empty() || path.ends_with(".ipynb") {
        // Without edits, and for a notebook, the reference's message does not depend on the content.
        let answer = reference::edit_file(&path, "", &[]);
        return Err(refuse(answer.map_or_else(
            |failure| failure.message().to_owned(),
            |done| done.text,
        )));
    }
    // Two passes: the reference checks the keys of all edits before it reads the first one, and only its first error is reported.
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
        refuse_revision(edit, &format!("edits[{index}]")).map_err(|bad| bad.in_edit(index))?;
        let halves = halves_as_defined(edit).map_err(|message| refuse(message).in_edit(index));
        let halves = halves.map_err(|error| first_bad_reference(&parsed).map_or(error, refuse))?;
        let steps = halves.into_iter();
        parsed
            .request
            .steps
            .extend(steps.map(|action| step(index, &path, action)));
    }
    Ok(parsed)
}

/// Refuses an edit with a revision in it, which the original tool would ignore: it knows no revisions.
fn refuse_revision(edit: &Value, at: &str) -> Result<(), BadRequest> {
    for (field, value) in edit.as_object().into_iter().flatten() {
        let place = format!("{at}.{field}");
        let advice = revision_advice(at, field);
        if !advice.is_empty() && !value.is_null() {
            let message = format!("unknown field `{field}`{advice}");
            return Err(BadRequest::new(Fault::BadField, place, message));
        }
        refuse_revision(value, &place)?;
    }
    Ok(())
}

/// Returns the reference's error for the first malformed anchor of the edits parsed so far, which it would report before a later error.
fn first_bad_reference(parsed: &Parsed) -> Option<String> {
    let steps = parsed.request.steps.iter();
    let operations = steps.filter_map(|step| match &step.action {
        FileAction::Edit(operation) => Some(operation),
        _ => None,
    });
    let mut claims = operations.flat_map(Operation::claims);
    claims.find_map(|claim| reference::parse_ref(claim.as_str()).err())
}

/// Returns the actions of one edit of the reference, which may have two: one by anchor and one by exact text (`replace`). Without a text
/// `replace_lines` deletes, and `insert_after` inserts a blank line.
fn halves_as_defined(edit: &Value) -> Result<Vec<FileAction>, String> {
    let part = |key: &str| edit.get(key).filter(|value| !value.is_null()).cloned();
    let anchored = if let Some(part) = part("set_line") {
        Some(set_line(read_part(part)?))
    } else if let Some(mut part) = part("replace_lines") {
        add_text(&mut part, "new_text", Value::Null);
        Some(replace_lines(read_part(part)?))
    } else if part("replace").is_some() && part("insert_after").is_some() {
        return Err(
            "replace edits are applied separately; do not pass them to applyHashlineEdits"
                .to_owned(),
        );
    } else if let Some(mut part) = part("insert_after") {
        let content = part.as_object_mut().and_then(|part| part.remove("content"));
        add_text(&mut part, "text", content.unwrap_or_default());
        Some(insert_after(read_part(part)?))
    } else {
        None
    };
    let replace = part("replace").map(read_part).transpose()?.map(substitute);
    Ok(anchored.into_iter().chain(replace).collect())
}

/// Sets the text field of an edit that has none; null becomes an empty string.
fn add_text(part: &mut Value, field: &str, text: Value) {
    let text = if text.is_null() { "".into() } else { text };
    if let Some(part) = part.as_object_mut()
        && part.get(field).is_none_or(Value::is_null)
    {
        part.insert(field.to_owned(), text);
    }
}

fn read_part<T: DeserializeOwned>(part: Value) -> Result<T, String> {
    serde_json::from_value(part).map_err(|error| error.to_string())
}
