//! Reading: one file or many, byte for byte.

use std::path::PathBuf;

use hashline_core::Document;
use hashline_core::disk_note::DiskNote;
use hashline_core::text::{Excerpt, LineSpan};

use crate::applying::refuse_many;
use crate::error::{At, Error};
use crate::ledger::{Ledger, Shows};
use crate::lock::Locks;
use crate::read::read;
use crate::read_part::{Part, read_part};
use crate::root::{Place, find};
use crate::system::{Share, System};
use crate::workspace::Workspace;

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Its canonical path.
    pub path: PathBuf,
    /// Its bytes.
    pub document: Document,
}

/// What came of reading files: for each of them, in the order they were asked for.
#[derive(Clone, Debug)]
pub struct FilesRead {
    /// The files; one that fails does not stop the others.
    pub files: Vec<Result<FileRead, Error>>,
    /// Whether no commit of ours over several of them can have been under way.
    pub consistent: bool,
    /// What there is to know beside.
    pub notes: Vec<DiskNote>,
}

/// Some lines of a file.
#[derive(Clone, Debug)]
pub struct PartRead {
    /// The canonical path of the file.
    pub path: PathBuf,
    /// The lines.
    pub excerpt: Excerpt,
    /// The whole file, unless it has more lines than the ledger remembers.
    whole: Option<Document>,
    /// Whether no commit of ours over several files can have been under way.
    pub consistent: bool,
    /// What there is to know beside.
    pub notes: Vec<DiskNote>,
}

impl PartRead {
    /// Writes down that the lines were shown, all but those that `shows` leaves out.
    pub fn showed(&self, ledger: &dyn Ledger, shows: &Shows<'_>) {
        match &self.whole {
            Some(whole) => ledger.showed(&self.path, whole, shows),
            None => ledger.showed_excerpt(&self.path, &self.excerpt, shows),
        }
    }
}

/// Directories that are locked for readers, as far as they could be.
struct Quiet<'a, S: System> {
    _locks: Option<Locks<'a, S>>,
    consistent: bool,
}

impl<S: System> Workspace<S> {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or out, or to something that is no text within the bounds.
    pub fn read(&self, path: &str) -> Result<FileRead, Error> {
        let mut read = self.read_all(&[path])?;
        read.files
            .pop()
            .unwrap_or(Err(Error::NotFound(At::new(path))))
    }

    /// Reads whole files, all at one moment as far as our own commits go. A file that fails does not stop the others.
    ///
    /// # Errors
    ///
    /// Only for what is wrong with the workspace itself, or if too many files are asked for.
    pub fn read_all(&self, paths: &[&str]) -> Result<FilesRead, Error> {
        refuse_many(paths.len(), self.settings.limits.files)?;
        let mut notes = Vec::new();
        let settled = self.settle_for_reading(&mut notes)?;
        let places: Vec<Result<Place<S>, Error>> = paths
            .iter()
            .map(|path| find(&self.system, &self.roots, path))
            .collect();
        let quiet = self.quiet(places.iter().flatten(), settled, &mut notes)?;
        let read = |place: &Result<Place<S>, Error>| {
            let place = place.as_ref().map_err(Clone::clone)?;
            let snapshot = read(&self.system, place, &self.settings.limits)?;
            Ok(FileRead {
                path: self.canonical(place),
                document: snapshot.document,
            })
        };
        Ok(FilesRead {
            files: places.iter().map(read).collect(),
            consistent: quiet.consistent,
            notes,
        })
    }

    /// Reads some lines of a file, which may be a large one: no more of it is held than the lines and, if the ledger would remember
    /// all its lines, the file.
    ///
    /// # Errors
    ///
    /// As [`Workspace::read`].
    pub fn read_part(&self, path: &str, lines: LineSpan) -> Result<PartRead, Error> {
        let mut notes = Vec::new();
        let settled = self.settle_for_reading(&mut notes)?;
        let place = find(&self.system, &self.roots, path)?;
        let quiet = self.quiet([&place], settled, &mut notes)?;
        let Part { excerpt, whole } =
            read_part(&self.system, &place, lines, &self.settings.limits)?;
        Ok(PartRead {
            path: self.canonical(&place),
            excerpt,
            whole,
            consistent: quiet.consistent,
            notes,
        })
    }

    /// Settles what dead processes left; tells whether that could be done in time.
    fn settle_for_reading(&self, notes: &mut Vec<DiskNote>) -> Result<bool, Error> {
        let wait = self.settings.limits.reader_wait;
        match self.settle(self.locking(Share::Nobody, wait), notes) {
            Ok(_) => Ok(true),
            Err(Error::Busy(_)) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Keeps our own commits away from these files. If that cannot be had in time, the bytes of each file are still whole.
    fn quiet<'a>(
        &'a self,
        places: impl IntoIterator<Item = &'a Place<S>> + Clone,
        settled: bool,
        notes: &mut Vec<DiskNote>,
    ) -> Result<Quiet<'a, S>, Error> {
        let locking = self.locking(Share::Readers, self.settings.limits.reader_wait);
        let dirs = places.clone().into_iter().map(|place| &place.parent);
        let locks = match Locks::take(&self.system, dirs, &locking, "") {
            Ok(locks) => Some(locks),
            Err(Error::Busy(_)) => None,
            Err(error) => return Err(error),
        };
        let consistent = settled && locks.is_some();
        if consistent {
            for place in places {
                // A leftover that cannot be moved is in nobody's way here; an edit says what is wrong.
                let _ = self.move_leftovers(place, notes);
            }
        }
        Ok(Quiet {
            _locks: locks,
            consistent,
        })
    }
}
