//! `hashline diff`: what changed since a revision was shown.

use hashline_session::words::{since_answer, since_text};
use hashline_wire::Refusal;

use super::{dialect_in, open_for, revision};
use crate::args::{DiffArgs, Global};
use crate::exit::Exit;
use crate::output::Output;
use crate::refusals;

pub(super) fn run(global: &Global, args: &DiffArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let Some(rev) = revision(Some(&args.rev))? else {
        return Err(refusals::internal());
    };
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    let since = session.since(&path, &rev, dialect)?;
    let state = service.take_notices();
    if out.json {
        let mut answer = since_answer(&since);
        answer.state = state;
        out.object(&answer);
    } else {
        out.line(&since_text(&since));
        out.tell_notices(&state);
    }
    Ok(Exit::Done)
}
