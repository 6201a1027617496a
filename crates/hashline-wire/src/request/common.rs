//! The common request, accepted everywhere and `lean`'s own.

use hashline_core::anchor::Claim;
use hashline_core::edit::{EditNo, Operation, Place, Target};
use hashline_core::files::{FileAction, Step};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::operations::{Operations, row};
use super::payload::{Text, inserted, needed, needed_lines, replace_or_delete, substitute, target};
use super::typed::{Asked, Reader, file_name, list_key};
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
    /// Another name for `edits`.
    #[serde(default)]
    #[schemars(skip)]
    pub operations: Value,
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
    /// What to do: replace, delete, insert_before, insert_after, prepend, append, substitute, create, rewrite, move or delete_file.
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
    /// The content of a file, exactly, for create (a new file) and rewrite (a whole file anew, as its `rev` was).
    #[serde(default)]
    pub content: Option<String>,
    /// The file's new name, for move.
    #[serde(default)]
    pub to_path: Option<String>,
}

/// The operations of the common request.
pub(super) const OPERATIONS: Operations<CommonEdit, FileAction> = Operations {
    keys: &["op"],
    rows: &[
        row("replace", &["at", "to", "lines", "text"], replace),
        row("delete", &["at", "to"], |edit| {
            let at = lines_at(edit.at, edit.to)?;
            Ok(FileAction::Edit(Operation::Delete { at }))
        }),
        row("insert_before", &["at", "lines", "text"], |edit| {
            insert_beside(edit, Place::Before)
        }),
        row("insert_after", &["at", "lines", "text"], |edit| {
            insert_beside(edit, Place::After)
        }),
        row("prepend", &["lines", "text"], |edit| {
            insert(Place::Start, edit.lines, edit.text)
        }),
        row("append", &["lines", "text"], |edit| {
            insert(Place::End, edit.lines, edit.text)
        }),
        row("substitute", &["old", "new", "all"], exact_text),
        row("create", &["content"], |edit| {
            string(edit.content, "content").map(FileAction::Create)
        }),
        row("rewrite", &["content"], |edit| {
            string(edit.content, "content").map(FileAction::Rewrite)
        }),
        row("move", &["to_path"], |edit| {
            let to = string(edit.to_path, "to_path")?;
            file_name(to, "to_path").map(FileAction::Move)
        }),
        row("delete_file", &[], |_| Ok(FileAction::Delete)),
    ],
    instead: &[],
};

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let list = list_key(&value);
    let edits = reader.list(&mut value, list)?;
    let extras = reader.extras(&mut value)?;
    let CommonRequest { path, .. } = reader.read(value, "")?;
    let path = reader.path(path)?;
    let mut asked = reader.asked(&path, &extras)?;
    let actions = OPERATIONS.read_all(reader, edits, list)?;
    asked.request.steps = steps(actions, path);
    Ok(asked)
}

/// Makes the steps of one file; after a move they speak of the file by its new name.
fn steps(actions: Vec<FileAction>, mut path: String) -> Vec<Step> {
    let mut steps = Vec::with_capacity(actions.len());
    for (index, action) in actions.into_iter().enumerate() {
        let next = match &action {
            FileAction::Move(to) => to.clone(),
            _ => path.clone(),
        };
        let path = std::mem::replace(&mut path, next);
        let no = EditNo::from_index(index);
        steps.push(Step { no, path, action });
    }
    steps
}

fn replace(edit: CommonEdit) -> Result<FileAction, BadRequest> {
    let with = needed_lines(lines_or_text(edit.lines, edit.text)?)?;
    let at = lines_at(edit.at, edit.to)?;
    Ok(FileAction::Edit(replace_or_delete(at, Some(with))))
}

fn insert_beside(edit: CommonEdit, beside: fn(Claim) -> Place) -> Result<FileAction, BadRequest> {
    insert(beside(anchor(edit.at)?.into()), edit.lines, edit.text)
}

fn insert(place: Place, lines: Option<Text>, text: Option<Text>) -> Result<FileAction, BadRequest> {
    let text = inserted(Some(needed_lines(lines_or_text(lines, text)?)?))?;
    Ok(FileAction::Edit(Operation::Insert { place, text }))
}

fn exact_text(edit: CommonEdit) -> Result<FileAction, BadRequest> {
    let old = string(edit.old, "old")?;
    if old.is_empty() {
        let message = "the text to find must not be empty";
        return Err(BadRequest::new(Fault::BadField, "old", message));
    }
    let new = string(edit.new, "new")?;
    Ok(FileAction::Edit(substitute(old, new, edit.all)))
}

fn lines_or_text(lines: Option<Text>, text: Option<Text>) -> Result<Option<Text>, BadRequest> {
    if lines.is_some() && text.is_some() {
        let message = "an edit has `lines` or `text`, not both";
        return Err(BadRequest::new(Fault::BadField, "text", message));
    }
    Ok(lines.or(text))
}

fn lines_at(first: Option<String>, last: Option<String>) -> Result<Target, BadRequest> {
    Ok(target(anchor(first)?, last))
}

fn anchor(at: Option<String>) -> Result<String, BadRequest> {
    let why = "this edit needs an anchor here";
    needed(at, Fault::MissingAnchor, "at", why)
}

fn string(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    let why = "this edit needs a string here";
    needed(value, Fault::BadField, field, why)
}
