//! Claude Code and Codex.

use serde_json::{Value, json};

use super::is_before;
use crate::hook::answer::Answer;
use crate::hook::decision::{Decision, Ends, Showing};
use crate::hook::event::{Action, Event, Moment};
use crate::hook::words;

pub(super) fn encode(event: &Event, decision: &Decision) -> Answer {
    match decision {
        Decision::Pass | Decision::PassNoting(_) => Answer::default(),
        Decision::Refuse(reason) if is_before(event) => specific(json!({
            "hookEventName": "PreToolUse",
            "permissionDecision": "deny",
            "permissionDecisionReason": reason,
        })),
        Decision::Refuse(reason) => Answer::told(reason.clone()),
        Decision::Advise(text) => context(event_name(event), text),
        Decision::Tell(text) => context("SessionStart", text),
        Decision::Show(showing) => shown(event, showing),
    }
}

fn event_name(event: &Event) -> &'static str {
    match is_before(event) {
        true => "PreToolUse",
        false => "PostToolUse",
    }
}

fn context(event: &str, text: &str) -> Answer {
    specific(json!({"hookEventName": event, "additionalContext": text}))
}

fn specific(output: Value) -> Answer {
    Answer::object(json!({ "hookSpecificOutput": output }))
}

/// Gives the tool's answer back as it was but for the text: the client writes the number of each line before it.
fn shown(event: &Event, showing: &Showing) -> Answer {
    let Moment::After(Action::Read {
        answer: Some(answer),
        ..
    }) = &event.moment
    else {
        return Answer::default();
    };
    let separator = char::from(showing.scheme.separator());
    let lines = showing.lines.iter();
    let lines = lines.map(|line| format!("{}{separator}{}", line.tag, line.text));
    let mut text = lines.collect::<Vec<_>>().join("\n");
    if showing.ends == Ends::WithEmptyLine {
        text.push('\n');
    }
    let mut whole = answer.whole.clone();
    if let Some(content) = whole.pointer_mut("/file/content") {
        *content = Value::String(text);
    }
    specific(json!({
        "hookEventName": "PostToolUse",
        "updatedToolOutput": whole,
        "additionalContext": words::shown_numbered(showing),
    }))
}
