//! `hashline stats`: prints the counters of operations, or the gates.

mod gate;

use hashline_session::Service;
use hashline_session::words::{stats_answer, stats_table};
use hashline_wire::Refusal;

use crate::args::{Global, StatsArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;

pub(super) fn run(global: &Global, args: &StatsArgs, out: &mut Output) -> Result<Exit, Refusal> {
    if args.gate {
        return gate::run(global, args, out);
    }
    let (options, _) = paths::options(global, &[])?;
    let service = Service::open(&options)?;
    let totals = service.totals();
    let state = service.take_counter_notices();
    out.report(&stats_answer(&totals), &stats_table(&totals), &state);
    Ok(Exit::Done)
}
