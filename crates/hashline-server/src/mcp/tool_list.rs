//! The list of tools that a client sees.

use hashline_core::dialect::Dialect;
use hashline_wire::{prompt, schema};
use rmcp::model::{JsonObject, MetaObject, Tool, ToolAnnotations};
use serde_json::{Value, json};

/// How many characters of one result a client may show its model. Our own paging cuts long before that.
const MAX_RESULT_CHARS: usize = 100_000;

/// Lists the tools of a dialect.
pub(crate) fn tools(dialect: Dialect) -> Vec<Tool> {
    schema::Tool::ALL
        .map(|tool| described(tool, dialect))
        .into()
}

fn described(tool: schema::Tool, dialect: Dialect) -> Tool {
    let description = prompt::tool(tool, dialect).trim_end().to_owned();
    let mut listed = Tool::new(
        tool.name(),
        description,
        object(schema::offered(dialect, tool)),
    );
    listed.annotations = Some(annotations(tool));
    // Clients that hide tools until they are searched for show these at once: an agent that edits needs them in every session.
    listed.meta = Some(MetaObject(object(json!({
        "anthropic/alwaysLoad": true,
        "anthropic/maxResultSizeChars": MAX_RESULT_CHARS,
    }))));
    listed
}

fn annotations(tool: schema::Tool) -> ToolAnnotations {
    let (title, only_reads) = match tool {
        schema::Tool::Read => ("Read files with anchors", true),
        schema::Tool::Search => ("Search files", true),
        schema::Tool::Edit => ("Edit lines by anchors", false),
        schema::Tool::Write => ("Write a whole file", false),
    };
    let hints = ToolAnnotations::with_title(title)
        .read_only(only_reads)
        .open_world(false);
    if only_reads {
        hints
    } else {
        // The same edit sent twice lands once: its anchors no longer match.
        hints.destructive(true).idempotent(false)
    }
}

fn object(value: Value) -> JsonObject {
    match value {
        Value::Object(object) => object,
        _ => JsonObject::new(),
    }
}
