//! `hashline verify`: where anchors land now.

use hashline_core::policy::Context;
use hashline_wire::render::looked;
use hashline_wire::response;

use super::{dialect_in, open_for, revision, with_state_notes};
use crate::args::{Global, VerifyArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &VerifyArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let rev = revision(args.rev.as_deref())?;
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let context = Context::new(args.context);
    let session = service.session(global.session());
    let verified = session.verify(&path, rev.as_ref(), &args.anchors, dialect, context)?;
    let exit = match verified.is_all_landed() {
        true => Exit::Done,
        false => Exit::Stale,
    };
    if out.json {
        let mut object = response::verified(&verified, dialect, context);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object)?;
    } else {
        out.line(&looked::verified(&verified, dialect, context))?;
        with_state_notes(&service, out, None);
    }
    Ok(exit)
}
