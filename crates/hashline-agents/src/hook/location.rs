//! The folders that an event refers to: the client's working directory, the open project folder and the guarded roots.
//!
//! A client may name a folder by a symbolic link, while commands and our server see the link's target. So paths are compared as real paths
//! (links resolved), and the guard, which does not read the disk, gets every known path of a root.

use std::path::{Component, Path, PathBuf};

use hashline_session::{Service, ServiceOptions, discover};
use hashline_wire::Refusal;

use crate::hook::event::HookEvent;
use crate::hook::options::HookOptions;
use crate::hook::suggestion::FileNames;

/// The longest path, in bytes, that Unix accepts; a longer one is not resolved.
#[cfg(unix)]
const LONGEST_PATH: usize = 4096;

/// The folders that an event refers to.
#[derive(Clone, Debug)]
pub(crate) struct EventLocation {
    /// The real path (links resolved) of the client's working directory.
    pub(crate) cwd: PathBuf,
    /// The first root that the user gave, or else the discovered one; further roots are known only after the configuration is read.
    pub(crate) root: PathBuf,
    /// The real path of the project folder that is open in the client, if known; our server runs there.
    project: Option<PathBuf>,
    /// The project folder and working directory as the client writes them, each with its real path, where the two differ.
    aliases: Vec<(PathBuf, PathBuf)>,
}

impl EventLocation {
    /// Determines the folders of an event; `None` if no absolute path is known.
    pub(crate) fn of(event: &HookEvent, options: &HookOptions) -> Option<Self> {
        let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
        let project = absolute(&event.project).or_else(|| absolute(&options.project));
        let cwd = absolute(&event.cwd).or_else(|| project.clone());
        let cwd = cwd.or_else(|| absolute(&options.cwd))?;
        let real_cwd = real(&cwd);
        let real_project = match &project {
            Some(project) if *project == cwd => Some(real_cwd.clone()),
            _ => project.as_deref().map(real),
        };
        let folders = project.into_iter().zip(real_project.clone());
        let folders = folders.chain([(cwd, real_cwd.clone())]);
        let aliases = folders.filter(|(spelled, real)| spelled != real).collect();
        let (cwd, project) = (real_cwd, real_project);
        let root = match options.service.roots.first() {
            Some(root) => real(&cwd.join(root)),
            // Our server works on the folder that was opened, wherever the last `cd` led.
            None => discover(project.as_ref().unwrap_or(&cwd)),
        };
        Some(Self {
            cwd,
            root,
            project,
            aliases,
        })
    }

    /// Opens the workspace with the roots that the user gave, or else those of the configuration, or else the discovered root.
    pub(crate) fn open(&self, options: &HookOptions) -> Result<(Service, GuardedRoots), Refusal> {
        let service = &options.service;
        let config = service.read_config()?;
        let named = match service.roots.as_slice() {
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
            ..service.clone()
        })?;
        let roots = GuardedRoots {
            spelled: self.spellings(service.roots(), named),
            configured: service.config().roots.clone(),
        };
        Ok((service, roots))
    }

    /// Returns all known paths of the roots: the real paths, then those that contain links.
    fn spellings(&self, real_roots: Vec<PathBuf>, named: Vec<PathBuf>) -> Vec<PathBuf> {
        let aliases = real_roots.iter().flat_map(|root| {
            let folders = self.aliases.iter();
            folders.filter_map(|(spelled, real)| above(spelled, real, root))
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

    /// Returns the absolute path of a file that the client names, without `.` and `..`, and with links resolved except in the last component.
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
            // Hooks run around every call of an agent, so a folder that is resolved already is not resolved again.
            (Some(folder), Some(_)) if folder == self.cwd => place,
            (Some(folder), Some(name)) => real(folder).join(name),
            _ => place,
        }
    }

    /// Returns the absolute path of a file that a request to our server names, which runs in the project folder.
    pub(crate) fn served(&self, path: &Path) -> PathBuf {
        let folder = self.project.as_ref().unwrap_or(&self.cwd);
        self.place(&folder.join(path))
    }

    /// Returns whether a file is below the client's working directory, and in the open project folder if one is known.
    pub(crate) fn is_below_working(&self, place: &Path) -> bool {
        let project = self.project.as_ref();
        place.starts_with(&self.cwd) && project.is_none_or(|project| place.starts_with(project))
    }

    /// Returns the real path (links resolved) of a folder that the client names.
    pub(crate) fn folder(&self, path: &Path) -> PathBuf {
        real(&self.cwd.join(path))
    }

    /// Returns the path of a file for a request to our server: relative if the server runs in the client's working directory, else absolute.
    pub(crate) fn server_path(&self, place: &Path) -> String {
        if self.project.as_ref() == Some(&self.cwd) {
            from(&self.cwd, place)
        } else {
            place.display().to_string()
        }
    }

    /// Returns the path of a file for our server and for a shell command that runs in `cwd`.
    pub(crate) fn file_names(&self, place: &Path, roots: &GuardedRoots, cwd: &Path) -> FileNames {
        FileNames {
            tool: self.server_path(place),
            shell: from(cwd, place),
            root: roots.root_option(place, cwd),
        }
    }
}

/// The roots of the workspace, for the guard and for suggested commands.
#[derive(Clone, Debug)]
pub(crate) struct GuardedRoots {
    /// All known paths of the roots, with links resolved and unresolved.
    pub(crate) spelled: Vec<PathBuf>,
    /// The roots in the configuration, which the `hashline` program uses in any working directory.
    configured: Vec<PathBuf>,
}

impl GuardedRoots {
    /// Returns whether a path is inside one of the roots.
    pub(crate) fn contain(&self, path: &Path) -> bool {
        self.spelled.iter().any(|root| path.starts_with(root))
    }

    /// Returns the value of `--root` that `hashline` needs for a file if it runs in `cwd`; `None` if it finds the root itself.
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

/// Returns a path relative to a folder, or the path unchanged if it is outside the folder.
fn from(folder: &Path, path: &Path) -> String {
    let below = path.strip_prefix(folder).ok();
    below.unwrap_or(path).display().to_string()
}

/// Returns the path of `root` with links unresolved, derived from a folder inside it whose path is `spelled` for the client and `real` when resolved.
fn above(spelled: &Path, real: &Path, root: &Path) -> Option<PathBuf> {
    let rest = real.strip_prefix(root).ok()?;
    let depth = rest.components().count();
    let alias = spelled.ancestors().nth(depth)?;
    (spelled.ends_with(rest) && alias.has_root()).then(|| alias.to_path_buf())
}

/// Returns the path with links resolved; components that do not exist are kept as they are.
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

/// Returns the path unchanged, because shells do not accept the real paths (`\\?\C:\..`) that Windows returns.
#[cfg(not(unix))]
fn real(path: &Path) -> PathBuf {
    path.to_path_buf()
}
