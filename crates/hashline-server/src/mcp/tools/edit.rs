//! `edit`: lines changed by their anchors.

use serde_json::Value;

use super::{Call, body, told};
use crate::mcp::answer::Answer;

pub(super) fn run(arguments: &Value, call: &Call<'_>) -> Answer {
    told(&call.session.apply(&body(arguments), &call.asked()))
}
