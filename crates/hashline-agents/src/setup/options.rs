//! What is set up, in which scope and where.

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::agent::Agent;

/// Whether hashline is set up for a project or for a user.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// For one project: files in its folder, shared by its users.
    #[default]
    Project,
    /// For one user in all projects: files in the home directory.
    User,
}

impl Scope {
    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::User => "user",
        }
    }
}

/// Where the agents look for their files.
#[derive(Clone, Debug)]
pub struct AgentPlaces {
    /// The project.
    pub project: PathBuf,
    /// The user's home directory.
    pub home: PathBuf,
    /// Claude Code's own folder, where it is not `.claude` in the home.
    pub claude: Option<PathBuf>,
    /// Codex's own folder, where it is not `.codex` in the home.
    pub codex: Option<PathBuf>,
    /// The folder of configurations, where it is not `.config` in the home.
    pub config: Option<PathBuf>,
    /// pi's own folder, where it is not `.pi/agent` in the home.
    pub pi: Option<PathBuf>,
}

impl AgentPlaces {
    /// Returns the places of a project and of the current user; `None` if the user has no home directory.
    #[must_use]
    pub fn of_user(project: PathBuf) -> Option<Self> {
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

    /// Returns the folder in which an agent keeps the user's files.
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

/// What is set up, in which scope and where.
#[derive(Clone, Debug)]
pub struct SetupOptions {
    /// For which agent.
    pub agent: Agent,
    /// The scope.
    pub scope: Scope,
    /// Where files lie.
    pub places: AgentPlaces,
    /// The program that entries call.
    pub command: String,
    /// The dialect that the agent uses. Default: that of an earlier setup, else the configured one, else the agent's own.
    pub dialect: Option<Dialect>,
    /// The dialect that is configured where the agent is set up.
    pub configured: Option<Dialect>,
}

impl SetupOptions {
    /// Returns the dialect that the agent speaks.
    pub(crate) fn spoken_dialect(&self) -> Dialect {
        self.dialect.unwrap_or_else(|| self.agent.dialect())
    }

    /// Returns the folder of the agent's files: in the project, or the user's.
    pub(crate) fn folder(&self, in_project: &str) -> PathBuf {
        match self.scope {
            Scope::Project => self.places.project.join(in_project),
            Scope::User => self.places.own_folder(self.agent),
        }
    }
}
