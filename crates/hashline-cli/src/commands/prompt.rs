//! `hashline prompt`: the instructions for a model.

use hashline_wire::prompt::{Caller, prompt};
use serde_json::json;

use crate::args::{AgentArg, PromptArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(args: &PromptArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let dialect = args.dialect.get().unwrap_or_default();
    let caller = match args.agent {
        AgentArg::Shell => Caller::Shell,
        AgentArg::Tools => Caller::Tools,
    };
    let text = prompt(dialect, caller);
    if out.json {
        out.object(&json!({"ok": true, "dialect": dialect.name(), "text": text}))?;
    } else {
        out.data().write_all(text.as_bytes())?;
    }
    Ok(Exit::Done)
}
