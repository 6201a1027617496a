//! Seed 002's request: `operations` with `action`, `start`, `end`, `content`.

use hashline_core::anchor::Claim;
use hashline_core::edit::{Operation, Place, Target};
use hashline_core::text::Payload;
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::operations::{Operations, row};
use super::payload::{needed, target};
use super::typed::{Asked, Reader, edit_steps, has, list_key};
use crate::error::{BadRequest, Fault};

/// A request to edit one file.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[schemars(title = "cowboy edit request")]
pub struct CowboyRequest {
    /// The file.
    #[serde(default)]
    pub path: Option<String>,
    /// The operations. All anchors are those of the file as it was read.
    #[schemars(with = "Vec<CowboyOperation>")]
    #[serde(default)]
    pub operations: Value,
    /// Another name for `operations`, which wins.
    #[serde(default)]
    #[schemars(skip)]
    pub edits: Value,
}

/// One operation.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
pub struct CowboyOperation {
    /// What to do: replace, insert_before, insert_after or delete.
    #[serde(default, alias = "op", alias = "operation", alias = "type")]
    pub action: Option<String>,
    /// The line, or the first line of a range, as in `12:a3`.
    #[serde(default, alias = "line", alias = "ref", alias = "anchor")]
    pub start: Option<String>,
    /// The last line of a range; `replace` and `delete` only.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub end: Option<Value>,
    /// The new text; not for `delete`.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub content: Option<Value>,
    /// Another name for `content`, which wins.
    #[serde(default)]
    #[schemars(skip)]
    pub new_text: Option<Value>,
}

/// Every field of an operation: by the definition an insertion ignores `end`, and a deletion its text.
const FIELDS: &[&str] = &[
    "start", "line", "ref", "anchor", "end", "content", "new_text",
];

/// The operations.
pub(super) const OPERATIONS: Operations<CowboyOperation, Operation> = Operations {
    keys: &["action", "op", "operation", "type"],
    rows: &[
        row("replace", FIELDS, |item| {
            let at = lines_at(item.start, item.end)?;
            let with = text(item.content, item.new_text)?;
            Ok(Operation::Replace { at, with })
        }),
        row("insert_before", FIELDS, |item| insert(item, Place::Before)),
        row("insert_after", FIELDS, |item| insert(item, Place::After)),
        row("delete", FIELDS, |item| {
            let at = lines_at(item.start, item.end)?;
            Ok(Operation::Delete { at })
        }),
    ],
    instead: &[],
};

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let key = list_key(&value);
    let list = reader.list(&mut value, key)?;
    let extras = reader.extras(&mut value)?;
    let request: CowboyRequest = reader.read(value, "")?;
    for (index, item) in list.iter().enumerate() {
        if has(item, "content") && has(item, "new_text") && item["content"] != item["new_text"] {
            reader.note_overruled(&format!("{key}[{index}].new_text"), "content");
        }
    }
    let operations = OPERATIONS.read_all(reader, list, key)?;
    let path = reader.path(request.path)?;
    let mut asked = reader.asked(&path, &extras)?;
    asked.request.steps = edit_steps(&path, operations);
    Ok(asked)
}

fn insert(item: CowboyOperation, beside: fn(Claim) -> Place) -> Result<Operation, BadRequest> {
    let place = beside(anchor(item.start)?.into());
    let text = text(item.content, item.new_text)?;
    Ok(Operation::Insert { place, text })
}

fn lines_at(first: Option<String>, last: Option<Value>) -> Result<Target, BadRequest> {
    let last = match last {
        None | Some(Value::Null) => None,
        Some(Value::String(last)) => Some(last),
        Some(_) => {
            let message = "an anchor is a string";
            return Err(BadRequest::new(Fault::BadField, "end", message));
        }
    };
    Ok(target(anchor(first)?, last))
}

fn anchor(start: Option<String>) -> Result<String, BadRequest> {
    let why = "this operation needs an anchor here";
    needed(start, Fault::MissingAnchor, "start", why)
}

fn text(content: Option<Value>, new_text: Option<Value>) -> Result<Payload, BadRequest> {
    let text = match content.filter(|text| !text.is_null()).or(new_text) {
        Some(Value::String(text)) => Some(Payload::Text(text)),
        _ => None,
    };
    let why = "this operation needs a string here";
    needed(text, Fault::MissingText, "content", why)
}
