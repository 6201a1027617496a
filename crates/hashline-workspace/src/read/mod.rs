//! Reads one file or several, byte for byte.
//!
//! `whole` reads a whole file and checks it against the limits; `part` reads some lines of a large file.

mod part;
mod whole;

use std::path::PathBuf;

use crate::disk_note::DiskNote;
use hashline_core::Document;
use hashline_core::text::{Excerpt, LineSpan};

use crate::apply::refuse_many;
use crate::commit::{self, Pending};
use crate::encoding::{EncodingChoice, TextEncoding};
use crate::error::{DiskFault, Error};
use crate::ledger::{Ledger, ShownLines};
use crate::lock::Locks;
use crate::open_dirs::OpenDirs;
use crate::root::FilePlace;
use crate::system::{Share, System};
use crate::workspace::{Conflicts, Leftovers, Workspace, is_listed};

use part::read_part;

pub use whole::is_text;
pub(crate) use whole::{
    MemoryBudget, Snapshot, TRIES, has_longer_line, holds, read, refuse_large, refuse_long_lines,
    refuse_nul, refuse_special, refuse_unreadable,
};

/// How many times files are read at most: again if another process died in the middle of a commit in the meantime.
const ATTEMPTS: usize = 3;

/// A file to read: its path, and its encoding if the request names one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileToRead<'a> {
    /// The path that the caller uses for the file.
    pub path: &'a str,
    /// The encoding that the request or an option names.
    pub encoding: Option<TextEncoding>,
}

impl<'a> FileToRead<'a> {
    /// Returns the file at `path`, to be read in the encoding with this name, if one is named.
    ///
    /// # Errors
    ///
    /// `encoding` if there is no encoding with this name.
    pub fn named(path: &'a str, encoding: Option<&str>) -> Result<Self, Error> {
        let encoding = encoding.map(TextEncoding::parse).transpose();
        encoding
            .map(|encoding| Self { path, encoding })
            .map_err(|why| why.at(path))
    }
}

impl<'a, P: AsRef<str> + ?Sized> From<&'a P> for FileToRead<'a> {
    fn from(path: &'a P) -> Self {
        Self {
            path: path.as_ref(),
            encoding: None,
        }
    }
}

/// A file as it was read.
#[derive(Clone, Debug)]
pub struct FileRead {
    /// The canonical path of the file.
    pub path: PathBuf,
    /// The content of the file.
    pub document: Document,
    /// Whether locks kept other hashline processes from committing while the file was read.
    pub consistent: bool,
}

/// The result of reading several files, in the order of the request.
#[derive(Clone, Debug)]
pub struct FilesRead {
    /// The content or the error of each file. A file that cannot be read does not stop the others.
    pub files: Vec<Result<FileRead, Error>>,
    /// Whether locks kept other hashline processes from committing while the files were read, so that the files form a consistent snapshot.
    pub consistent: bool,
    /// Notes about the disk, such as a recovery.
    pub notes: Vec<DiskNote>,
}

/// Some lines of a file.
#[derive(Clone, Debug)]
pub struct PartRead {
    /// The canonical path of the file.
    pub path: PathBuf,
    /// The lines that were read.
    pub excerpt: Excerpt,
    /// The whole file; `None` if it has more lines than the ledger records.
    whole: Option<Document>,
    /// Whether locks kept other hashline processes from committing while the file was read.
    pub consistent: bool,
    /// Notes about the disk, such as a recovery.
    pub notes: Vec<DiskNote>,
}

impl PartRead {
    /// Records in the ledger which of the lines that were read were shown to the caller.
    pub fn showed(&self, ledger: &dyn Ledger, shows: &ShownLines<'_>) {
        match &self.whole {
            Some(whole) => ledger.showed(&self.path, whole, shows),
            None => ledger.showed_excerpt(&self.path, &self.excerpt, shows),
        }
    }
}

