//! `hashline tour`: what hashline does, in a temporary folder, with the real program.

use crate::args::TourArgs;
use crate::exit::Exit;
use crate::output::Output;
use crate::trouble::Trouble;

pub(super) fn run(_args: &TourArgs, out: &mut Output) -> Result<Exit, Trouble> {
    out.line("tour")?;
    Ok(Exit::Done)
}
