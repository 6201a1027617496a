//! The folder of a root that holds the journal, what was found astray, and what is foreign.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::Durability;
use super::entry::{is_no_file, look};
use super::journal::{Journal, LARGEST, LARGEST_CARRIED};
use crate::system::{FileAccess, FileKind, Stat, System, none_if_missing, refusal};

/// The folder in a root that holds journals, orphans and what is foreign.
pub(crate) const AREA: &str = ".hashline";
/// A commit that is under way.
pub(super) const JOURNAL: &str = "journal";
/// A commit that is done; only cleaning up is left.
pub(super) const DONE: &str = "journal.done";
/// A journal that is being written, where files cannot be written without a name.
pub(super) const UNFINISHED: &str = "journal.tmp";
const ORPHANS: &str = "orphans";
const FOREIGN: &str = "foreign";
const IGNORE: &str = ".gitignore";

/// The folder, open.
#[derive(Debug)]
pub(crate) struct Area<S: System> {
    pub(super) dir: S::Dir,
}

/// The folder as it was found.
pub(crate) enum FoundArea<S: System> {
    /// None.
    Nothing,
    /// One that only we write.
    Ours(Area<S>),
    /// Something that is not ours: it is neither read nor written.
    Foreign,
}

/// A journal as it was found.
pub(super) enum FoundJournal {
    /// None.
    Nothing,
    /// One that was written here.
    Ours(Journal),
    /// One that is damaged, or was written for another root.
    Foreign,
}

