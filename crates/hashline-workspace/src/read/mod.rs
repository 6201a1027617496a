//! Reading: one file or many, byte for byte.
//!
//! `whole` reads one whole file and checks it against the limits; `part` reads some lines of a large one.

mod part;
mod whole;

use std::path::PathBuf;

use crate::disk_note::DiskNote;
use hashline_core::Document;
use hashline_core::text::{Excerpt, LineSpan};

use crate::apply::refuse_many;
use crate::commit::{self, Pending};
use crate::error::{DiskFault, Error};
use crate::ledger::{Ledger, ShownLines};
use crate::lock::Locks;
use crate::open_dirs::OpenDirs;
use crate::root::FilePlace;
use crate::system::{Share, System};
use crate::workspace::{Conflicts, Workspace, is_listed};

use part::read_part;

pub(crate) use whole::{
    MemoryBudget, Snapshot, TRIES, holds, read, refuse_large, refuse_nul, refuse_other_text,
    refuse_special,
};

/// How often it is read again because somebody died in the middle of a commit meanwhile.
const ATTEMPTS: usize = 3;

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// Its canonical path.
    pub path: PathBuf,
    /// Its bytes.
    pub document: Document,
    /// Whether no commit of ours over several files can have been under way.
    pub consistent: bool,
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
    pub fn showed(&self, ledger: &dyn Ledger, shows: &ShownLines<'_>) {
        match &self.whole {
            Some(whole) => ledger.showed(&self.path, whole, shows),
            None => ledger.showed_excerpt(&self.path, &self.excerpt, shows),
        }
    }
}

/// What was read while our own commits were kept away, as far as they could be.
struct Quiet<T> {
    read: T,
    consistent: bool,
    notes: Vec<DiskNote>,
}

impl<S: System> Workspace<S> {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// If the path leads nowhere, or out, or to something that is no text within the bounds.
    pub fn read(&self, path: &str) -> Result<FileRead, Error> {
        let mut read = self.read_all(&[path])?;
        let none = Err(DiskFault::NotFound.at(path));
        read.files.pop().unwrap_or(none)
    }

    /// Reads whole files, all at one moment as far as our own commits go. A file that fails does not stop the others; nor does one that
    /// is too large together with those before it.
    ///
    /// # Errors
    ///
    /// Only for what is wrong with the workspace itself, or if too many files are asked for.
    pub fn read_all(&self, paths: &[&str]) -> Result<FilesRead, Error> {
        refuse_many(paths.len(), self.settings.limits.files)?;
        let quiet = self.in_quiet(paths, |places| {
            let mut held = MemoryBudget::for_files(places.iter().flatten(), &self.settings.limits);
            let read = |place: &Result<FilePlace<S>, Error>| -> Result<_, Error> {
                let place = place.as_ref().map_err(Clone::clone)?;
                let snapshot = held.read(&self.system, place)?;
                Ok((self.canonical(place), snapshot.document))
            };
            places.iter().map(read).collect::<Vec<_>>()
        })?;
        let consistent = quiet.consistent;
        let asked = paths.len();
        let file = |(path, document)| FileRead {
            path,
            document,
            consistent,
        };
        Ok(FilesRead {
            files: quiet
                .read
                .into_iter()
                .map(|read| read.map(file).map_err(|error| error.of_several(asked)))
                .collect(),
            consistent,
            notes: quiet.notes,
        })
    }

    /// Reads some lines of a file, which may be a large one: no more of it is held than the lines and, if the ledger would remember
    /// all its lines, the file.
    ///
    /// # Errors
    ///
    /// As [`Workspace::read`].
    pub fn read_part(&self, path: &str, lines: LineSpan) -> Result<PartRead, Error> {
        let quiet = self.in_quiet(&[path], |places| -> Result<_, Error> {
            let place = places[0].as_ref().map_err(Clone::clone)?;
            let part = read_part(&self.system, place, lines, &self.settings.limits)?;
            Ok((self.canonical(place), part))
        })?;
        let (path, (excerpt, whole)) = quiet.read?;
        Ok(PartRead {
            path,
            excerpt,
            whole,
            consistent: quiet.consistent,
            notes: quiet.notes,
        })
    }

    /// Reads while our own commits are kept away from the files. If that cannot be had in time, it is read all the same: the bytes of
    /// each file are still whole.
    fn in_quiet<T>(
        &self,
        paths: &[&str],
        read: impl Fn(&[Result<FilePlace<S>, Error>]) -> T,
    ) -> Result<Quiet<T>, Error> {
        let mut notes = Vec::new();
        let mut last = None;
        for _ in 0..ATTEMPTS {
            let conflicts = self.recover_for_reading(&mut notes);
            let mut dirs = OpenDirs::none();
            let places: Vec<_> = paths
                .iter()
                .map(|path| dirs.find(&self.system, &self.roots, path))
                .collect();
            let found = || places.iter().flatten();
            let locks = self.lock_for_reading(found().map(|place| &*place.parent));
            let quiet = match (&conflicts, &locks) {
                (Some(conflicts), Some(_)) if !self.is_new_journal(conflicts) => {
                    !found().any(|place| is_conflict(conflicts, place))
                }
                _ => false,
            };
            if quiet {
                for place in found() {
                    // A leftover that cannot be moved is in nobody's way here; an edit says what is wrong.
                    let _ = self.move_leftovers(place, &mut notes);
                }
            }
            last = Some((read(&places), quiet));
            if quiet || conflicts.is_none() || locks.is_none() {
                break;
            }
        }
        match last {
            Some((read, consistent)) => Ok(Quiet {
                read,
                consistent,
                notes,
            }),
            None => Err(DiskFault::Busy.at(paths.concat())),
        }
    }

    /// Recovers what dead processes left; `None` if that fails, or another process holds the lock for longer than a reader waits.
    fn recover_for_reading(&self, notes: &mut Vec<DiskNote>) -> Option<Conflicts> {
        let locking = self.locking(Share::Nobody, self.settings.limits.reader_wait);
        // A recovery that fails, on a read-only disk say, is no reason not to read.
        self.recover_first(locking, notes).ok()
    }

    fn lock_for_reading<'a>(
        &'a self,
        dirs: impl IntoIterator<Item = &'a S::Dir>,
    ) -> Option<Locks<'a, S>> {
        let locking = self.locking(Share::Readers, self.settings.limits.reader_wait);
        Locks::take(&self.system, dirs, &locking, "").ok()
    }

    /// Tells whether there is a journal that was not there when everything was settled. Asked under the locks: from then on nobody
    /// else's work on the directories can be half done.
    fn is_new_journal(&self, conflicts: &Conflicts) -> bool {
        let mut roots = self.roots.iter().enumerate();
        roots.any(|(index, root)| {
            let known = conflicts.iter().any(|(root, _)| *root == index);
            let pending = || commit::pending(&self.system, root);
            !known && !matches!(pending(), Ok(Pending::Nothing | Pending::ForeignFolder))
        })
    }
}

/// Returns whether a file belongs to an interrupted request that only the user can resolve.
fn is_conflict<S: System>(conflicts: &Conflicts, place: &FilePlace<S>) -> bool {
    let mut in_root = conflicts.iter().filter(|(root, _)| *root == place.root);
    in_root.any(|(_, paths)| is_listed(paths, &place.path()))
}
