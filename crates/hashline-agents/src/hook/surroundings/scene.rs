//! Where an event takes place: the folder a client works in, the one that was opened, the roots that are guarded.
//!
//! A client may spell a folder by way of a link, while commands and our server see where it leads. So all paths are compared as they
//! really are, and the guard, which knows no disk, is told every spelling of a root that anybody used.

use std::path::{Component, Path, PathBuf};

use hashline_session::{Service, Start, discover};
use hashline_workspace::DiskError;
use hashline_workspace::config::UserConfig;

use super::Surroundings;
use crate::hook::event::Event;
use crate::hook::words::Named;

/// A longer path names nothing that is there.
#[cfg(unix)]
const LONGEST_PATH: usize = 4096;

/// Where an event takes place.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The folder that relative paths and commands begin from, as it really is.
    pub(crate) cwd: PathBuf,
    /// The root that was named first, or found: no other is known before the configuration is.
    pub(crate) root: PathBuf,
    /// The folder that was opened, as it really is, if it is known: our server works there.
    project: Option<PathBuf>,
    /// Folders as somebody spells them.
    said: Vec<PathBuf>,
}

impl Scene {
    /// Finds out where an event takes place; nothing if nobody knows.
    pub(crate) fn of(event: &Event, around: &Surroundings) -> Option<Self> {
        let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
        let project = absolute(&event.project).or_else(|| absolute(&around.project));
        let cwd = absolute(&event.cwd).or_else(|| project.clone());
        let cwd = cwd.or_else(|| absolute(&around.cwd))?;
        let said: Vec<PathBuf> = project.iter().chain([&cwd]).cloned().collect();
        let (cwd, project) = (real(&cwd), project.as_deref().map(real));
        let root = match around.start.roots.first() {
            Some(root) => real(&cwd.join(root)),
            // What was opened is what our server works on, wherever the last `cd` led.
            None => discover(project.as_ref().unwrap_or(&cwd)),
        };
        Some(Self {
            cwd,
            root,
            project,
            said,
        })
    }

    /// Opens the workspace: over the roots that were named, else those of the user's configuration, else the one that was found.
    pub(crate) fn open(&self, around: &Surroundings) -> Result<(Service, Roots), DiskError> {
        let start = &around.start;
        let named = match start.roots.as_slice() {
            [] => {
                let allowed = UserConfig::read(start.user_file.as_deref(), &start.given)?;
                allowed.roots().to_vec()
            }
            roots => roots.iter().map(|root| self.cwd.join(root)).collect(),
        };
        let named = match named.is_empty() {
            true => vec![self.root.clone()],
            false => named,
        };
        let service = Service::open(&Start {
            roots: named.clone(),
            base: Some(self.cwd.clone()),
            ..start.clone()
        })?;
        let roots = Roots {
            spelled: self.spellings(service.roots(), named),
            usual: service.config().roots.clone(),
        };
        Ok((service, roots))
    }

    /// Lists the roots in every spelling that is known, the real ones first.
    fn spellings(&self, real_roots: Vec<PathBuf>, named: Vec<PathBuf>) -> Vec<PathBuf> {
        let folders = self.said.iter().map(|said| (said, real(said)));
        let folders: Vec<_> = folders.filter(|(said, real)| *said != real).collect();
        let aliases = real_roots.iter().flat_map(|root| {
            let above = |(said, real): &(&PathBuf, PathBuf)| above(said, real, root);
            folders.iter().filter_map(above).collect::<Vec<_>>()
        });
        let aliases: Vec<PathBuf> = aliases.chain(named).collect();
        let mut spelled = real_roots;
        for alias in aliases {
            if !spelled.contains(&alias) {
                spelled.push(alias);
            }
        }
        spelled
    }

    /// Returns where a path leads that a client spelled, from a folder: without `.` and `..`, and without links but for the last name.
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

    /// Returns a folder that a client spelled, as it really is.
    pub(crate) fn folder(&self, path: &Path) -> PathBuf {
        real(&self.cwd.join(path))
    }

    /// Returns a path as our server can be asked for it, wherever it works.
    pub(crate) fn spelled(&self, place: &Path) -> String {
        match self.project.as_ref() == Some(&self.cwd) {
            true => from(&self.cwd, place),
            false => place.display().to_string(),
        }
    }

    /// Returns how a file is called by those who work in this project, and in a shell that runs in a folder.
    pub(crate) fn named(&self, place: &Path, roots: &Roots, cwd: &Path) -> Named {
        Named {
            tool: self.spelled(place),
            shell: from(cwd, place),
            root: roots.to_name(place, cwd),
        }
    }
}

/// The roots, and how they are reached.
#[derive(Clone, Debug)]
pub(crate) struct Roots {
    /// In every spelling that is known.
    pub(crate) spelled: Vec<PathBuf>,
    /// Those that the program takes wherever it runs, unless others are named.
    usual: Vec<PathBuf>,
}

impl Roots {
    /// Tells whether a path lies in one.
    pub(crate) fn hold(&self, path: &Path) -> bool {
        self.spelled.iter().any(|root| path.starts_with(root))
    }

    /// Returns the root of a file that the program has to be told when it runs in a folder; nothing if it finds the file by itself.
    fn to_name(&self, place: &Path, cwd: &Path) -> Option<String> {
        let is_found = match self.usual.as_slice() {
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

/// Returns how somebody spells a root who spells a folder in it so.
fn above(said: &Path, real: &Path, root: &Path) -> Option<PathBuf> {
    let rest = real.strip_prefix(root).ok()?;
    let depth = rest.components().count();
    let alias = said.ancestors().nth(depth)?;
    (said.ends_with(rest) && alias.has_root()).then(|| alias.to_path_buf())
}

/// Returns where a path really leads, as far as there is anything.
#[cfg(unix)]
fn real(path: &Path) -> PathBuf {
    if path.as_os_str().len() > LONGEST_PATH {
        return path.to_path_buf();
    }
    let found = path.ancestors().find_map(|folder| {
        let real = folder.canonicalize().ok()?;
        let rest = path.strip_prefix(folder).ok()?;
        Some(match rest.as_os_str().is_empty() {
            true => real,
            false => real.join(rest),
        })
    });
    found.unwrap_or_else(|| path.to_path_buf())
}

/// Returns the path: the system's own spelling of real paths is one that no shell takes here.
#[cfg(not(unix))]
fn real(path: &Path) -> PathBuf {
    path.to_path_buf()
}
