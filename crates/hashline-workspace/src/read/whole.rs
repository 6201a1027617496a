//! Reads whole files: the exact bytes at one point in time, within the limits.

use std::{io, iter};

use hashline_core::Document;

use crate::encoding::{EncodingChoice, mark};
use crate::error::{DiskFault, Error, Excess, io_error};
use crate::limits::Limits;
use crate::precompute::precompute_during;
use crate::root::FilePlace;
use crate::system::{FileKind, Stat, System};

/// How many times a file is read before it is refused because it changes while it is being read.
pub(crate) const TRIES: usize = 3;

/// A file may have this many lines, plus one for every [`BYTES_A_LINE`] bytes. The offsets of short lines take more memory than the
/// lines do; the limit keeps the memory for a file below four times its size plus 64 MiB.
const LINES: usize = 3 << 20;
const BYTES_A_LINE: usize = 16;

/// How many bytes are read at once where a file is read in pieces: few enough to stay in the processor's cache.
pub(crate) const PIECE: usize = 64 << 10;

/// A file as it was at one moment: the open file, its metadata and its content.
#[derive(Debug)]
pub(crate) struct Snapshot<S: System> {
    pub(crate) file: S::File,
    pub(crate) stat: Stat,
    pub(crate) document: Document,
}

/// Reads a whole file, again if it changes meanwhile, and checks the limits.
pub(crate) fn read<S: System>(
    system: &S,
    place: &FilePlace<S>,
    limits: &Limits,
    encoding: EncodingChoice,
) -> Result<Snapshot<S>, Error> {
    let failed = |doing| move |error| io_error(&place.requested, doing, &error);
    let stat = place
        .stat
        .ok_or_else(|| DiskFault::NotFound.at(&place.requested))?;
    refuse_special(stat, &place.requested)?;
    for _ in 0..TRIES {
        let file = open(system, place)?;
        let before = system.stat(&file).map_err(failed("looking at the file"))?;
        refuse_special(before, &place.requested)?;
        // By its metadata first: a sparse file of a terabyte must not be read to find out.
        refuse_large(before.size, limits, &place.requested)?;
        let bytes = system
            .read(&file, limits.file.saturating_add(1))
            .map_err(failed("reading the file"))?;
        refuse_large(bytes.len() as u64, limits, &place.requested)?;
        let after = system.stat(&file).map_err(failed("looking at the file"))?;
        if is_generated(before, after, bytes.len() as u64) {
            return Err(DiskFault::NotAFile.at(&place.requested));
        }
        // If another program wrote it meanwhile, the bytes may be of two moments.
        if before == after && bytes.len() as u64 == after.size {
            let document = text(bytes, limits, encoding, &place.requested)?;
            return Ok(Snapshot {
                file,
                stat: after,
                document,
            });
        }
    }
    Err(DiskFault::Unstable.at(&place.requested))
}

pub(crate) fn refuse_special(stat: Stat, requested: &str) -> Result<(), Error> {
    if stat.kind == FileKind::File {
        Ok(())
    } else {
        Err(DiskFault::NotAFile.at(requested))
    }
}

pub(crate) fn refuse_large(found: u64, limits: &Limits, requested: &str) -> Result<(), Error> {
    let checked = Excess::refuse(found, limits.file, DiskFault::TooLarge);
    checked.map_err(|why| why.at(requested))
}

/// Opens a file that existed a moment ago.
pub(crate) fn open<S: System>(system: &S, place: &FilePlace<S>) -> Result<S::File, Error> {
    let opened = system.open_file(&place.parent, &place.name);
    opened.map_err(|error| match error.kind() {
        std::io::ErrorKind::NotFound => DiskFault::NotFound.at(&place.requested),
        _ => io_error(&place.requested, "opening the file", &error),
    })
}

/// Returns whether a file that begins with these bytes can be read as text, if no encoding is named for it: it has the byte order mark of UTF-16,
/// or neither that of UTF-32 nor a NUL byte.
#[must_use]
pub fn is_text(beginning: &[u8]) -> bool {
    match mark(beginning) {
        Some(encoding) => encoding.is_some(),
        None => !beginning.contains(&0),
    }
}

/// Refuses binary files, which are recognised by a NUL byte.
pub(crate) fn refuse_nul(bytes: &[u8], requested: &str) -> Result<(), Error> {
    match memchr::memchr(0, bytes) {
        Some(_) => Err(DiskFault::Binary.at(requested)),
        None => Ok(()),
    }
}

