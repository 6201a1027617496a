//! Every system call of this crate, behind one small trait.
//!
//! The commit code is written against [`System`] only, so that tests can run it on a simulated disk that loses whatever was not synced.
//! Nothing here decides anything: a method is one system call, or the few that make up one step on every system.
//!
//! `unix` and `windows` each implement [`Native`] and the few things that the user's own state needs: a private folder, reads and writes
//! at an offset, kinds of errors. No other module knows which system it runs on.

mod private_folder;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::ffi::{OsStr, OsString};
use std::fmt::Debug;
use std::io;
use std::path::{Path, PathBuf};

#[cfg(unix)]
use unix as own;
#[cfg(windows)]
use windows as own;

pub use own::Native;
pub(crate) use own::{HOME, file_size, names, positioned, refusal};
pub(crate) use private_folder::{IfMissing, PrivateFolder};

/// A file system.
pub trait System {
    /// An open directory. Everything is done relative to one; no path is resolved twice.
    type Dir: Debug;
    /// An open file.
    type File: Debug;

    /// Opens a root, by the path the user gave.
    fn open_root(&self, path: &Path) -> io::Result<Self::Dir>;

    /// Opens a directory below a root. Links are followed, but none out of the root. An empty path is the root itself.
    fn open_dir(&self, root: &Self::Dir, path: &Path) -> io::Result<Self::Dir>;

