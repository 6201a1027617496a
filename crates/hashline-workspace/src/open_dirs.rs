//! The directories that a request holds open: each directory once, however many files of the request are in it.
//!
//! This saves file descriptors, of which many systems allow a process only 256.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::rc::Rc;

use crate::error::{Error, io_error};
use crate::root::{FilePlace, Root, RootSet, find};
use crate::system::System;

/// The open directories of a request, by the index of the root and the path below that root.
pub(crate) struct OpenDirs<S: System> {
    open: BTreeMap<(usize, PathBuf), Rc<S::Dir>>,
}

impl<S: System> OpenDirs<S> {
    /// Returns an empty set of open directories.
    pub(crate) fn none() -> Self {
        Self {
            open: BTreeMap::new(),
        }
    }

    /// Resolves a path of a request, as [`find`] does, and reuses its directory if that is open already.
    pub(crate) fn find(
        &mut self,
        system: &S,
        roots: &RootSet<S>,
        requested: &str,
    ) -> Result<FilePlace<S>, Error> {
        let mut place = find(system, roots, requested)?;
        let key = (place.root, place.parent_path.clone());
        match self.open.get(&key) {
            Some(known) if is_same(system, known, &place)? => place.parent = Rc::clone(known),
            _ => _ = self.open.insert(key, Rc::clone(&place.parent)),
        }
        Ok(place)
    }
}

/// Returns whether a known open directory is the same as the directory of `place`; not if another directory has taken its path.
fn is_same<S: System>(system: &S, known: &S::Dir, place: &FilePlace<S>) -> Result<bool, Error> {
    let identity = |dir| match system.stat_dir(dir) {
        Ok(stat) => Ok(stat.identity()),
        Err(error) => Err(io_error(
            &place.requested,
            "looking at the directory",
            &error,
        )),
    };
    Ok(identity(known)? == identity(&place.parent)?)
}

/// Refuses to begin a commit that needs more open files than the system allows, because running out of them in the middle would be too
/// late.
pub(crate) fn refuse_without_room<S: System>(
    system: &S,
    root: &Root<S>,
    needed: usize,
    requested: &str,
) -> Result<(), Error> {
    let open = || system.open_dir(&root.dir, std::path::Path::new(""));
    let opened: Result<Vec<S::Dir>, _> = (0..needed).map(|_| open()).collect();
    opened
        .map(drop)
        .map_err(|error| io_error(requested, "opening the files", &error))
}
