//! What the program knows beside what the client says: where state lies, what is set, who was named.

use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_service::{Service, Start, discover};
use hashline_workspace::DiskError;
use hashline_workspace::config::Allowed;

use crate::event::Event;

/// What the program knows beside what the client says.
#[derive(Clone, Debug)]
pub struct Surroundings {
    /// Whether the person turned hooks off.
    pub off: bool,
    /// How a service is opened. Roots that are not named are found from where the client works.
    pub start: Start,
    /// The session the person named; it goes before the client's own.
    pub session: Option<String>,
    /// The working directory of the program, for a client that names none.
    pub cwd: Option<PathBuf>,
    /// The folder that was opened in the client, if the environment names it.
    pub project: Option<PathBuf>,
    /// What stands before the names of our tools, if it is not what the client usually puts there.
    pub tool_prefix: Option<String>,
    /// How long our own work may take.
    pub time: Duration,
}

impl Default for Surroundings {
    fn default() -> Self {
        Self {
            off: false,
            start: Start::default(),
            session: None,
            cwd: None,
            project: None,
            tool_prefix: None,
            time: Duration::from_millis(50),
        }
    }
}

/// Where an event takes place.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// The folder that relative paths and commands begin from.
    pub(crate) cwd: PathBuf,
    /// The folder our server works in, if it is known: relative paths begin there in what it is asked.
    pub(crate) project: Option<PathBuf>,
    /// The root that is guarded, as it was found: no link in it is resolved.
    pub(crate) root: PathBuf,
}

impl Scene {
    /// Finds out where an event takes place; nothing if nobody knows.
    pub(crate) fn of(event: &Event, around: &Surroundings) -> Option<Self> {
        let absolute = |path: &Option<PathBuf>| path.clone().filter(|path| path.is_absolute());
        let project = absolute(&event.project).or_else(|| absolute(&around.project));
        let cwd = absolute(&event.cwd).or_else(|| project.clone());
        let cwd = cwd.or_else(|| absolute(&around.cwd))?;
        // What was opened holds more than where the last `cd` led, unless that is elsewhere.
        let project = project.filter(|project| cwd.starts_with(project));
        let root = match around.start.roots.first() {
            Some(root) => cwd.join(root),
            None => discover(project.as_deref().unwrap_or(&cwd)),
        };
        Some(Self { cwd, project, root })
    }

    /// Opens the workspace.
    pub(crate) fn open(&self, around: &Surroundings) -> Result<Service, DiskError> {
        let start = &around.start;
        let named = match start.roots.as_slice() {
            [] => {
                let allowed = Allowed::read(start.user_file.as_deref(), &start.given)?;
                allowed.roots().to_vec()
            }
            roots => roots.iter().map(|root| self.cwd.join(root)).collect(),
        };
        let roots = match named.is_empty() {
            true => vec![self.root.clone()],
            false => named,
        };
        Service::open(&Start {
            roots,
            base: Some(self.cwd.clone()),
            ..start.clone()
        })
    }

    /// Returns a path as a call of ours can name it, from wherever our server works: as short as is safe.
    pub(crate) fn spelled(&self, path: &Path) -> String {
        let here = self.project.as_ref().unwrap_or(&self.cwd) == &self.cwd;
        let below = path.strip_prefix(&self.cwd).ok().filter(|_| here);
        below.unwrap_or(path).display().to_string()
    }
}
