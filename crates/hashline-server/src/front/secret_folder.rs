//! The folder that only the user may enter, in which the token file and the Unix socket are stored.
//!
//! On Unix the folder is opened once and used through its descriptor, so that nobody can replace it between the check and the use. On other systems
//! the folder lies in the user's profile, and files created in it inherit the permissions of the profile.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::front::error::FrontError;

#[cfg(unix)]
pub(crate) use unix::FileId;

/// The open folder for secrets.
#[derive(Debug)]
pub(crate) struct SecretFolder {
    #[cfg(unix)]
    dir: File,
    #[cfg(not(unix))]
    path: std::path::PathBuf,
}

/// Splits a path into its folder and its file name.
fn split(path: &Path) -> Result<(&Path, String), FrontError> {
    let name = path.file_name().and_then(|name| name.to_str());
    match (path.parent(), name) {
        (Some(folder), Some(name)) if !folder.as_os_str().is_empty() => {
            Ok((folder, name.to_owned()))
        }
        (Some(_), Some(name)) => Ok((Path::new("."), name.to_owned())),
        _ => Err(FrontError::BadPath(path.to_owned())),
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::DirBuilder;
    use std::os::unix::fs::DirBuilderExt;

    use rustix::fs::{AtFlags, FileType, FlockOperation, Mode, OFlags, Stat};
    use rustix::io::Errno;

    use super::{File, FrontError, Path, SecretFolder, io, split};

    const FOLDER: OFlags = OFlags::RDONLY
        .union(OFlags::DIRECTORY)
        .union(OFlags::NOFOLLOW)
        .union(OFlags::CLOEXEC);

    const NEW: OFlags = OFlags::WRONLY
        .union(OFlags::CREATE)
        .union(OFlags::EXCL)
        .union(OFlags::NOFOLLOW)
        .union(OFlags::CLOEXEC);

    // NONBLOCK: opening a pipe of this name would wait for somebody to write to it.
    const EXISTING: OFlags = OFlags::RDONLY
        .union(OFlags::NOFOLLOW)
        .union(OFlags::NONBLOCK)
        .union(OFlags::CLOEXEC);

    /// The identity of a file, to notice that another file has taken its name.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub(crate) struct FileId {
        device: u64,
        inode: u64,
        pub(crate) is_own_socket: bool,
    }

    impl FileId {
        #[expect(
            clippy::unnecessary_cast,
            reason = "the widths and signs of these fields differ between systems"
        )]
        fn of(stat: &Stat) -> Self {
            let is_socket = FileType::from_raw_mode(stat.st_mode) == FileType::Socket;
            Self {
                device: stat.st_dev as u64,
                inode: stat.st_ino as u64,
                is_own_socket: is_socket && is_own(stat),
            }
        }
    }

    impl SecretFolder {
        /// Opens the folder of a path, creating it if it is missing, and returns the folder and the file name.
        pub(crate) fn of(path: &Path) -> Result<(Self, String), FrontError> {
            let (folder, name) = split(path)?;
            let io = FrontError::io(folder);
            let mut builder = DirBuilder::new();
            builder.recursive(true).mode(0o700);
            builder.create(folder).map_err(&io)?;
            let opened = rustix::fs::open(folder, FOLDER, Mode::empty());
            let dir = opened.map_err(|error| match error {
                // A link to a folder is somebody else's choice of where our secret goes.
                Errno::LOOP | Errno::NOTDIR => FrontError::NotPrivate(folder.to_owned()),
                error => io(error.into()),
            })?;
            let stat = rustix::fs::fstat(&dir).map_err(|error| io(error.into()))?;
            let others = Mode::from_raw_mode(stat.st_mode) & (Mode::RWXG | Mode::RWXO);
            if others.is_empty() && is_own(&stat) {
                Ok((Self { dir: dir.into() }, name))
            } else {
                Err(FrontError::NotPrivate(folder.to_owned()))
            }
        }

        /// Creates a file of mode 0600; fails if the name exists.
        pub(crate) fn create(&self, name: &str) -> io::Result<File> {
            let file = rustix::fs::openat(&self.dir, name, NEW, Mode::RUSR | Mode::WUSR)?;
            // The umask may have taken rights from the owner too.
            rustix::fs::fchmod(&file, Mode::RUSR | Mode::WUSR)?;
            Ok(file.into())
        }

        /// Opens a file of the folder for reading.
        pub(crate) fn open(&self, name: &str) -> io::Result<File> {
            Ok(rustix::fs::openat(&self.dir, name, EXISTING, Mode::empty())?.into())
        }

        /// Removes a file of the folder, if it exists.
        pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
            match rustix::fs::unlinkat(&self.dir, name, AtFlags::empty()) {
                Ok(()) | Err(Errno::NOENT) => Ok(()),
                Err(error) => Err(error.into()),
            }
        }

        /// Returns the identity of the file with this name, if it exists.
        pub(crate) fn file_id(&self, name: &str) -> io::Result<Option<FileId>> {
            match rustix::fs::statat(&self.dir, name, AtFlags::SYMLINK_NOFOLLOW) {
                Ok(stat) => Ok(Some(FileId::of(&stat))),
                Err(Errno::NOENT) => Ok(None),
                Err(error) => Err(error.into()),
            }
        }

        /// Sets the mode of a file in the folder to 0600.
        pub(crate) fn set_private(&self, name: &str) -> io::Result<()> {
            let mode = Mode::RUSR | Mode::WUSR;
            rustix::fs::chmodat(&self.dir, name, mode, AtFlags::empty())?;
            Ok(())
        }

        /// Locks the folder against other servers that check and create files in it. The lock is released when the returned file is dropped.
        pub(crate) fn lock(&self) -> io::Result<File> {
            let lock: File = rustix::fs::openat(&self.dir, ".", FOLDER, Mode::empty())?.into();
            rustix::fs::flock(&lock, FlockOperation::LockExclusive)?;
            Ok(lock)
        }
    }

    fn is_own(stat: &Stat) -> bool {
        stat.st_uid == rustix::process::geteuid().as_raw()
    }
}

#[cfg(not(unix))]
impl SecretFolder {
    /// Opens the folder of a path, creating it if it is missing, and returns the folder and the file name.
    pub(crate) fn of(path: &Path) -> Result<(Self, String), FrontError> {
        let (folder, name) = split(path)?;
        std::fs::create_dir_all(folder).map_err(FrontError::io(folder))?;
        let path = folder.to_owned();
        Ok((Self { path }, name))
    }

    /// Creates a file; fails if the name exists.
    pub(crate) fn create(&self, name: &str) -> io::Result<File> {
        File::create_new(self.path.join(name))
    }

    /// Opens a file of the folder for reading.
    pub(crate) fn open(&self, name: &str) -> io::Result<File> {
        File::open(self.path.join(name))
    }

    /// Removes a file of the folder, if it exists.
    pub(crate) fn remove(&self, name: &str) -> io::Result<()> {
        match std::fs::remove_file(self.path.join(name)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }
}
