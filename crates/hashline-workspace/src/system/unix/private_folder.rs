//! System calls for folders of the user's own state, in addition to [`super::Native`].

use std::fs::{DirBuilder, File};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::DirBuilderExt;
use std::path::Path;

use rustix::fs::{Mode, OFlags};

use super::native::READ_DIR;
use crate::system::IfMissing;

const FOLDER: OFlags = READ_DIR.union(OFlags::NOFOLLOW);

const FILE: OFlags = OFlags::RDWR
    .union(OFlags::NOFOLLOW)
    .union(OFlags::NONBLOCK)
    .union(OFlags::CLOEXEC);

/// Opens a folder; the last component of its path must not be a symbolic link.
pub(crate) fn open_private(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, FOLDER, Mode::empty())?)
}

/// Creates a folder and its missing parents, for the user alone.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens the folder again, so that it can be locked: a lock belongs to an open file, so each lock needs an open file of its own.
pub(crate) fn lock_of_private(dir: &OwnedFd) -> io::Result<File> {
    Ok(rustix::fs::openat(dir, ".", FOLDER, Mode::empty())?.into())
}

/// Opens a file for reading and writing, without blocking if it is a pipe.
pub(crate) fn open_in_private(dir: &OwnedFd, name: &str, missing: IfMissing) -> io::Result<File> {
    let flags = match missing {
        IfMissing::Refuse => FILE,
        IfMissing::Make => FILE | OFlags::CREATE,
        IfMissing::MakeEmpty => FILE | OFlags::CREATE | OFlags::TRUNC,
    };
    Ok(rustix::fs::openat(dir, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}
