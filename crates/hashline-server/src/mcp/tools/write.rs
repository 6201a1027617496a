//! `write`: a whole file, new or as its revision was.

use serde_json::Value;

use super::{Call, body, told};
use crate::mcp::answer::Answer;

pub(super) fn run(arguments: &Value, call: &Call<'_>) -> Answer {
    told(&call.session.write(&body(arguments), &call.asked()))
}
