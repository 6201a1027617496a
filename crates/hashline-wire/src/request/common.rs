//! The common request, accepted everywhere and `lean`'s own.

use hashline_core::edit::{EditNo, Occurrences, Operation, Place, Target};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::typed::{Asked, Reader, Text, missing, revision};
use crate::error::{BadRequest, Fault};

/// A request over one file (`path` and `edits`) or several (`files`): all of it, or nothing.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "hashline edit request")]
pub struct CommonRequest {
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
    /// The edits. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<CommonEdit>")]
    #[serde(default)]
    pub edits: Value,
    /// Several files at once, instead of `path` and `edits`.
    #[serde(default)]
    #[schemars(with = "Vec<CommonFile>")]
    pub files: Value,
}

/// One file of a request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CommonFile {
    /// The file.
    pub path: String,
    /// The revision the anchors were read from, as the read answer gave it.
    #[serde(default)]
    pub rev: Option<String>,
    /// The edits.
    #[schemars(with = "Vec<CommonEdit>")]
    #[serde(default)]
    pub edits: Value,
}

/// One edit.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CommonEdit {
    /// What to do: replace, delete, insert_before, insert_after, prepend, append, substitute, create, move or delete_file.
    #[serde(default)]
    pub op: Option<String>,
    /// The line, or the first line of a range, as the read answer shows it.
    #[serde(default)]
    pub at: Option<String>,
    /// The last line of a range, for replace and delete.
    #[serde(default)]
    pub to: Option<String>,
    /// The new lines.
    #[serde(default)]
    pub lines: Option<Text>,
    /// The new text as one string, instead of `lines`.
    #[serde(default)]
    #[schemars(skip)]
    pub text: Option<Text>,
    /// The text to find, exactly, for substitute.
    #[serde(default)]
    pub old: Option<String>,
    /// The text that takes its place, for substitute.
    #[serde(default)]
    pub new: Option<String>,
    /// Replace every occurrence, for substitute; without it there must be exactly one.
    #[serde(default)]
    pub all: Option<bool>,
    /// The content of a new file, exactly, for create.
    #[serde(default)]
    pub content: Option<String>,
    /// The file's new name, for move.
    #[serde(default)]
    pub to_path: Option<String>,
}

const OPERATIONS: &str = "replace, delete, insert_before, insert_after, prepend, append, substitute, create, move or delete_file";

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let has_files = value.get("files").is_some_and(|files| !files.is_null());
    if has_files && value.get("edits").is_some_and(|edits| !edits.is_null()) {
        let message = "a request has `files`, or `path` and `edits`, not both";
        return Err(BadRequest::new(Fault::BadField, "files", message));
    }
    if !has_files {
        let edits = reader.list(&mut value, "edits")?;
        let extras = reader.extras(&mut value)?;
        let CommonRequest { path, .. } = reader.read(value, "")?;
        let path = reader.path(path)?;
        let mut asked = reader.asked(&path, &extras)?;
        asked.request.steps = steps(reader, edits, path, "edits")?;
        return Ok(asked);
    }
    let files = reader.list(&mut value, "files")?;
    let extras = reader.extras(&mut value)?;
    reader.read::<CommonRequest>(value, "")?;
    if extras.rev.is_some() {
        return Err(BadRequest::new(
            Fault::BadField,
            "rev",
            "with `files` each file carries its own rev",
        ));
    }
    let mut asked = reader.asked("", &extras)?;
    for (index, mut file) in files.into_iter().enumerate() {
        let at = format!("files[{index}]");
        let edits = reader
            .list(&mut file, "edits")
            .map_err(|error| BadRequest {
                at: format!("{at}.edits"),
                ..error
            })?;
        let CommonFile { path, rev, .. } = reader.read(file, &at)?;
        if asked.request.steps.iter().any(|step| step.path == path) {
            let message = "this file is listed twice; put all its edits into one entry";
            return Err(BadRequest::new(
                Fault::BadField,
                format!("{at}.path"),
                message,
            ));
        }
        if let Some(rev) = rev {
            asked
                .request
                .revs
                .insert(path.clone(), revision(&rev, &format!("{at}.rev"))?);
        }
        asked
            .request
            .steps
            .extend(steps(reader, edits, path, &format!("{at}.edits"))?);
    }
    Ok(asked)
}

/// Which fields belong to which operation; another one would be ignored, and that could change what the edit does.
const FIELDS: &[(&str, &[&str])] = &[
    ("replace", &["at", "to", "lines", "text"]),
    ("delete", &["at", "to"]),
    ("insert_before", &["at", "lines", "text"]),
    ("insert_after", &["at", "lines", "text"]),
    ("prepend", &["lines", "text"]),
    ("append", &["lines", "text"]),
    ("substitute", &["old", "new", "all"]),
    ("create", &["content"]),
    ("move", &["to_path"]),
    ("delete_file", &[]),
];

