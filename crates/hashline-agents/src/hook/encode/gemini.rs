//! Gemini CLI.

use serde_json::json;

use super::is_before;
use crate::hook::answer::Answer;
use crate::hook::decision::{Decision, Showing};
use crate::hook::event::Event;
use crate::hook::words;

pub(super) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Pass | Decision::PassNoting(_) => Answer::default(),
        Decision::Refuse(reason) if is_before(event) => deny(reason),
        Decision::Refuse(reason) => Answer::told(reason.clone()),
        Decision::Advise(text) => context("AfterTool", text),
        Decision::Tell(text) => context("SessionStart", text),
        // The reason takes the place of what the tool answered; there is no other way to replace it.
        Decision::Show(showing) => deny(&text(showing)),
    }
}

fn deny(reason: &str) -> Answer {
    Answer::object(json!({"decision": "deny", "reason": reason}))
}

fn context(event: &str, text: &str) -> Answer {
    Answer::object(json!({
        "hookSpecificOutput": {"hookEventName": event, "additionalContext": text}
    }))
}

fn text(showing: &Showing) -> String {
    let separator = char::from(showing.scheme.separator());
    let mut text = words::shown_whole(showing);
    for line in &showing.lines {
        text.push('\n');
        text.push_str(&line.anchor);
        text.push(separator);
        text.push_str(&line.text);
    }
    text
}
