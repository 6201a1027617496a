//! Staging: where new bytes wait, beside the file they are for.

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::unix::ffi::OsStrExt;

use xxhash_rust::xxh3::xxh3_64;

use super::Durability;
use super::entry::rename_new;
use super::journal::{Area, is_no_folder};
use crate::system::{Access, System};

/// Returns the name under which new bytes for `name` wait. It follows from the name, so that a leftover is found without a search,
/// and is valid only while the directory is locked.
#[must_use]
pub fn staging_name(name: &OsStr) -> OsString {
    format!(".hl-{:016x}.new", xxh3_64(name.as_bytes())).into()
}

/// Returns the name that a replaced file has for a moment, where two names cannot change places in one step.
pub(super) fn displaced_name(name: &OsStr) -> OsString {
    format!(".hl-{:016x}.old", xxh3_64(name.as_bytes())).into()
}

/// Whose rights and attributes new bytes get.
pub(super) enum Like<'a, S: System> {
    /// Those of the file they replace.
    File(&'a S::File),
    /// Those of any new file.
    NewFile,
}

/// Why bytes could not be staged.
pub(super) enum NotStaged {
    /// The owner, permissions or attributes cannot be given to another file.
    Metadata,
    /// The system refused.
    System(&'static str, io::Error),
}

/// Writes new bytes and gives them the staging name.
pub(super) fn stage<S: System>(
    system: &S,
    dir: &S::Dir,
    name: &OsStr,
    bytes: &[u8],
    like: &Like<'_, S>,
    durability: Durability,
) -> Result<(), NotStaged> {
    let access = match like {
        Like::File(_) => Access::Private,
        Like::NewFile => Access::Usual,
    };
    let (file, named) = match system.create_unnamed(dir, access) {
        Ok(file) => (file, false),
        Err(error) if error.kind() == io::ErrorKind::Unsupported => {
            let file = system.create(dir, name, access);
            (file.map_err(|e| NotStaged::System("staging", e))?, true)
        }
        Err(error) => return Err(NotStaged::System("staging", error)),
    };
    let written = fill(system, &file, bytes, like, durability).and_then(|()| {
        let link = || system.link(&file, dir, name);
        if named {
            Ok(())
        } else {
            link().map_err(|error| NotStaged::System("naming the new bytes", error))
        }
    });
    if written.is_err() && named {
        // It is ours and nobody else's: made by us a moment ago, under the lock.
        let _ = system.unlink(dir, name);
    }
    written
}

fn fill<S: System>(
    system: &S,
    file: &S::File,
    bytes: &[u8],
    like: &Like<'_, S>,
    durability: Durability,
) -> Result<(), NotStaged> {
    let failed = |doing| move |error| NotStaged::System(doing, error);
    system
        .write(file, bytes)
        .map_err(failed("writing the new bytes"))?;
    if let Like::File(old) = like {
        system
            .copy_metadata(old, file)
            .map_err(|error| match error.kind() {
                io::ErrorKind::PermissionDenied | io::ErrorKind::Unsupported => NotStaged::Metadata,
                _ => NotStaged::System("keeping owner and permissions", error),
            })?;
    }
    match durability {
        Durability::Full => system
            .sync(file)
            .map_err(failed("making the new bytes durable")),
        Durability::Fast => Ok(()),
    }
}

/// Moves what a dead process left beside a file into the orphans' folder: bytes are never thrown away. Tells what was moved.
///
/// The directory must be locked.
pub(crate) fn move_leftovers<S: System>(
    system: &S,
    area: impl Fn() -> io::Result<Area<S>>,
    dir: &S::Dir,
    name: &OsStr,
) -> io::Result<Vec<OsString>> {
    let mut moved = Vec::new();
    for leftover in [staging_name(name), displaced_name(name)] {
        match system.stat_at(dir, &leftover) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
            Ok(_) => moved.extend(match area() {
                Ok(area) => area.keep_orphan(system, dir, &leftover)?,
                // Without a folder for it, it stays beside the file, under a name that is nobody's.
                Err(error) if is_no_folder(&error) => set_aside(system, dir, &leftover)?,
                // In somebody else's folder there may be a journal that needs it.
                Err(error) => return Err(error),
            }),
        }
    }
    Ok(moved)
}

/// Gives a leftover another name where it is; returns the name.
fn set_aside<S: System>(
    system: &S,
    dir: &S::Dir,
    leftover: &OsStr,
) -> io::Result<Option<OsString>> {
    let mut free = leftover.to_owned();
    let random = u128::from_le_bytes(system.random());
    free.push(format!("-{random:032x}"));
    rename_new(system, dir, leftover, &free).map(|()| Some(free))
}
