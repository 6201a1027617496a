//! Linux only: resolving a path in one call, files without a name, access control lists as extended attributes.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, Mode, OFlags, RawDir, ResolveFlags, StatxAttributes, StatxFlags};
use rustix::io::Errno;

use super::beneath::{Entered, walk};
use super::native::{READ_DIR, entry, facts, file_mode};
use super::retry::{RACES, open_retrying, retry};
use crate::system::{DirEntry, FileAccess, FileKind};

/// The error code of Linux for an operation that the file system does not support.
pub(super) const NOT_SUPPORTED: Errno = Errno::OPNOTSUPP;

/// The size of the buffer for listing a directory, in bytes.
const LISTED_AT_ONCE: usize = 32 << 10;

/// The flags for opening the directories on a path: without access to their entries, and without following symbolic links.
pub(super) const ON_THE_WAY: OFlags = OFlags::PATH.union(OFlags::NOFOLLOW).union(OFlags::CLOEXEC);

/// The extended attribute that holds a file's access control list.
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Opens a directory below a root; fails if the path leads out of the root.
pub(super) fn open_beneath(root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_MAGICLINKS;
    for _ in 0..RACES {
        match rustix::fs::openat2(root, path, READ_DIR, Mode::empty(), resolve) {
            Err(Errno::AGAIN | Errno::INTR) => {}
            Err(Errno::NOSYS | Errno::PERM) => return walk(root, path),
            opened => return Ok(opened?),
        }
    }
    Err(Errno::AGAIN.into())
}

/// Opens one component of a path: a directory, or a symbolic link.
pub(super) fn enter(dir: &OwnedFd, name: &OsStr) -> io::Result<Entered> {
    let next = open_retrying(dir, name, ON_THE_WAY, Mode::empty())?;
    match facts(&rustix::fs::fstat(&next)?).kind {
        FileKind::Dir => Ok(Entered::Dir(next)),
        FileKind::Link => {
            let target = rustix::fs::readlinkat(&next, "", Vec::new())?;
            let target = OsString::from_vec(target.into_bytes());
            Ok(Entered::Link(target.into()))
        }
        FileKind::File | FileKind::Special => Err(Errno::NOTDIR.into()),
    }
}

/// Returns the real path of an open directory.
pub(super) fn path_of(dir: &OwnedFd) -> io::Result<PathBuf> {
    std::fs::read_link(in_proc(dir))
}

/// Lists the entries of a directory, with as few system calls as possible: a search lists every directory of a tree.
pub(super) fn entries(dir: &OwnedFd) -> io::Result<Vec<DirEntry>> {
    let mut entries = Vec::new();
    let mut room = Vec::with_capacity(LISTED_AT_ONCE);
    let mut raw = RawDir::new(dir, room.spare_capacity_mut());
    while let Some(listed) = raw.next() {
        let listed = listed?;
        entries.extend(entry(dir, listed.file_name(), listed.file_type()));
    }
    Ok(entries)
}

/// Creates a file that has no name yet.
pub(super) fn create_unnamed(dir: &OwnedFd, access: FileAccess) -> io::Result<OwnedFd> {
    let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
    match open_retrying(dir, OsStr::new("."), flags, file_mode(access)) {
        Err(error) if is_one_of(&error, &[NOT_SUPPORTED, Errno::ISDIR, Errno::NOENT]) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        opened => opened,
    }
}

/// Gives an unnamed file a name.
pub(super) fn link_unnamed(file: &OwnedFd, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
    let from = in_proc(file);
    let flags = AtFlags::SYMLINK_FOLLOW;
    Ok(retry(|| {
        rustix::fs::linkat(rustix::fs::CWD, &from, dir, name, flags)
    })?)
}

/// Removes the access control list that a new file inherited from its directory, because the file that it replaces may have none.
pub(super) fn drop_inherited(file: &OwnedFd) -> io::Result<()> {
    match retry(|| rustix::fs::fremovexattr(file, ACCESS_LIST)) {
        Ok(()) | Err(Errno::NODATA | NOT_SUPPORTED) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Returns whether a new file gets this extended attribute of the file that it replaces: access control lists and `user.*`. The kernel sets
/// `security.*` itself.
pub(super) fn is_kept(attribute: &OsStr) -> bool {
    attribute.as_bytes().starts_with(b"user.") || attribute == ACCESS_LIST
}

/// Syncs a file's bytes or a directory's names to the disk.
pub(super) fn sync(file: &OwnedFd) -> io::Result<()> {
    Ok(retry(|| rustix::fs::fsync(file))?)
}

/// Returns whether a directory is on a network file system.
pub(super) fn is_remote(dir: &OwnedFd) -> io::Result<bool> {
    // NFS, SMB, CIFS, SMB2, 9P, AFS, Ceph, and whatever FUSE hides.
    const REMOTE: [u64; 8] = [
        0x6969,
        0x517b,
        0xff53_4d42,
        0xfe53_4d42,
        0x0102_1997,
        0x5346_414f,
        0x00c3_6400,
        0x6573_5546,
    ];
    #[expect(
        clippy::cast_sign_loss,
        clippy::cast_possible_truncation,
        reason = "the kernel's number is 32 bits wide, whatever type carries it"
    )]
    let kind = u64::from(rustix::fs::fstatfs(dir)?.f_type as u32);
    Ok(REMOTE.contains(&kind))
}

/// Returns whether a name in a directory is a mount point.
pub(super) fn is_mount_point(dir: &OwnedFd, name: &OsStr) -> io::Result<bool> {
    let flags = AtFlags::SYMLINK_NOFOLLOW;
    let facts = rustix::fs::statx(dir, name, flags, StatxFlags::empty())?;
    Ok(facts.stx_attributes.contains(StatxAttributes::MOUNT_ROOT))
}

/// Returns random bytes; `None` if the system has none.
pub(super) fn random() -> Option<[u8; 16]> {
    let mut bytes = [0; 16];
    let flags = rustix::rand::GetRandomFlags::empty();
    let filled = retry(|| rustix::rand::getrandom(&mut bytes[..], flags));
    (filled == Ok(16)).then_some(bytes)
}

fn is_one_of(error: &io::Error, errors: &[Errno]) -> bool {
    errors
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn in_proc(file: &OwnedFd) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}
