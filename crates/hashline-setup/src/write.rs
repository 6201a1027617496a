//! Files are written whole, and all of them or none: when one fails, those before it are put back.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use crate::disk;
use crate::error::{Refused, SystemSaid};

/// What becomes of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file, as setup knows it.
    pub path: PathBuf,
    /// Where it really lies.
    pub(crate) real: PathBuf,
    /// Its bytes before; nothing if there was no such file.
    pub before: Option<Vec<u8>>,
    /// Its bytes after; nothing if it goes.
    pub after: Option<Vec<u8>>,
}

/// What was done so far, so that it can be undone.
#[derive(Default)]
struct Done<'a> {
    files: Vec<&'a Change>,
    folders: Vec<PathBuf>,
}

/// Makes the changes; returns the folders that were made for them.
pub(crate) fn write_all(changes: &[Change]) -> Result<Vec<PathBuf>, Refused> {
    let mut done = Done::default();
    for change in changes {
        match write_one(change, &mut done.folders) {
            Ok(()) => done.files.push(change),
            Err(refused) => return Err(undo(done, refused)),
        }
    }
    Ok(done.folders)
}

fn write_one(change: &Change, made: &mut Vec<PathBuf>) -> Result<(), Refused> {
    let failed =
        |doing, error: &io::Error| Refused::System(SystemSaid::new(&change.path, doing, error));
    if disk::look(&change.path)?.bytes != change.before {
        let path = change.path.clone();
        return Err(Refused::Changed { path });
    }
    match &change.after {
        None => fs::remove_file(&change.real).map_err(|error| failed("removing it", &error)),
        Some(bytes) => {
            let folder = change.real.parent().unwrap_or(Path::new("/"));
            make_folders(folder, made).map_err(|error| failed("making its folder", &error))?;
            replace(&change.real, bytes).map_err(|error| failed("writing it", &error))
        }
    }
}

fn undo(done: Done<'_>, refused: Refused) -> Refused {
    let put_back = |change: &&&Change| match &change.before {
        None => fs::remove_file(&change.real).is_err(),
        Some(bytes) => replace(&change.real, bytes).is_err(),
    };
    let left = done.files.iter().rev().filter(put_back);
    let left: Vec<PathBuf> = left.map(|change| change.path.clone()).collect();
    for folder in done.folders.iter().rev() {
        // One that is not empty is somebody's by now.
        let _ = fs::remove_dir(folder);
    }
    match refused {
        Refused::System(first) if !left.is_empty() => Refused::Stuck { first, left },
        refused => refused,
    }
}

/// Makes a folder and those above it, and keeps in mind which.
fn make_folders(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folders(above, made)?;
    }
    fs::create_dir(folder)?;
    made.push(folder.to_path_buf());
    Ok(())
}

/// Puts bytes in the place of a file, with its owner and permissions.
pub(crate) fn replace(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = new_file(folder)?;
    if let Ok(facts) = fs::metadata(path) {
        keep_owner(file.as_file(), &facts)?;
        file.as_file().set_permissions(facts.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|error| error.error)?;
    Ok(())
}

#[cfg(unix)]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // As any other program would make it: the user's habits take away what they take away.
    let usual = fs::Permissions::from_mode(0o666);
    tempfile::Builder::new()
        .prefix(".hashline-")
        .permissions(usual)
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    tempfile::Builder::new()
        .prefix(".hashline-")
        .tempfile_in(folder)
}

/// Gives a file the owner of the one it takes the place of: an administrator must not take a person's file away.
#[cfg(unix)]
fn keep_owner(file: &fs::File, before: &fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt, fchown};
    let now = file.metadata()?;
    if (now.uid(), now.gid()) == (before.uid(), before.gid()) {
        return Ok(());
    }
    fchown(file, Some(before.uid()), Some(before.gid()))
}

#[cfg(not(unix))]
fn keep_owner(_file: &fs::File, _before: &fs::Metadata) -> io::Result<()> {
    Ok(())
}
