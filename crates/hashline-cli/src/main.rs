//! The `hashline` program: arguments in, answers and exit codes out. What is done lives below, in `hashline-service`.
//!
//! Data goes to standard output, everything else to standard error.

mod args;
mod commands;
mod escape;
mod exit;
mod help;
#[cfg(target_os = "linux")]
mod memory;
mod output;
mod paths;
mod progress;
mod refusals;
mod sink;

use std::ffi::OsString;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use args::{Cli, HookArgs};
use exit::Exit;
use output::Output;

#[cfg(target_os = "linux")]
#[global_allocator]
static BLOCKS: memory::Blocks = memory::Blocks;

fn main() -> ExitCode {
    // Whatever panics has written nothing that recovery cannot take back, and is told in one line like everything else.
    std::panic::set_hook(Box::new(|_| {}));
    let done = catch_unwind(AssertUnwindSafe(run));
    done.unwrap_or_else(|_| {
        let mut out = Output::new(wants_json());
        let exit = out.refuse(&refusals::internal());
        commands::unless_hook(out.settle(exit))
    })
    .into()
}

fn run() -> Exit {
    if asks_for(&["--version"]) || asks_for(&["-V"]) {
        let mut out = Output::new(false);
        let exit = commands::version(&mut out);
        return out.settle(exit);
    }
    if let Some(args) = asks_for_hook() {
        let mut out = Output::new(false);
        let exit = commands::hook_alone(args, &mut out);
        // An answer that cannot be written stops no agent.
        let _ = out.settle(exit);
        return exit;
    }
    match Cli::try_parse() {
        Ok(cli) => {
            let mut out = Output::new(cli.global.json);
            let is_hook = matches!(cli.command, Some(args::Command::Hook(_)));
            let done = commands::run(cli, &mut out);
            let exit = done.unwrap_or_else(|trouble| out.refuse(&trouble));
            let settled = out.settle(exit);
            // An answer that cannot be written stops no agent.
            if is_hook { exit } else { settled }
        }
        Err(error) => wrong_usage(&error),
    }
}

/// Prints help where it was asked for; else says what is wrong with the arguments.
fn wrong_usage(error: &clap::Error) -> Exit {
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        let mut out = Output::new(false);
        help::show(error, &mut out);
        return out.settle(Exit::Done);
    }
    if !wants_json() {
        // A reader that is gone changes nothing.
        let _ = error.print();
        return commands::unless_hook(Exit::Failed);
    }
    let mut out = Output::new(true);
    let exit = out.refuse(&refusals::bad_arguments(error));
    commands::unless_hook(out.settle(exit))
}

/// Tells whether these are all the arguments. To build the help of every command for them would take as long as everything else.
fn asks_for(these: &[&str]) -> bool {
    let these = these.iter().map(|these| OsString::from(*these));
    std::env::args_os().skip(1).eq(these)
}

/// Returns the arguments of a hook that is called as setup writes it, for the same reason.
fn asks_for_hook() -> Option<HookArgs> {
    let args: Option<Vec<String>> = std::env::args_os()
        .skip(1)
        .map(|arg| arg.into_string().ok())
        .collect();
    let args = args?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    HookArgs::as_set_up(&args)
}

/// Tells whether the arguments ask for objects, although they may not be understood. An agent wants none but its own.
fn wants_json() -> bool {
    !commands::is_hook() && std::env::args_os().any(|arg| arg == "--json")
}
