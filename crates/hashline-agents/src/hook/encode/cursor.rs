//! Cursor, from its documentation.

use serde_json::json;

use super::is_before;
use crate::hook::answer::Answer;
use crate::hook::decision::Decision;
use crate::hook::event::Event;

pub(super) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) if is_before(event) => Answer::object(json!({
            "permission": "deny",
            "user_message": "hashline edits and reads the files of this project",
            "agent_message": reason,
        })),
        Decision::Refuse(text) | Decision::Advise(text) => Answer {
            err: Some(text.clone()),
            ..Answer::object(json!({}))
        },
        Decision::Tell(text) => Answer::object(json!({ "additional_context": text })),
        // It wants an object even if there is nothing to say.
        Decision::Pass | Decision::PassNoting(_) | Decision::Show(_) => Answer::object(json!({})),
    }
}
