//! Reads some lines of a file in one pass, piece by piece, so that the file may be large.

use hashline_core::Document;
use hashline_core::shown::History;
use hashline_core::text::{Excerpt, Excerpting, LineSpan};

use super::whole::{
    PIECE, TRIES, is_generated, line_too_long, open, read, refuse_large, refuse_nul,
    refuse_other_text, refuse_special,
};
use crate::error::{DiskFault, Error, io_error};
use crate::limits::Limits;
use crate::root::FilePlace;
use crate::system::System;

/// Files up to this size in bytes are read whole. The ledger needs the whole file unless it has too many lines to record, which few files
/// of this size have.
const SMALL: u64 = 3 << 20;

/// Reads some lines of a file. Also returns the whole file, unless it has too many lines for the ledger.
pub(super) fn read_part<S: System>(
    system: &S,
    place: &FilePlace<S>,
    wanted: LineSpan,
    limits: &Limits,
) -> Result<(Excerpt, Option<Document>), Error> {
    let stat = place
        .stat
        .ok_or_else(|| DiskFault::NotFound.at(&place.requested))?;
    refuse_special(stat, &place.requested)?;
    // Lines within one piece are not measured, so this way cannot enforce a limit below its size.
    if stat.size <= SMALL || limits.line < PIECE {
        let whole = read(system, place, limits)?.document;
        let excerpt = Excerpt::of(&whole, wanted);
        let is_short = whole.line_count() <= History::MAX_LINES;
        return Ok((excerpt, is_short.then_some(whole)));
    }
    for _ in 0..TRIES {
        let Some(excerpt) = try_once(system, place, wanted, limits)? else {
            continue;
        };
        if excerpt.line_count > History::MAX_LINES {
            return Ok((excerpt, None));
        }
        let whole = read(system, place, limits)?.document;
        if whole.revision() == excerpt.revision {
            return Ok((excerpt, Some(whole)));
        }
    }
    Err(DiskFault::Unstable.at(&place.requested))
}

/// Reads the lines once; `None` if the file changed in the meantime.
fn try_once<S: System>(
    system: &S,
    place: &FilePlace<S>,
    wanted: LineSpan,
    limits: &Limits,
) -> Result<Option<Excerpt>, Error> {
    let requested = &place.requested;
    let failed = |doing| move |error| io_error(requested, doing, &error);
    let file = open(system, place)?;
    let before = system.stat(&file).map_err(failed("looking at the file"))?;
    refuse_special(before, requested)?;
    refuse_large(before.size, limits, requested)?;
    let mut pieces = Excerpting::new(wanted);
    let mut buffer = vec![0; PIECE];
    let mut filled = 0;
    loop {
        let piece = system.read_at(&file, filled, &mut buffer);
        let count = piece.map_err(failed("reading the file"))?;
        if count == 0 {
            break;
        }
        match filled {
            0 => refuse_other_text(&buffer[..count], requested)?,
            _ => refuse_nul(&buffer[..count], requested)?,
        }
        filled += count as u64;
        refuse_large(filled, limits, requested)?;
        pieces.take(&buffer[..count]);
    }
    if pieces.longest() > limits.line {
        return Err(line_too_long(pieces.longest(), limits, requested));
    }
    let after = system.stat(&file).map_err(failed("looking at the file"))?;
    if is_generated(before, after, filled) {
        return Err(DiskFault::NotAFile.at(&place.requested));
    }
    let stable = before == after && filled == after.size;
    Ok(stable.then(|| pieces.finish()))
}
