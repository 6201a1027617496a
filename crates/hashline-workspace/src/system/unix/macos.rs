//! macOS only. This module is compiled but never run by the tests; `docs/decisions` says which guarantees hold on macOS.
//!
//! Weaker than Linux: access control lists are not copied (there is no safe call to read them), files without a name do not exist, and a
//! path cannot lead through a directory that the user may search but not read.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, Read as _};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStringExt;
use std::path::{Path, PathBuf};

use rustix::fs::{Dir, Mode, OFlags};
use rustix::io::Errno;

use super::beneath::{Entered, walk};
use super::native::{READ_DIR, entry};
use super::retry::{open_retrying, retry};
use crate::system::{DirEntry, FileAccess, Native, System};

/// The error code of macOS for an operation that the file system does not support.
pub(super) const NOT_SUPPORTED: Errno = Errno::NOTSUP;

/// The flags for opening the directories on a path, without following symbolic links.
pub(super) const ON_THE_WAY: OFlags = READ_DIR.union(OFlags::NOFOLLOW);

/// The flag of a local file system (`MNT_LOCAL`).
const LOCAL: u32 = 0x1000;

/// Opens a directory below a root; fails if the path leads out of the root.
pub(super) fn open_beneath(root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    walk(root, path)
}

/// Opens one component of a path: a directory, or a symbolic link.
pub(super) fn enter(dir: &OwnedFd, name: &OsStr) -> io::Result<Entered> {
    match open_retrying(dir, name, ON_THE_WAY, Mode::empty()) {
        Ok(next) => Ok(Entered::Dir(next)),
        Err(error) => match rustix::fs::readlinkat(dir, name, Vec::new()) {
            Ok(target) => {
                let target = OsString::from_vec(target.into_bytes());
                Ok(Entered::Link(target.into()))
            }
            // Not a link: the first error is the right one.
            Err(_) => Err(error),
        },
    }
}

/// Returns the real path of an open directory.
pub(super) fn path_of(dir: &OwnedFd) -> io::Result<PathBuf> {
    let path = rustix::fs::getpath(dir)?;
    Ok(OsString::from_vec(path.into_bytes()).into())
}

/// Lists the entries of a directory.
pub(super) fn entries(dir: &OwnedFd) -> io::Result<Vec<DirEntry>> {
    let mut entries = Vec::new();
    for listed in Dir::read_from(dir)? {
        let listed = listed?;
        entries.extend(entry(dir, listed.file_name(), listed.file_type()));
    }
    Ok(entries)
}

/// Fails with `Unsupported`: macOS has no files without a name.
pub(super) fn create_unnamed(_dir: &OwnedFd, _access: FileAccess) -> io::Result<OwnedFd> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Fails with `Unsupported`: macOS has no files without a name.
pub(super) fn link_unnamed(_file: &OwnedFd, _dir: &OwnedFd, _name: &OsStr) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

/// Does nothing: macOS cannot distinguish inherited attributes from others.
pub(super) fn drop_inherited(_file: &OwnedFd) -> io::Result<()> {
    Ok(())
}

/// Returns whether a new file gets this extended attribute of the file that it replaces: all but the one that only the system can write.
pub(super) fn is_kept(attribute: &OsStr) -> bool {
    attribute != "com.apple.provenance"
}

/// Syncs a file's bytes or a directory's names to the disk. On macOS `fsync` leaves them in the cache of the drive; `F_FULLFSYNC`, where
/// supported, does not.
pub(super) fn sync(file: &OwnedFd) -> io::Result<()> {
    match retry(|| rustix::fs::fcntl_fullfsync(file)) {
        Err(NOT_SUPPORTED | Errno::INVAL | Errno::NOTTY) => Ok(retry(|| rustix::fs::fsync(file))?),
        done => Ok(done?),
    }
}

/// Returns whether a directory is on a network file system.
pub(super) fn is_remote(dir: &OwnedFd) -> io::Result<bool> {
    Ok(rustix::fs::fstatfs(dir)?.f_flags & LOCAL == 0)
}

/// Returns whether a name in a directory is a mount point: it is on another device than the directory.
pub(super) fn is_mount_point(dir: &OwnedFd, name: &OsStr) -> io::Result<bool> {
    Ok(Native.stat_at(dir, name)?.device != Native.stat_dir(dir)?.device)
}

/// Returns random bytes; `None` if the system has none.
pub(super) fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let filled = File::open("/dev/urandom").and_then(|mut source| source.read_exact(&mut bytes));
    filled.ok().map(|()| bytes)
}
