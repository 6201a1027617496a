//! The system we run on.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

use rustix::buffer::spare_capacity;
use rustix::fs::{
    AtFlags, Dir, FileType, FlockOperation, Gid, Mode, OFlags, RawDir, RenameFlags, ResolveFlags,
    StatxAttributes, StatxFlags, Uid, XattrFlags,
};
use rustix::io::Errno;

use super::{Access, Entry, Kind, Obstacle, Share, Stat, System, file_size};

/// Linux, by its system calls.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// How often a resolution that raced with a rename is tried again.
const RACES: usize = 128;
/// How many links are followed before they count as a loop.
const LINKS: usize = 40;

/// Room for names when a directory is listed.
const LISTED_AT_ONCE: usize = 32 << 10;

const READ_DIR: OFlags = OFlags::RDONLY
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
        std::fs::read_link(in_proc(dir))
    }

    fn list(&self, dir: &OwnedFd) -> io::Result<Vec<OsString>> {
        let mut names = Vec::new();
        for entry in Dir::read_from(dir)? {
            let name = entry?.file_name().to_bytes().to_vec();
            if name != b"." && name != b".." {
                names.push(OsString::from_vec(name));
            }
        }
        names.sort();
        Ok(names)
    }

    fn entries(&self, dir: &OwnedFd) -> io::Result<Vec<Entry>> {
        let mut entries = Vec::new();
        let mut room = Vec::with_capacity(LISTED_AT_ONCE);
        let mut listed = RawDir::new(dir, room.spare_capacity_mut());
        while let Some(entry) = listed.next() {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                FileType::Unknown => match self.stat_at(dir, name) {
                    Ok(stat) => stat.kind,
                    // It went while it was listed.
                    Err(_) => continue,
                },
                known => kind(known),
            };
            let name = name.to_owned();
            entries.push(Entry { name, kind });
        }
        Ok(entries)
    }

    fn read_into(
        &self,
        file: &OwnedFd,
        size: u64,
        most: u64,
        into: &mut Vec<u8>,
    ) -> io::Result<()> {
        into.clear();
        // One byte more: a read that fills less than there is room for has met the end.
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
        let size = self.stat(file)?.size.min(most);
        // One byte more, so that the end is met without growing.
        let mut bytes = vec![
            0;
            usize::try_from(size)
                .unwrap_or(usize::MAX)
                .saturating_add(1)
        ];
        let mut filled = 0;
        while (filled as u64) < most {
            if filled == bytes.len() {
                bytes.resize(bytes.len() * 2, 0);
            }
            let room = usize::try_from(most - filled as u64).unwrap_or(usize::MAX);
            let end = bytes.len().min(filled.saturating_add(room));
            match retry(|| rustix::io::pread(file, &mut bytes[filled..end], filled as u64))? {
                0 => break,
                count => filled += count,
            }
        }
        bytes.truncate(filled);
        Ok(bytes)
    }

    fn read_at(&self, file: &OwnedFd, at: u64, into: &mut [u8]) -> io::Result<usize> {
        Ok(retry(|| rustix::io::pread(file, &mut *into, at))?)
    }

    fn create_unnamed(&self, dir: &OwnedFd, access: Access) -> io::Result<OwnedFd> {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match open_retrying(dir, OsStr::new("."), flags, file_mode(access)) {
            Err(error) if is_one_of(&error, &[Errno::OPNOTSUPP, Errno::ISDIR, Errno::NOENT]) => {
                Err(io::ErrorKind::Unsupported.into())
            }
            opened => opened,
        }
    }

    fn create(&self, dir: &OwnedFd, name: &OsStr, access: Access) -> io::Result<OwnedFd> {
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
        let (old, new) = (rustix::fs::fstat(from)?, rustix::fs::fstat(to)?);
        let owner = (old.st_uid != new.st_uid).then(|| Uid::from_raw(old.st_uid));
        let group = (old.st_gid != new.st_gid).then(|| Gid::from_raw(old.st_gid));
        if owner.is_some() || group.is_some() {
            retry(|| rustix::fs::fchown(to, owner, group))?;
        }
        drop_inherited(to)?;
        retry(|| rustix::fs::fchmod(to, Mode::from_raw_mode(old.st_mode)))?;
        copy_attributes(from, to)
    }

    fn link(&self, file: &OwnedFd, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        let from = in_proc(file);
        let flags = AtFlags::SYMLINK_FOLLOW;
        Ok(retry(|| {
            rustix::fs::linkat(rustix::fs::CWD, &from, dir, name, flags)
        })?)
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

    fn make_dir(&self, dir: &OwnedFd, name: &OsStr, access: Access) -> io::Result<()> {
        let mode = match access {
            Access::Usual => Mode::from_raw_mode(0o777),
            Access::Private => Mode::RWXU,
        };
        Ok(retry(|| rustix::fs::mkdirat(dir, name, mode))?)
    }

    fn remove_dir(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()> {
        Ok(retry(|| {
            rustix::fs::unlinkat(dir, name, AtFlags::REMOVEDIR)
        })?)
    }

    fn sync(&self, file: &OwnedFd) -> io::Result<()> {
        Ok(retry(|| rustix::fs::fsync(file))?)
    }

    fn sync_dir(&self, dir: &OwnedFd) -> io::Result<()> {
        self.sync(dir)
    }

    fn try_lock(&self, dir: &OwnedFd, share: Share) -> io::Result<bool> {
        match lock(dir, share) {
            Err(Errno::OPNOTSUPP | Errno::NOSYS | Errno::NOLCK | Errno::INVAL) => {
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
        let file = open_retrying(&folder, name, flags, file_mode(Access::Private))?;
        Ok(lock(&file, share)?.then_some(file))
    }

    fn is_remote(&self, dir: &OwnedFd) -> io::Result<bool> {
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

    fn obstacle(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Option<Obstacle>> {
        let flags = AtFlags::SYMLINK_NOFOLLOW;
        let facts = rustix::fs::statx(dir, name, flags, StatxFlags::empty())?;
        if facts.stx_attributes.contains(StatxAttributes::MOUNT_ROOT) {
            return Ok(Some(Obstacle::MountPoint));
        }
        let wanted = rustix::fs::Access::WRITE_OK | rustix::fs::Access::EXEC_OK;
        match rustix::fs::accessat(dir, ".", wanted, AtFlags::EACCESS) {
            Ok(()) => Ok(None),
            Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => Ok(Some(Obstacle::Directory)),
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
        let mut bytes = [0; 16];
        let flags = rustix::rand::GetRandomFlags::empty();
        match retry(|| rustix::rand::getrandom(&mut bytes[..], flags)) {
            Ok(16) => bytes,
            // A name that is not random is still a name: it is compared, never trusted.
            _ => u128::from(std::process::id()).to_le_bytes(),
        }
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

/// The errors by which a system says that it does not know `RENAME_EXCHANGE` or `RENAME_NOREPLACE` here.
fn rename_with(
    dir: &OwnedFd,
    name: &OsStr,
    to: &OwnedFd,
    new: &OsStr,
    flags: RenameFlags,
) -> io::Result<()> {
    match retry(|| rustix::fs::renameat_with(dir, name, to, new, flags)) {
        Err(Errno::INVAL | Errno::NOSYS | Errno::OPNOTSUPP) => {
            Err(io::ErrorKind::Unsupported.into())
        }
        done => Ok(done?),
    }
}

fn open_retrying(dir: &OwnedFd, name: &OsStr, flags: OFlags, mode: Mode) -> io::Result<OwnedFd> {
    Ok(retry(|| rustix::fs::openat(dir, name, flags, mode))?)
}

/// Does a call again that a signal broke off, but not for ever.
fn retry<T>(mut call: impl FnMut() -> rustix::io::Result<T>) -> rustix::io::Result<T> {
    for _ in 0..RACES {
        match call() {
            Err(Errno::INTR) => {}
            done => return done,
        }
    }
    call()
}

fn is_one_of(error: &io::Error, errors: &[Errno]) -> bool {
    errors
        .iter()
        .any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

fn in_proc(file: &OwnedFd) -> PathBuf {
    format!("/proc/self/fd/{}", file.as_raw_fd()).into()
}

/// The system takes away what the user's mask forbids.
fn file_mode(access: Access) -> Mode {
    match access {
        Access::Usual => Mode::from_raw_mode(0o666),
        Access::Private => Mode::RUSR | Mode::WUSR,
    }
}

/// The attribute that holds a file's access list.
const ACCESS_LIST: &str = "system.posix_acl_access";

/// Takes away the access list that a new file got from its directory: the file it stands for may have none.
fn drop_inherited(file: &OwnedFd) -> io::Result<()> {
    match retry(|| rustix::fs::fremovexattr(file, ACCESS_LIST)) {
        Ok(()) | Err(Errno::NODATA | Errno::OPNOTSUPP) => Ok(()),
        Err(error) => Err(error.into()),
    }
}

/// Copies access lists and `user.*` attributes. What a new file has by itself (`security.*`) is left to the system.
fn copy_attributes(from: &OwnedFd, to: &OwnedFd) -> io::Result<()> {
    for name in attribute_names(from)? {
        let bytes = name.as_bytes();
        let kept = bytes.starts_with(b"user.") || bytes == ACCESS_LIST.as_bytes();
        if kept {
            let value = attribute(from, &name)?;
            retry(|| rustix::fs::fsetxattr(to, &*name, &value, XattrFlags::empty()))?;
        }
    }
    Ok(())
}

fn attribute_names(file: &OwnedFd) -> io::Result<Vec<OsString>> {
    let mut names = vec![0; 1024];
    loop {
        match retry(|| rustix::fs::flistxattr(file.as_fd(), &mut names[..])) {
            Ok(filled) => {
                let list = names[..filled].split(|&byte| byte == 0);
                let named = list.filter(|name| !name.is_empty());
                return Ok(named
                    .map(|name| OsString::from_vec(name.to_vec()))
                    .collect());
            }
            Err(Errno::RANGE) => names.resize(names.len() * 4, 0),
            Err(Errno::OPNOTSUPP) => return Ok(Vec::new()),
            Err(error) => return Err(error.into()),
        }
    }
}

fn attribute(file: &OwnedFd, name: &OsStr) -> io::Result<Vec<u8>> {
    let mut value = vec![0; 4096];
    loop {
        match retry(|| rustix::fs::fgetxattr(file.as_fd(), name, &mut value[..])) {
            Ok(filled) => {
                value.truncate(filled);
                return Ok(value);
            }
            Err(Errno::RANGE) => value.resize(value.len() * 4, 0),
            Err(error) => return Err(error.into()),
        }
    }
}

#[expect(
    clippy::unnecessary_cast,
    reason = "the widths differ between architectures"
)]
fn facts(stat: &rustix::fs::Stat) -> Stat {
    let kind = kind(FileType::from_raw_mode(stat.st_mode));
    Stat {
        kind,
        device: stat.st_dev as u64,
        inode: stat.st_ino as u64,
        mode: stat.st_mode & 0o7777,
        owner: stat.st_uid,
        links: stat.st_nlink as u64,
        size: u64::try_from(stat.st_size).unwrap_or(0),
        modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        changed: (stat.st_ctime as i64, stat.st_ctime_nsec as i64),
    }
}

fn kind(of: FileType) -> Kind {
    match of {
        FileType::RegularFile => Kind::File,
        FileType::Directory => Kind::Dir,
        FileType::Symlink => Kind::Link,
        _ => Kind::Special,
    }
}

/// Goes down a path name by name where the system cannot do it in one call. Links are followed by hand, none out of the root.
fn walk(root: &OwnedFd, path: &Path) -> io::Result<OwnedFd> {
    let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let mut dirs = vec![open_retrying(root, OsStr::new("."), flags, Mode::empty())?];
    let mut ahead: Vec<OsString> = names_backwards(path)?;
    let mut links = 0;
    while let Some(name) = ahead.pop() {
        if name == ".." {
            // Above the root there is nothing.
            if dirs.len() == 1 {
                return Err(Errno::XDEV.into());
            }
            dirs.pop();
            continue;
        }
        let here = &dirs[dirs.len() - 1];
        let next = open_retrying(here, &name, flags, Mode::empty())?;
        match facts(&rustix::fs::fstat(&next)?).kind {
            Kind::Link => {
                links += 1;
                if links > LINKS {
                    return Err(Errno::LOOP.into());
                }
                let target = rustix::fs::readlinkat(&next, "", Vec::new())?;
                let target = PathBuf::from(OsString::from_vec(target.into_bytes()));
                ahead.extend(names_backwards(&target)?);
            }
            Kind::Dir => dirs.push(next),
            Kind::File | Kind::Special => return Err(Errno::NOTDIR.into()),
        }
    }
    let found = &dirs[dirs.len() - 1];
    open_retrying(found, OsStr::new("."), READ_DIR, Mode::empty())
}

/// Lists the names of a relative path, the last one first.
fn names_backwards(path: &Path) -> io::Result<Vec<OsString>> {
    let mut names = Vec::new();
    for part in path.components() {
        match part {
            std::path::Component::Normal(name) => names.push(name.to_owned()),
            std::path::Component::ParentDir => names.push("..".into()),
            std::path::Component::CurDir => {}
            std::path::Component::RootDir | std::path::Component::Prefix(_) => {
                return Err(Errno::XDEV.into());
            }
        }
    }
    names.reverse();
    Ok(names)
}
