//! [`System`] on Linux and macOS, by the system calls that both share.

use std::ffi::{CStr, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;
use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;

use super::retry::{open_retrying, retry};
use super::{file_size, metadata, own};
use crate::system::{DirEntry, FileAccess, FileKind, Share, Stat, System, read_up_to};

/// The operating system that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// The flags for opening a directory.
pub(super) const READ_DIR: OFlags = OFlags::RDONLY
    .union(OFlags::DIRECTORY)
    .union(OFlags::CLOEXEC);

impl System for Native {
    type Dir = OwnedFd;
    type File = OwnedFd;

    fn open_root(&self, path: &Path) -> io::Result<OwnedFd> {
        Ok(rustix::fs::open(path, READ_DIR, Mode::empty())?)
    }

    fn open_dir(&self, root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
        let path = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        own::open_beneath(root, path)
    }

    fn open_child(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        Ok(rustix::fs::openat(
            dir,
            name,
            READ_DIR | OFlags::NOFOLLOW,
            Mode::empty(),
        )?)
    }

    fn open_file(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        open_retrying(dir, name, flags | OFlags::CLOEXEC, Mode::empty())
    }

    fn open_to_overwrite(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd> {
        let flags = OFlags::RDWR | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
        open_retrying(dir, name, flags | OFlags::CLOEXEC, Mode::empty())
    }

    fn read_link(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<PathBuf> {
        let target = rustix::fs::readlinkat(dir, name, Vec::new())?;
        Ok(OsString::from_vec(target.into_bytes()).into())
    }

    fn stat(&self, file: &OwnedFd) -> io::Result<Stat> {
        Ok(facts(&rustix::fs::fstat(file)?))
    }

    fn stat_dir(&self, dir: &OwnedFd) -> io::Result<Stat> {
        self.stat(dir)
    }

    fn stat_at(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Stat> {
        let stat = rustix::fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(facts(&stat))
    }

    fn exists(&self, path: &Path) -> bool {
        rustix::fs::statat(rustix::fs::CWD, path, AtFlags::SYMLINK_NOFOLLOW).is_ok()
    }

    fn path_of(&self, dir: &OwnedFd) -> io::Result<PathBuf> {
        own::path_of(dir)
    }

    fn entries(&self, dir: &OwnedFd) -> io::Result<Vec<DirEntry>> {
        own::entries(dir)
    }

    fn read_into(
        &self,
        file: &OwnedFd,
        size: u64,
        most: u64,
        into: &mut Vec<u8>,
    ) -> io::Result<()> {
        into.clear();
        // One byte more: a read that does not fill the buffer has met the end, which saves a second call.
        let size = usize::try_from(size.min(most)).unwrap_or(usize::MAX);
        into.reserve(size.saturating_add(1));
        while (into.len() as u64) < most {
            if into.len() == into.capacity() {
                into.reserve(into.len());
            }
            let room = into.capacity() - into.len();
            let at = into.len() as u64;
            let count = retry(|| rustix::io::pread(file, spare_capacity(into), at))?;
            if count < room {
                break;
            }
        }
        into.truncate(usize::try_from(most).unwrap_or(usize::MAX));
        Ok(())
    }

    fn read(&self, file: &OwnedFd, most: u64) -> io::Result<Vec<u8>> {
        let size = self.stat(file)?.size;
        read_up_to(most, size, |into, at| self.read_at(file, at, into))
    }

    fn read_at(&self, file: &OwnedFd, at: u64, into: &mut [u8]) -> io::Result<usize> {
        Ok(retry(|| rustix::io::pread(file, &mut *into, at))?)
    }

    fn create_unnamed(&self, dir: &OwnedFd, access: FileAccess) -> io::Result<OwnedFd> {
        own::create_unnamed(dir, access)
    }

    fn create(&self, dir: &OwnedFd, name: &OsStr, access: FileAccess) -> io::Result<OwnedFd> {
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::NOFOLLOW;
        open_retrying(dir, name, flags | OFlags::CLOEXEC, file_mode(access))
    }

    fn write(&self, file: &OwnedFd, bytes: &[u8]) -> io::Result<()> {
        file_size::allow(bytes.len() as u64)?;
        let mut written = 0;
        while written < bytes.len() {
            match retry(|| rustix::io::pwrite(file, &bytes[written..], written as u64))? {
                0 => return Err(io::ErrorKind::WriteZero.into()),
                count => written += count,
            }
        }
        if self.stat(file)?.size != bytes.len() as u64 {
            retry(|| rustix::fs::ftruncate(file, bytes.len() as u64))?;
        }
        Ok(())
    }

    fn copy_metadata(&self, from: &OwnedFd, to: &OwnedFd) -> io::Result<()> {
        metadata::copy(from, to)
    }

    fn link(&self, file: &OwnedFd, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        own::link_unnamed(file, dir, name)
    }

    fn link_name(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()> {
        Ok(retry(|| {
            rustix::fs::linkat(dir, name, to, new, AtFlags::empty())
        })?)
    }

    fn rename(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()> {
        Ok(retry(|| rustix::fs::renameat(dir, name, to, new))?)
    }

    fn rename_new(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()> {
        let flags = RenameFlags::NOREPLACE;
        rename_with(dir, name, to, new, flags)
    }

    fn exchange(&self, dir: &OwnedFd, name: &OsStr, other: &OsStr) -> io::Result<()> {
        rename_with(dir, name, dir, other, RenameFlags::EXCHANGE)
    }

    fn unlink(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        Ok(retry(|| rustix::fs::unlinkat(dir, name, AtFlags::empty()))?)
    }

    fn make_dir(&self, dir: &OwnedFd, name: &OsStr, access: FileAccess) -> io::Result<()> {
        let mode = match access {
            FileAccess::Usual => Mode::from_raw_mode(0o777),
            FileAccess::Private => Mode::RWXU,
        };
        Ok(retry(|| rustix::fs::mkdirat(dir, name, mode))?)
    }

    fn remove_dir(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        Ok(retry(|| {
            rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)
        })?)
    }

    fn sync(&self, file: &OwnedFd) -> io::Result<()> {
        own::sync(file)
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        self.sync(dir)
    }

    fn try_lock(&self, dir: &OwnedFd, share: Share) -> io::Result<bool> {
        match lock(dir, share) {
            Err(own::NOT_SUPPORTED | Errno::NOSYS | Errno::NOLCK | Errno::INVAL) => {
                Err(io::ErrorKind::Unsupported.into())
            }
            locked => Ok(locked?),
        }
    }

    fn lock_file(&self, folder: &Path, name: &OsStr, share: Share) -> io::Result<Option<OwnedFd>> {
        std::fs::DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(folder)?;
        let folder = rustix::fs::open(folder, READ_DIR | OFlags::NOFOLLOW, Mode::empty())?;
        let flags = OFlags::RDWR | OFlags::CREATE | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = open_retrying(&folder, name, flags, file_mode(FileAccess::Private))?;
        Ok(lock(&file, share)?.then_some(file))
    }

    fn is_remote(&self, dir: &OwnedFd) -> io::Result<bool> {
        own::is_remote(dir)
    }

    fn can_replace(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<bool> {
        if own::is_mount_point(dir, name)? {
            return Ok(false);
        }
        let wanted = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        match rustix::fs::accessat(dir, ".", wanted, AtFlags::EACCESS) {
            Ok(()) => Ok(true),
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    fn unlock(&self, dir: &OwnedFd) -> io::Result<()> {
        Ok(retry(|| rustix::fs::flock(dir, FlockOperation::Unlock))?)
    }

    fn user(&self) -> u32 {
        rustix::process::geteuid().as_raw()
    }

    fn random(&self) -> [u8; 16] {
        // Without randomness names may collide, which is noticed. Nothing trusts them to be secret.
        own::random().unwrap_or_else(|| u128::from(std::process::id()).to_le_bytes())
    }
}

fn lock(file: &OwnedFd, share: Share) -> rustix::io::Result<bool> {
    let operation = match share {
        Share::Readers => FlockOperation::NonBlockingLockShared,
        Share::Nobody => FlockOperation::NonBlockingLockExclusive,
    };
    match retry(|| rustix::fs::flock(file, operation)) {
        Ok(()) => Ok(true),
        Err(Errno::WOULDBLOCK) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Renames with flags; fails with `Unsupported` if the file system or the kernel does not support them.
fn rename_with(
    dir: &OwnedFd,
    name: &OsStr,
    to: &OwnedFd,
    new: &OsStr,
    flags: RenameFlags,
) -> io::Result<()> {
    match retry(|| rustix::fs::renameat_with(dir, name, to, new, flags)) {
        Err(Errno::INVAL | Errno::NOSYS | own::NOT_SUPPORTED) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        done => Ok(done?),
    }
}

/// Returns the permissions of a new file, before the umask is applied.
pub(super) fn file_mode(access: FileAccess) -> Mode {
    match access {
        FileAccess::Usual => Mode::from_raw_mode(0o666),
        FileAccess::Private => Mode::RUSR | Mode::WUSR,
    }
}

#[expect(
    clippy::unnecessary_cast,
    reason = "the widths differ between architectures"
)]
pub(super) fn facts(stat: &rustix::fs::Stat) -> Stat {
    let kind = kind(FileType::from_raw_mode(stat.st_mode));
    Stat {
        kind,
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        mode: stat.st_mode as u32 & 0o7777,
        owner: stat.st_uid,
        links: stat.st_nlink as u64,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
    }
}

/// Returns the directory entry for a listed name; `None` for `.`, `..` and files that were removed while the directory was listed.
pub(super) fn entry(dir: &OwnedFd, name: &CStr, kind_of: FileType) -> Option<DirEntry> {
    let name = OsStr::from_bytes(name.to_bytes());
    if name == "." || name == ".." {
        return None;
    }
    let kind = match kind_of {
        // Some file systems list names without their kinds.
        FileType::Unknown => Native.stat_at(dir, name).ok()?.kind,
        known => kind(known),
    };
    let name = name.to_owned();
    Some(DirEntry { name, kind })
}

fn kind(of: FileType) -> FileKind {
    match of {
        FileType::RegularFile => FileKind::File,
        FileType::Directory => FileKind::Dir,
        FileType::Symlink => FileKind::Link,
        _ => FileKind::Special,
    }
}
