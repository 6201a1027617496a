//! Reads some lines of a file in one pass, piece by piece, so that the file may be large.

use hashline_core::Document;
use hashline_core::shown::History;
use hashline_core::text::{Excerpt, Excerpting, LineSpan};

use super::whole::{
    PIECE, TRIES, is_generated, line_too_long, open, read, refuse_large, refuse_nul, refuse_special,
};
use crate::encoding::EncodingChoice;
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
    encoding: EncodingChoice,
) -> Result<(Excerpt, Option<Document>), Error> {
    let stat = place
        .stat
        .ok_or_else(|| DiskFault::NotFound.at(&place.requested))?;
    refuse_special(stat, &place.requested)?;
    // Lines within one piece are not measured, so reading in pieces cannot enforce a limit below its size.
    if stat.size > SMALL
        && limits.line >= PIECE
        && let Some(excerpt) = read_in_pieces(system, place, wanted, limits, encoding)?
    {
        return Ok((excerpt, None));
    }
    let whole = read(system, place, limits, encoding)?.document;
    let excerpt = Excerpt::of(&whole, wanted);
    let is_short = whole.line_count() <= History::MAX_LINES;
    Ok((excerpt, is_short.then_some(whole)))
}

/// Reads the lines in pieces, again if the file changes meanwhile. Returns `None` if the whole file is needed: it has few enough lines for the
/// ledger, or may be in another encoding.
fn read_in_pieces<S: System>(
    system: &S,
    place: &FilePlace<S>,
    wanted: LineSpan,
    limits: &Limits,
    encoding: EncodingChoice,
) -> Result<Option<Excerpt>, Error> {
    for _ in 0..TRIES {
        match try_once(system, place, wanted, limits, encoding)? {
            InPieces::Read(excerpt) => {
                return Ok((excerpt.line_count > History::MAX_LINES).then_some(excerpt));
            }
            InPieces::NotUtf8 => return Ok(None),
            InPieces::Changed => {}
        }
    }
    Err(DiskFault::Unstable.at(&place.requested))
}

/// The result of reading a file in pieces.
enum InPieces {
    Read(Excerpt),
    /// The file changed while it was read.
    Changed,
    /// The file may be in another encoding, which is only known from all of its bytes.
    NotUtf8,
}

/// Reads the lines once, in pieces.
fn try_once<S: System>(
    system: &S,
    place: &FilePlace<S>,
    wanted: LineSpan,
    limits: &Limits,
    encoding: EncodingChoice,
) -> Result<InPieces, Error> {
    let requested = &place.requested;
    let failed = |doing| move |error| io_error(requested, doing, &error);
    let file = open(system, place)?;
    let before = system.stat(&file).map_err(failed("looking at the file"))?;
    refuse_special(before, requested)?;
    refuse_large(before.size, limits, requested)?;
    let mut pieces = Excerpting::new(wanted);
    let mut buffer = vec![0; PIECE];
    let mut filled = 0;
    // A larger file is not decoded, whatever its bytes are.
    let mut utf8 = EncodingChoice::is_detected_in(before.size).then(Utf8Check::default);
    loop {
        let piece = system.read_at(&file, filled, &mut buffer);
        let count = piece.map_err(failed("reading the file"))?;
        if count == 0 {
            break;
        }
        let piece = &buffer[..count];
        let may_be_utf8 = utf8.as_mut().is_none_or(|utf8| utf8.take(piece));
        if filled == 0 && encoding.may_decode(piece) || !may_be_utf8 {
            return Ok(InPieces::NotUtf8);
        }
        refuse_nul(piece, requested)?;
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
    if stable && utf8.is_some_and(|utf8| !utf8.is_complete()) {
        return Ok(InPieces::NotUtf8);
    }
    Ok(if stable {
        InPieces::Read(pieces.finish())
    } else {
        InPieces::Changed
    })
}

/// Checks whether bytes that come in pieces are UTF-8.
#[derive(Default)]
struct Utf8Check {
    /// The beginning of a character that the last piece ended in.
    open: Vec<u8>,
}

impl Utf8Check {
    /// Takes the next piece; returns whether all bytes so far can be UTF-8.
    fn take(&mut self, mut piece: &[u8]) -> bool {
        while !self.open.is_empty() {
            let Some((first, rest)) = piece.split_first() else {
                return true;
            };
            self.open.push(*first);
            piece = rest;
            match str::from_utf8(&self.open) {
                Ok(_) => self.open.clear(),
                Err(error) if error.error_len().is_none() => {}
                Err(_) => return false,
            }
        }
        match str::from_utf8(piece) {
            Ok(_) => true,
            Err(error) => {
                self.open.extend_from_slice(&piece[error.valid_up_to()..]);
                error.error_len().is_none()
            }
        }
    }

    /// Returns whether the last piece ended with a whole character.
    fn is_complete(&self) -> bool {
        self.open.is_empty()
    }
}
