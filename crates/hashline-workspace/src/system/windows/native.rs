//! [`System`] on Windows, where files and directories are identified by paths.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::io;
use std::path::{Component, Path, PathBuf, Prefix};

use super::names::{is_plain, join};
use super::{opened, positioned, refusal};
use crate::system::{DirEntry, FileAccess, FileKind, Share, Stat, System, read_up_to};

/// The operating system that the program runs on.
#[derive(Clone, Copy, Debug, Default)]
pub struct Native;

/// A file, identified by its path. The file is opened again for every call: older versions of Windows neither replace a file that is open
/// nor free its name when it is removed. The volume and file index tell whether the path still means the same file.
#[derive(Debug)]
pub struct NamedFile {
    path: PathBuf,
    /// The open and locked file, if this is a lock file.
    _lock: Option<File>,
}

/// The size of the first read buffer, in bytes.
const ROOM: u64 = 64 << 10;

impl System for Native {
    /// The canonical path of a directory.
    type Dir = PathBuf;
    type File = NamedFile;

    fn open_root(&self, path: &Path) -> io::Result<PathBuf> {
        let real = usual(&path.canonicalize()?);
        is_directory(&real).map(|()| real)
    }

    fn open_dir(&self, root: &PathBuf, path: &Path) -> io::Result<PathBuf> {
        let leads_out = || Err(io::ErrorKind::CrossesDevices.into());
        for part in path.components() {
            match part {
                Component::Normal(name) if !is_plain(name) => {
                    return Err(io::ErrorKind::InvalidFilename.into());
                }
                Component::Normal(_) | Component::CurDir | Component::ParentDir => {}
                Component::RootDir | Component::Prefix(_) => return leads_out(),
            }
        }
        let real = usual(&root.join(path).canonicalize()?);
        if !real.starts_with(root) {
            return leads_out();
        }
        is_directory(&real).map(|()| real)
    }

    fn open_child(&self, dir: &PathBuf, name: &OsStr) -> io::Result<PathBuf> {
        let path = join(dir, name)?;
        is_directory(&path).map(|()| path)
    }

    fn open_file(&self, dir: &PathBuf, name: &OsStr) -> io::Result<NamedFile> {
        let file = NamedFile::at(join(dir, name)?);
        file.open_to_read().map(|_| file)
    }

    fn open_to_overwrite(&self, dir: &PathBuf, name: &OsStr) -> io::Result<NamedFile> {
        let file = NamedFile::at(join(dir, name)?);
        file.open_to_write().map(|_| file)
    }

    fn read_link(&self, dir: &PathBuf, name: &OsStr) -> io::Result<PathBuf> {
        join(dir, name)?.read_link()
    }

    fn stat(&self, file: &NamedFile) -> io::Result<Stat> {
        opened::stat_path(&file.path)
    }

    fn stat_dir(&self, dir: &PathBuf) -> io::Result<Stat> {
        opened::stat_path(dir)
    }

    fn stat_at(&self, dir: &PathBuf, name: &OsStr) -> io::Result<Stat> {
        opened::stat_path(&join(dir, name)?)
    }

    fn exists(&self, path: &Path) -> bool {
        path.symlink_metadata().is_ok()
    }

    fn path_of(&self, dir: &PathBuf) -> io::Result<PathBuf> {
        Ok(dir.clone())
    }

    fn entries(&self, dir: &PathBuf) -> io::Result<Vec<DirEntry>> {
        let entry = |entry: io::Result<std::fs::DirEntry>| {
            let entry = entry?;
            let (name, kind) = (entry.file_name(), opened::kind(entry.file_type()?));
            Ok(DirEntry { name, kind })
        };
        std::fs::read_dir(dir)?.map(entry).collect()
    }

    fn read(&self, file: &NamedFile, most: u64) -> io::Result<Vec<u8>> {
        let file = file.open_to_read()?;
        read_up_to(most, ROOM, |into, at| positioned::read(&file, into, at))
    }

    fn read_at(&self, file: &NamedFile, at: u64, into: &mut [u8]) -> io::Result<usize> {
        positioned::read(&file.open_to_read()?, into, at)
    }

    fn create_unnamed(&self, _dir: &PathBuf, _access: FileAccess) -> io::Result<NamedFile> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn create(&self, dir: &PathBuf, name: &OsStr, _access: FileAccess) -> io::Result<NamedFile> {
        let path = join(dir, name)?;
        File::create_new(&path).map(|_| NamedFile::at(path))
    }

    fn write(&self, file: &NamedFile, bytes: &[u8]) -> io::Result<()> {
        let file = file.open_to_write()?;
        positioned::write_all(&file, bytes, 0)?;
        file.set_len(bytes.len() as u64)
    }

