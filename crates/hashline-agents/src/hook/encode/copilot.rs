//! Copilot CLI, from its documentation.

use serde_json::json;

use crate::hook::answer::Answer;
use crate::hook::decision::Decision;

pub(super) fn encode(decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) => Answer::object(json!({
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Advise(text) => Answer::told(text.clone()),
        Decision::Pass | Decision::PassNoting(_) | Decision::Tell(_) | Decision::Show(_) => {
            Answer::default()
        }
    }
}
