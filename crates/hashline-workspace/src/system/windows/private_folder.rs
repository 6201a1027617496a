//! System calls for folders of the user's own state, in addition to [`super::Native`]. Such a folder is in the user's profile, which
//! Windows protects from other users, so permissions are not checked.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::native::{is_directory, usual};
use super::opened;
use crate::system::IfMissing;

/// The name of the file that is locked to lock its folder: Windows cannot lock folders themselves.
const LOCK: &str = "lock";

/// Opens a folder; it must not be a symbolic link.
pub(crate) fn open_private(path: &Path) -> io::Result<PathBuf> {
    is_directory(path)?;
    Ok(usual(&path.canonicalize()?))
}

/// Creates a folder and its missing parents.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Opens the file that must be locked to lock a folder.
pub(crate) fn lock_of_private(dir: &PathBuf) -> io::Result<File> {
    open_in_private(dir, LOCK, IfMissing::Make)
}

/// Opens a file for reading and writing.
pub(crate) fn open_in_private(dir: &PathBuf, name: &str, missing: IfMissing) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options.create(missing != IfMissing::Refuse);
    let file = opened::open(&dir.join(name), &mut options)?;
    if missing == IfMissing::MakeEmpty {
        // Not while it is opened: if it is a link, the link itself would be truncated.
        file.set_len(0)?;
    }
    Ok(file)
}
