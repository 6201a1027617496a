//! Where a search begins: at the roots, or at the files and folders that the caller named.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

use super::Ground;
use super::filter::may_be_searched;
use super::gather::{Gather, Key};
use super::query::Query;
use super::rules::Rules;
use super::walk::{Folder, Task, lock};

use crate::error::{DiskFault, Error, io_error};
use crate::path::names;
use crate::root::{FilePlace, find};
use crate::system::{FileKind, System};

/// The files and folders that the caller named, by the index of their root and their path below it.
pub(super) type Named = HashSet<(usize, PathBuf)>;

/// Returns the first tasks of a search, and the paths that the caller named. Paths that cannot be searched are reported as skipped.
pub(super) fn tasks<S: System>(
    ground: &Ground<'_, S>,
    query: &Query,
    gather: &Mutex<Gather>,
) -> (Vec<Task<S>>, Named) {
    let (mut tasks, mut named) = (Vec::new(), Named::new());
    let mut take = |requested: &str, task: Result<Option<Task<S>>, Error>| match task {
        Ok(task) => tasks.extend(task),
        Err(error) => lock(gather).skipped(Key::new(0, Path::new(requested)), error),
    };
    if query.paths.is_empty() {
        for root in 0..ground.roots.len() {
            take("", root_task(ground, root).map(Some));
        }
    }
    for requested in &query.paths {
        take(
            requested,
            named_task(ground, query, requested, gather, &mut named),
        );
    }
    (tasks, named)
}

/// Returns the sort key of the file after which the search begins ([`Query::beyond`]), if there is one.
pub(super) fn beyond<S: System>(
    ground: &Ground<'_, S>,
    query: &Query,
) -> Result<Option<Key>, Error> {
    let Some(requested) = &query.beyond else {
        return Ok(None);
    };
    let place = find(ground.system, ground.roots, requested)?;
    Ok(Some(Key::new(place.root, &place.path())))
}

fn root_task<S: System>(ground: &Ground<'_, S>, root: usize) -> Result<Task<S>, Error> {
    let dir = ground
        .system
        .open_dir(&ground.roots[root].dir, Path::new(""));
    let dir = dir.map_err(|error| io_error(".", "opening the root", &error))?;
    Ok(Task::List(Folder {
        root,
        path: PathBuf::new(),
        dir,
        rules: None,
    }))
}

/// Returns the task for a path that the caller named; `None` if the same path was named before.
fn named_task<S: System>(
    ground: &Ground<'_, S>,
    query: &Query,
    requested: &str,
    gather: &Mutex<Gather>,
    named: &mut Named,
) -> Result<Option<Task<S>>, Error> {
    let plain = without_slash(requested);
    if let Some(root) = root_named(ground, plain) {
        let is_new = named.insert((root, PathBuf::new()));
        return is_new.then(|| root_task(ground, root)).transpose();
    }
    let place = match (plain, ground.roots.base()) {
        // The folder that paths begin from, inside a root.
        (".", Some(base)) => find(ground.system, ground.roots, &base.to_string_lossy())?,
        _ => find(ground.system, ground.roots, plain)?,
    };
    let stat = place
        .stat
        .ok_or_else(|| DiskFault::NotFound.at(requested))?;
    let path = place.path();
    refuse_closed(requested, &path, stat.kind)?;
    if !named.insert((place.root, path.clone())) {
        return Ok(None);
    }
    let rules = rules_on_the_way(ground, query, &place, gather)?;
    let folder = |path, dir| Folder {
        root: place.root,
        path,
        dir,
        rules,
    };
    if stat.kind == FileKind::File {
        // Nobody shares it: it was opened for this path alone.
        let alone = Rc::into_inner(place.parent);
        let dir = alone.ok_or_else(|| DiskFault::Unstable.at(requested))?;
        let folder = folder(place.parent_path, dir);
        return Ok(Some(Task::Search(Arc::new(folder), vec![place.name])));
    }
    let dir = ground.system.open_child(&place.parent, &place.name);
    let dir = dir.map_err(|error| io_error(requested, "opening the folder", &error))?;
    Ok(Some(Task::List(folder(path, dir))))
}

/// Returns the index of the root that a path names, if it names a root.
fn root_named<S: System>(ground: &Ground<'_, S>, requested: &str) -> Option<usize> {
    let path = match (requested, ground.roots.base()) {
        (".", None) => return (!ground.roots.is_empty()).then_some(0),
        (".", Some(base)) => base,
        _ => Path::new(requested),
    };
    let mut roots = ground.roots.iter();
    roots.position(|root| path.is_absolute() && root.is_named(path))
}

/// Removes trailing slashes and `/.` from a folder's path.
fn without_slash(requested: &str) -> &str {
    let plain = requested.trim_end_matches('/');
    let plain = plain.strip_suffix("/.").unwrap_or(plain);
    if plain.is_empty() { requested } else { plain }
}

/// Refuses names that are never searched, such as `.git`, and everything that is neither a file nor a folder.
fn refuse_closed(requested: &str, path: &Path, kind: FileKind) -> Result<(), Error> {
    if !matches!(kind, FileKind::File | FileKind::Dir) {
        return Err(DiskFault::NotAFile.at(requested));
    }
    let may = |name: &OsStr| may_be_searched(name, kind);
    if names(path).all(may) {
        Ok(())
    } else {
        Err(DiskFault::Protected.at(requested))
    }
}

/// Reads the ignore rules of the folders from the root down to a file or folder.
fn rules_on_the_way<S: System>(
    ground: &Ground<'_, S>,
    query: &Query,
    place: &FilePlace<S>,
    gather: &Mutex<Gather>,
) -> Result<Option<Arc<Rules>>, Error> {
    if !query.ignore_rules {
        return Ok(None);
    }
    let system = ground.system;
    let failed = |error| {
        io_error(
            &place.requested,
            "looking at the folders on the way",
            &error,
        )
    };
    let root = &ground.roots[place.root].dir;
    let mut dir = system.open_dir(root, Path::new("")).map_err(failed)?;
    let mut path = PathBuf::new();
    let mut rules = None;
    let mut below = names(&place.parent_path);
    loop {
        let entries = system.entries(&dir).map_err(failed)?;
        let skipped = |error| lock(gather).skipped(Key::new(place.root, &path), error);
        rules = Rules::of_folder(system, &dir, &path, &entries, rules, skipped);
        let Some(name) = below.next() else {
            return Ok(rules);
        };
        dir = system.open_child(&dir, name).map_err(failed)?;
        path.push(name);
    }
}
