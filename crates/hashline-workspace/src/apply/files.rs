//! Finds the files of a request on disk, and checks whether an edit may write them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::io;
use std::path::PathBuf;

use hashline_core::files::{FileAction, Request};
use hashline_core::policy::Mode;

use super::Run;
use crate::commit::{self, Area, FoundArea};
use crate::error::{ApplyError, DiskFault, Error, Excess, PathFault, io_error};
use crate::open_dirs::OpenDirs;
use crate::root::{FilePlace, Root, refuse_protected};
use crate::system::{FileKind, Stat, System};
use crate::workspace::Workspace;

/// How many directories one request may create.
const MOST_NEW_DIRS: usize = 256;

/// The files of a request, found on disk.
pub(super) struct RequestFiles<S: System> {
    /// The request, rewritten so that every file has one path.
    pub(super) request: Request,
    pub(super) places: Vec<FilePlace<S>>,
    /// How many directories the request would create.
    pub(super) new_dirs: usize,
}

impl<S: System> Run<'_, S> {
    /// Finds the files of a request, and rewrites the request so that a file named by several different paths gets a single path.
    pub(super) fn find_files(&self, mut request: Request) -> Result<RequestFiles<S>, ApplyError> {
        let Workspace {
            system,
            roots,
            settings,
        } = self.workspace;
        let mut places: BTreeMap<(usize, PathBuf), FilePlace<S>> = BTreeMap::new();
        let mut dirs = OpenDirs::none();
        let mut link = None;
        let mut locate = |requested: &str, removes: bool| -> Result<String, Error> {
            let place = dirs.find(system, roots, requested)?;
            let is_file = place.stat.is_some_and(|stat| stat.kind == FileKind::File);
            if removes && is_file && place.links > 0 && link.is_none() {
                link = Some(requested.to_owned());
            }
            let key = (place.root, place.path());
            Ok(places.entry(key).or_insert(place).requested.clone())
        };
        // Files that are moved or deleted come first, so that an error names them by the path of that step.
        for step in request.steps.iter().filter(|step| removes(&step.action)) {
            locate(&step.path, true)?;
        }
        let mut path_of = |requested: &str| locate(requested, false);
        refuse_other_values(&request, &mut path_of)?;
        rename_files(&mut request, &mut path_of)?;
        name_encodings_of_moves(&mut request)?;
        let places: Vec<FilePlace<S>> = places.into_values().collect();
        refuse_many(
            places.len(),
            settings.limits.files.min(commit::MOST_ENTRIES),
        )?;
        let root = places.first().map(|place| place.root);
        if let Some(elsewhere) = places.iter().find(|place| Some(place.root) != root) {
            return Err(DiskFault::SeveralRoots.at(&elsewhere.requested).into());
        }
        refuse_same_file(system, &places)?;
        let new_dirs = count_new_dirs(&places);
        refuse_many(new_dirs, MOST_NEW_DIRS)?;
        self.refuse_protected(&request, &places)?;
        if let Some(link) = link {
            return Err(DiskFault::BadPath(PathFault::Link).at(link).into());
        }
        Ok(RequestFiles {
            request,
            places,
            new_dirs,
        })
    }

    /// Refuses protected files before anything is locked: an edit of a file in `.hashline` would lock that folder as the file's directory
    /// and then wait forever to lock it as the folder of the journal.
    fn refuse_protected(&self, request: &Request, places: &[FilePlace<S>]) -> Result<(), Error> {
        let Workspace {
            system,
            roots,
            settings,
        } = self.workspace;
        for place in places {
            let written = request.steps.iter().any(|step| {
                let moved_here =
                    matches!(&step.action, FileAction::Move(to) if *to == place.requested);
                step.path == place.requested || moved_here
            });
            if written {
                refuse_protected(system, roots, place, &settings.protection)?;
            }
        }
        Ok(())
    }

    /// Opens the `.hashline` folder if the request needs a journal: for more than one file, and for a file that is moved, deleted,
    /// overwritten in place or created in a new directory.
    pub(super) fn area_for(
        &self,
        root: &Root<S>,
        request: &Request,
        places: &[FilePlace<S>],
    ) -> Result<Option<Area<S>>, Error> {
        let mut needed = places.len() > 1 || request.steps.iter().any(|step| removes(&step.action));
        for place in places {
            needed |= !place.missing.is_empty() || self.is_overwritten(place)?;
        }
        if !needed {
            return Ok(None);
        }
        self.refuse_other_device(root, places)?;
        if self.options.mode == Mode::DryRun {
            return Ok(None);
        }
        let area = Area::make(&self.workspace.system, &root.dir);
        area.map(Some).map_err(|error| match error.kind() {
            io::ErrorKind::ReadOnlyFilesystem => DiskFault::ReadOnly.at(&places[0].requested),
            _ => io_error(commit::AREA, "opening the journal's folder", &error),
        })
    }

    /// Refuses files on another file system than the journal: if that one is not mounted when the journal is recovered, or has another device
    /// number then, the commit can be neither undone nor finished.
    fn refuse_other_device(&self, root: &Root<S>, places: &[FilePlace<S>]) -> Result<(), Error> {
        let system = &self.workspace.system;
        let device = |dir: &S::Dir, path: &str| {
            let stat = system.stat_dir(dir);
            stat.map(|stat| stat.device)
                .map_err(|error| io_error(path, "looking at the directory", &error))
        };
        let area = match Area::find(system, &root.dir) {
            Ok(FoundArea::Ours(area)) => Some(area),
            // It will be created in the root, or opening it will fail.
            Ok(FoundArea::Nothing | FoundArea::Foreign) | Err(_) => None,
        };
        let journal = device(area.as_ref().map_or(&root.dir, Area::dir), commit::AREA)?;
        for place in places {
            if device(&place.parent, &place.requested)? != journal {
                return Err(DiskFault::OtherDevice.at(&place.requested));
            }
        }
        Ok(())
    }
}

