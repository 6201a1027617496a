//! `edit`: lines changed by their anchors.

use serde_json::Value;

use super::{ToolCall, body, told};
use crate::mcp::answer::ToolAnswer;

pub(super) fn run(arguments: &Value, call: &ToolCall<'_>) -> ToolAnswer {
    told(&call.session.apply(&body(arguments), &call.asked()))
}
