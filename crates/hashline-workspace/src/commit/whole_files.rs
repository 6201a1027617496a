//! Replaces whole files anywhere on the disk, for callers in Rust such as `setup`. No request of an agent reaches this function, so neither
//! roots nor protected names apply.
//!
//! Files are staged, swapped and compared as in every commit. There is no journal, because that would need one root that contains all the
//! files. If one file fails, the files before it are restored; a process that dies in between leaves some files new, each of them whole.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::entry::{CommitAction, CommitEntry};
use super::staging::{leftovers, move_leftovers, staging_name};
use super::{CommitFailure, CommitFault, Durability};
use crate::error::DiskFault;
use crate::lock::{Locking, Locks};
use crate::system::{FileAccess, Native, Share, System};

/// How long to wait for the locks on the folders of all files.
const LOCK_WAIT: Duration = Duration::from_secs(10);

/// A file that is replaced, created or removed.
#[derive(Clone, Copy, Debug)]
pub struct WholeFile<'a> {
    /// The absolute path of the file, without symbolic links.
    pub path: &'a Path,
    /// The bytes that the file has now; `None` if the file does not exist.
    pub before: Option<&'a [u8]>,
    /// The bytes that the file gets; `None` if the file is removed.
    pub after: Option<&'a [u8]>,
    /// Who may read and write the file, if it is created. An existing file keeps its owner and permissions.
    pub access: FileAccess,
}

/// Why files were not replaced. Except for the files in `left`, all files are as they were.
#[derive(Debug)]
pub struct ReplaceError {
    /// The index of the file that could not be replaced.
    pub file: usize,
    /// The step that failed, such as "reading it".
    pub doing: &'static str,
    /// The I/O error; `None` if another program changed the file.
    pub error: Option<io::Error>,
    /// The indexes of the files that could not be restored.
    pub left: Vec<usize>,
}

impl ReplaceError {
    fn new(file: usize, doing: &'static str, error: io::Error) -> Self {
        Self {
            file,
            doing,
            error: Some(error),
            left: Vec::new(),
        }
    }
}

impl From<CommitFailure> for ReplaceError {
    fn from(failure: CommitFailure) -> Self {
        let denied = || Some(io::ErrorKind::PermissionDenied.into());
        let (doing, error) = match failure.why {
            CommitFault::System(doing, error) => (doing, Some(error)),
            CommitFault::Metadata => ("keeping its owner and permissions", denied()),
            CommitFault::Closed => ("writing it", denied()),
            CommitFault::Changed
            | CommitFault::Taken
            | CommitFault::Stopped(_)
            | CommitFault::Stuck => ("comparing it", None),
        };
        Self {
            file: failure.entry,
            doing,
            error,
            left: Vec::new(),
        }
    }
}

