//! `hashline diff`: what changed since a revision was shown.

use hashline_core::since::Known;
use hashline_wire::render::looked;
use hashline_wire::response;

use super::{open, revision, with_state_notes};
use crate::args::{DiffArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &DiffArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let Some(rev) = revision(Some(&args.rev))? else {
        return Err(Trouble::internal());
    };
    let (start, named) = paths::start(global, std::slice::from_ref(&args.path))?;
    let service = open(&start)?;
    let dialect = args
        .dialect
        .get()
        .or(service.config().dialect)
        .unwrap_or_default();
    let path = named
        .first()
        .map_or(args.path.as_str(), |named| &named.path);
    let since = service
        .session(global.session())
        .since(path, &rev, dialect)?;
    let exit = match &since.known {
        Known::Changes(_) => Exit::Done,
        Known::Nothing | Known::TooLong => Exit::Stale,
    };
    if out.json {
        let mut object = response::since(&since, dialect);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object)?;
        return Ok(exit);
    }
    let text = looked::since(&since, dialect);
    match exit {
        Exit::Done => out.line(&text)?,
        _ => out.tell(&text),
    }
    with_state_notes(&service, out, None);
    Ok(exit)
}
