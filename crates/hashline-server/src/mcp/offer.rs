//! The tools as they are offered to a client.

use hashline_core::dialect::Dialect;
use hashline_wire::{prompt, schema};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// What a client may show its model of one result, in characters; longer answers are cut by us, with the call to go on with.
const MOST_CHARS: usize = 100_000;

/// Lists the tools of a dialect.
pub(crate) fn tools(dialect: Dialect) -> Vec<Tool> {
    schema::Tool::ALL.map(|tool| offer(tool, dialect)).into()
}

fn offer(tool: schema::Tool, dialect: Dialect) -> Tool {
    let description = prompt::tool(tool, dialect).trim_end().to_owned();
    let mut offer = Tool::new(
        tool.name(),
        description,
        object(schema::offered(dialect, tool)),
    );
    offer.annotations = Some(annotations(tool));
    // Clients that hide tools until they are searched for show these at once: an agent that edits needs them in every session.
    offer.meta = Some(MetaObject(object(json!({
        "anthropic/alwaysLoad": true,
        "anthropic/maxResultSizeChars": MOST_CHARS,
    }))));
    offer
}

fn annotations(tool: schema::Tool) -> ToolAnnotations {
    let (title, looks) = match tool {
        schema::Tool::Read => ("Read files with anchors", true),
        schema::Tool::Search => ("Search files", true),
        schema::Tool::Edit => ("Edit lines by anchors", false),
        schema::Tool::Write => ("Write a whole file", false),
    };
    let hints = ToolAnnotations::with_title(title)
        .read_only(looks)
        .open_world(false);
    match looks {
        true => hints,
        // The same edit sent twice lands once: its anchors are spent.
        false => hints.destructive(true).idempotent(false),
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
