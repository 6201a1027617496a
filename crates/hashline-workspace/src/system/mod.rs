//! Every system call of this crate, behind one small trait.
//!
//! The commit code is written against [`System`] only, so that tests can run it on a simulated disk that loses all bytes that were not
//! synced. Implementations of the trait make no decisions: a method is one system call, or the few calls that make up one step on every
//! system.
//!
//! `unix` and `windows` each implement [`Native`] and the functions that the user's state directory needs: private folders, reads and
//! writes at an offset, kinds of errors. No other module depends on the operating system.

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
pub(crate) use own::{HOME, names, positioned, refusal};
pub(crate) use private_folder::{IfMissing, PrivateFolder};

/// The system calls of a file system, real or simulated.
pub trait System {
    /// An open directory. All calls are relative to an open directory, so that no path is resolved twice.
    type Dir: Debug;
    /// An open file.
    type File: Debug;

    /// Opens a root directory by the path that the user gave.
    fn open_root(&self, path: &Path) -> io::Result<Self::Dir>;

    /// Opens a directory below a root. Symbolic links are followed, unless they lead out of the root. An empty path is the root itself.
    fn open_dir(&self, root: &Self::Dir, path: &Path) -> io::Result<Self::Dir>;

    /// Opens a subdirectory by its name, without following a symbolic link.
    fn open_child(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::Dir>;

    /// Opens a file for reading by its name, without following a symbolic link, and without blocking if the file is a pipe.
    fn open_file(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Opens a file for overwriting by its name, without following a symbolic link.
    fn open_to_overwrite(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Self::File>;

    /// Returns the target of a symbolic link.
    fn read_link(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<PathBuf>;

    /// Returns the metadata of an open file.
    fn stat(&self, file: &Self::File) -> io::Result<Stat>;

    /// Returns the metadata of an open directory.
    fn stat_dir(&self, dir: &Self::Dir) -> io::Result<Stat>;

    /// Returns the metadata of a name in a directory, without following a symbolic link.
    fn stat_at(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<Stat>;

    /// Returns whether a path exists, inside a root or not.
    fn exists(&self, path: &Path) -> bool;

    /// Returns the real path of an open directory.
    fn path_of(&self, dir: &Self::Dir) -> io::Result<PathBuf>;

    /// Lists the entries of a directory, in no particular order. The directory must not have been listed before through this handle: on
    /// Linux a second listing starts where the first one ended.
    fn entries(&self, dir: &Self::Dir) -> io::Result<Vec<DirEntry>>;

    /// Reads a file from its beginning, at most `most` bytes.
    fn read(&self, file: &Self::File, most: u64) -> io::Result<Vec<u8>>;

    /// Reads a file from its beginning into a reused buffer, at most `most` bytes. `size` is the expected size of the file.
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

    /// Reads bytes of a file from the offset `at`; returns how many were read, 0 at the end of the file.
    fn read_at(&self, file: &Self::File, at: u64, into: &mut [u8]) -> io::Result<usize>;

    /// Creates a file that has no name yet; fails with `Unsupported` where the system cannot do that.
    fn create_unnamed(&self, dir: &Self::Dir, access: FileAccess) -> io::Result<Self::File>;

    /// Creates a file for writing; fails if the name exists.
    fn create(&self, dir: &Self::Dir, name: &OsStr, access: FileAccess) -> io::Result<Self::File>;

    /// Writes bytes from the beginning of a file, and truncates the file after them.
    fn write(&self, file: &Self::File, bytes: &[u8]) -> io::Result<()>;

    /// Copies the owner, permissions, access control lists and `user.*` attributes of one file to another.
    fn copy_metadata(&self, from: &Self::File, to: &Self::File) -> io::Result<()>;

    /// Gives an unnamed file a name; fails if the name exists.
    fn link(&self, file: &Self::File, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Gives a file a second name (a hard link); fails if the new name exists.
    fn link_name(
        &self,
        dir: &Self::Dir,
        name: &OsStr,
        to: &Self::Dir,
        new: &OsStr,
    ) -> io::Result<()>;

    /// Renames a file; a file with the new name is replaced.
    fn rename(&self, dir: &Self::Dir, name: &OsStr, to: &Self::Dir, new: &OsStr) -> io::Result<()>;

    /// Renames a file; fails if the new name exists.
    fn rename_new(
        &self,
        dir: &Self::Dir,
        name: &OsStr,
        to: &Self::Dir,
        new: &OsStr,
    ) -> io::Result<()>;

    /// Exchanges two names in one directory in one atomic step.
    fn exchange(&self, dir: &Self::Dir, name: &OsStr, other: &OsStr) -> io::Result<()>;

    /// Removes the name of a file.
    fn unlink(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Creates a directory.
    fn make_dir(&self, dir: &Self::Dir, name: &OsStr, access: FileAccess) -> io::Result<()>;

    /// Removes an empty directory.
    fn remove_dir(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<()>;

    /// Syncs the bytes of a file to the disk, so that they survive a power cut.
    fn sync(&self, file: &Self::File) -> io::Result<()>;

    /// Syncs the names in a directory to the disk, so that they survive a power cut.
    fn sync_dir(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Tries to lock a directory until it is unlocked or dropped; returns whether the lock was free. Fails with `Unsupported` where
    /// directories cannot be locked.
    fn try_lock(&self, dir: &Self::Dir, share: Share) -> io::Result<bool>;

    /// Tries to lock a lock file, creating it if it is missing; `None` if another process holds the lock. Dropping the returned file
    /// releases the lock.
    fn lock_file(
        &self,
        folder: &Path,
        name: &OsStr,
        share: Share,
    ) -> io::Result<Option<Self::File>>;

    /// Returns whether a directory is on a network file system.
    fn is_remote(&self, dir: &Self::Dir) -> io::Result<bool>;

    /// Returns whether a new file can take the name of an existing one: not if the name is a mount point, or if we cannot create files in
    /// the directory.
    fn can_replace(&self, dir: &Self::Dir, name: &OsStr) -> io::Result<bool>;

    /// Releases the lock on a directory.
    fn unlock(&self, dir: &Self::Dir) -> io::Result<()>;

    /// Returns the effective user id of this process.
    fn user(&self) -> u32;

    /// Returns 16 random bytes.
    fn random(&self) -> [u8; 16];
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DirEntry {
    /// The name of the entry.
    pub name: OsString,
    /// The type of the entry. Symbolic links are not followed.
    pub kind: FileKind,
}

/// Who else may hold a lock at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Other readers: a shared lock.
    Readers,
    /// Nobody: an exclusive lock.
    Nobody,
}

/// Who may read and write a new file or directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileAccess {
    /// Everyone that the umask allows.
    Usual,
    /// Only the owner.
    Private,
}

/// The type of a file.
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

/// The metadata of a file or directory that this crate uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// The type of the file.
    pub kind: FileKind,
    /// The id of the device that holds the file.
    pub device: u64,
    /// The inode number.
    pub inode: u64,
    /// The permission bits, with setuid, setgid and sticky bit.
    pub mode: u32,
    /// The user id of the owner.
    pub owner: u32,
    /// The number of hard links.
    pub links: u64,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change of the content (mtime), in seconds and nanoseconds.
    pub modified: (i64, i64),
    /// The time of the last change of the content or metadata (ctime), in seconds and nanoseconds.
    pub changed: (i64, i64),
}

/// Turns the error for a missing file into `None`.
pub(crate) fn none_if_missing<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

/// Reads a file from its beginning, at most `most` bytes; the first buffer has room for `size` bytes. `read_at` reads bytes at an offset
/// and returns how many were read, 0 at the end.
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
