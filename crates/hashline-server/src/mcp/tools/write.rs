//! `write`: a whole file, new or as its revision was.

use serde_json::Value;

use super::{ToolCall, body, told};
use crate::mcp::answer::ToolAnswer;

pub(super) fn run(arguments: &Value, call: &ToolCall<'_>) -> ToolAnswer {
    told(&call.session.write(&body(arguments), &call.asked()))
}
