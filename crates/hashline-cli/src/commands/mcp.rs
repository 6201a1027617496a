//! `hashline mcp`: a server for agents.

mod listen;

use std::path::PathBuf;

use hashline_server::front::Place;
use hashline_server::mcp::{ClientRoots, Ended, Options, Server, Sessions, serve_stdio};
use hashline_session::Start;

use crate::args::{Global, McpArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::trouble::Trouble;

/// Where Claude Code says which session it is.
const CLAUDE_SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(super) fn run(global: &Global, args: &McpArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (start, _) = paths::start(global, &[])?;
    let start = begun_inside(start);
    let place = listen::place(args);
    let server = Server::open(Options {
        start,
        dialect: args.dialect.get(),
        sessions: sessions(global, place.as_ref()),
        client_roots: match args.ignore_client_roots {
            true => ClientRoots::Ignored,
            false => ClientRoots::Narrow,
        },
    })?;
    match place {
        Some(place) => listen::serve(&server, place, args, out)?,
        None => over_standard_input(&server, out)?,
    }
    Ok(Exit::Done)
}

/// Lets relative paths begin at the first root if the working directory lies in none: a client starts its servers anywhere, and its model
/// never sees where.
fn begun_inside(mut start: Start) -> Start {
    let real = |path: &PathBuf| path.canonicalize().ok();
    let base = start.base.as_ref().and_then(real);
    let roots: Vec<PathBuf> = start.roots.iter().filter_map(real).collect();
    let inside = base.is_some_and(|base| roots.iter().any(|root| base.starts_with(root)));
    if !inside && let Some(first) = roots.into_iter().next() {
        start.base = Some(first);
    }
    start
}

fn over_standard_input(server: &Server, out: &mut Output) -> Result<(), Trouble> {
    let served = serve_stdio(server);
    match served.map_err(|error| Trouble::system("standard input", "serving", &error))? {
        Ended::Served => {}
        Ended::NeverBegun => out.tell("note: the client was gone before it said what it wants"),
    }
    Ok(())
}

/// Returns whose anchors a client's are. Claude Code's session is that of the one client it starts a server for.
fn sessions(global: &Global, place: Option<&Place>) -> Sessions {
    let named = global.session().map(str::to_owned);
    let claude = || match place {
        None => std::env::var(CLAUDE_SESSION).ok(),
        Some(_) => None,
    };
    match named.or_else(claude).filter(|name| !name.is_empty()) {
        Some(name) => Sessions::Named(name),
        None => Sessions::Each,
    }
}
