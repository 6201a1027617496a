//! Seed 002's request: `operations` with `action`, `start`, `end`, `content`.

use hashline_core::edit::{Operation, Place, Target};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Value;

use super::typed::{Asked, Reader, edit_step, missing};
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
    pub end: Option<Value>,
    /// The new text; not for `delete`.
    #[serde(default)]
    pub content: Option<Value>,
    /// Another name for `content`, which wins.
    #[serde(default)]
    #[schemars(skip)]
    pub new_text: Option<Value>,
}

const ACTIONS: &str = "replace, insert_before, insert_after or delete";

pub(super) fn read(reader: &mut Reader<'_>, mut value: Value) -> Result<Asked, BadRequest> {
    let key = if value.get("operations").is_some_and(|list| !list.is_null()) {
        "operations"
    } else {
        "edits"
    };
    let list = reader.list(&mut value, key)?;
    let extras = reader.extras(&mut value)?;
    let request: CowboyRequest = reader.read(value, "")?;
    let mut operations = Vec::with_capacity(list.len());
    for (index, item) in list.into_iter().enumerate() {
        let at = format!("{key}[{index}]");
        let item = reader.edit::<CowboyOperation>(item, index, &at)?;
        operations.push(operation(item, &at).map_err(|error| error.in_edit(index))?);
    }
    let path = reader.path(request.path)?;
    let mut asked = reader.asked(&path, &extras)?;
    let numbered = operations.into_iter().enumerate();
    asked.request.steps = numbered
        .map(|(index, operation)| edit_step(index, &path, operation))
        .collect();
    Ok(asked)
}

fn operation(item: CowboyOperation, at: &str) -> Result<Operation, BadRequest> {
    let CowboyOperation {
        action,
        start,
        end,
        content,
        new_text,
    } = item;
    let start = || {
        start.clone().ok_or_else(|| {
            missing(
                Fault::MissingAnchor,
                at,
                "start",
                "this operation needs an anchor here",
            )
        })
    };
    let target = || match end.as_ref().filter(|end| !end.is_null()) {
        None => Ok(Target::Line(start()?.into())),
        Some(Value::String(end)) => Ok(Target::Range(start()?.into(), end.as_str().into())),
        Some(_) => Err(missing(Fault::BadField, at, "end", "an anchor is a string")),
    };
    let text = || match content
        .clone()
        .filter(|text| !text.is_null())
        .or(new_text.clone())
    {
        Some(Value::String(text)) => Ok(text),
        _ => Err(missing(
            Fault::MissingText,
            at,
            "content",
            "this operation needs a string here",
        )),
    };
    match action.as_deref() {
        Some("replace") => Ok(Operation::Replace {
            at: target()?,
            with: text()?.into(),
        }),
        Some("delete") => Ok(Operation::Delete { at: target()? }),
        Some("insert_before") => Ok(Operation::Insert {
            place: Place::Before(start()?.into()),
            text: text()?.into(),
        }),
        Some("insert_after") => Ok(Operation::Insert {
            place: Place::After(start()?.into()),
            text: text()?.into(),
        }),
        other => {
            let sent = other.map_or_else(
                || "it is missing".to_owned(),
                |other| format!("{other:?} is not known"),
            );
            Err(missing(
                Fault::UnknownOperation,
                at,
                "action",
                &format!("{ACTIONS} belongs here; {sent}"),
            ))
        }
    }
}