/// Replaces, creates and removes files: all of them, or none. Returns the folders that were created for them. `lock_files` is the folder
/// for lock files, used where folders cannot be locked.
///
/// # Errors
///
/// If a file cannot be written, or does not hold the bytes in [`WholeFile::before`].
pub fn replace_files(
    files: &[WholeFile<'_>],
    lock_files: Option<&Path>,
) -> Result<Vec<PathBuf>, ReplaceError> {
    let mut made = Vec::new();
    let replaced =
        make_folders(files, &mut made).and_then(|dirs| replace_in(&dirs, files, lock_files));
    if let Err(error) = replaced {
        for folder in made.iter().rev() {
            // It fails if another program put something into it, which then stays.
            let _ = fs::remove_dir(folder);
        }
        return Err(error);
    }
    Ok(made)
}

/// Creates the missing folders of the files, adding them to `made`, and opens the folder of each file.
fn make_folders(
    files: &[WholeFile<'_>],
    made: &mut Vec<PathBuf>,
) -> Result<Vec<<Native as System>::Dir>, ReplaceError> {
    let mut dirs = Vec::with_capacity(files.len());
    for (index, file) in files.iter().enumerate() {
        let folder = file.path.parent().unwrap_or(Path::new("/"));
        let dir = make_folder(folder, made).and_then(|()| Native.open_root(folder));
        dirs.push(dir.map_err(|error| ReplaceError::new(index, "making its folder", error))?);
    }
    Ok(dirs)
}

fn make_folder(folder: &Path, made: &mut Vec<PathBuf>) -> io::Result<()> {
    if folder.is_dir() {
        return Ok(());
    }
    if let Some(above) = folder.parent() {
        make_folder(above, made)?;
    }
    match fs::create_dir(folder) {
        Ok(()) => made.push(folder.to_path_buf()),
        // Another process was faster.
        Err(_) if folder.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

fn replace_in(
    dirs: &[<Native as System>::Dir],
    files: &[WholeFile<'_>],
    lock_files: Option<&Path>,
) -> Result<(), ReplaceError> {
    let locking = Locking {
        share: Share::Nobody,
        wait: LOCK_WAIT,
        files: lock_files,
        cancel: None,
    };
    let first = files.first().map(|file| file.path.display().to_string());
    let _locks = match Locks::take(&Native, dirs, &locking, &first.unwrap_or_default()) {
        Err(error) if error.why == DiskFault::Busy => {
            let error = io::ErrorKind::ResourceBusy.into();
            return Err(ReplaceError::new(0, "locking its folder", error));
        }
        // Without a lock the bytes are still compared before and after the swap.
        locks => locks.ok(),
    };
    let mut old = Vec::with_capacity(files.len());
    for (index, (file, dir)) in files.iter().zip(dirs).enumerate() {
        let failed = |error| ReplaceError::new(index, "reading it", error);
        let name = file.path.file_name().unwrap_or_default();
        set_aside_leftovers(dir, name).map_err(failed)?;
        old.push(match file.before {
            None => None,
            Some(_) => match Native.open_file(dir, name) {
                Ok(file) => Some(file),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {
                    return Err(CommitFault::Changed.at(index).into());
                }
                Err(error) => return Err(failed(error)),
            },
        });
    }
    let entries = files.iter().zip(dirs).zip(&old);
    let entries: Vec<CommitEntry<'_, Native>> = entries
        .filter_map(|((file, dir), old)| entry(file, dir, old.as_ref()))
        .collect();
    swap_all(&entries)
}

/// Renames the staging files that a dead process left beside a file, because bytes are never thrown away.
fn set_aside_leftovers(dir: &<Native as System>::Dir, name: &OsStr) -> io::Result<()> {
    let left = leftovers(&Native, dir, name)?;
    let no_folder_for_them = || Err(io::ErrorKind::NotADirectory.into());
    move_leftovers(&Native, no_folder_for_them, (dir, Path::new("")), &left).map(|_| ())
}

fn entry<'a>(
    file: &WholeFile<'a>,
    dir: &'a <Native as System>::Dir,
    old_file: Option<&'a <Native as System>::File>,
) -> Option<CommitEntry<'a, Native>> {
    let action = match (file.before, file.after, old_file) {
        (Some(old), Some(new), Some(file)) => CommitAction::Replace { file, old, new },
        (Some(old), None, _) => CommitAction::Delete { old },
        (None, Some(new), _) => CommitAction::Create {
            new,
            like: None,
            access: file.access,
        },
        _ => return None,
    };
    Some(CommitEntry {
        dir,
        dir_path: PathBuf::new(),
        name: file.path.file_name()?.to_owned(),
        action,
    })
}

type CommitStep = fn(&CommitEntry<'_, Native>) -> Result<(), CommitFault>;

/// Stages all files, swaps all, and compares the displaced files with the old bytes; undoes everything if a step fails.
fn swap_all(entries: &[CommitEntry<'_, Native>]) -> Result<(), ReplaceError> {
    let steps: [CommitStep; 3] = [
        |entry| entry.stage(&Native, Durability::Full),
        |entry| entry.swap(&Native, Durability::Full),
        |entry| entry.check_displaced(&Native),
    ];
    for step in steps {
        for (index, entry) in entries.iter().enumerate() {
            if let Err(why) = step(entry) {
                let left = entries.iter().enumerate().rev();
                let left = left.filter(|(_, entry)| !entry.roll_back(&Native));
                return Err(ReplaceError {
                    left: left.map(|(index, _)| index).collect(),
                    ..why.at(index).into()
                });
            }
        }
    }
    for entry in entries {
        // From here on it is done: a file that cannot be removed is renamed by the next call.
        if !matches!(entry.action, CommitAction::Create { .. }) {
            let _ = Native.unlink(entry.dir, &staging_name(&entry.name));
        }
    }
    Ok(())
}

#[cfg(unix)]
#[cfg(test)]
mod tests {
    use std::ffi::OsStr;
    use std::fs;
    use std::io;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{WholeFile, entry, replace_files, staging_name, swap_all};
    use crate::system::{FileAccess, Native, System};

    fn file<'a>(path: &'a Path, before: Option<&'a str>, after: Option<&'a str>) -> WholeFile<'a> {
        WholeFile {
            path,
            before: before.map(str::as_bytes),
            after: after.map(str::as_bytes),
            access: FileAccess::Usual,
        }
    }

    #[test]
    fn all_are_written_and_nothing_else_is_left() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let paths = ["a", "b", "new/c"].map(|name| folder.path().join(name));
        fs::write(&paths[0], "old")?;
        fs::write(&paths[1], "old")?;
        fs::set_permissions(&paths[0], fs::Permissions::from_mode(0o640))?;
        let made = replace_files(
            &[
                file(&paths[0], Some("old"), Some("new")),
                file(&paths[1], Some("old"), None),
                WholeFile {
                    access: FileAccess::Private,
                    ..file(&paths[2], None, Some("made"))
                },
            ],
            None,
        );
        assert_eq!(made.ok(), Some(vec![folder.path().join("new")]));
        assert_eq!(fs::read(&paths[0])?, b"new");
        assert_eq!(fs::read(&paths[2])?, b"made");
        let mode = |path: &Path| fs::metadata(path).map(|facts| facts.permissions().mode() & 0o777);
        assert_eq!((mode(&paths[0])?, mode(&paths[2])?), (0o640, 0o600));
        assert_eq!(fs::read_dir(folder.path())?.count(), 2);
        assert_eq!(fs::read_dir(folder.path().join("new"))?.count(), 1);
        Ok(())
    }

    #[test]
    fn what_came_in_the_last_moment_is_not_written_over() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        for (there, expected, new) in [
            (Some("theirs"), Some("old"), Some("ours")),
            (Some("theirs"), Some("old"), None),
            (Some("theirs"), None, Some("ours")),
            (None, Some("old"), Some("ours")),
        ] {
            let _ = fs::remove_file(&path);
            if let Some(there) = there {
                fs::write(&path, there)?;
            }
            let refused = replace_files(&[file(&path, expected, new)], None);
            let refused = refused.map_err(|error| (error.error.is_none(), error.left));
            assert_eq!(refused, Err((true, vec![])), "{there:?} {expected:?}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), there);
            let count = fs::read_dir(folder.path())?.count();
            assert_eq!(count, usize::from(there.is_some()));
        }
        Ok(())
    }

    #[test]
    fn what_cannot_be_put_back_is_named_whatever_came_first() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        fs::write(&path, "theirs")?;
        // What was displaced waits under the staging name, and somebody wrote the file since.
        fs::write(folder.path().join(staging_name(OsStr::new("a"))), "old")?;
        let dir = Native.open_root(folder.path())?;
        let file = Native.open_file(&dir, OsStr::new("a"))?;
        let change = self::file(&path, Some("old"), Some("new"));
        let entry = entry(&change, &dir, Some(&file));
        let entries: Vec<_> = entry.into_iter().collect();
        let left = swap_all(&entries).map_err(|error| error.left);
        assert_eq!(left, Err(vec![0]));
        assert_eq!(fs::read(&path)?, b"theirs");
        Ok(())
    }

    #[test]
    fn what_is_put_back_has_the_permissions_it_had() -> io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        let new = folder.path().join("new/c");
        fs::write(&second, "changed meanwhile")?;
        for after in [None, Some("other")] {
            fs::write(&first, "secret")?;
            fs::set_permissions(&first, fs::Permissions::from_mode(0o600))?;
            let files = [
                file(&first, Some("secret"), after),
                file(&new, None, Some("new")),
                file(&second, Some("as it was"), None),
            ];
            let refused = replace_files(&files, None);
            let refused = refused.map_err(|error| (error.file, error.error.is_none(), error.left));
            assert_eq!(refused, Err((2, true, vec![])));
            assert_eq!(fs::read(&first)?, b"secret");
            assert_eq!(fs::metadata(&first)?.permissions().mode() & 0o777, 0o600);
            assert_eq!(fs::read_dir(folder.path())?.count(), 2);
        }
        Ok(())
    }
}
