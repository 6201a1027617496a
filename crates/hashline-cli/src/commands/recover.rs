//! `hashline recover`: what a broken-off request left is settled.

use hashline_wire::render::state;
use hashline_wire::response;
use hashline_workspace::{ConflictChoice, Recovered};

use super::{open, with_state_notes};
use crate::args::{Global, RecoverArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::progress::while_working;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, args: &RecoverArgs, out: &mut Output) -> Result<Exit, Trouble> {
    let (start, _) = paths::start(global, &[])?;
    let service = open(&start)?;
    let settle = match (args.keep_current, args.restore_old, args.finish_new) {
        (true, _, _) => Some(ConflictChoice::KeepCurrent),
        (_, true, _) => Some(ConflictChoice::RestoreOld),
        (_, _, true) => Some(ConflictChoice::FinishNew),
        _ => None,
    };
    let recovered = while_working("recovering", None, || match args.trust {
        true => service.trust(),
        false => service.recover(settle),
    })?;
    let settled = recovered.iter().flat_map(|recovered| match recovered {
        Recovered::TakenBack(left)
        | Recovered::Finished(left)
        | Recovered::Decided { left, .. } => left.paths.clone(),
        Recovered::Nothing | Recovered::Foreign | Recovered::ForeignFolder => Vec::new(),
    });
    out.changed(settled);
    if out.json {
        let mut object = response::recovered(&recovered);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object);
        return Ok(Exit::Done);
    }
    for (root, recovered) in service.roots().iter().zip(&recovered) {
        let told = state::recovered(recovered);
        match service.roots().len() {
            1 => out.line(&told),
            _ => out.line(&format!("{}: {told}", root.display())),
        }
    }
    with_state_notes(&service, out, None);
    Ok(Exit::Done)
}
