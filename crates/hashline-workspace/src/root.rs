//! Roots (the directory trees that may be read and written), and how the path of a request is resolved below them.
//!
//! A path is resolved once, to an open directory and a name in that directory. All later steps use only the open directory and the name, so
//! that renaming a directory or planting a symbolic link in the meantime cannot lead an edit elsewhere.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Component, Path, PathBuf};
use std::rc::Rc;

use crate::error::{DiskFault, Error, PathFault, io_error};
use crate::path::{self, Protection};
use crate::system::{FileKind, Stat, System, none_if_missing, refusal};

/// How many symbolic links are followed before the path counts as a loop; the limit of Linux is the same.
const LINKS: usize = 40;

/// A directory tree that may be read and written.
#[derive(Debug)]
pub struct Root<S: System> {
    pub(crate) dir: S::Dir,
    /// The root's path as the user gave it, which may contain symbolic links.
    given: PathBuf,
    /// The root's real path, without symbolic links.
    real: PathBuf,
    /// A path under which callers know the root, which need not exist on this machine.
    alias: Option<PathBuf>,
    /// Whether the root is on a network file system.
    pub(crate) remote: bool,
}

/// The roots, and the folder that relative paths start from.
#[derive(Debug)]
pub(crate) struct RootSet<S: System> {
    list: Vec<Root<S>>,
    /// The real path of the folder that relative paths start from; `None`: the first root.
    base: Option<PathBuf>,
}

/// The resolved location of a file that exists or would be created: an open directory and a name.
#[derive(Debug)]
pub(crate) struct FilePlace<S: System> {
    /// The path as the request has it.
    pub(crate) requested: String,
    /// The index of the root that contains the file.
    pub(crate) root: usize,
    /// The deepest directory of the path that exists, open.
    pub(crate) parent: Rc<S::Dir>,
    /// The path of `parent` below the root, without symbolic links.
    pub(crate) parent_path: PathBuf,
    /// The names of the directories below `parent` that would have to be created.
    pub(crate) missing: Vec<OsString>,
    /// The file's own name.
    pub(crate) name: OsString,
    /// The metadata of the file or directory at the end of the path; `None` if it does not exist.
    pub(crate) stat: Option<Stat>,
    /// How many symbolic links at the end of the path were followed.
    pub(crate) links: usize,
}

impl<S: System> Root<S> {
    /// Opens a directory as a root.
    ///
    /// # Errors
    ///
    /// If `given` is not a directory, or cannot be opened.
    pub fn open(system: &S, given: &Path) -> Result<Self, Error> {
        let failed = |error| io_error(&given.to_string_lossy(), "opening the root", &error);
        let dir = system.open_root(given).map_err(failed)?;
        let real = system.path_of(&dir).map_err(failed)?;
        let remote = system.is_remote(&dir).map_err(failed)?;
        Ok(Self {
            dir,
            given: given.to_path_buf(),
            real,
            alias: None,
            remote,
        })
    }

    /// Returns the root's real path, without symbolic links.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.real
    }

    /// Returns whether the root is on a network file system.
    #[must_use]
    pub fn is_remote(&self) -> bool {
        self.remote
    }

    /// Returns whether an absolute path is the root directory itself.
    pub(crate) fn is_named(&self, path: &Path) -> bool {
        path == self.given || path == self.real || self.alias.as_deref() == Some(path)
    }
}

impl<S: System> RootSet<S> {
    /// Creates a set of roots; relative paths start from the first root.
    pub(crate) fn new(list: Vec<Root<S>>) -> Self {
        Self { list, base: None }
    }

    /// Resolves relative paths from the folder `base`, which need not be inside a root.
    pub(crate) fn based(self, base: PathBuf) -> Self {
        let base = Some(base);
        Self { base, ..self }
    }

    /// Lets absolute paths below `alias` name the files below the first root.
    pub(crate) fn known_as(mut self, alias: PathBuf) -> Self {
        if let Some(root) = self.list.first_mut() {
            root.alias = Some(alias);
        }
        self
    }