impl<S: System> Area<S> {
    /// Opens the folder, if it is there and ours.
    pub(crate) fn find(system: &S, root: &S::Dir) -> io::Result<FoundArea<S>> {
        match system.open_child(root, OsStr::new(AREA)) {
            Ok(dir) => Self::checked(system, dir),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => Ok(FoundArea::Nothing),
                // A folder that is closed to us.
                io::ErrorKind::PermissionDenied => Ok(FoundArea::Foreign),
                _ if is_no_folder(&error) => Ok(FoundArea::Foreign),
                _ => Err(error),
            },
        }
    }

    /// Opens the folder, and makes it if it is not there.
    pub(crate) fn make(system: &S, root: &S::Dir) -> io::Result<Self> {
        if let FoundArea::Ours(area) = Self::find(system, root)?
            && area.has(system, IGNORE)?
        {
            return Ok(area);
        }
        match system.make_dir(root, OsStr::new(AREA), FileAccess::Private) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let area = match Self::find(system, root)? {
            FoundArea::Ours(area) => area,
            FoundArea::Nothing => return Err(io::ErrorKind::NotFound.into()),
            FoundArea::Foreign => {
                // What is no folder at all says so itself.
                system.open_child(root, OsStr::new(AREA))?;
                return Err(io::ErrorKind::PermissionDenied.into());
            }
        };
        match system.create(&area.dir, OsStr::new(IGNORE), FileAccess::Usual) {
            Ok(file) => {
                system.write(&file, b"*\n")?;
                system.sync(&file)?;
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        system.sync_dir(&area.dir)?;
        system.sync_dir(root)?;
        Ok(area)
    }

    /// Returns the folder's directory, to be locked.
    pub(crate) fn dir(&self) -> &S::Dir {
        &self.dir
    }

    /// Refuses a folder that somebody else could write into.
    fn checked(system: &S, dir: S::Dir) -> io::Result<FoundArea<S>> {
        let stat = system.stat_dir(&dir)?;
        let ours = stat.owner == system.user() && stat.mode & 0o022 == 0;
        Ok(if ours {
            FoundArea::Ours(Self { dir })
        } else {
            FoundArea::Foreign
        })
    }

    /// Moves a stray file here under a name that is free; returns its path below the root.
    pub(crate) fn keep_orphan(
        &self,
        system: &S,
        dir: &S::Dir,
        name: &OsStr,
    ) -> io::Result<Option<PathBuf>> {
        self.keep(system, ORPHANS, dir, name)
    }

    /// Moves a journal that is not ours out of the way.
    pub(super) fn keep_foreign(&self, system: &S, name: &OsStr) -> io::Result<Option<PathBuf>> {
        self.keep(system, FOREIGN, &self.dir, name)
    }

    fn keep(
        &self,
        system: &S,
        folder: &str,
        dir: &S::Dir,
        name: &OsStr,
    ) -> io::Result<Option<PathBuf>> {
        let opened = self.folder(system, OsStr::new(folder))?;
        let (kept, path) = match &opened {
            Some(opened) => (opened, Path::new(AREA).join(folder)),
            None => (&self.dir, PathBuf::from(AREA)),
        };
        let free = free_name(system, name);
        let moved = match system.rename_new(dir, name, kept, &free) {
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                system.rename(dir, name, kept, &free)
            }
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                carry_over(system, dir, name, kept, &free)
            }
            done => done,
        };
        // If it is gone, another process was faster.
        Ok(none_if_missing(moved)?.map(|()| path.join(free)))
    }

    /// Opens a folder of this one, and makes it if it is not there; nothing if something else has its name.
    fn folder(&self, system: &S, name: &OsStr) -> io::Result<Option<S::Dir>> {
        match system.make_dir(&self.dir, name, FileAccess::Private) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        match system.open_child(&self.dir, name) {
            Err(error) if is_no_folder(&error) => Ok(None),
            opened => opened.map(Some),
        }
    }

    /// Tells whether a commit is under way or was broken off.
    pub(crate) fn has_journal(&self, system: &S) -> io::Result<bool> {
        Ok(
            self.has(system, JOURNAL)?
                || self.has(system, DONE)?
                || self.has(system, UNFINISHED)?,
        )
    }

    pub(super) fn has(&self, system: &S, name: &str) -> io::Result<bool> {
        Ok(look(system, &self.dir, OsStr::new(name))?.is_some())
    }

    /// Writes a journal: its name appears only on a complete file.
    pub(super) fn write(
        &self,
        system: &S,
        journal: &Journal,
        durability: Durability,
    ) -> io::Result<()> {
        let bytes = journal.encode();
        if Journal::decode(&bytes).as_ref() != Some(journal) {
            // What nobody could read back must not be relied on.
            return Err(io::ErrorKind::InvalidInput.into());
        }
        match system.create_unnamed(&self.dir, FileAccess::Private) {
            Ok(file) => {
                system.write(&file, &bytes)?;
                durability.sync(system, &file)?;
                system.link(&file, &self.dir, OsStr::new(JOURNAL))?;
            }
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                let name = OsStr::new(UNFINISHED);
                let file = system.create(&self.dir, name, FileAccess::Private)?;
                system.write(&file, &bytes)?;
                durability.sync(system, &file)?;
                system.rename(&self.dir, name, &self.dir, OsStr::new(JOURNAL))?;
            }
            Err(error) => return Err(error),
        }
        self.sync(system, durability)
    }

    pub(super) fn sync(&self, system: &S, durability: Durability) -> io::Result<()> {
        durability.sync_dir(system, &self.dir)
    }

    /// Renames the journal.
    pub(super) fn rename(&self, system: &S, name: &str, new: &str) -> io::Result<()> {
        system.rename(&self.dir, OsStr::new(name), &self.dir, OsStr::new(new))
    }

    pub(super) fn unlink(&self, system: &S, name: &str) -> io::Result<()> {
        none_if_missing(system.unlink(&self.dir, OsStr::new(name))).map(|_| ())
    }

    /// Returns the foreign journal that can be read, the last one put aside first, and its name.
    pub(super) fn foreign(&self, system: &S) -> io::Result<Option<(Journal, OsString)>> {
        let folder = system.open_child(&self.dir, OsStr::new(FOREIGN));
        let Some(folder) = none_if_missing(folder)? else {
            return Ok(None);
        };
        let mut newest: Option<((i64, i64), Journal, OsString)> = None;
        for name in system.list(&folder)? {
            let file = system.open_file(&folder, &name)?;
            let stat = system.stat(&file)?;
            let readable = stat.kind == FileKind::File && stat.size <= LARGEST;
            if readable && newest.as_ref().is_none_or(|(at, ..)| *at <= stat.changed) {
                let journal = Journal::decode(&system.read(&file, LARGEST)?);
                newest = journal
                    .map(|journal| (stat.changed, journal, name))
                    .or(newest);
            }
        }
        Ok(newest.map(|(_, journal, name)| (journal, name)))
    }

    /// Forgets a foreign journal.
    pub(super) fn unlink_foreign(&self, system: &S, name: &OsStr) -> io::Result<()> {
        let folder = system.open_child(&self.dir, OsStr::new(FOREIGN))?;
        system.unlink(&folder, name)
    }

    /// Keeps bytes under a name that is free; returns the name.
    pub(super) fn keep_bytes(
        &self,
        system: &S,
        name: &OsStr,
        bytes: &[u8],
    ) -> io::Result<OsString> {
        let folder = self.folder(system, OsStr::new(ORPHANS))?;
        let kept = folder.as_ref().unwrap_or(&self.dir);
        let free = free_name(system, name);
        let file = system.create(kept, &free, FileAccess::Private)?;
        system.write(&file, bytes)?;
        system.sync(&file)?;
        system.sync_dir(kept)?;
        Ok(free)
    }

    /// Reads the journal of this name and tells whether it was written here, by us, for this root.
    pub(super) fn read(
        &self,
        system: &S,
        root: (u64, u64),
        name: &str,
    ) -> io::Result<FoundJournal> {
        let file = match system.open_file(&self.dir, OsStr::new(name)) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Ok(FoundJournal::Nothing);
            }
            // Nothing we wrote.
            Err(error) if is_no_file(&error) => return Ok(FoundJournal::Foreign),
            Err(error) => return Err(error),
        };
        let stat = system.stat(&file)?;
        let fits = stat.kind == FileKind::File
            && stat.owner == system.user()
            && stat.mode == 0o600
            && stat.links == 1
            && stat.size <= LARGEST;
        if !fits {
            return Ok(FoundJournal::Foreign);
        }
        let bytes = system.read(&file, LARGEST)?;
        let journal = Journal::decode(&bytes).filter(|journal| journal.root == root);
        Ok(journal.map_or(FoundJournal::Foreign, FoundJournal::Ours))
    }
}

