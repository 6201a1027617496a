//! Printing of help pages: prose is wrapped to the width of the terminal, examples are not, so that they can be copied.

use clap::{Command, CommandFactory};

use crate::args::Cli;
use crate::output::Output;

/// A no-break space, at which clap does not wrap; it is replaced by a normal space before printing.
const UNBROKEN: &str = "\u{a0}";

/// Prints the help page that the user asked for; clap reports such a request as an error.
pub(crate) fn show(asked: &clap::Error, out: &mut Output) {
    // Parsed again with texts that do not wrap; to prepare them for every call would cost time.
    let mut command = Cli::command();
    // The texts of a command are there only once it is built.
    command.build();
    let again = unbroken(command)
        .mut_subcommands(unbroken)
        .try_get_matches();
    let page = again.as_ref().err().unwrap_or(asked).render();
    let page = if out.is_coloured() {
        page.ansi().to_string()
    } else {
        page.to_string()
    };
    // Nothing in it comes from a file, so nothing needs to be escaped.
    let _ = out.data().write_all(page.replace(UNBROKEN, " ").as_bytes());
}

/// Replaces the spaces in the text after the options (the examples), so that clap does not wrap it.
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