    /// Returns the folder that relative paths start from; `None` if they start from the first root.
    pub(crate) fn base(&self) -> Option<&Path> {
        self.base.as_deref()
    }

    /// Returns the shortest path by which a request can name the file at `path` below a root: relative where possible, else absolute.
    pub(crate) fn spelled(&self, root: usize, path: &Path) -> PathBuf {
        if root == 0 && self.base.is_none() {
            return path.to_path_buf();
        }
        let whole = self.list[root].real.join(path);
        let below = self
            .base
            .as_ref()
            .and_then(|base| path::below(&whole, base));
        below.unwrap_or(whole)
    }
}

impl<S: System> std::ops::Deref for RootSet<S> {
    type Target = [Root<S>];

    fn deref(&self) -> &[Root<S>] {
        &self.list
    }
}

impl<S: System> FilePlace<S> {
    /// Returns the file's path below the root, with all symbolic links resolved.
    pub(crate) fn path(&self) -> PathBuf {
        let dirs = self.missing.iter();
        let mut path = dirs.fold(self.parent_path.clone(), |path, name| path.join(name));
        path.push(&self.name);
        path
    }
}

/// Resolves a path of a request to a directory and a name. A symbolic link at the end of the path is followed if its target is inside the
/// root.
pub(crate) fn find<S: System>(
    system: &S,
    roots: &RootSet<S>,
    requested: &str,
) -> Result<FilePlace<S>, Error> {
    find_from(system, roots, roots.base(), requested)
}

/// Resolves a path of a request as `find` does, for any roots; relative paths start from `base`, or from the first root.
pub(crate) fn find_from<S: System>(
    system: &S,
    roots: &[Root<S>],
    base: Option<&Path>,
    requested: &str,
) -> Result<FilePlace<S>, Error> {
    path::check(requested)?;
    let (root, mut relative) = choose(roots, base, requested)?;
    for links in 0..=LINKS {
        let place = step(system, &roots[root], root, requested, &relative)?;
        let is_link = place.stat.is_some_and(|stat| stat.kind == FileKind::Link);
        if !is_link {
            return Ok(FilePlace { links, ..place });
        }
        let target = system
            .read_link(&place.parent, &place.name)
            .map_err(|error| io_error(requested, "reading the link", &error))?;
        relative = followed(&place.parent_path, &target)
            .ok_or_else(|| DiskFault::Outside.at(&place.requested))?;
    }
    Err(DiskFault::BadPath(PathFault::NoDirectory).at(requested))
}

/// Returns the index of the root that contains a requested path, and the path below that root.
fn choose<S: System>(
    roots: &[Root<S>],
    base: Option<&Path>,
    requested: &str,
) -> Result<(usize, PathBuf), Error> {
    let path = Path::new(requested);
    let downward = || path::names(path).collect::<PathBuf>();
    let path = match base {
        _ if path.is_absolute() => path.to_path_buf(),
        // On Windows `C:a` and `\\a` are neither absolute nor relative to the base.
        _ if path::begins_elsewhere(path) => return Err(DiskFault::Outside.at(requested)),
        Some(base) => base.join(downward()),
        None if roots.is_empty() => return Err(DiskFault::Outside.at(requested)),
        None => return Ok((0, downward())),
    };
    let found = roots.iter().enumerate().find_map(|(index, root)| {
        let alias = root.alias.as_deref();
        let names = alias.into_iter().chain([&*root.given, &*root.real]);
        let mut below = names.filter_map(|name| path::below(&path, name));
        let below = below.next()?;
        Some((index, below))
    });
    found.ok_or_else(|| DiskFault::Outside.at(requested))
}

