//! The commands of the program, one file each, and what several of them need.

mod apply;
mod completions;
mod diff;
mod doctor;
mod guard;
mod hash;
mod hook;
mod listen;
mod man;
mod mcp;
mod prompt;
mod read;
mod recover;
mod schema;
mod search;
mod serve;
mod setup;
mod stats;
mod strip;
mod tour;
mod verify;
mod version;

use std::ffi::OsString;

use clap::CommandFactory;
use hashline_core::dialect::Dialect;
use hashline_core::text::RevPrefix;
use hashline_session::Service;
use hashline_session::words::read_refusal;

use crate::args::{Cli, Command, DialectArg, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::refusals;
use hashline_wire::Refusal;
use hashline_workspace::FileToRead;

pub(crate) use hook::run_alone as hook_alone;
pub(crate) use version::run as version;

/// Replaces the exit code of a hook by 0: agents treat exit code 2 as a refusal, so a hook that is set up wrongly would block every tool of the
/// agent.
pub(crate) fn unless_hook(exit: Exit) -> Exit {
    if is_hook() { Exit::Done } else { exit }
}

/// Returns whether the command is `hook`, even if the command line as a whole cannot be parsed.
pub(crate) fn is_hook() -> bool {
    let args = std::env::args_os().skip(1);
    command_among(args).is_some_and(|command| command == "hook")
}

/// Finds the name of the command: the first argument that is neither an option nor the value of an option.
fn command_among(args: impl Iterator<Item = OsString>) -> Option<OsString> {
    let known = Cli::command();
    let takes_value = |option: &str| {
        let mut all = known.get_arguments();
        let found = all.find(|arg| arg.get_long() == Some(option));
        found.is_some_and(|arg| arg.get_action().takes_values())
    };
    let mut args = args;
    while let Some(arg) = args.next() {
        let word = arg.to_string_lossy();
        match word.strip_prefix("--") {
            Some(option) if takes_value(option) => _ = args.next(),
            Some(_) => {}
            None if word.starts_with('-') => {}
            None => return Some(arg),
        }
    }
    None
}

/// Runs the command that was parsed from the command line.
pub(crate) fn run(cli: Cli, out: &mut Output) -> Result<Exit, Refusal> {
    let global = &cli.global;
    match cli.command {
        _ if cli.version => Ok(version::run(out)),
        None => Err(refusals::usage("no command was given".to_owned())),
        Some(Command::Read(args)) => read::run(global, &args, out),
        Some(Command::Search(args)) => search::run(global, &args, out),
        Some(Command::Apply(args)) => apply::run(global, &args, out),
        Some(Command::Hash(args)) => hash::run(global, &args, out),
        Some(Command::Verify(args)) => verify::run(global, &args, out),
        Some(Command::Strip(args)) => strip::run(global, &args, out),
        Some(Command::Diff(args)) => diff::run(global, &args, out),
        Some(Command::Schema(args)) => schema::run(global, &args, out),
        Some(Command::Prompt(args)) => prompt::run(global, &args, out),
        Some(Command::Hook(args)) => Ok(hook::run(global, args, out)),
        Some(Command::Stats(args)) => stats::run(global, &args, out),
        Some(Command::Recover(args)) => recover::run(global, &args, out),
        Some(Command::Guard(args)) => guard::run(global, &args, out),
        Some(Command::Mcp(args)) => mcp::run(global, &args, out),
        Some(Command::Serve(args)) => serve::run(global, &args, out),
        Some(Command::Setup(args)) => setup::run(global, &args, out),
        Some(Command::Doctor(args)) => doctor::run(global, &args, out),
        Some(Command::Tour(args)) => tour::run(&args, out),
        Some(Command::Completions(args)) => completions::run(&args, out),
        Some(Command::Man(args)) => man::run(&args, out),
    }
}

/// Returns the dialect for a command that opens no file: the one from the command line, else the configured one, else the default.
fn dialect(global: &Global, named: DialectArg) -> Result<Dialect, Refusal> {
    if let Some(dialect) = named.get() {
        return Ok(dialect);
    }
    let options = paths::options_anywhere(global)?;
    Ok(dialect_in(&Service::open(&options)?, named))
}

/// Returns the dialect for a command on files: the one from the command line, else the one configured for the roots, else the default.
fn dialect_in(service: &Service, named: DialectArg) -> Dialect {
    let dialect = named.get().or(service.config().dialect);
    dialect.unwrap_or_default()
}

/// Opens the roots for a command about one file, and returns the service with the path to use for that file.
fn open_for(global: &Global, typed: &String) -> Result<(Service, String), Refusal> {
    let (options, named) = paths::options(global, std::slice::from_ref(typed))?;
    let path = named.into_iter().next().map(|named| named.path);
    let service = Service::open(&options)?;
    Ok((service, path.unwrap_or_else(|| typed.clone())))
}

/// Returns the file at a path, to be read in the encoding that the command line names, if it names one.
fn file_to_read<'a>(path: &'a str, encoding: Option<&str>) -> Result<FileToRead<'a>, Refusal> {
    FileToRead::named(path, encoding).map_err(|error| read_refusal(&error))
}

/// Parses a revision from the command line.
fn revision(text: &str) -> Result<RevPrefix, Refusal> {
    RevPrefix::parse(text).ok_or_else(|| {
        refusals::usage(format!(
            "`{text}` is not a revision: 8 to 32 hex digits, as `hashline read --header` shows them"
        ))
    })
}

#[cfg(test)]
mod tests {
    use super::command_among;

    #[test]
    fn the_command_stands_behind_options_and_their_values() {
        for (line, command) in [
            ("hook --bogus", Some("hook")),
            ("--root / hook --bogus", Some("hook")),
            ("--root=/ --json hook", Some("hook")),
            ("--bogus -x hook", Some("hook")),
            ("--root hook read", Some("read")),
            ("read hook", Some("read")),
            ("--root", None),
        ] {
            let args = line.split(' ').map(Into::into);
            let found = command_among(args);
            assert_eq!(found.as_deref(), command.map(AsRef::as_ref), "{line}");
        }
    }
}
