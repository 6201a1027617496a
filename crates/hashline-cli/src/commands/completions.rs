//! `hashline completions`: prints a completion script for a shell.

use clap::CommandFactory;

use crate::args::{Cli, CompletionsArgs};
use crate::exit::Exit;
use crate::output::Output;
use hashline_wire::Refusal;

pub(super) fn run(args: &CompletionsArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "hashline", &mut script);
    out.text(&String::from_utf8_lossy(&script));
    Ok(Exit::Done)
}
