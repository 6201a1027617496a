//! Reading some lines of a file: in one pass, in pieces, however large the file is.

use hashline_core::Document;
use hashline_core::shown::History;
use hashline_core::text::{Excerpt, Excerpting, LineSpan};

use crate::error::{Error, io_error};
use crate::limits::Limits;
use crate::read::{
    PIECE, TRIES, is_made_up, line_too_long, open, read, refuse_large, refuse_nul,
    refuse_other_text, refuse_special,
};
use crate::root::FilePlace;
use crate::system::System;

/// Smaller files are read whole. The ledger needs the whole file unless it has too many lines to be recorded, and few of these have.
const SMALL: u64 = 3 << 20;

/// Some lines of a file.
#[derive(Clone, Debug)]
pub(crate) struct PartialRead {
    pub(crate) excerpt: Excerpt,
    /// The whole file, unless it has too many lines for the ledger.
    pub(crate) whole: Option<Document>,
}

/// Reads some lines of a file.
pub(crate) fn read_part<S: System>(
    system: &S,
    place: &FilePlace<S>,
    wanted: LineSpan,
    limits: &Limits,
) -> Result<PartialRead, Error> {
    let stat = place.stat.ok_or_else(|| Error::NotFound(place.at()))?;
    refuse_special(stat, &place.requested)?;
    // Lines within one piece are not measured, so this way cannot enforce a limit below its size.
    if stat.size <= SMALL || limits.line < PIECE {
        let whole = read(system, place, limits)?.document;
        return Ok(PartialRead {
            excerpt: Excerpt::of(&whole, wanted),
            whole: (whole.line_count() <= History::MAX_LINES).then_some(whole),
        });
    }
    for _ in 0..TRIES {
        let Some(excerpt) = try_once(system, place, wanted, limits)? else {
            continue;
        };
        if excerpt.line_count > History::MAX_LINES {
            return Ok(PartialRead {
                excerpt,
                whole: None,
            });
        }
        let whole = read(system, place, limits)?.document;
        if whole.revision() == excerpt.revision {
            return Ok(PartialRead {
                excerpt,
                whole: Some(whole),
            });
        }
    }
    Err(Error::Unstable(place.at()))
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
    if is_made_up(before, after, filled) {
        return Err(Error::NotAFile(place.at()));
    }
    let stable = before == after && filled == after.size;
    Ok(stable.then(|| pieces.finish()))
}
