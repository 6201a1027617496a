//! Help as it is printed: prose is wrapped to the terminal, examples are not, so that they can be pasted.

use clap::{Command, CommandFactory};

use crate::args::Cli;
use crate::output::Output;

/// Stands for a space that no line is broken at; nothing in our texts has it.
const UNBROKEN: &str = "\u{a0}";

/// Prints the help that was asked for, as an error of the parser of arguments says.
pub(crate) fn show(asked: &clap::Error, out: &mut Output) {
    // Only now is it worth the while to build the pages so.
    let again = unbroken(Cli::command())
        .mut_subcommands(unbroken)
        .try_get_matches();
    let page = again.as_ref().err().unwrap_or(asked).render();
    let page = match out.is_coloured() {
        true => page.ansi().to_string(),
        false => page.to_string(),
    };
    // The styles in it are our own, and so is everything else.
    let _ = out.data().write_all(page.replace(UNBROKEN, " ").as_bytes());
}

/// Lets the lines behind the options stand as they were written.
fn unbroken(mut command: Command) -> Command {
    let keep = |text: &clap::builder::StyledStr| text.to_string().replace(' ', UNBROKEN);
    if let Some(text) = command.get_after_help().map(keep) {
        command = command.after_help(text);
    }
    if let Some(text) = command.get_after_long_help().map(keep) {
        command = command.after_long_help(text);
    }
    command
}
