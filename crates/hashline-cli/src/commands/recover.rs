//! `hashline recover`: what a broken-off request left is settled.

use hashline_session::words::{recovered_answer, recovered_text};
use hashline_workspace::{ConflictChoice, Recovered};

use super::open;
use crate::args::{Global, RecoverArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::progress::while_working;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &RecoverArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (start, _) = paths::start(global, &[])?;
    let service = open(&start)?;
    let settle = match (args.keep_current, args.restore_old, args.finish_new) {
        (true, _, _) => Some(ConflictChoice::KeepCurrent),
        (_, true, _) => Some(ConflictChoice::RestoreOld),
        (_, _, true) => Some(ConflictChoice::FinishNew),
        _ => None,
    };
    let recovered = while_working("recovering", None, || {
        if args.trust {
            service.trust()
        } else {
            service.recover(settle)
        }
    })?;
    let settled = recovered.iter().flat_map(|recovered| match recovered {
        Recovered::RolledBack(paths)
        | Recovered::Finished(paths)
        | Recovered::Decided { paths, .. } => paths.clone(),
        Recovered::Nothing | Recovered::Foreign | Recovered::ForeignFolder => Vec::new(),
    });
    out.changed(settled);
    if out.json {
        let mut answer = recovered_answer(&recovered);
        answer.state = service.take_notices();
        out.object(&answer);
        return Ok(Exit::Done);
    }
    for (root, recovered) in service.roots().iter().zip(&recovered) {
        let told = recovered_text(recovered);
        match service.roots().len() {
            1 => out.line(&told),
            _ => out.line(&format!("{}: {told}", root.display())),
        }
    }
    out.tell_notices(&service.take_notices());
    Ok(Exit::Done)
}