/// Returns whether a step of a request removes the file from its path: by deleting or moving it.
fn removes(action: &FileAction) -> bool {
    matches!(action, FileAction::Delete | FileAction::Move(_))
}

/// Refuses a request that names one file by two paths and does not give the same `rev`, `file_hash` or `encoding` for both. An entry without a `rev`
/// must not get that of another entry, because all edits of a file are read against one revision. The other two are about the whole file, so
/// one is enough.
fn refuse_other_values(
    request: &Request,
    path_of: &mut dyn FnMut(&str) -> Result<String, Error>,
) -> Result<(), Error> {
    let steps = request.steps.iter().map(|step| &step.path);
    let named: BTreeSet<&String> = steps.chain(request.revs.keys()).collect();
    let revs = named.iter().map(|&path| (path, request.revs.get(path)));
    refuse_disagreement("rev", revs, path_of, |one, other| match (one, other) {
        (Some(one), Some(other)) => one.agreed(other).is_some(),
        (one, other) => one.is_none() && other.is_none(),
    })?;
    let is_same = |one: &String, other: &String| one.eq_ignore_ascii_case(other);
    refuse_disagreement("file_hash", &request.file_hashes, path_of, is_same)?;
    refuse_disagreement("encoding", &request.encodings, path_of, is_same)
}

/// Refuses the first path of a file whose value of a field does not agree with that of another path of the file.
fn refuse_disagreement<'r, T: Copy>(
    field: &'static str,
    values: impl IntoIterator<Item = (&'r String, T)>,
    path_of: &mut dyn FnMut(&str) -> Result<String, Error>,
    agree: impl Fn(T, T) -> bool,
) -> Result<(), Error> {
    let mut first: BTreeMap<String, (&String, T)> = BTreeMap::new();
    for (requested, value) in values {
        let &mut (other, known) = first
            .entry(path_of(requested)?)
            .or_insert((requested, value));
        if !agree(known, value) {
            return Err(two_paths(other, requested, field));
        }
    }
    Ok(())
}

