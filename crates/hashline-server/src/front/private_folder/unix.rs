//! A private folder where rights are modes: owned by the user, closed to everybody else, opened once and used through its descriptor.

use std::fs::{DirBuilder, File};
use std::io;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
use rustix::io::Errno;

use super::split;
use crate::front::error::FrontError;

const FOLDER: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

const NEW: OFlags = OFlags::WRONLY
    .union(OFlags::CREATE)
    .union(OFlags::EXCL)
    .union(OFlags::NOFOLLOW)
    .union(OFlags::CLOEXEC);

const OLD: OFlags = OFlags::RDONLY
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// The folder, open.
#[derive(Debug)]
pub(crate) struct PrivateFolder {
    dir: File,
}

/// What a name stands for, enough to know it again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Entry {
    device: u64,
    inode: u64,
    is_own_socket: bool,
}

impl Entry {
    /// Returns whether it is a socket of the user's own.
    pub(crate) fn is_own_socket(self) -> bool {
        self.is_own_socket
    }
}

impl PrivateFolder {
    /// Opens the folder in which a path lies, making it if there is none, and returns it with the path's name.
    pub(crate) fn of(path: &Path) -> Result<(Self, String), FrontError> {
        let (folder, name) = split(path)?;
        let io = |error: io::Error| FrontError::Io {
            path: folder.to_owned(),
            error,
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)
            .map_err(io)?;
        let dir = rustix::fs::open(folder, FOLDER, Mode::empty()).map_err(|error| match error {
            // A link to a folder is somebody else's choice of where our secret goes.
            Errno::LOOP | Errno::NOTDIR => FrontError::NotPrivate(folder.to_owned()),
            error => io(error.into()),
        })?;
        let stat = rustix::fs::fstat(&dir).map_err(|error| io(error.into()))?;
        let closed = Mode::from_raw_mode(stat.st_mode) & (Mode::RWXG | Mode::RWXO) == Mode::empty();
        if closed && is_own(&stat) {
            Ok((Self { dir: dir.into() }, name))
        } else {
            Err(FrontError::NotPrivate(folder.to_owned()))
        }
    }

    /// Makes a file for the user alone, where nothing has the name.
    pub(crate) fn create(&self, name: &str) -> io::Result<File> {
        let file = rustix::fs::openat(&self.dir, name, NEW, Mode::RUSR | Mode::WUSR)?;
        // The process's mask can only have taken rights away, but then the owner could not read it either.
        rustix::fs::fchmod(&file, Mode::RUSR | Mode::WUSR)?;
        Ok(file.into())
    }

    /// Opens a file for reading.
    pub(crate) fn open(&self, name: &str) -> io::Result<File> {
        Ok(rustix::fs::openat(&self.dir, name, OLD, Mode::empty())?.into())
    }

    /// Removes a name, if there is one.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match rustix::fs::unlinkat(&self.dir, name, AtFlags::empty()) {
            Ok(()) | Err(Errno::NOENT) => Ok(()),
            Err(error) => Err(error.into()),
        }
    }

    /// Returns what a name stands for, if it is there.
    pub(crate) fn entry(&self, name: &str) -> io::Result<Option<Entry>> {
        match rustix::fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(stat) => Ok(Some(entry(&stat))),
            Err(Errno::NOENT) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Closes what a name stands for to everybody but the user.
    pub(crate) fn keep_to_the_user(&self, name: &str) -> io::Result<()> {
        let mode = Mode::RUSR | Mode::WUSR;
        Ok(rustix::fs::chmodat(
            &self.dir,
            name,
            mode,
            AtFlags::empty(),
        )?)
    }

    /// Waits until no other process is between looking at a name of this folder and taking it. The lock goes with what is returned.
    pub(crate) fn lock(&self) -> io::Result<File> {
        let lock: File = rustix::fs::openat(&self.dir, ".", FOLDER, Mode::empty())?.into();
        rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
        Ok(lock)
    }
}

#[expect(
    clippy::unnecessary_cast,
    reason = "the widths and signs of these fields differ between systems"
)]
fn entry(stat: &Stat) -> Entry {
    Entry {
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        is_own_socket: FileType::from_raw_mode(stat.st_mode) == FileType::Socket && is_own(stat),
    }
}

fn is_own(stat: &Stat) -> bool {
    stat.st_uid == rustix::process::geteuid().as_raw()
}
