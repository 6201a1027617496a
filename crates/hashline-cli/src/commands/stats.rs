//! `hashline stats`: what was counted.

use hashline_session::words::{stats_answer, stats_table};

use super::open;
use crate::args::Global;
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use hashline_wire::Refusal;

pub(super) fn run(global: &Global, out: &mut Output) -> Result<Exit, Refusal> {
    let (start, _) = paths::start(global, &[])?;
    let service = open(&start)?;
    let counted = service.totals();
    if out.json {
        let mut answer = stats_answer(&counted);
        answer.state = service.take_notices();
        out.object(&answer);
    } else {
        out.line(&stats_table(&counted));
        out.tell_notices(&service.take_notices());
    }
    Ok(Exit::Done)
}