impl<S: System> Workspace<S> {
    /// Reads a whole file.
    ///
    /// # Errors
    ///
    /// If the file does not exist, or is outside the roots, not text, or over a limit.
    pub fn read<'a>(&self, file: impl Into<FileToRead<'a>>) -> Result<FileRead, Error> {
        let file = file.into();
        let mut read = self.read_all(&[file])?;
        let none = Err(DiskFault::NotFound.at(file.path));
        read.files.pop().unwrap_or(none)
    }

    /// Reads whole files, if possible while locks keep other hashline processes from committing, so that the files form a consistent snapshot. A
    /// file that cannot be read does not stop the others, nor does a file that exceeds the total limit together with those before it.
    ///
    /// # Errors
    ///
    /// If more files are requested than the limit.
    pub fn read_all<'a>(
        &self,
        files: &[impl Into<FileToRead<'a>> + Copy],
    ) -> Result<FilesRead, Error> {
        let files: Vec<FileToRead<'a>> = files.iter().map(|&file| file.into()).collect();
        refuse_many(files.len(), self.settings.limits.files)?;
        let paths: Vec<&str> = files.iter().map(|file| file.path).collect();
        let (read, consistent, notes) = self.read_consistently(&paths, |places| {
            let mut held = MemoryBudget::for_files(places.iter().flatten(), &self.settings.limits);
            let read = |(place, file): (&Result<FilePlace<S>, Error>, &FileToRead<'_>)| {
                let place = place.as_ref().map_err(Clone::clone)?;
                let encoding = self.encoding_of(place, file.encoding);
                let snapshot = held.read(&self.system, place, encoding)?;
                Ok::<_, Error>((self.canonical(place), snapshot.document))
            };
            places.iter().zip(&files).map(read).collect::<Vec<_>>()
        })?;
        let asked = files.len();
        let file = |(path, document)| FileRead {
            path,
            document,
            consistent,
        };
        Ok(FilesRead {
            files: read
                .into_iter()
                .map(|read| read.map(file).map_err(|error| error.of_several(asked)))
                .collect(),
            consistent,
            notes,
        })
    }

    /// Reads the bytes of a whole file, which need not be text.
    ///
    /// # Errors
    ///
    /// If the file does not exist, or is outside the roots, not a regular file, or too large.
    pub fn read_bytes(&self, path: &str) -> Result<Document, Error> {
        let (read, _, _) = self.read_consistently(&[path], |places| -> Result<_, Error> {
            let place = places[0].as_ref().map_err(Clone::clone)?;
            let limits = &self.settings.limits;
            read(&self.system, place, limits, EncodingChoice::Bytes)
        })?;
        read.map(|snapshot| snapshot.document)
    }

    /// Reads some lines of a file, which may be large. The whole file is held in memory only if it has few enough lines for the ledger to
    /// record.
    ///
    /// # Errors
    ///
    /// The same errors as [`Workspace::read`].
    pub fn read_part<'a>(
        &self,
        file: impl Into<FileToRead<'a>>,
        lines: LineSpan,
    ) -> Result<PartRead, Error> {
        let file = file.into();
        let (read, consistent, notes) =
            self.read_consistently(&[file.path], |places| -> Result<_, Error> {
                let place = places[0].as_ref().map_err(Clone::clone)?;
                let encoding = self.encoding_of(place, file.encoding);
                let limits = &self.settings.limits;
                let part = read_part(&self.system, place, lines, limits, encoding)?;
                Ok((self.canonical(place), part))
            })?;
        let (path, (excerpt, whole)) = read?;
        Ok(PartRead {
            path,
            excerpt,
            whole,
            consistent,
            notes,
        })
    }

    /// Returns the encoding in which a file is read; `named` is the one that the request names.
    pub(crate) fn encoding_of(
        &self,
        place: &FilePlace<S>,
        named: Option<TextEncoding>,
    ) -> EncodingChoice {
        self.settings.encodings.choice(&place.path(), named)
    }

    /// Calls `read` while locks keep other hashline processes from committing; returns its result, whether the locks were held, and notes
    /// about the disk. If the locks are not free in time, `read` is called without them: each file by itself is still whole.
    fn read_consistently<T>(
        &self,
        paths: &[&str],
        read: impl Fn(&[Result<FilePlace<S>, Error>]) -> T,
    ) -> Result<(T, bool, Vec<DiskNote>), Error> {
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
                    // A leftover that cannot be moved does not disturb a read. An edit would report it.
                    let _ = self.move_leftovers(place, Leftovers::Ours, &mut notes);
                }
            }
            last = Some((read(&places), quiet));
            if quiet || conflicts.is_none() || locks.is_none() {
                break;
            }
        }
        match last {
            Some((read, consistent)) => Ok((read, consistent, notes)),
            None => Err(DiskFault::Busy.at(paths.concat())),
        }
    }

    /// Recovers interrupted commits of dead processes; `None` if that fails, or another process holds the lock for longer than a reader
    /// waits.
    fn recover_for_reading(&self, notes: &mut Vec<DiskNote>) -> Option<Conflicts> {
        let locking = self.locking(Share::Nobody, self.settings.limits.reader_wait);
        // Reading goes on if the recovery fails, on a read-only disk for example.
        self.recover_first(locking, notes).ok()
    }

    fn lock_for_reading<'a>(
        &'a self,
        dirs: impl IntoIterator<Item = &'a S::Dir>,
    ) -> Option<Locks<'a, S>> {
        let locking = self.locking(Share::Readers, self.settings.limits.reader_wait);
        Locks::take(&self.system, dirs, &locking, "").ok()
    }

    /// Returns whether there is a journal that the recovery before did not see. While the locks are held the answer cannot change: no other
    /// process can be in the middle of a commit in these directories.
    fn is_new_journal(&self, conflicts: &Conflicts) -> bool {
        let mut roots = self.roots.iter().enumerate();
        roots.any(|(index, root)| {
            let known = conflicts.iter().any(|(root, _)| *root == index);
            let pending = || commit::pending(&self.system, root);
            !known && !matches!(pending(), Ok(Pending::Nothing | Pending::ForeignFolder))
        })
    }
}

/// Returns whether a file belongs to an interrupted commit that only the user can resolve.
fn is_conflict<S: System>(conflicts: &Conflicts, place: &FilePlace<S>) -> bool {
    let mut in_root = conflicts.iter().filter(|(root, _)| *root == place.root);
    in_root.any(|(_, paths)| is_listed(paths, &place.path()))
}