/// Returns whether a file holds exactly these bytes. The file is read in pieces, so that no memory for a second copy is needed.
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

/// Returns whether a file is generated by the kernel while it is read, like those in `/proc`: its size is 0, but it has content.
pub(crate) fn is_generated(before: Stat, after: Stat, read: u64) -> bool {
    before.size == 0 && read > 0 && after.size == 0
}

pub(crate) fn line_too_long(longest: usize, limits: &Limits, requested: &str) -> Error {
    let (found, most) = (longest as u64, limits.line as u64);
    DiskFault::LineTooLong(Excess { found, most }).at(requested)
}

/// Refuses a file with too many lines for its size, such as a file of nothing but newlines.
fn refuse_many_lines(document: &Document, requested: &str) -> Result<(), Error> {
    let most = LINES + document.bytes().len() / BYTES_A_LINE;
    let lines = document.line_count() as u64;
    let checked = Excess::refuse(lines, most as u64, DiskFault::TooManyLines);
    checked.map_err(|why| why.at(requested))
}

/// Creates a document from the bytes of a file; fails if they are not text or have too many or too long lines.
fn text(
    bytes: Vec<u8>,
    limits: &Limits,
    encoding: EncodingChoice,
    requested: &str,
) -> Result<Document, Error> {
    let document = encoding.decode(bytes).map_err(|why| why.at(requested))?;
    let revision = |document: &Document| _ = document.revision();
    precompute_during(iter::once(&document), revision, || {
        refuse_nul(document.bytes(), requested)?;
        refuse_unreadable(&document, limits, requested)
    })?;
    Ok(document)
}

/// Refuses content that is too large, or has too many or too long lines. The limits are the same for what is read and what is written, so that
/// what an edit writes can be read again.
pub(crate) fn refuse_unreadable(
    document: &Document,
    limits: &Limits,
    requested: &str,
) -> Result<(), Error> {
    refuse_large(document.file_bytes().len() as u64, limits, requested)?;
    refuse_many_lines(document, requested)?;
    match document.longer_line(limits.line) {
        None => Ok(()),
        Some(longest) => Err(line_too_long(longest, limits, requested)),
    }
}

/// Returns how many bytes a document holds: its text, and those of the file if it has another encoding.
fn size_in_memory(document: &Document) -> u64 {
    let file = document
        .encoding()
        .map_or(0, |_| document.file_bytes().len());
    (document.bytes().len() + file) as u64
}

/// Counts the bytes of files that one request holds in memory. Every file is below its own limit, but many files together could still fill
/// the memory.
pub(crate) struct MemoryBudget<'a> {
    limits: &'a Limits,
    /// The size of all files of the request, by their metadata.
    asked: u64,
    bytes: u64,
}

impl<'a> MemoryBudget<'a> {
    /// Starts a budget for files that are all going to be read.
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

    /// Reads a file, if the total limit allows it.
    ///
    /// # Errors
    ///
    /// The same errors as [`read`], and `too_large` if the files read so far and this one exceed the total limit. The size in the metadata
    /// decides, before the file is read.
    pub(crate) fn read<S: System>(
        &mut self,
        system: &S,
        place: &FilePlace<S>,
        encoding: EncodingChoice,
    ) -> Result<Snapshot<S>, Error> {
        let room = self.limits.total.saturating_sub(self.bytes);
        let limits = Limits {
            file: self.limits.file.min(room),
            ..*self.limits
        };
        let mut result = read(system, place, &limits, encoding);
        match &mut result {
            Ok(snapshot) => self.bytes += size_in_memory(&snapshot.document),
            Err(error) => {
                // A file in another encoding can also be over a limit of its own.
                if let DiskFault::TooLarge(Excess { found, most }) = error.why
                    && most == limits.file
                {
                    error.why = self.too_large(found);
                }
            }
        }
        result
    }

    /// Returns the error for a file of `found` bytes: over its own limit, or over the limit for all files together.
    fn too_large(&self, found: u64) -> DiskFault {
        let most = self.limits.file;
        if found > most {
            return DiskFault::TooLarge(Excess { found, most });
        }
        DiskFault::TooLargeTogether(Excess {
            found: self.asked.max(self.bytes.saturating_add(found)),
            most: self.limits.total,
        })
    }
}