    fn copy_metadata(&self, _from: &NamedFile, _to: &NamedFile) -> io::Result<()> {
        // Only writable files are replaced, and the standard library knows no other permission.
        Ok(())
    }

    fn link(&self, _file: &NamedFile, _dir: &PathBuf, _name: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn link_name(&self, dir: &PathBuf, name: &OsStr, to: &PathBuf, new: &OsStr) -> io::Result<()> {
        std::fs::hard_link(join(dir, name)?, join(to, new)?)
    }

    fn rename(&self, dir: &PathBuf, name: &OsStr, to: &PathBuf, new: &OsStr) -> io::Result<()> {
        std::fs::rename(join(dir, name)?, join(to, new)?)
    }

    fn rename_new(&self, _: &PathBuf, _: &OsStr, _: &PathBuf, _: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn exchange(&self, _dir: &PathBuf, _name: &OsStr, _other: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn unlink(&self, dir: &PathBuf, name: &OsStr) -> io::Result<()> {
        std::fs::remove_file(join(dir, name)?)
    }

    fn make_dir(&self, dir: &PathBuf, name: &OsStr, _access: FileAccess) -> io::Result<()> {
        std::fs::create_dir(join(dir, name)?)
    }

    fn remove_dir(&self, dir: &PathBuf, name: &OsStr) -> io::Result<()> {
        std::fs::remove_dir(join(dir, name)?)
    }

    fn sync(&self, file: &NamedFile) -> io::Result<()> {
        file.open_to_write()?.sync_all()
    }

    fn sync_dir(&self, _dir: &PathBuf) -> io::Result<()> {
        // There is no call for it.
        Ok(())
    }

    fn try_lock(&self, _dir: &PathBuf, _share: Share) -> io::Result<bool> {
        Err(io::ErrorKind::Unsupported.into())
    }

    fn lock_file(
        &self,
        folder: &Path,
        name: &OsStr,
        share: Share,
    ) -> io::Result<Option<NamedFile>> {
        std::fs::create_dir_all(folder)?;
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true);
        let path = join(folder, name)?;
        let file = opened::open(&path, &mut options)?;
        let locked = match share {
            Share::Readers => file.try_lock_shared(),
            Share::Nobody => file.try_lock(),
        };
        match locked {
            Ok(()) => Ok(Some(NamedFile {
                path,
                _lock: Some(file),
            })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(error)) => Err(error),
        }
    }

    fn is_remote(&self, dir: &PathBuf) -> io::Result<bool> {
        Ok(matches!(
            prefix(dir),
            Some(Prefix::UNC(..) | Prefix::VerbatimUNC(..))
        ))
    }

    fn can_replace(&self, _dir: &PathBuf, _name: &OsStr) -> io::Result<bool> {
        Ok(true)
    }

    fn unlock(&self, _dir: &PathBuf) -> io::Result<()> {
        Ok(())
    }

    fn user(&self) -> u32 {
        0
    }

    fn random(&self) -> [u8; 16] {
        // The standard library has no other random numbers. They are good enough for names, which nothing trusts to be secret.
        let half = || u128::from(RandomState::new().build_hasher().finish());
        (half() << 64 | half()).to_le_bytes()
    }
}

impl NamedFile {
    fn at(path: PathBuf) -> Self {
        Self { path, _lock: None }
    }

    fn open_to_read(&self) -> io::Result<File> {
        opened::open(&self.path, OpenOptions::new().read(true))
    }

    fn open_to_write(&self) -> io::Result<File> {
        opened::open(&self.path, OpenOptions::new().read(true).write(true))
    }
}

/// Fails if a path is a symbolic link, or not a directory.
pub(super) fn is_directory(path: &Path) -> io::Result<()> {
    match opened::stat_path(path)?.kind {
        FileKind::Dir => Ok(()),
        FileKind::Link => Err(refusal::link()),
        FileKind::File | FileKind::Special => Err(io::ErrorKind::NotADirectory.into()),
    }
}

/// Returns a canonical path in its usual form: `\\?\C:\a` becomes `C:\a`.
pub(super) fn usual(path: &Path) -> PathBuf {
    match prefix(path) {
        Some(Prefix::VerbatimDisk(drive)) => {
            let root = PathBuf::from(format!("{}:\\", char::from(drive)));
            path.components()
                .skip(2)
                .fold(root, |path, part| path.join(part))
        }
        _ => path.to_path_buf(),
    }
}

fn prefix(path: &Path) -> Option<Prefix<'_>> {
    match path.components().next() {
        Some(Component::Prefix(prefix)) => Some(prefix.kind()),
        _ => None,
    }
}
