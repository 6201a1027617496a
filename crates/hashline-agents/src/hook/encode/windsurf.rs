//! Windsurf, from its documentation: an exit code says no, standard error why.

use crate::hook::answer::Answer;
use crate::hook::decision::Decision;

pub(super) fn encode(decision: &Decision) -> Answer {
    match decision {
        Decision::Refuse(reason) => Answer {
            blocks: true,
            ..Answer::told(reason.clone())
        },
        Decision::Advise(text) => Answer::told(text.clone()),
        Decision::Pass | Decision::PassNoting(_) | Decision::Tell(_) | Decision::Show(_) => {
            Answer::default()
        }
    }
}
