//! Files are written whole, and all of them or none: when one fails, those before it are put back.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tempfile::NamedTempFile;

use crate::setup::disk;
use crate::setup::error::{Refused, SystemSaid};

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
    /// Who may read it, if it is made.
    pub(crate) access: Access,
}

/// Who may read a file that is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever may read what the person makes.
    Usual,
    /// The person alone.
    Owner,
}

/// What was done so far, so that it can be undone.
#[derive(Default)]
struct Done<'a> {
    files: Vec<Written<'a>>,
    folders: Vec<PathBuf>,
}

/// A file that was written, and whose it was before.
struct Written<'a> {
    change: &'a Change,
    facts: Option<fs::Metadata>,
}

/// Makes the changes; returns the folders that were made for them.
pub(crate) fn write_all(changes: &[Change]) -> Result<Vec<PathBuf>, Refused> {
    let mut done = Done::default();
    for change in changes {
        let facts = fs::metadata(&change.real).ok();
        match write_one(change, facts.as_ref(), &mut done.folders) {
            Ok(()) => done.files.push(Written { change, facts }),
            Err(refused) => return Err(undo(done, refused)),
        }
    }
    Ok(done.folders)
}

fn write_one(
    change: &Change,
    facts: Option<&fs::Metadata>,
    made: &mut Vec<PathBuf>,
) -> Result<(), Refused> {
    let failed =
        |doing, error: &io::Error| Refused::System(SystemSaid::new(&change.path, doing, error));
    let changed = || Refused::Changed {
        path: change.path.clone(),
    };
    if disk::look(&change.path)?.bytes != change.before {
        return Err(changed());
    }
    match &change.after {
        None => fs::remove_file(&change.real).map_err(|error| failed("removing it", &error)),
        Some(bytes) => {
            let folder = change.real.parent().unwrap_or(Path::new("/"));
            make_folders(folder, made).map_err(|error| failed("making its folder", &error))?;
            let file = staged(&change.real, bytes, facts, change.access);
            let put = file.map_err(Unput::System);
            put.and_then(|file| put_in(file, &change.real, change.before.as_deref()))
                .map_err(|unput| match unput {
                    Unput::Changed => changed(),
                    Unput::System(error) => failed("writing it", &error),
                })
        }
    }
}

/// Puts everything back; says so if something is left.
fn undo(done: Done<'_>, refused: Refused) -> Refused {
    let is_left = |written: &&Written<'_>| {
        let Written { change, facts } = written;
        // What somebody wrote over ours meanwhile is not taken back either.
        let ours = change.after.as_deref();
        match &change.before {
            None if ours.is_none_or(|ours| reads(&change.real, ours)) => {
                fs::remove_file(&change.real).is_err()
            }
            None => true,
            Some(bytes) => {
                let file = staged(&change.real, bytes, facts.as_ref(), change.access);
                let file = file.map_err(Unput::System);
                file.and_then(|file| put_in(file, &change.real, ours))
                    .is_err()
            }
        }
    };
    let left = done.files.iter().rev().filter(is_left);
    let left: Vec<PathBuf> = left.map(|written| written.change.path.clone()).collect();
    for folder in done.folders.iter().rev() {
        // One that is not empty is somebody's by now.
        let _ = fs::remove_dir(folder);
    }
    match left.is_empty() {
        true => refused,
        false => Refused::Stuck {
            first: Box::new(refused),
            left,
        },
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
    match fs::create_dir(folder) {
        Ok(()) => made.push(folder.to_path_buf()),
        // Somebody was faster.
        Err(_) if folder.is_dir() => {}
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Why a file did not get into its place.
enum Unput {
    /// What stands there is not what was expected.
    Changed,
    /// The system said no.
    System(io::Error),
}

impl From<io::Error> for Unput {
    fn from(error: io::Error) -> Self {
        Self::System(error)
    }
}

/// Writes bytes beside a file, with its owner and permissions, as far as the disk.
fn staged(
    path: &Path,
    bytes: &[u8],
    facts: Option<&fs::Metadata>,
    access: Access,
) -> io::Result<NamedTempFile> {
    let folder = path.parent().unwrap_or(Path::new("/"));
    let mut file = new_file(folder, access)?;
    if let Some(facts) = facts {
        keep_owner(file.as_file(), facts)?;
        file.as_file().set_permissions(facts.permissions())?;
    }
    file.write_all(bytes)?;
    file.as_file().sync_all()?;
    Ok(file)
}

/// Puts a file in the place of one that reads as expected, or where there is none. The two change places, so that what was there last can be
/// looked at and put back, whoever wrote it in the last moment.
fn put_in(file: NamedTempFile, path: &Path, expected: Option<&[u8]>) -> Result<(), Unput> {
    let Some(expected) = expected else {
        return match file.persist_noclobber(path) {
            Err(error) if error.error.kind() == io::ErrorKind::AlreadyExists => Err(Unput::Changed),
            Err(error) => Err(error.error.into()),
            Ok(_) => Ok(()),
        };
    };
    match exchange(file.path(), path) {
        Ok(()) if reads(file.path(), expected) => Ok(()),
        Ok(()) => match exchange(file.path(), path) {
            Ok(()) => Err(Unput::Changed),
            // What was there has only the passing name now, and must not go with it.
            Err(error) => {
                let _ = file.keep();
                Err(error.into())
            }
        },
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            if !reads(path, expected) {
                return Err(Unput::Changed);
            }
            file.persist(path).map_err(|error| error.error)?;
            Ok(())
        }
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Unput::Changed),
        Err(error) => Err(error.into()),
    }
}