/// Gives every file of a request the path that `path_of` returns for it.
fn rename_files(
    request: &mut Request,
    path_of: &mut dyn FnMut(&str) -> Result<String, Error>,
) -> Result<(), Error> {
    for step in &mut request.steps {
        step.path = path_of(&step.path)?;
        if let FileAction::Move(to) = &mut step.action {
            *to = path_of(to)?;
        }
    }
    for (path, rev) in std::mem::take(&mut request.revs) {
        let path = path_of(&path)?;
        // The paths of one file agree, and the longest prefix says most.
        let known = request.revs.remove(&path);
        let rev = known.and_then(|known| known.agreed(&rev)).unwrap_or(rev);
        request.revs.insert(path, rev);
    }
    for values in [&mut request.file_hashes, &mut request.encodings] {
        for (path, value) in std::mem::take(values) {
            values.insert(path_of(&path)?, value);
        }
    }
    Ok(())
}

/// Copies the encoding that a request names for a moved file to its other name, because it is one file.
fn name_encodings_of_moves(request: &mut Request) -> Result<(), Error> {
    let encodings = &mut request.encodings;
    for step in request.steps.iter().rev() {
        let FileAction::Move(to) = &step.action else {
            continue;
        };
        let (old, new) = (encodings.get(&step.path), encodings.get(to));
        match (old.cloned(), new.cloned()) {
            (Some(old), Some(new)) if !old.eq_ignore_ascii_case(&new) => {
                return Err(two_paths(&step.path, to, "encoding"));
            }
            (None, Some(name)) => _ = encodings.insert(step.path.clone(), name),
            (Some(name), None) => _ = encodings.insert(to.clone(), name),
            _ => {}
        }
    }
    Ok(())
}

fn two_paths(other: &str, requested: &str, field: &'static str) -> Error {
    let other = other.to_owned();
    DiskFault::TwoPaths { other, field }.at(requested)
}

/// Refuses a request that reaches one file by two paths, as through a bind mount: each path would be staged and swapped by itself, under
/// the same names. Hard links are two names of their own and are not refused here.
fn refuse_same_file<S: System>(system: &S, places: &[FilePlace<S>]) -> Result<(), Error> {
    let mut names: BTreeMap<((u64, u64), &OsStr), &FilePlace<S>> = BTreeMap::new();
    let mut files: BTreeMap<(u64, u64), &FilePlace<S>> = BTreeMap::new();
    for place in places {
        let dir = system
            .stat_dir(&place.parent)
            .map_err(|error| io_error(&place.requested, "looking at the directory", &error))?;
        // The first name that would be created counts: two paths must not create one directory either.
        let name = place.missing.first().unwrap_or(&place.name);
        let twin = names
            .insert((dir.identity(), name), place)
            .filter(|other| other.parent_path != place.parent_path);
        let only_link = |stat: &Stat| stat.kind == FileKind::File && stat.links == 1;
        let mounted = place
            .stat
            .filter(only_link)
            .and_then(|stat| files.insert(stat.identity(), place));
        // One path that was found in two places was renamed meanwhile, which the commit notices.
        let other = twin.or(mounted);
        let other = other.filter(|other| other.requested != place.requested);
        if let Some(other) = other {
            let other = other.requested.clone();
            return Err(DiskFault::SameFile { other }.at(&place.requested));
        }
    }
    Ok(())
}

/// Counts the directories that a request would create; stops counting above the limit.
fn count_new_dirs<S: System>(places: &[FilePlace<S>]) -> usize {
    let mut dirs = BTreeSet::new();
    for place in places {
        let mut dir = place.parent_path.clone();
        for name in &place.missing {
            dir.push(name);
            dirs.insert(dir.clone());
            if dirs.len() > MOST_NEW_DIRS {
                return dirs.len();
            }
        }
    }
    dirs.len()
}

/// Refuses a request with more than `most` files or directories.
pub(crate) fn refuse_many(found: usize, most: usize) -> Result<(), Error> {
    Ok(Excess::refuse(
        found as u64,
        most as u64,
        DiskFault::TooMany,
    )?)
}
