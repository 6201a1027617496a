//! `hashline prompt`: the instructions for a model.

use hashline_wire::prompt::{Caller, prompt};
use serde_json::json;

use super::dialect;
use crate::args::{AgentArg, Global, PromptArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &PromptArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let dialect = dialect(global, args.dialect)?;
    let caller = match args.agent {
        AgentArg::Shell => Caller::Shell,
        AgentArg::Tools => Caller::Tools,
    };
    let text = prompt(dialect, caller);
    if out.json {
        out.object(&json!({"ok": true, "dialect": dialect.name(), "text": text}));
    } else {
        out.text(&text);
    }
    Ok(Exit::Done)
}
