//! `hashline verify`: prints where anchors land in the current file.

use hashline_core::policy::Context;
use hashline_session::words::{landed_text, lost_hint, lost_text, verified_answer};
use hashline_wire::Refusal;

use super::{dialect_in, file_to_read, open_for, revision};
use crate::args::{Global, VerifyArgs};
use crate::escape::name;
use crate::exit::Exit;
use crate::output::Output;

pub(super) fn run(global: &Global, args: &VerifyArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let rev = args.rev.as_deref().map(revision).transpose()?;
    let (service, path) = open_for(global, &args.path)?;
    let dialect = dialect_in(&service, args.dialect);
    let context = Context::new(args.context.into());
    let session = service.session(global.session());
    let file = file_to_read(&path, args.encoding.as_deref())?;
    let verified = session.verify(file, rev.as_ref(), &args.anchors, dialect, context)?;
    let (all, anchors) = (verified.anchors.len(), verified.anchors.iter());
    let landed = anchors.filter(|(_, landed)| landed.is_ok()).count();
    let exit = if landed == all {
        Exit::Done
    } else {
        Exit::Stale
    };
    let state = service.take_notices();
    if out.json {
        out.answer(&verified_answer(&verified), &state);
        return Ok(exit);
    }
    let rev = verified.document.revision().short();
    let path = name(&args.path);
    out.line(&format!("{path} (rev {rev}): {landed} of {all} land"));
    if landed > 0 {
        out.line(&landed_text(&verified));
    }
    if landed < all {
        out.message(&lost_text(&verified));
        out.message(&format!("hint: {}", lost_hint(&verified)));
    }
    out.notices(&state);
    Ok(exit)
}
