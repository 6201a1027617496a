//! `hashline mcp`: a server for agents.

mod listen;

use hashline_mcp::{Ended, Options, Server, Sessions, serve_stdio};

use crate::args::{Global, McpArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::trouble::Trouble;

/// Where Claude Code says which session it is.
const CLAUDE_SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(super) fn run(global: &Global, args: &McpArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (start, _) = paths::start(global, &[])?;
    let server = Server::open(Options {
        start,
        dialect: args.dialect.get(),
        sessions: sessions(global),
    })?;
    match listen::place(args) {
        Some(place) => listen::serve(&server, place, args, out)?,
        None => over_standard_input(&server, out)?,
    }
    Ok(Exit::Done)
}

fn over_standard_input(server: &Server, out: &mut Output) -> Result<(), Trouble> {
    let served = serve_stdio(server);
    match served.map_err(|error| Trouble::system("standard input", "serving", &error))? {
        Ended::Served => {}
        Ended::NeverBegun => out.tell("note: the client was gone before it said what it wants"),
    }
    Ok(())
}

fn sessions(global: &Global) -> Sessions {
    let named = global.session().map(str::to_owned);
    let claude = || std::env::var(CLAUDE_SESSION).ok();
    match named.or_else(claude).filter(|name| !name.is_empty()) {
        Some(name) => Sessions::Named(name),
        None => Sessions::Each,
    }
}
