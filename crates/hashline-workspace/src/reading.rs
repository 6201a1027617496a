//! Reading: one file or many, byte for byte.

use std::path::PathBuf;

use hashline_core::Document;
use hashline_core::disk_note::DiskNote;

use crate::error::Error;
use crate::lock::Locks;
use crate::read::read;
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

impl<S: System> Workspace<S> {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or out, or to something that is no text within the bounds.
    pub fn read(&self, path: &str) -> Result<FileRead, Error> {
        let read = self.read_all(&[path])?;
        let [file] = <[_; 1]>::try_from(read.files).expect("one file was asked for");
        file
    }

    /// Reads whole files, all at one moment as far as our own commits go. A file that fails does not stop the others.
    ///
    /// # Errors
    ///
    /// Only for what is wrong with the workspace itself, or if too many files are asked for.
    pub fn read_all(&self, paths: &[&str]) -> Result<FilesRead, Error> {
        crate::applying::refuse_many(paths.len(), self.settings.limits.files)?;
        let mut notes = Vec::new();
        let wait = self.settings.limits.reader_wait;
        let settled = self.settle(self.locking(Share::Nobody, wait), &mut notes);
        let places: Vec<Result<Place<S>, Error>> = paths
            .iter()
            .map(|path| find(&self.system, &self.roots, path))
            .collect();
        let dirs = places.iter().flatten().map(|place| &place.parent);
        let said = paths.first().copied().unwrap_or_default();
        let locking = self.locking(Share::Readers, wait);
        let locks = Locks::take(&self.system, dirs, &locking, said);
        let consistent = match (settled.map(|_| ()), locks.as_ref().map(|_| ())) {
            (Ok(()), Ok(())) => true,
            // Somebody keeps them for long: the bytes of each file are still whole.
            (Err(Error::Busy(_)), _) | (_, Err(Error::Busy(_))) => false,
            (Err(error), _) => return Err(error),
            (_, Err(error)) => return Err(error.clone()),
        };
        let mut files = Vec::with_capacity(places.len());
        for place in &places {
            files.push(place.as_ref().map_err(Clone::clone).and_then(|place| {
                if consistent {
                    // A leftover that cannot be moved is in nobody's way here; an edit says what is wrong.
                    let _ = self.move_leftovers(place, &mut notes);
                }
                let snapshot = read(&self.system, place, &self.settings.limits)?;
                Ok(FileRead {
                    path: self.canonical(place),
                    document: snapshot.document,
                })
            }));
        }
        Ok(FilesRead {
            files,
            consistent,
            notes,
        })
    }
}