/// Opens the parent directory of a path and reads the metadata of its last name; a symbolic link with that name is not followed yet.
fn step<S: System>(
    system: &S,
    root: &Root<S>,
    index: usize,
    requested: &str,
    relative: &Path,
) -> Result<FilePlace<S>, Error> {
    let name = relative
        .file_name()
        .ok_or_else(|| DiskFault::NotAFile.at(requested))?;
    let mut parent = relative.parent().unwrap_or(Path::new("")).to_path_buf();
    let mut missing = Vec::new();
    let dir = loop {
        match system.open_dir(&root.dir, &parent) {
            Ok(dir) => break dir,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // A missing directory may be created later; `..` after one cannot be resolved.
                let Some(Component::Normal(last)) = parent.components().next_back() else {
                    return Err(DiskFault::NotFound.at(requested));
                };
                missing.insert(0, last.to_owned());
                parent.pop();
            }
            Err(error) => return Err(parent_error(requested, error)),
        }
    };
    // Asked of the open directory: links on the path were followed, so the path itself says nothing about where it is.
    let real = system
        .path_of(&dir)
        .map_err(|error| io_error(requested, "finding the directory", &error))?;
    let parent_path = real
        .strip_prefix(&root.real)
        .map_err(|_| DiskFault::Outside.at(requested))?
        .to_path_buf();
    let stat = if missing.is_empty() {
        none_if_missing(system.stat_at(&dir, name))
            .map_err(|error| io_error(requested, "looking at the file", &error))?
    } else {
        None
    };
    Ok(FilePlace {
        requested: requested.to_owned(),
        root: index,
        parent: Rc::new(dir),
        parent_path,
        missing,
        name: name.to_owned(),
        stat,
        links: 0,
    })
}

/// Returns the path below the root that a symbolic link leads to; `None` for an absolute link, which is refused even if its target is
/// inside the root.
fn followed(parent: &Path, target: &Path) -> Option<PathBuf> {
    (!target.is_absolute()).then(|| parent.join(target))
}

/// Translates an I/O error from opening a parent directory to an error about the requested path.
fn parent_error(requested: &str, error: io::Error) -> Error {
    match error.kind() {
        kind if kind == io::ErrorKind::NotADirectory || refusal::is_link(&error) => {
            DiskFault::BadPath(PathFault::NoDirectory).at(requested)
        }
        io::ErrorKind::CrossesDevices => DiskFault::Outside.at(requested),
        // The kernel gave up because directories were renamed while it resolved the path.
        io::ErrorKind::WouldBlock => DiskFault::Unstable.at(requested),
        _ => io_error(requested, "opening the directory", &error),
    }
}

/// Refuses to write to protected files. Protected files are recognised by the names in the path, and by the device and inode of its
/// directories.
pub(crate) fn refuse_protected<S: System>(
    system: &S,
    roots: &[Root<S>],
    place: &FilePlace<S>,
    protection: &Protection,
) -> Result<(), Error> {
    let refused = || Err(DiskFault::Protected.at(&place.requested));
    // The names above the root do not count: the user chose the root, whatever it is called.
    let requested = Path::new(&place.requested);
    let requested = requested.is_relative() && protection.covers(requested);
    if requested || protection.covers(&place.path()) {
        return refused();
    }
    let root = &roots[place.root];
    if protection.covers_place(&root.real.join(place.path())) {
        return refused();
    }
    // Bind mounts and case-insensitive file systems give these folders other names, but not another identity.
    let closed = [".git", ".hashline"].map(|name| system.stat_at(&root.dir, OsStr::new(name)).ok());
    let closed: Vec<_> = closed.iter().flatten().map(Stat::identity).collect();
    let mut way = PathBuf::new();
    for name in path::names(&place.parent_path) {
        way.push(name);
        let dir = system
            .open_dir(&root.dir, &way)
            .map_err(|error| parent_error(&place.requested, error))?;
        let stat = system
            .stat_dir(&dir)
            .map_err(|error| io_error(&place.requested, "looking at the directory", &error))?;
        if closed.contains(&stat.identity()) {
            return refused();
        }
    }
    Ok(())
}
