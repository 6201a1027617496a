//! `hashline recover`: undoes or finishes commits that a crashed process left half done.

use hashline_session::Service;
use hashline_session::words::{recovered_answer, recovered_text};
use hashline_workspace::{ConflictChoice, Recovered};

use crate::args::{Global, RecoverArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::progress::while_working;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, args: &RecoverArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (options, _) = paths::options(global, &[])?;
    let service = Service::open(&options)?;
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
    let roots = service.roots();
    let lines = roots.iter().zip(&recovered).map(|(root, recovered)| {
        let text = recovered_text(recovered);
        match roots.len() {
            1 => text,
            _ => format!("{}: {text}", root.display()),
        }
    });
    let text = lines.collect::<Vec<_>>().join("\n");
    let state = service.take_notices();
    out.report(&recovered_answer(&recovered), &text, &state);
    Ok(Exit::Done)
}
