//! Reading: exact bytes, stable under writers, within bounds.

use std::{io, iter};

use hashline_core::Document;

use crate::error::{At, Bound, Error, io_error};
use crate::limits::Limits;
use crate::precompute::{Precompute, precompute_during};
use crate::root::FilePlace;
use crate::system::{FileKind, Stat, System};

/// How often a file that changes while it is read is read again.
pub(crate) const TRIES: usize = 3;

/// A file may have so many lines, however short they are, and one more for every [`BYTES_A_LINE`]: where lines lie takes more memory
/// than most lines do, and what is needed for a file must not outgrow four times its size by more than 64 MiB.
const LINES: usize = 3 << 20;
const BYTES_A_LINE: usize = 16;

/// How much is read at once where it is looked at piece by piece: it stays in the processor's cache meanwhile.
pub(crate) const PIECE: usize = 64 << 10;

/// A file as it was at one moment.
#[derive(Debug)]
pub(crate) struct Snapshot<S: System> {
    pub(crate) file: S::File,
    pub(crate) stat: Stat,
    pub(crate) document: Document,
}

/// Reads a whole file.
pub(crate) fn read<S: System>(
    system: &S,
    place: &FilePlace<S>,
    limits: &Limits,
) -> Result<Snapshot<S>, Error> {
    let failed = |doing| move |error| io_error(&place.requested, doing, &error);
    let stat = place.stat.ok_or_else(|| Error::NotFound(place.at()))?;
    refuse_special(stat, &place.requested)?;
    for _ in 0..TRIES {
        let file = open(system, place)?;
        let before = system.stat(&file).map_err(failed("looking at the file"))?;
        refuse_special(before, &place.requested)?;
        refuse_large(before.size, limits, &place.requested)?;
        let bytes = system
            .read(&file, limits.file.saturating_add(1))
            .map_err(failed("reading the file"))?;
        refuse_large(bytes.len() as u64, limits, &place.requested)?;
        let after = system.stat(&file).map_err(failed("looking at the file"))?;
        if is_made_up(before, after, bytes.len() as u64) {
            return Err(Error::NotAFile(place.at()));
        }
        if before == after && bytes.len() as u64 == after.size {
            let document = text(bytes, limits, &place.requested)?;
            return Ok(Snapshot {
                file,
                stat: after,
                document,
            });
        }
    }
    Err(Error::Unstable(place.at()))
}

pub(crate) fn refuse_special(stat: Stat, requested: &str) -> Result<(), Error> {
    if stat.kind == FileKind::File {
        Ok(())
    } else {
        Err(Error::NotAFile(At::new(requested)))
    }
}

pub(crate) fn refuse_large(found: u64, limits: &Limits, requested: &str) -> Result<(), Error> {
    if found <= limits.file {
        return Ok(());
    }
    Err(Error::TooLarge(Bound {
        path: Some(requested.to_owned()),
        found,
        most: limits.file,
    }))
}

/// Opens a file that was there a moment ago.
pub(crate) fn open<S: System>(system: &S, place: &FilePlace<S>) -> Result<S::File, Error> {
    let opened = system.open_file(&place.parent, &place.name);
    opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => Error::NotFound(place.at()),
        _ => io_error(&place.requested, "opening the file", &error),
    })
}