/// Tells whether a file is there and reads so.
fn reads(path: &Path, bytes: &[u8]) -> bool {
    let is_file = fs::symlink_metadata(path).is_ok_and(|facts| facts.is_file());
    is_file && fs::read(path).is_ok_and(|read| read == bytes)
}

/// Lets two files change places.
#[cfg(any(target_os = "linux", target_os = "android", target_vendor = "apple"))]
fn exchange(one: &Path, other: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::Errno;
    // The errors by which a system says that it does not know this here. Two of them are one on some systems.
    let unknown = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP];
    match renameat_with(CWD, one, CWD, other, RenameFlags::EXCHANGE) {
        Err(error) if unknown.contains(&error) => Err(io::ErrorKind::Unsupported.into()),
        done => Ok(done?),
    }
}

#[cfg(not(any(target_os = "linux", target_os = "android", target_vendor = "apple")))]
fn exchange(_one: &Path, _other: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(unix)]
fn new_file(folder: &Path, access: Access) -> io::Result<NamedTempFile> {
    use std::os::unix::fs::PermissionsExt;
    // As any other program would make it: the user's habits take away what they take away.
    let mode = match access {
        Access::Usual => 0o666,
        Access::Owner => 0o600,
    };
    tempfile::Builder::new()
        .prefix(".hashline-")
        .permissions(fs::Permissions::from_mode(mode))
        .tempfile_in(folder)
}

#[cfg(not(unix))]
fn new_file(folder: &Path, _access: Access) -> io::Result<NamedTempFile> {
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

#[cfg(all(test, unix))]
mod tests {
    use std::fs;
    use std::os::unix::fs::PermissionsExt;
    use std::path::Path;

    use super::{Access, Change, Done, Unput, Written, put_in, staged, undo, write_all};
    use crate::setup::error::Refused;

    fn change(path: &Path, before: Option<&str>, after: Option<&str>) -> Change {
        let bytes = |text: Option<&str>| text.map(|text| text.as_bytes().to_vec());
        Change {
            path: path.to_path_buf(),
            real: path.to_path_buf(),
            before: bytes(before),
            after: bytes(after),
            access: Access::Usual,
        }
    }

    #[test]
    fn what_cannot_be_put_back_is_named_whatever_came_first() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let gone = folder.path().join("gone/a");
        let written = change(&gone, Some("old"), Some("new"));
        let done = Done {
            files: vec![Written {
                change: &written,
                facts: None,
            }],
            folders: Vec::new(),
        };
        let changed = Refused::Changed {
            path: folder.path().join("b"),
        };
        let refused = undo(done, changed.clone());
        let expected = Refused::Stuck {
            first: Box::new(changed),
            left: vec![gone.clone()],
        };
        assert_eq!(refused, expected);
        assert!(refused.has_written());
        let told = crate::setup::words::refused(&refused);
        assert!(
            told.contains(&gone.display().to_string()) && !told.contains("nothing was written")
        );
        Ok(())
    }

    #[test]
    fn what_came_in_the_last_moment_is_not_written_over() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("a");
        for (there, expected) in [
            (Some("theirs"), Some("old")),
            (Some("theirs"), None),
            (None, Some("old")),
        ] {
            let _ = fs::remove_file(&path);
            if let Some(there) = there {
                fs::write(&path, there)?;
            }
            let file = staged(&path, b"ours", None, Access::Usual)?;
            let put = put_in(file, &path, expected.map(str::as_bytes));
            assert!(matches!(put, Err(Unput::Changed)), "{there:?} {expected:?}");
            assert_eq!(fs::read_to_string(&path).ok().as_deref(), there);
            assert_eq!(
                fs::read_dir(folder.path())?.count(),
                usize::from(there.is_some())
            );
        }
        Ok(())
    }

    #[test]
    fn what_is_put_back_has_the_permissions_it_had() -> std::io::Result<()> {
        let folder = tempfile::tempdir()?;
        let (first, second) = (folder.path().join("a"), folder.path().join("b"));
        fs::write(&first, "secret")?;
        fs::set_permissions(&first, fs::Permissions::from_mode(0o600))?;
        fs::write(&second, "changed meanwhile")?;
        let changes = [
            change(&first, Some("secret"), None),
            change(&second, Some("as it was"), None),
        ];
        let refused = write_all(&changes).err();
        assert_eq!(refused, Some(Refused::Changed { path: second }));
        assert_eq!(fs::read(&first)?, b"secret");
        assert_eq!(fs::metadata(&first)?.permissions().mode() & 0o777, 0o600);
        Ok(())
    }
}
