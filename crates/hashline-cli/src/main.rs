//! The `hashline` program: arguments in, answers and exit codes out. What is done lives below, in `hashline-service`.
//!
//! Data goes to standard output, everything else to standard error.

mod args;
mod commands;
mod exit;
mod given;
#[cfg(target_os = "linux")]
mod memory;
mod output;
mod paths;
mod progress;
mod trouble;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use args::Cli;
use exit::Exit;
use output::Output;
use trouble::Trouble;

#[cfg(target_os = "linux")]
#[global_allocator]
static BLOCKS: memory::Blocks = memory::Blocks;

fn main() -> ExitCode {
    // Whatever panics has written nothing that recovery cannot take back, and is told in one line like everything else.
    std::panic::set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(run));
    done.unwrap_or_else(|_| {
        let mut out = Output::new(wants_json());
        out.refuse(&Trouble::internal())
    })
    .into()
}

fn run() -> Exit {
    if asks_for_version_alone() {
        let mut out = Output::new(false);
        let done = commands::version(&mut out);
        return done.unwrap_or_else(|trouble| out.refuse(&trouble));
    }
    match Cli::try_parse() {
        Ok(cli) => {
            let mut out = Output::new(cli.global.json);
            let done = commands::run(cli, &mut out);
            done.unwrap_or_else(|trouble| out.refuse(&trouble))
        }
        Err(error) => wrong_usage(&error),
    }
}

/// Prints help where it was asked for; else says what is wrong with the arguments.
fn wrong_usage(error: &clap::Error) -> Exit {
    let asked = matches!(
        error.kind(),
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion
    );
    if asked || !wants_json() {
        // A reader that is gone changes nothing.
        let _ = error.print();
        return if asked { Exit::Done } else { Exit::Failed };
    }
    let mut out = Output::new(true);
    out.refuse(&Trouble::usage(error))
}

/// Tells whether that is all there is to do. To build the help of every command for it would take as long as everything else.
fn asks_for_version_alone() -> bool {
    let mut args = std::env::args_os().skip(1);
    matches!(args.next(), Some(arg) if arg == "--version" || arg == "-V") && args.next().is_none()
}

/// Tells whether the arguments ask for objects, although they may not be understood.
fn wants_json() -> bool {
    std::env::args_os().any(|arg| arg == "--json")
}