/// Refuses bytes that are no text, or text of another encoding.
pub(crate) fn refuse_other_text(bytes: &[u8], requested: &str) -> Result<(), Error> {
    const OTHER_ENCODINGS: [&[u8]; 4] =
        [b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff", b"\xff\xfe\0\0"];
    if OTHER_ENCODINGS.iter().any(|mark| bytes.starts_with(mark)) {
        return Err(Error::Encoding(At::new(requested)));
    }
    refuse_nul(bytes, requested)
}

/// Refuses bytes that are no text.
pub(crate) fn refuse_nul(bytes: &[u8], requested: &str) -> Result<(), Error> {
    match memchr::memchr(0, bytes) {
        Some(_) => Err(Error::Binary(At::new(requested))),
        None => Ok(()),
    }
}

/// Returns whether a file holds exactly these bytes. It is read a piece at a time: no room for a second copy is needed, and each piece is
/// compared while the processor has it at hand.
pub(crate) fn holds<S: System>(system: &S, file: &S::File, bytes: &[u8]) -> io::Result<bool> {
    let mut piece = vec![0; PIECE.min(bytes.len() + 1)];
    let mut rest = bytes;
    loop {
        let at = bytes.len() - rest.len();
        match system.read_at(file, at as u64, &mut piece)? {
            0 => return Ok(rest.is_empty()),
            count => match rest.strip_prefix(&piece[..count]) {
                Some(after) => rest = after,
                None => return Ok(false),
            },
        }
    }
}

/// Returns whether a file is one of the kernel: what it holds is made up while it is read.
pub(crate) fn is_made_up(before: Stat, after: Stat, read: u64) -> bool {
    before.size == 0 && read > 0 && after.size == 0
}

pub(crate) fn line_too_long(longest: usize, limits: &Limits, requested: &str) -> Error {
    Error::LineTooLong(Bound {
        path: Some(requested.to_owned()),
        found: longest as u64,
        most: limits.line as u64,
    })
}

/// Refuses a file that is nearly all newlines.
fn refuse_many_lines(document: &Document, requested: &str) -> Result<(), Error> {
    let most = LINES + document.bytes().len() / BYTES_A_LINE;
    match document.line_count() {
        lines if lines <= most => Ok(()),
        lines => Err(Error::TooManyLines(Bound {
            path: Some(requested.to_owned()),
            found: lines as u64,
            most: most as u64,
        })),
    }
}

/// Takes bytes as text, unless they are something else.
fn text(bytes: Vec<u8>, limits: &Limits, requested: &str) -> Result<Document, Error> {
    let document = Document::new(bytes);
    precompute_during(iter::once(&document), Precompute::Revision, || {
        refuse_other_text(document.bytes(), requested)?;
        refuse_many_lines(&document, requested)?;
        match document.longer_line(limits.line) {
            None => Ok(()),
            Some(longest) => Err(line_too_long(longest, limits, requested)),
        }
    })?;
    Ok(document)
}

/// The bytes of files that a request holds.
pub(crate) struct MemoryBudget<'a> {
    limits: &'a Limits,
    /// What all its files have, by a first look.
    asked: u64,
    bytes: u64,
}

impl<'a> MemoryBudget<'a> {
    /// Holds nothing yet of files that are all to be read.
    pub(crate) fn for_files<'p, S: System + 'p>(
        places: impl IntoIterator<Item = &'p FilePlace<S>>,
        limits: &'a Limits,
    ) -> Self {
        let stats = places.into_iter().filter_map(|place| place.stat);
        Self {
            limits,
            asked: stats.fold(0, |sum, stat| sum.saturating_add(stat.size)),
            bytes: 0,
        }
    }

    /// Reads a file, if there is room for it.
    ///
    /// # Errors
    ///
    /// As [`read`], and `too_large` if it would be too much together with the others. It is refused by its size, before it is read.
    pub(crate) fn read<S: System>(
        &mut self,
        system: &S,
        place: &FilePlace<S>,
    ) -> Result<Snapshot<S>, Error> {
        let room = self.limits.total.saturating_sub(self.bytes);
        let limits = Limits {
            file: self.limits.file.min(room),
            ..*self.limits
        };
        match read(system, place, &limits) {
            Ok(snapshot) => {
                self.bytes += snapshot.document.bytes().len() as u64;
                Ok(snapshot)
            }
            Err(Error::TooLarge(bound)) if bound.found <= self.limits.file => {
                let together = self.bytes.saturating_add(bound.found);
                Err(Error::TooLargeTogether(Bound {
                    found: self.asked.max(together),
                    most: self.limits.total,
                    ..bound
                }))
            }
            Err(Error::TooLarge(bound)) => Err(Error::TooLarge(Bound {
                most: self.limits.file,
                ..bound
            })),
            Err(error) => Err(error),
        }
    }
}

/// Refuses to write more bytes than a request may hold.
pub(crate) fn refuse_much(
    written: impl IntoIterator<Item = usize>,
    limits: &Limits,
) -> Result<(), Error> {
    let sizes = written.into_iter().map(|size| size as u64);
    let found = sizes.fold(0, u64::saturating_add);
    if found <= limits.total {
        return Ok(());
    }
    Err(Error::TooLargeTogether(Bound {
        path: None,
        found,
        most: limits.total,
    }))
}