/// Makes a name that nothing has yet.
pub(super) fn free_name<S: System>(system: &S, name: &OsStr) -> OsString {
    let random = u128::from_le_bytes(system.random());
    let mut free = name.to_owned();
    free.push(format!("-{random:032x}"));
    free
}

/// Tells whether a link or a file stands where a folder was to be opened.
pub(super) fn is_no_folder(error: &io::Error) -> bool {
    refusal::is_link(error) || error.kind() == io::ErrorKind::NotADirectory
}

/// Moves a file to another file system: its bytes are there for good before it goes here.
fn carry_over<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    to: &S::Dir,
    new: &OsStr,
) -> io::Result<()> {
    let file = system.open_file(dir, name)?;
    if !can_be_carried(&system.stat(&file)?) {
        return Err(io::ErrorKind::CrossesDevices.into());
    }
    let bytes = system.read(&file, LARGEST_CARRIED)?;
    let copy = system.create(to, new, FileAccess::Private)?;
    system.write(&copy, &bytes)?;
    system.sync(&copy)?;
    system.sync_dir(to)?;
    system.unlink(dir, name)
}

/// Tells whether all of it can be held, and is there to be read.
fn can_be_carried(stat: &Stat) -> bool {
    stat.kind == FileKind::File && stat.size <= LARGEST_CARRIED
}

#[cfg(test)]
mod tests {
    use super::can_be_carried;
    use crate::system::{FileKind, Stat};

    #[test]
    fn only_files_that_can_be_held_are_carried() {
        let cases = [
            (FileKind::File, 0, true),
            (FileKind::File, 1 << 30, true),
            (FileKind::File, (1 << 30) + 1, false),
            (FileKind::Special, 0, false),
        ];
        for (kind, size, expected) in cases {
            let stat = Stat {
                kind,
                device: 1,
                inode: 1,
                mode: 0o600,
                owner: 0,
                links: 1,
                size,
                modified: (0, 0),
                changed: (0, 0),
            };
            assert_eq!(can_be_carried(&stat), expected, "{kind:?} {size}");
        }
    }
}
