//! Refusals by the command-line program itself: invalid arguments, unreadable standard input, internal failures.

use std::io;

use hashline_core::Code;
use hashline_session::words::read_refusal;
use hashline_wire::{Refusal, Written};
use hashline_workspace::DiskFault;

/// Builds the refusal of invalid arguments.
pub(crate) fn usage(what: impl Into<String>) -> Refusal {
    Refusal::new(Code::BadRequest, what)
        .with_written(Written::NotAsked)
        .with_next("run `hashline --help`")
}

/// Builds the refusal of arguments that clap cannot parse.
pub(crate) fn bad_arguments(error: &clap::Error) -> Refusal {
    let text = error.to_string();
    let plain = text.strip_prefix("error: ").unwrap_or(&text);
    usage(plain.trim_end())
}

/// Builds the refusal for a panic of the program.
pub(crate) fn internal() -> Refusal {
    let what = "hashline itself failed; a request over several files was undone or finished";
    Refusal::new(Code::Internal, what)
        .with_written(Written::Unknown)
        .with_next("read the files again, and report this as a bug of hashline")
}

/// Builds the refusal for a failed system call on something other than a file in a root, such as standard input.
pub(crate) fn system(what: &str, doing: &'static str, error: &io::Error) -> Refusal {
    let reason = error.to_string();
    read_refusal(&DiskFault::System { doing, reason }.at(what))
}

/// Formats the error that an answer could not be written, and which files were changed nevertheless.
pub(crate) fn answer_lost(error: &io::Error, changed: &[String]) -> String {
    match changed {
        [] => format!(
            "error: cannot write the answer: {error}; no file was changed\n\
            hint: fix where the answer goes, then run the command again"
        ),
        paths => format!(
            "error: cannot write the answer: {error}; these files were written: {}\n\
            hint: do not send the request again; `hashline read` shows the files as they are now",
            paths.join(", ")
        ),
    }
}
