//! `hashline prompt`: prints the instructions for a model.

use hashline_core::dialect::Dialect;
use hashline_wire::agent::Agent;
use hashline_wire::prompt::{Caller, prompt, tokens};
use serde_json::json;

use super::dialect;
use crate::args::{Global, PromptArgs};
use crate::exit::Exit;
use crate::output::Output;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &PromptArgs, out: &mut Output) -> Result<Exit, Refusal> {
    if let Some(prompt) = args.name {
        let text = prompt.text();
        if out.json {
            let dialect = Dialect::PUSH.name();
            out.object(&json!({"ok": true, "dialect": dialect, "text": text}));
        } else {
            out.text(&text);
        }
        return Ok(Exit::Done);
    }
    let caller = args.agent;
    let dialect = match (args.dialect.get(), caller) {
        // Its extension speaks it whatever is configured.
        (None, Caller::Agent(agent @ Agent::Pi)) => agent.dialect(),
        _ => dialect(global, args.dialect)?,
    };
    let text = prompt(dialect, caller);
    if out.json {
        let tokens = tokens(dialect, caller);
        out.object(&json!({"ok": true, "dialect": dialect.name(), "tokens": tokens, "text": text}));
    } else {
        out.text(&text);
        if let Some(tokens) = tokens(dialect, caller) {
            out.message(&format!("note: {tokens} tokens (o200k)"));
        }
    }
    Ok(Exit::Done)
}
