//! What a folder of the user's own state needs in addition to [`super::Native`]. It is in the user's profile, which Windows protects from other
//! users, so permissions are not checked.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

use super::native::{is_directory, usual};
use super::opened;
use crate::system::IfMissing;

/// The file that is locked to lock the folder: folders themselves cannot be locked.
const LOCK: &str = "lock";

/// Opens a folder; it must not be a link.
pub(crate) fn open_private(path: &Path) -> io::Result<PathBuf> {
    is_directory(path)?;
    Ok(usual(&path.canonicalize()?))
}

/// Creates a folder, and those above it.
pub(crate) fn make_private(path: &Path) -> io::Result<()> {
    std::fs::create_dir_all(path)
}

/// Opens the file that is locked to lock a folder.
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