    /// Opens one directory by its name, without following a link.
    fn open_child(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::Dir>;

    /// Opens a file for reading by its name, without following a link, and without blocking if it is a pipe.
    fn open_file(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Opens a file for overwriting by its name, without following a link.
    fn open_to_overwrite(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Returns the target of a link.
    fn read_link(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<PathBuf>;

    /// Returns the metadata of an open file.
    fn stat(&self, file: &Self::File) -> io::Result<Stat>;

    /// Returns the metadata of an open directory.
    fn stat_dir(&self, dir: &Self::Dir) -> io::Result<Stat>;

    /// Returns the metadata of a name, without following a link.
    fn stat_at(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Stat>;

    /// Returns whether anything has this path, inside a root or not.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the real path of a directory.
    fn path_of(&self, dir: &Self::Dir) -> io::Result<PathBuf>;

    /// Lists what is in a directory, in no order. The directory must not have been listed before: on Linux a second listing goes on
    /// where the first one ended.
    fn entries(&self, dir: &Self::Dir) -> io::Result<Vec<DirEntry>>;

    /// Reads a file from its beginning, at most `most` bytes of it.
    fn read(&self, file: &Self::File, most: u64) -> io::Result<Vec<u8>>;

    /// Reads a file of about `size` bytes from its beginning into a buffer that is reused, at most `most` bytes of it.
    fn read_into(
        &self,
        file: &Self::File,
        size: u64,
        most: u64,
        into: &mut Vec<u8>,
    ) -> io::Result<()> {
        let _ = size;
        *into = self.read(file, most)?;
        Ok(())
    }

    /// Reads some bytes of a file from an offset; none at its end.
    fn read_at(&self, file: &Self::File, at: u64, into: &mut [u8]) -> io::Result<usize>;

    /// Creates a file that has no name yet; `Unsupported` where the system cannot do that.
    fn create_unnamed(&self, dir: &Self::Dir, access: FileAccess) -> io::Result<Self::File>;

    /// Creates a file that must not exist yet.
    fn create(&self, dir: &Self::Dir, name: &OsStr, access: FileAccess) -> io::Result<Self::File>;

    /// Writes bytes from the beginning of a file, and truncates it after them.
    fn write(&self, file: &Self::File, bytes: &[u8]) -> io::Result<()>;

    /// Gives a file the owner, permissions, access lists and `user.*` attributes of another.
    fn copy_metadata(&self, from: &Self::File, to: &Self::File) -> io::Result<()>;

    /// Gives an unnamed file a name that must not be taken.
    fn link(&self, file: &Self::File, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Gives a named file a second name that must not be taken.
    fn link_name(
        &self,
        dir: &Self::Dir,
        name: &OsStr,
        to: &Self::Dir,
        new: &OsStr,
    ) -> io::Result<()>;

    /// Renames; a file of the new name is replaced.
    fn rename(&self, dir: &Self::Dir, name: &OsStr, to: &Self::Dir, new: &OsStr) -> io::Result<()>;

    /// Renames to a name that must not be taken.
    fn rename_new(
        &self,
        dir: &Self::Dir,
        name: &OsStr,
        to: &Self::Dir,
        new: &OsStr,
    ) -> io::Result<()>;

    /// Exchanges two names of one directory in one step.
    fn exchange(&self, dir: &Self::Dir, name: &OsStr, other: &OsStr) -> io::Result<()>;

    /// Removes the name of a file.
    fn unlink(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Creates a directory.
    fn make_dir(&self, dir: &Self::Dir, name: &OsStr, access: FileAccess) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_dir(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Makes a file's bytes durable.
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Makes a directory's names durable.
    fn sync_dir(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Tries to lock a directory until it is unlocked or dropped; returns whether that worked. `Unsupported` where directories cannot be
    /// locked.
    fn try_lock(&self, dir: &Self::Dir, share: Share) -> io::Result<bool>;

    /// Tries to lock a lock file, and creates it if it is missing; `None` if another process holds the lock. Dropping the file releases it.
    fn lock_file(
        &self,
        folder: &Path,
        name: &OsStr,
        share: Share,
    ) -> io::Result<Option<Self::File>>;

    /// Returns whether a directory is on a network file system.
    fn is_remote(&self, dir: &Self::Dir) -> io::Result<bool>;

    /// Returns whether another file can take the name of a file: not if the name is a mount point, or nothing can be created in the
    /// directory.
    fn can_replace(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<bool>;

    /// Releases a lock.
    fn unlock(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Returns the user we act for.
    fn user(&self) -> u32;

    /// Returns 16 random bytes.
    fn random(&self) -> [u8; 16];
}

/// What is in a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The name.
    pub name: OsString,
    /// What it is. Links are not followed.
    pub kind: FileKind,
}

/// Who else may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Other readers.
    Readers,
    /// Nobody.
    Nobody,
}

/// Who may use a new file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// As the umask says.
    Usual,
    /// Only its owner.
    Private,
}

/// What a name is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Dir,
    /// A symbolic link.
    Link,
    /// A pipe, socket or device.
    Special,
}

/// The metadata of a file that matters here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// What it is.
    pub kind: FileKind,
    /// Its device.
    pub device: u64,
    /// Its inode number.
    pub inode: u64,
    /// Its permission bits, the special ones too.
    pub mode: u32,
    /// Its owner.
    pub owner: u32,
    /// How many hard links it has.
    pub links: u64,
    /// Its size.
    pub size: u64,
    /// The time of the last change of its bytes (mtime), in seconds and nanoseconds.
    pub modified: (i64, i64),
    /// The time of the last change of its metadata (ctime), in seconds and nanoseconds.
    pub changed: (i64, i64),
}

/// Turns the error for a missing file into `None`.
pub(crate) fn none_if_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Reads a file from its beginning, at most `most` bytes of it, with room for `size` bytes at first. `read_at` reads some bytes at a place,
/// none at the end.
fn read_up_to(
    most: u64,
    size: u64,
    mut read_at: impl FnMut(&mut [u8], u64) -> io::Result<usize>,
) -> io::Result<Vec<u8>> {
    // One byte more, so that the end is found without growing the buffer.
    let room = usize::try_from(size.min(most)).unwrap_or(usize::MAX);
    let mut bytes = vec![0; room.saturating_add(1)];
    let mut filled = 0;
    while (filled as u64) < most {
        if filled == bytes.len() {
            bytes.resize(bytes.len() * 2, 0);
        }
        let room = usize::try_from(most - filled as u64).unwrap_or(usize::MAX);
        let end = bytes.len().min(filled.saturating_add(room));
        match read_at(&mut bytes[filled..end], filled as u64)? {
            0 => break,
            count => filled += count,
        }
    }
    bytes.truncate(filled);
    Ok(bytes)
}

impl Stat {
    /// Returns the device and inode: two names with the same identity are the same file.
    #[must_use]
    pub fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}
