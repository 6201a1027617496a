//! The `.hashline` folder in a root, with the journal, orphans (staging files of dead processes) and foreign journals (written for another
//! root, or damaged).

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use super::Durability;
use super::entry::{is_no_file, look};
use super::journal::{Journal, LARGEST, LARGEST_MOVED};
use crate::system::{FileAccess, FileKind, Stat, System, none_if_missing, refusal};

/// The name of the folder in a root that holds the journal.
pub(crate) const AREA: &str = ".hashline";
/// The file name of the journal (the list of planned changes, for recovery after a crash) of a commit that is under way.
pub(super) const JOURNAL: &str = "journal";
/// The file name of the journal after the commit point: all files are written, only cleaning up is left.
pub(super) const DONE: &str = "journal.done";
/// The file name of a journal that is still being written, used where the file system cannot create a file without a name.
pub(super) const UNFINISHED: &str = "journal.tmp";
const ORPHANS: &str = "orphans";
const FOREIGN: &str = "foreign";
const IGNORE: &str = ".gitignore";

/// The `.hashline` folder of a root, open.
#[derive(Debug)]
pub(crate) struct Area<S: System> {
    pub(super) dir: S::Dir,
}

/// The result of looking for the `.hashline` folder in a root.
pub(crate) enum FoundArea<S: System> {
    /// The root has no `.hashline` folder.
    Nothing,
    /// A `.hashline` folder that only this user can write to.
    Ours(Area<S>),
    /// A `.hashline` folder that others can write to, or a file or link with that name. A foreign folder is not used, since a forged
    /// journal in it could make us write any bytes.
    Foreign,
}

/// The result of looking for a journal.
pub(super) enum FoundJournal {
    /// There is no journal.
    Nothing,
    /// A journal that this user wrote for this root.
    Ours(Journal),
    /// A journal that is damaged, or was written for another root.
    Foreign,
}

impl<S: System> Area<S> {
    /// Opens the `.hashline` folder of a root, if it exists and only this user can write to it.
    pub(crate) fn find(system: &S, root: &S::Dir) -> io::Result<FoundArea<S>> {
        match system.open_child(root, OsStr::new(AREA)) {
            Ok(dir) => Self::checked(system, dir),
            Err(error) => match error.kind() {
                io::ErrorKind::NotFound => Ok(FoundArea::Nothing),
                // A folder that we may not open.
                io::ErrorKind::PermissionDenied => Ok(FoundArea::Foreign),
                _ if is_no_folder(&error) => Ok(FoundArea::Foreign),
                _ => Err(error),
            },
        }
    }

    /// Opens the `.hashline` folder of a root, and creates it if it is missing.
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
                // If it is not a folder at all, this fails with the better error.
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

    /// Returns the open `.hashline` directory, so that the caller can lock it.
    pub(crate) fn dir(&self) -> &S::Dir {
        &self.dir
    }

    /// Returns the folder as `Foreign` if it has another owner or if group or others can write to it.
    fn checked(system: &S, dir: S::Dir) -> io::Result<FoundArea<S>> {
        let stat = system.stat_dir(&dir)?;
        let ours = stat.owner == system.user() && stat.mode & 0o022 == 0;
        Ok(if ours {
            FoundArea::Ours(Self { dir })
        } else {
            FoundArea::Foreign
        })
    }

    /// Moves a staging file of a dead process to `.hashline/orphans` under an unused name; returns the new path below the root.
    pub(crate) fn keep_orphan(
        &self,
        system: &S,
        dir: &S::Dir,
        name: &OsStr,
    ) -> io::Result<Option<PathBuf>> {
        self.keep(system, ORPHANS, dir, name)
    }

