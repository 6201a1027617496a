//! `hashline diff`: what changed since a revision was shown.

use hashline_core::since::Known;
use hashline_wire::render::looked;
use hashline_wire::response;

use super::{dialect_in, open_for, revision, with_state_notes};
use crate::args::{DiffArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &DiffArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let Some(rev) = revision(Some(&args.rev))? else {
        return Err(Trouble::internal());
    };
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let since = service
        .session(global.session())
        .since(&path, &rev, dialect)?;
    let exit = match &since.known {
        Known::Changes(_) => Exit::Done,
        Known::Nothing | Known::TooLong => Exit::Stale,
    };
    if out.json {
        let mut object = response::since(&since, dialect);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object);
        return Ok(exit);
    }
    let text = looked::since(&since, dialect);
    match exit {
        Exit::Done => out.line(&text),
        _ => out.tell(&text),
    }
    with_state_notes(&service, out, None);
    Ok(exit)
}
