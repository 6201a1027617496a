//! A folder of the user's own, where no edit takes place: state that is ours. Its files are opened by name and follow no link.

use std::ffi::OsString;
use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::ffi::OsStringExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{AtFlags, Dir, Mode, OFlags};
use rustix::io::Errno;

use super::native::facts;
use crate::system::{IfMissing, Stat};

const DIRECTORY: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

const FILE: OFlags = OFlags::RDWR
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// The folder, open.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    dir: File,
}

impl PrivateFolder {
    /// Opens a folder.
    pub(crate) fn open(path: &Path) -> io::Result<Self> {
        Ok(rustix::fs::open(path, DIRECTORY, Mode::empty())?.into())
    }

    /// Makes a folder, and those above it, for the user alone.
    pub(crate) fn make(path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    /// Opens a folder in this one.
    pub(crate) fn open_child(&self, name: &str) -> io::Result<Self> {
        Ok(rustix::fs::openat(&self.dir, name, DIRECTORY, Mode::empty())?.into())
    }

    /// Makes a folder in this one, for the user alone, unless something has its name.
    pub(crate) fn make_child(&self, name: &str) -> io::Result<()> {
        match rustix::fs::mkdirat(&self.dir, name, Mode::RWXU) {
            Ok(()) | Err(Errno::EXIST) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns the metadata of the folder: its links are none once it is removed.
    pub(crate) fn stat(&self) -> io::Result<Stat> {
        Ok(facts(&rustix::fs::fstat(&self.dir)?))
    }

    /// Opens what stands for the folder when it is locked. The lock goes with it, and the kernel drops it with the last one at the
    /// latest.
    pub(crate) fn to_lock(&self) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.dir, ".", DIRECTORY, Mode::empty())?.into())
    }

    /// Opens a file for reading and writing. It may turn out to be no file.
    pub(crate) fn open_file(&self, name: &str, missing: IfMissing) -> io::Result<File> {
        let flags = match missing {
            IfMissing::Refuse => FILE,
            IfMissing::Make => FILE | OFlags::CREATE,
            IfMissing::MakeEmpty => FILE | OFlags::CREATE | OFlags::TRUNC,
        };
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::openat(&self.dir, name, flags, mode)?.into())
    }

    /// Returns the metadata of a file.
    pub(crate) fn stat_of(&self, name: &str) -> io::Result<Stat> {
        let stat = rustix::fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(facts(&stat))
    }

    /// Lists the names in it, in no order.
    pub(crate) fn names(&self) -> io::Result<Vec<OsString>> {
        let name = |entry: rustix::io::Result<rustix::fs::DirEntry>| {
            Ok(OsString::from_vec(entry?.file_name().to_bytes().to_vec()))
        };
        Dir::read_from(&self.dir)?.map(name).collect()
    }

    /// Gives a file another name, in the place of any file of that name.
    pub(crate) fn rename(&self, from: &str, to: &str) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.dir, from, &self.dir, to)?)
    }

    /// Removes a file.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.dir, name, AtFlags::empty())?)
    }
}

impl From<std::os::fd::OwnedFd> for PrivateFolder {
    fn from(dir: std::os::fd::OwnedFd) -> Self {
        let dir = dir.into();
        Self { dir }
    }
}
