//! Where an event takes place: the client's folder, the folder that was opened in it, the guarded roots.
//!
//! A client may name a folder through a link, while commands and our server see its target. So all paths are compared as real paths, and
//! the guard, which does not read the disk, gets every spelling of a root that was used.

use std::path::{Component, Path, PathBuf};

use hashline_session::{Service, ServiceOptions, discover};
use hashline_wire::Refusal;

use crate::hook::event::HookEvent;
use crate::hook::options::HookOptions;
use crate::hook::suggestion::FileNames;

/// No file has a longer path.
#[cfg(unix)]
const LONGEST_PATH: usize = 4096;

/// Where an event takes place.
#[derive(Clone, Debug)]
pub(crate) struct EventLocation {
    /// The real path of the folder that relative paths and commands start from.
    pub(crate) cwd: PathBuf,
    /// The first named root, or the discovered one: others are known only after the configuration is read.
    pub(crate) root: PathBuf,
    /// The real path of the folder that was opened, if it is known: our server works there.
    project: Option<PathBuf>,
    /// The folders as the client spells them.
    spelled: Vec<PathBuf>,
}

impl EventLocation {
    /// Locates an event; `None` if no absolute folder is known.
    pub(crate) fn of(event: &HookEvent, options: &HookOptions) -> Option<Self> {
        let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
        let project = absolute(&event.project).or_else(|| absolute(&options.project));
        let cwd = absolute(&event.cwd).or_else(|| project.clone());
        let cwd = cwd.or_else(|| absolute(&options.cwd))?;
        let spelled: Vec<PathBuf> = project.iter().chain([&cwd]).cloned().collect();
        let (cwd, project) = (real(&cwd), project.as_deref().map(real));
        let root = match options.start.roots.first() {
            Some(root) => real(&cwd.join(root)),
            // Our server works on the folder that was opened, wherever the last `cd` led.
            None => discover(project.as_ref().unwrap_or(&cwd)),
        };
        Some(Self {
            cwd,
            root,
            project,
            spelled,
        })
    }

    /// Opens the workspace: over the roots that were named, else those of the user's configuration, else the one that was found.
    pub(crate) fn open(&self, options: &HookOptions) -> Result<(Service, GuardedRoots), Refusal> {
        let start = &options.start;
        let config = start.read_config()?;
        let named = match start.roots.as_slice() {
            [] => config.roots().to_vec(),
            roots => roots.iter().map(|root| self.cwd.join(root)).collect(),
        };
        let named = if named.is_empty() {
            vec![self.root.clone()]
        } else {
            named
        };
        let service = Service::open(&ServiceOptions {
            roots: named.clone(),
            base: Some(self.cwd.clone()),
            config: Some(config),
            ..start.clone()
        })?;
        let roots = GuardedRoots {
            spelled: self.spellings(service.roots(), named),
            configured: service.config().roots.clone(),
        };
        Ok((service, roots))
    }

    /// Returns the roots in every known spelling, the real paths first.
    fn spellings(&self, real_roots: Vec<PathBuf>, named: Vec<PathBuf>) -> Vec<PathBuf> {
        let folders = self.spelled.iter().map(|spelled| (spelled, real(spelled)));
        let folders: Vec<_> = folders.filter(|(spelled, real)| *spelled != real).collect();
        let aliases = real_roots.iter().flat_map(|root| {
            let above = |(spelled, real): &(&PathBuf, PathBuf)| above(spelled, real, root);
            folders.iter().filter_map(above).collect::<Vec<_>>()
        });
        let aliases: Vec<PathBuf> = aliases.chain(named).collect();
        let mut spellings = real_roots;
        for alias in aliases {
            if !spellings.contains(&alias) {
                spellings.push(alias);
            }
        }
        spellings
    }

    /// Resolves a path of the client: no `.` or `..`, and links resolved except in the last name.
    pub(crate) fn place(&self, path: &Path) -> PathBuf {
        let mut place = PathBuf::new();
        for part in self.cwd.join(path).components() {
            match part {
                Component::ParentDir => _ = place.pop(),
                Component::CurDir => {}
                other => place.push(other),
            }
        }
        match (place.parent(), place.file_name()) {
            (Some(folder), Some(name)) => real(folder).join(name),
            _ => place,
        }
    }

    /// Returns the real path of a folder that the client named.
    pub(crate) fn folder(&self, path: &Path) -> PathBuf {
        real(&self.cwd.join(path))
    }

    /// Returns a path as our server takes it, wherever it works.
    pub(crate) fn server_path(&self, place: &Path) -> String {
        if self.project.as_ref() == Some(&self.cwd) {
            from(&self.cwd, place)
        } else {
            place.display().to_string()
        }
    }

    /// Returns the names of a file: for our server, and for a shell that runs in a folder.
    pub(crate) fn file_names(&self, place: &Path, roots: &GuardedRoots, cwd: &Path) -> FileNames {
        FileNames {
            tool: self.server_path(place),
            shell: from(cwd, place),
            root: roots.root_option(place, cwd),
        }
    }
}

/// The roots of the workspace.
#[derive(Clone, Debug)]
pub(crate) struct GuardedRoots {
    /// In every known spelling.
    pub(crate) spelled: Vec<PathBuf>,
    /// Those of the configuration, which the program uses wherever it runs.
    configured: Vec<PathBuf>,
}

impl GuardedRoots {
    /// Tells whether a path lies in one.
    pub(crate) fn contain(&self, path: &Path) -> bool {
        self.spelled.iter().any(|root| path.starts_with(root))
    }

    /// Returns the root to pass to the program when it runs in a folder; `None` if it finds the file by itself.
    fn root_option(&self, place: &Path, cwd: &Path) -> Option<String> {
        let is_found = match self.configured.as_slice() {
            [] => place.starts_with(discover(cwd)),
            roots => roots.iter().any(|root| place.starts_with(real(root))),
        };
        let mut roots = self.spelled.iter();
        let root = roots.find(|root| place.starts_with(root))?;
        (!is_found).then(|| root.display().to_string())
    }
}

/// Returns a path from a folder, or as it is if it does not lie in it.
fn from(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).ok();
    below.unwrap_or(path).display().to_string()
}

/// Returns the spelling of a root that goes with this spelling of a folder in it.
fn above(spelled: &Path, real: &Path, root: &Path) -> Option<PathBuf> {
    let rest = real.strip_prefix(root).ok()?;
    let depth = rest.components().count();
    let alias = spelled.ancestors().nth(depth)?;
    (spelled.ends_with(rest) && alias.has_root()).then(|| alias.to_path_buf())
}

/// Returns the real path, as far as the path exists.
#[cfg(unix)]
fn real(path: &Path) -> PathBuf {
    if path.as_os_str().len() > LONGEST_PATH {
        return path.to_path_buf();
    }
    let found = path.ancestors().find_map(|folder| {
        let real = folder.canonicalize().ok()?;
        let rest = path.strip_prefix(folder).ok()?;
        // Joining an empty path would add a slash.
        Some(if rest.as_os_str().is_empty() {
            real
        } else {
            real.join(rest)
        })
    });
    found.unwrap_or_else(|| path.to_path_buf())
}

/// Returns the path unchanged: shells do not accept the real paths that Windows returns.
#[cfg(not(unix))]
fn real(path: &Path) -> PathBuf {
    path.to_path_buf()
}
