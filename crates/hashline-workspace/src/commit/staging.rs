//! Staging files: files with the new bytes, in the same directory as the files that they will replace.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use xxhash_rust::xxh3::xxh3_64;

use super::area::{Area, free_name, is_no_folder};
use super::entry::{is_same, look, rename_new};
use super::{CommitFault, Durability};
use crate::system::{FileAccess, System};

/// Returns the name of the staging file for `name`. The staging name is computed from `name`, so that a leftover is found without listing
/// the directory. A staging file may be used only under the lock on the directory.
#[must_use]
pub fn staging_name(name: &OsStr) -> OsString {
    format!(".hl-{:016x}.new", xxh3_64(name.as_encoded_bytes())).into()
}

/// Returns the name that a replaced file has for a moment, on systems that cannot exchange two names in one call.
pub(super) fn displaced_name(name: &OsStr) -> OsString {
    format!(".hl-{:016x}.old", xxh3_64(name.as_encoded_bytes())).into()
}

/// Returns the name under which a staging file is written, on systems that cannot create a file without a name. A file with this name is
/// incomplete.
pub(super) fn partial_name(name: &OsStr) -> OsString {
    format!(".hl-{:016x}.tmp", xxh3_64(name.as_encoded_bytes())).into()
}

/// Returns whether a name has the form of a staging, displaced or partial name (`.hl-…` ending in `.new`, `.old` or `.tmp`).
pub(crate) fn is_staging_name(name: &OsStr) -> bool {
    let Some(name) = name.as_encoded_bytes().strip_prefix(b".hl-") else {
        return false;
    };
    let ends = [b".new", b".old", b".tmp"];
    let digits = ends.iter().find_map(|end| name.strip_suffix(*end));
    digits.is_some_and(|digits| digits.len() == 16 && digits.iter().all(u8::is_ascii_hexdigit))
}

/// Writes the staging file for `name`. The staging name appears only once the file is complete. The staging file gets the permissions and
/// attributes of `like`, or, if that is `None`, those of a new file with this `access`.
pub(super) fn stage<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    bytes: &[u8],
    like: Option<&S::File>,
    access: FileAccess,
    durability: Durability,
) -> Result<(), CommitFault> {
    // Private until it has the permissions of the other file: nobody else may read it before.
    let access = like.map_or(access, |_| FileAccess::Private);
    let not_created = |error: io::Error| match error.kind() {
        io::ErrorKind::PermissionDenied => CommitFault::Closed,
        _ => CommitFault::System("staging", error),
    };
    let not_named = CommitFault::system("naming the new bytes");
    let staging = staging_name(name);
    match system.create_unnamed(dir, access) {
        Ok(file) => {
            fill(system, &file, bytes, like, durability)?;
            system.link(&file, dir, &staging).map_err(|error| {
                unlink_if_same(system, &file, dir, &staging);
                not_named(error)
            })
        }
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let partial = partial_name(name);
            let file = system.create(dir, &partial, access).map_err(not_created)?;
            let staged = fill(system, &file, bytes, like, durability)
                .and_then(|()| rename_new(system, dir, &partial, &staging).map_err(not_named));
            if staged.is_err() {
                unlink_if_same(system, &file, dir, &partial);
                unlink_if_same(system, &file, dir, &staging);
            }
            staged
        }
        Err(error) => Err(not_created(error)),
    }
}

/// Removes a name if it still belongs to `file`, which we created a moment ago.
fn unlink_if_same<S: System>(system: &S, file: &S::File, dir: &S::Dir, name: &OsStr) {
    let ours = system.stat(file).ok();
    let named = look(system, dir, name).ok().flatten();
    if is_same(ours, named) {
        let _ = system.unlink(dir, name);
    }
}

fn fill<S: System>(
    system: &S,
    file: &S::File,
    bytes: &[u8],
    like: Option<&S::File>,
    durability: Durability,
) -> Result<(), CommitFault> {
    system
        .write(file, bytes)
        .map_err(CommitFault::system("writing the new bytes"))?;
    if let Some(old) = like {
        system
            .copy_metadata(old, file)
            .map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported => {
                    CommitFault::Metadata
                }
                _ => CommitFault::System("keeping owner and permissions", error),
            })?;
    }
    durability
        .sync(system, file)
        .map_err(CommitFault::system("making the new bytes durable"))
}

/// Lists the staging files that a dead process left beside the file `name`.
pub(crate) fn leftovers<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
) -> io::Result<Vec<OsString>> {
    let mut left = Vec::new();
    for leftover in [staging_name(name), displaced_name(name), partial_name(name)] {
        if look(system, dir, &leftover)?.is_some() {
            left.push(leftover);
        }
    }
    Ok(left)
}

/// Moves the staging files of a dead process to `.hashline/orphans`, because bytes are never thrown away. Returns the new paths below the
/// root.
///
/// The caller holds the lock on the directory.
pub(crate) fn move_leftovers<S: System>(
    system: &S,
    area: impl Fn() -> io::Result<Area<S>>,
    (dir, dir_path): (&S::Dir, &Path),
    leftovers: &[OsString],
) -> io::Result<Vec<PathBuf>> {
    let mut moved = Vec::new();
    for leftover in leftovers {
        moved.extend(match area() {
            Ok(area) => area.keep_orphan(system, dir, leftover)?,
            // A file has the name of the folder: it stays beside the edited file, under an unused name.
            Err(error) if is_no_folder(&error) => {
                Some(dir_path.join(set_aside(system, dir, leftover)?))
            }
            // The folder belongs to another user, and may hold a journal that needs the file.
            Err(error) => return Err(error),
        });
    }
    Ok(moved)
}

/// Renames a leftover staging file to an unused name in the same directory; returns the new name.
fn set_aside<S: System>(system: &S, dir: &S::Dir, leftover: &OsStr) -> io::Result<OsString> {
    let free = free_name(system, leftover);
    rename_new(system, dir, leftover, &free).map(|()| free)
}

#[cfg(test)]
mod tests {
    use std::ffi::OsStr;

    use super::{displaced_name, is_staging_name, partial_name, staging_name};

    #[test]
    fn names_under_which_bytes_wait_are_known_and_no_others() {
        for name in [staging_name, displaced_name, partial_name] {
            assert!(is_staging_name(&name(OsStr::new("a"))));
        }
        for other in [
            "a",
            ".hl-",
            ".hl-.new",
            ".hl-0123456789abcdef",
            ".hl-0123456789abcdef.now",
            ".hl-0123456789abcde.new",
            ".hl-0123456789abcdef0.new",
            ".hl-0123456789abcdeg.new",
            "hl-0123456789abcdef.new",
        ] {
            assert!(!is_staging_name(OsStr::new(other)), "{other}");
        }
    }
}
