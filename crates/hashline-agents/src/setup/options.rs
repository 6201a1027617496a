//! The options of setup: for which agent hashline is set up, for a project or a user, and in which folders.

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::agent::Agent;

/// Whether hashline is set up for a project or for a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// For one project: setup writes files in the project's folder, which all its users share.
    #[default]
    Project,
    /// For one user in all projects: setup writes files in the user's home directory.
    User,
}

impl Scope {
    /// Returns the scope's name on the command line and in JSON.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// Whether the agent asks the user before hashline's tools change a file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EditRights {
    /// The agent asks before edits as its modes and settings say. Reading and searching are allowed.
    #[default]
    Ask,
    /// The user allows edits without being asked, in all modes in which the agent changes files at all.
    Allow,
}

/// The folders in which agents look for their configuration files.
#[derive(Clone, Debug)]
pub struct AgentPlaces {
    /// The project's folder.
    pub project: PathBuf,
    /// The user's home directory.
    pub home: PathBuf,
    /// Claude Code's configuration folder, if it is not `~/.claude`.
    pub claude: Option<PathBuf>,
    /// Codex's configuration folder, if it is not `~/.codex`.
    pub codex: Option<PathBuf>,
    /// The user's configuration folder (`XDG_CONFIG_HOME`), if it is not `~/.config`.
    pub config: Option<PathBuf>,
    /// pi's configuration folder, if it is not `~/.pi/agent`.
    pub pi: Option<PathBuf>,
}

impl AgentPlaces {
    /// Returns the configuration folders for a project and the current user, from the environment; `None` if the user has no home directory.
    #[must_use]
    pub fn from_env(project: PathBuf) -> Option<Self> {
        let absolute = |name: &str| {
            let path = std::env::var_os(name).map(PathBuf::from);
            path.filter(|path| path.is_absolute())
        };
        Some(Self {
            project,
            home: std::env::home_dir().filter(|home| home.is_absolute())?,
            claude: absolute("CLAUDE_CONFIG_DIR"),
            codex: absolute("CODEX_HOME"),
            config: absolute("XDG_CONFIG_HOME"),
            pi: absolute("PI_CODING_AGENT_DIR"),
        })
    }

    /// Returns the folder in which an agent keeps the user's own configuration files, such as `~/.claude`.
    pub(crate) fn own_folder(&self, agent: Agent) -> PathBuf {
        let or_home = |own: &Option<PathBuf>, usual: &str| {
            let own = own.clone();
            own.unwrap_or_else(|| self.home.join(usual))
        };
        match agent {
            Agent::Claude => or_home(&self.claude, ".claude"),
            Agent::Codex => or_home(&self.codex, ".codex"),
            Agent::OpenCode => or_home(&self.config, ".config").join("opencode"),
            Agent::Gemini => self.home.join(".gemini"),
            Agent::Pi => or_home(&self.pi, ".pi/agent"),
        }
    }
}

/// The options of setup: for which agent, in which scope, in which folders, and what the entries call.
#[derive(Clone, Debug)]
pub struct SetupOptions {
    /// The agent whose configuration files are changed.
    pub agent: Agent,
    /// Whether the project's or the user's configuration files are changed.
    pub scope: Scope,
    /// The folders of the configuration files.
    pub places: AgentPlaces,
    /// The name or path of the hashline program, as the written entries call it.
    pub command: String,
    /// The dialect that the agent uses. If `None`: the dialect of an earlier setup, else the configured one, else the agent's default.
    pub dialect: Option<Dialect>,
    /// Whether the agent asks before edits.
    pub edits: EditRights,
    /// The dialect that the configuration sets: the project's `hashline.toml`, or the user's `config.toml`.
    pub configured: Option<Dialect>,
}

impl SetupOptions {
    /// Returns the dialect in which the agent will send requests: the chosen one, or the agent's default.
    pub(crate) fn spoken_dialect(&self) -> Dialect {
        self.dialect.unwrap_or_else(|| self.agent.dialect())
    }

    /// Returns the folder of the agent's files: `in_project` below the project, or the user's folder, depending on the scope.
    pub(crate) fn folder(&self, in_project: &str) -> PathBuf {
        match self.scope {
            Scope::Project => self.places.project.join(in_project),
            Scope::User => self.places.own_folder(self.agent),
        }
    }
}