/// Refuses a field that belongs to another operation.
fn check_fields(edit: &Value, at: &str) -> Result<(), BadRequest> {
    let op = edit.get("op").and_then(Value::as_str).unwrap_or_default();
    let Some((op, own)) = FIELDS.iter().find(|(name, _)| *name == op) else {
        return Ok(());
    };
    let is_another = |field: &&str| {
        FIELDS.iter().any(|(_, fields)| fields.contains(field)) && !own.contains(field)
    };
    let fields = edit
        .as_object()
        .into_iter()
        .flatten()
        .filter(|(_, value)| !value.is_null());
    fields
        .map(|(field, _)| field.as_str())
        .find(is_another)
        .map_or(Ok(()), |field| {
            Err(missing(
                Fault::BadField,
                at,
                field,
                &format!("{op} takes no {field}: it would be ignored"),
            ))
        })
}

/// Reads the edits of one file; after a move they speak of the file by its new name.
fn steps(
    reader: &mut Reader<'_>,
    edits: Vec<Value>,
    path: String,
    list: &str,
) -> Result<Vec<Step>, BadRequest> {
    let mut path = path;
    let mut steps = Vec::with_capacity(edits.len());
    for (index, edit) in edits.into_iter().enumerate() {
        let at = format!("{list}[{index}]");
        check_fields(&edit, &at).map_err(|error| error.in_edit(index))?;
        let edit = reader.edit::<CommonEdit>(edit, index, &at)?;
        let action = action(edit, &at).map_err(|error| error.in_edit(index))?;
        let renamed = match &action {
            FileAction::Move(to) => Some(to.clone()),
            _ => None,
        };
        steps.push(Step {
            no: EditNo::from_index(index),
            path: path.clone(),
            action,
        });
        path = renamed.unwrap_or(path);
    }
    Ok(steps)
}

fn action(edit: CommonEdit, at: &str) -> Result<FileAction, BadRequest> {
    let CommonEdit {
        op,
        at: line,
        to,
        lines,
        text,
        old,
        new,
        all,
        content,
        to_path,
    } = edit;
    if lines.is_some() && text.is_some() {
        return Err(missing(
            Fault::BadField,
            at,
            "text",
            "an edit has `lines` or `text`, not both",
        ));
    }
    let text = lines.or(text);
    let string = |value: Option<String>, field: &str| {
        value.ok_or_else(|| missing(Fault::BadField, at, field, "this edit needs a string here"))
    };
    let anchor = || {
        line.clone().ok_or_else(|| {
            missing(
                Fault::MissingAnchor,
                at,
                "at",
                "this edit needs an anchor here",
            )
        })
    };
    let target = || match &to {
        Some(last) => Ok::<_, BadRequest>(Target::Range(anchor()?.into(), last.as_str().into())),
        None => Ok(Target::Line(anchor()?.into())),
    };
    let insert = |place: Place| match text.clone() {
        None => Err(missing(
            Fault::MissingText,
            at,
            "lines",
            "this edit needs its lines here",
        )),
        Some(Text::Many(list)) if list.is_empty() => Err(missing(
            Fault::EmptyInsert,
            at,
            "lines",
            "there is nothing to insert; a blank line is \"\"",
        )),
        Some(text) => Ok(Operation::Insert {
            place,
            text: text.into(),
        }),
    };
    let operation = match op.as_deref() {
        Some("replace") => match text.clone() {
            None => {
                return Err(missing(
                    Fault::MissingText,
                    at,
                    "lines",
                    "this edit needs its lines here",
                ));
            }
            Some(Text::Many(list)) if list.is_empty() => Operation::Delete { at: target()? },
            Some(text) => Operation::Replace {
                at: target()?,
                with: text.into(),
            },
        },
        Some("delete") => Operation::Delete { at: target()? },
        Some("insert_before") => insert(Place::Before(anchor()?.into()))?,
        Some("insert_after") => insert(Place::After(anchor()?.into()))?,
        Some("prepend") => insert(Place::Start)?,
        Some("append") => insert(Place::End)?,
        Some("substitute") => {
            let count = if all == Some(true) {
                Occurrences::All
            } else {
                Occurrences::One
            };
            let old = string(old, "old")?;
            if old.is_empty() {
                return Err(missing(
                    Fault::BadField,
                    at,
                    "old",
                    "the text to find must not be empty",
                ));
            }
            Operation::Substitute {
                old,
                new: string(new, "new")?,
                count,
            }
        }
        Some("create") => return Ok(FileAction::Create(string(content, "content")?)),
        Some("move") => return Ok(FileAction::Move(string(to_path, "to_path")?)),
        Some("delete_file") => return Ok(FileAction::Delete),
        other => {
            let sent = other.map_or_else(
                || "it is missing".to_owned(),
                |other| format!("{other:?} is not known"),
            );
            return Err(missing(
                Fault::UnknownOperation,
                at,
                "op",
                &format!("{OPERATIONS} belongs here; {sent}"),
            ));
        }
    };
    Ok(FileAction::Edit(operation))
}
