//! The common request, which is accepted in every dialect and is the native format of the `lean` dialect.

use hashline_core::edit::Place;
use hashline_core::files::FileAction;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Parsed;
use super::operations::{
    Operations, Text, delete, insert, needed, replace_or_delete, row, substitute, target,
};
use super::parser::{Parser, file_name, list_key};
use crate::error::{BadRequest, Fault};

/// A request over one file (`path` and `edits`) or several (`files`): all of it, or nothing.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "hashline edit request")]
pub struct CommonRequest {
    /// The file.
    pub path: Option<String>,
    /// The edits. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<CommonEdit>")]
    pub edits: Value,
    /// Another name for `edits`.
    #[schemars(skip)]
    pub operations: Value,
    /// Several files at once, instead of `path` and `edits`.
    #[schemars(with = "Vec<CommonFile>")]
    pub files: Value,
}

/// One file of a request.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CommonFile {
    /// The file.
    pub path: String,
    /// The revision the anchors were read from, as the read answer gave it.
    pub rev: Option<String>,
    /// The edits.
    #[schemars(with = "Vec<CommonEdit>")]
    #[serde(default)]
    pub edits: Value,
}

/// One edit.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CommonEdit {
    /// What to do: replace, delete, insert_before, insert_after, prepend, append, substitute, create, rewrite, move or delete_file.
    pub op: Option<String>,
    /// The line, or the first line of a range, as the read answer shows it.
    pub at: Option<String>,
    /// The last line of a range, for replace and delete.
    pub to: Option<String>,
    /// The new lines.
    pub lines: Option<Text>,
    /// The new text as one string, instead of `lines`.
    #[schemars(skip)]
    pub text: Option<Text>,
    /// The text to find, exactly, for substitute.
    pub old: Option<String>,
    /// The text that takes its place, for substitute.
    pub new: Option<String>,
    /// Replace every occurrence, for substitute; without it there must be exactly one.
    pub all: Option<bool>,
    /// The content of a file, exactly, for create (a new file) and rewrite (a whole file anew, as its `rev` was).
    pub content: Option<String>,
    /// The file's new name, for move.
    pub to_path: Option<String>,
}

/// The operations of the common request.
pub(super) const OPERATIONS: Operations<CommonEdit> = Operations {
    keys: &["op"],
    rows: &[
        row("replace", &["at", "to", "lines", "text"], |edit| {
            let with = lines_or_text(edit.lines, edit.text)?;
            let at = target(anchor(edit.at)?, edit.to);
            Ok(replace_or_delete(at, Some(with)))
        }),
        row("delete", &["at", "to"], |edit| {
            delete(target(anchor(edit.at)?, edit.to))
        }),
        row("insert_before", &["at", "lines", "text"], |edit| {
            let place = Place::Before(anchor(edit.at)?.into());
            insert(place, Some(lines_or_text(edit.lines, edit.text)?))
        }),
        row("insert_after", &["at", "lines", "text"], |edit| {
            let place = Place::After(anchor(edit.at)?.into());
            insert(place, Some(lines_or_text(edit.lines, edit.text)?))
        }),
        row("prepend", &["lines", "text"], |edit| {
            insert(Place::Start, Some(lines_or_text(edit.lines, edit.text)?))
        }),
        row("append", &["lines", "text"], |edit| {
            insert(Place::End, Some(lines_or_text(edit.lines, edit.text)?))
        }),
        row("substitute", &["old", "new", "all"], |edit| {
            let old = string(edit.old, "old")?;
            if old.is_empty() {
                let message = "the text to find must not be empty";
                return Err(BadRequest::new(Fault::BadField, "old", message));
            }
            Ok(substitute(old, string(edit.new, "new")?, edit.all))
        }),
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

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let list = list_key(&value);
    let edits = parser.list(&mut value, list)?;
    let (_, path, mut parsed) = parser.beside_edits::<CommonRequest>(value)?;
    parsed.request.steps = OPERATIONS.steps(parser, edits, list, &path)?;
    Ok(parsed)
}

fn lines_or_text(lines: Option<Text>, text: Option<Text>) -> Result<Text, BadRequest> {
    if lines.is_some() && text.is_some() {
        let message = "an edit has `lines` or `text`, not both";
        return Err(BadRequest::new(Fault::BadField, "text", message));
    }
    needed(lines.or(text), Fault::MissingText, "lines")
}

fn anchor(at: Option<String>) -> Result<String, BadRequest> {
    needed(at, Fault::MissingAnchor, "at")
}

fn string(value: Option<String>, field: &str) -> Result<String, BadRequest> {
    needed(value, Fault::BadField, field)
}
