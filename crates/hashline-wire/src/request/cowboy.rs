//! Seed 002's request: `operations` with `action`, `start`, `end` and `content`.

use hashline_core::anchor::Claim;
use hashline_core::edit::{Place, Target};
use hashline_core::files::FileAction;
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::Parsed;
use super::operations::{Operations, delete, insert_string, needed, replace, row, target};
use super::parser::{Parser, has, list_key};
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
#[schemars(title = "cowboy edit request")]
pub struct CowboyRequest {
    /// The file.
    pub path: Option<String>,
    /// The operations. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<CowboyOperation>")]
    pub operations: Value,
    /// Another name for `operations`; if both are given, `operations` is used.
    #[schemars(skip)]
    pub edits: Value,
}

/// One operation.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[serde(default)]
pub struct CowboyOperation {
    /// What to do: replace, insert_before, insert_after or delete.
    #[serde(alias = "op", alias = "operation", alias = "type")]
    pub action: Option<String>,
    /// The line, or the first line of a range, as in `12:a3`.
    #[serde(alias = "line", alias = "ref", alias = "anchor")]
    pub start: Option<String>,
    /// The last line of a range; `replace` and `delete` only.
    #[schemars(with = "Option<String>")]
    pub end: Option<Value>,
    /// The new text; not for `delete`.
    #[schemars(with = "Option<String>")]
    pub content: Option<Value>,
    /// Another name for `content`; if both are given, `content` is used.
    #[schemars(skip)]
    pub new_text: Option<Value>,
}

/// The fields of every operation: like the original tool, an insertion accepts and ignores `end`, and a deletion its text.
const FIELDS: &[&str] = &[
    "start", "line", "ref", "anchor", "end", "content", "new_text",
];

/// The operations of the cowboy dialect.
pub(super) const OPERATIONS: Operations<CowboyOperation> = Operations {
    keys: &["action", "op", "operation", "type"],
    rows: &[
        row("replace", FIELDS, |item| {
            let at = lines_at(item.start, item.end)?;
            replace(at, text(item.content, item.new_text)?)
        }),
        row("insert_before", FIELDS, |item| insert(item, Place::Before)),
        row("insert_after", FIELDS, |item| insert(item, Place::After)),
        row("delete", FIELDS, |item| {
            delete(lines_at(item.start, item.end)?)
        }),
    ],
    instead: &[],
};

pub(super) fn read(parser: &mut Parser<'_>, mut value: Value) -> Result<Parsed, BadRequest> {
    let key = list_key(&value);
    let list = parser.list(&mut value, key)?;
    for (index, item) in list.iter().enumerate() {
        if has(item, "content") && has(item, "new_text") && item["content"] != item["new_text"] {
            parser.note_overruled(&format!("{key}[{index}].new_text"), "content");
        }
    }
    let (_, path, mut parsed) = parser.beside_edits::<CowboyRequest>(value)?;
    parsed.request.steps = OPERATIONS.steps(parser, list, key, &path)?;
    Ok(parsed)
}

fn insert(item: CowboyOperation, beside: fn(Claim) -> Place) -> Result<FileAction, BadRequest> {
    let line = anchor(item.start)?;
    insert_string(beside, line, text(item.content, item.new_text)?)
}

fn lines_at(first: Option<String>, last: Option<Value>) -> Result<Target, BadRequest> {
    let last = match last {
        None | Some(Value::Null) => None,
        Some(Value::String(last)) => Some(last),
        Some(_) => return Err(not_a_string(Fault::BadField, "end")),
    };
    Ok(target(anchor(first)?, last))
}

fn anchor(start: Option<String>) -> Result<String, BadRequest> {
    needed(start, Fault::MissingAnchor, "start")
}

fn text(content: Option<Value>, new_text: Option<Value>) -> Result<Payload, BadRequest> {
    match content.filter(|text| !text.is_null()).or(new_text) {
        Some(Value::String(text)) => Ok(Payload::Text(text)),
        _ => Err(not_a_string(Fault::MissingText, "content")),
    }
}

fn not_a_string(fault: Fault, field: &str) -> BadRequest {
    BadRequest::new(fault, field, format!("`{field}` must be a string"))
}
