//! A folder of the user's own, where no edit takes place: state that is ours. It lies in the user's profile, which the system keeps
//! from others; nothing more is asked.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::{opened, refusal};
use crate::system::{FileKind, IfMissing, Stat};

/// The file that stands for the folder when it is locked.
const LOCK: &str = "lock";

/// The folder, by its path.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    path: PathBuf,
}

impl PrivateFolder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        match opened::stat_path(path)?.kind {
            FileKind::Dir => Ok(Self {
                path: path.to_path_buf(),
            }),
            FileKind::Link => Err(refusal::link()),
            FileKind::File | FileKind::Special => Err(io::ErrorKind::NotADirectory.into()),
        }
    }

    /// Makes a folder, and those above it.
    pub(crate) fn make(path: &Path) -> io::Result<()> {
        std::fs::create_dir_all(path)
    }

    /// Opens a folder in this one.
    pub(crate) fn open_child(&self, name: &str) -> io::Result<Self> {
        Self::open(&self.path.join(name))
    }

    /// Makes a folder in this one, unless something has its name.
    pub(crate) fn make_child(&self, name: &str) -> io::Result<()> {
        match std::fs::create_dir(self.path.join(name)) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    /// Returns the metadata of the folder.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        opened::stat_path(&self.path)
    }

    /// Opens what stands for the folder when it is locked: a file in it. The lock goes with it, and the system drops it when a process
    /// dies.
    pub(crate) fn to_lock(&self) -> io::Result<File> {
        self.open_file(LOCK, IfMissing::Make)
    }

    /// Opens a file for reading and writing. It may turn out to be no file.
    pub(crate) fn open_file(&self, name: &str, missing: IfMissing) -> io::Result<File> {
        let mut options = OpenOptions::new();
        options.read(true).write(true);
        options.create(missing != IfMissing::Refuse);
        let file = opened::open(&self.path.join(name), &mut options)?;
        if missing == IfMissing::MakeEmpty {
            // Not while it is opened: a link would lose its own.
            file.set_len(0)?;
        }
        Ok(file)
    }

    /// Returns the metadata of a file.
    pub(crate) fn stat_of(&self, name: &str) -> io::Result<Stat> {
        opened::stat_path(&self.path.join(name))
    }

    /// Lists the names in it, in no order.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let entries = std::fs::read_dir(&self.path)?;
        entries.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Gives a file another name, in the place of any file of that name.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        std::fs::rename(self.path.join(from), self.path.join(to))
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        std::fs::remove_file(self.path.join(name))
    }
}
