//! A folder for the user's own state, such as the ledger. No edit of a request writes to the state folder. Files in the folder are opened
//! by name, without following symbolic links.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::path::Path;

use super::{FileAccess, Native, Stat, System, own};

/// A folder for the user's own state, open.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    dir: <Native as System>::Dir,
}

/// What to do if a file of a [`PrivateFolder`] is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum IfMissing {
    /// A missing file is an error.
    Refuse,
    /// A missing file is created, for the user alone.
    Make,
    /// A missing file is created, for the user alone; an existing file is truncated.
    MakeEmpty,
}

impl PrivateFolder {
    /// Opens a folder by its path, which must not end in a symbolic link.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        own::open_private(path).map(|dir| Self { dir })
    }

    /// Creates a folder and its missing parents, for the user alone.
    pub(crate) fn make(path: &Path) -> io::Result<()> {
        own::make_private(path)
    }

    /// Opens a subfolder.
    pub(crate) fn open_child(&self, name: &str) -> io::Result<Self> {
        let child = Native.open_child(&self.dir, OsStr::new(name));
        child.map(|dir| Self { dir })
    }

    /// Creates a subfolder for the user alone; does nothing if the name exists.
    pub(crate) fn make_child(&self, name: &str) -> io::Result<()> {
        match Native.make_dir(&self.dir, OsStr::new(name), FileAccess::Private) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    /// Returns the metadata of the folder. After the folder was removed, its number of links is 0.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        Native.stat_dir(&self.dir)
    }

    /// Opens the file that must be locked to lock the folder. The lock is released when the file is dropped or the process dies.
    pub(crate) fn to_lock(&self) -> io::Result<File> {
        own::lock_of_private(&self.dir)
    }

    /// Opens a file by its name for reading and writing. The caller must check that it is a regular file.
    pub(crate) fn open_file(&self, name: &str, missing: IfMissing) -> io::Result<File> {
        own::open_in_private(&self.dir, name, missing)
    }

    /// Returns the metadata of a file in the folder.
    pub(crate) fn stat_of(&self, name: &str) -> io::Result<Stat> {
        Native.stat_at(&self.dir, OsStr::new(name))
    }

    /// Lists the names in the folder, in no particular order.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        // Opened again, because a directory can be listed only once.
        let dir = Native.open_dir(&self.dir, Path::new(""))?;
        let entries = Native.entries(&dir)?.into_iter();
        Ok(entries.map(|entry| entry.name).collect())
    }

    /// Renames a file in the folder, replacing a file with the new name.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Native.rename(&self.dir, OsStr::new(from), &self.dir, OsStr::new(to))
    }

    /// Removes a file from the folder.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Native.unlink(&self.dir, OsStr::new(name))
    }
}