    /// Moves a journal that is damaged or was written for another root to `.hashline/foreign`.
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
                move_across(system, dir, name, kept, &free)
            }
            done => done,
        };
        // If it is gone, another process was faster.
        Ok(none_if_missing(moved)?.map(|()| path.join(free)))
    }

    /// Opens a subfolder of `.hashline`, and creates it if it is missing; `None` if a file or a link has that name.
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

    /// Returns whether there is a journal in any state: a commit is under way or was interrupted.
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

    /// Writes a journal. The name `journal` appears only once the file is complete.
    pub(super) fn write(
        &self,
        system: &S,
        journal: &Journal,
        durability: Durability,
    ) -> io::Result<()> {
        let bytes = journal.encode();
        if Journal::decode(&bytes).as_ref() != Some(journal) {
            // A journal that cannot be read back is no protection. Better to fail before anything is changed.
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

    /// Renames a file in the `.hashline` folder, such as `journal` to `journal.done`.
    pub(super) fn rename(&self, system: &S, name: &str, new: &str) -> io::Result<()> {
        system.rename(&self.dir, OsStr::new(name), &self.dir, OsStr::new(new))
    }

    pub(super) fn unlink(&self, system: &S, name: &str) -> io::Result<()> {
        none_if_missing(system.unlink(&self.dir, OsStr::new(name))).map(|_| ())
    }

    /// Returns the newest journal in `.hashline/foreign` that can be decoded, and its name.
    pub(super) fn foreign(&self, system: &S) -> io::Result<Option<(Journal, OsString)>> {
        let folder = system.open_child(&self.dir, OsStr::new(FOREIGN));
        let Some(folder) = none_if_missing(folder)? else {
            return Ok(None);
        };
        let mut newest: Option<((i64, i64), Journal, OsString)> = None;
        let entries = system.entries(&folder)?.into_iter();
        let names: BTreeSet<OsString> = entries.map(|entry| entry.name).collect();
        for name in names {
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

    /// Removes a journal from `.hashline/foreign`.
    pub(super) fn unlink_foreign(&self, system: &S, name: &OsStr) -> io::Result<()> {
        let folder = system.open_child(&self.dir, OsStr::new(FOREIGN))?;
        system.unlink(&folder, name)
    }

    /// Writes bytes to a new file in `.hashline/orphans` under an unused name; returns that name.
    pub(super) fn keep_bytes(
        &self,
        system: &S,
        name: &OsStr,
        bytes: &[u8],
    ) -> io::Result<OsString> {
        let folder = self.folder(system, OsStr::new(ORPHANS))?;
        let kept = folder.as_ref().unwrap_or(&self.dir);
        let free = free_name(system, name);
        write_durably(system, kept, &free, bytes).map(|()| free)
    }

    /// Reads a journal, and checks that this user wrote it for this root. `root` is the device and inode of the root.
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
            // We only write regular files.
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

/// Returns `name` with a random suffix, so that no file has the returned name yet.
pub(super) fn free_name<S: System>(system: &S, name: &OsStr) -> OsString {
    let random = u128::from_le_bytes(system.random());
    let mut free = name.to_owned();
    free.push(format!("-{random:032x}"));
    free
}

/// Returns whether a folder could not be opened because a link or a file has its name.
pub(super) fn is_no_folder(error: &io::Error) -> bool {
    refusal::is_link(error) || error.kind() == io::ErrorKind::NotADirectory
}

/// Moves a file to a directory on another file system by copying it. The copy is synced before the original is removed.
fn move_across<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    to: &S::Dir,
    new: &OsStr,
) -> io::Result<()> {
    let file = system.open_file(dir, name)?;
    if !can_be_moved(&system.stat(&file)?) {
        return Err(io::ErrorKind::CrossesDevices.into());
    }
    let bytes = system.read(&file, LARGEST_MOVED)?;
    write_durably(system, to, new, &bytes)?;
    system.unlink(dir, name)
}

/// Creates a file that only this user can read, writes the bytes, and syncs the file and its directory.
fn write_durably<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    bytes: &[u8],
) -> io::Result<()> {
    let file = system.create(dir, name, FileAccess::Private)?;
    system.write(&file, bytes)?;
    system.sync(&file)?;
    system.sync_dir(dir)
}

/// Returns whether the metadata is that of a regular file small enough to be copied through memory.
fn can_be_moved(stat: &Stat) -> bool {
    stat.kind == FileKind::File && stat.size <= LARGEST_MOVED
}

#[cfg(test)]
mod tests {
    use super::can_be_moved;
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
            assert_eq!(can_be_moved(&stat), expected, "{kind:?} {size}");
        }
    }
}
