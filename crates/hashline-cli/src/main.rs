//! The `hashline` program: parses arguments, prints answers and sets exit codes. The work is done in `hashline-session`.
//!
//! Answers are printed to standard output, errors and notes to standard error.

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
    // A panic is reported like every other failure, in one line or as an object: no trace for the caller to parse. Whatever it interrupted
    // is undone or finished by recovery.
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
    // `--version` alone, and a hook as setup writes it, are answered without clap, which builds the help of every command first.
    let mut args = std::env::args_os().skip(1);
    if let (Some(only), None) = (args.next(), args.next())
        && (only == "--version" || only == "-V")
    {
        let mut out = Output::new(false);
        let exit = commands::version(&mut out);
        return out.settle(exit);
    }
    if let Some(args) = asks_for_hook() {
        let mut out = Output::new(false);
        let exit = commands::hook_alone(args, &mut out);
        // If the answer cannot be written the exit code stays: 2 would make the agent refuse the call.
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
            // As above: a lost answer must not stop the agent.
            if is_hook { exit } else { settled }
        }
        Err(error) => wrong_usage(&error),
    }
}

/// Prints the help page if the user asked for help; otherwise reports what is wrong with the arguments.
fn wrong_usage(error: &clap::Error) -> Exit {
    if let ErrorKind::DisplayHelp | ErrorKind::DisplayVersion = error.kind() {
        let mut out = Output::new(false);
        help::show(error, &mut out);
        return out.settle(Exit::Done);
    }
    if !wants_json() {
        // Nothing can be done if standard error is closed.
        let _ = error.print();
        return commands::unless_hook(Exit::Failed);
    }
    let mut out = Output::new(true);
    let exit = out.refuse(&refusals::bad_arguments(error));
    commands::unless_hook(out.settle(exit))
}

/// Returns the arguments of `hashline hook` if the command line is exactly as `hashline setup` writes it, without using clap. Agents run hooks around
/// every tool call, and building the help of every command with clap would take as long as the hook's own work.
fn asks_for_hook() -> Option<HookArgs> {
    let args: Option<Vec<String>> = std::env::args_os()
        .skip(1)
        .map(|arg| arg.into_string().ok())
        .collect();
    let args = args?;
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    HookArgs::as_set_up(&args)
}

/// Returns whether the arguments contain `--json`, even if they cannot be parsed; `false` for `hook`, which prints only the agent's own JSON.
fn wants_json() -> bool {
    !commands::is_hook() && std::env::args_os().any(|arg| arg == "--json")
}
