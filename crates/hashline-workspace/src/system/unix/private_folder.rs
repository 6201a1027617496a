//! What a folder of the user's own state needs in addition to [`super::Native`].

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

/// Opens a folder; the last name of its path must not be a link.
pub(crate) fn open_private(path: &Path) -> io::Result<OwnedFd> {
    Ok(rustix::fs::open(path, FOLDER, Mode::empty())?)
}

/// Creates a folder, and those above it, for the user alone.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    DirBuilder::new().recursive(true).mode(0o700).create(path)
}

/// Opens the folder once more: locks belong to an open file, so each lock needs its own.
pub(crate) fn lock_of_private(dir: &OwnedFd) -> io::Result<File> {
    Ok(rustix::fs::openat(dir, ".", FOLDER, Mode::empty())?.into())
}

/// Opens a file for reading and writing, without waiting for anybody.
pub(crate) fn open_in_private(dir: &OwnedFd, name: &str, missing: IfMissing) -> io::Result<File> {
    let flags = match missing {
        IfMissing::Refuse => FILE,
        IfMissing::Make => FILE | OFlags::CREATE,
        IfMissing::MakeEmpty => FILE | OFlags::CREATE | OFlags::TRUNC,
    };
    Ok(rustix::fs::openat(dir, name, flags, Mode::RUSR | Mode::WUSR)?.into())
}
