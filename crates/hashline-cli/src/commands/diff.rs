//! `hashline diff`: prints the lines of a file that changed since a revision that was shown.

use hashline_session::words::{since_answer, since_text};
use hashline_wire::Refusal;

use super::{dialect_in, file_to_read, open_for, revision};
use crate::args::{DiffArgs, Global};
use crate::exit::Exit;
use crate::output::Output;

pub(super) fn run(global: &Global, args: &DiffArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let rev = revision(&args.rev)?;
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let session = service.session(global.session());
    let file = file_to_read(&path, args.encoding.as_deref())?;
    let since = session.since(file, &rev, dialect)?;
    let state = service.take_notices();
    out.report(&since_answer(&since), &since_text(&since), &state);
    Ok(Exit::Done)
}
