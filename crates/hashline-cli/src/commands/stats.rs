//! `hashline stats`: what was counted.

use hashline_wire::render::totals;

use super::{open, with_state_notes};
use crate::args::Global;
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::trouble::Trouble;

pub(super) fn run(global: &Global, out: &mut Output) -> Result<Exit, Trouble> {
    let (start, _) = paths::start(global, &[])?;
    let service = open(&start)?;
    let counted = service.totals();
    if out.json {
        let mut object = totals::to_program(&counted);
        with_state_notes(&service, out, Some(&mut object));
        out.object(&object);
    } else {
        out.line(&totals::to_person(&counted));
        with_state_notes(&service, out, None);
    }
    Ok(Exit::Done)
}
