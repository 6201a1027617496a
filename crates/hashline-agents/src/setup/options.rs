//! What is to be set up, for whom and where.

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::agent::Agent;

/// For whom something is set up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// For everybody who works in one project: files in its folder.
    #[default]
    Project,
    /// For one person, wherever they work: files in their home.
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
    /// The person's home.
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
    /// Returns the places of a project and of the person who runs this program; nothing if the person has no home.
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

    /// Returns the folder that an agent keeps a person's files in.
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

/// What is to be set up, for whom and where.
#[derive(Clone, Debug)]
pub struct SetupOptions {
    /// For which agent.
    pub agent: Agent,
    /// For whom.
    pub scope: Scope,
    /// Where files lie.
    pub places: AgentPlaces,
    /// The program that entries call.
    pub command: String,
    /// The dialect that the agent is to speak. Default: that of an earlier setup, else the configured one, else the agent's own.
    pub dialect: Option<Dialect>,
    /// The dialect that is configured where the agent is set up.
    pub configured: Option<Dialect>,
}

impl SetupOptions {
    /// Returns the dialect that the agent speaks.
    pub(crate) fn spoken_dialect(&self) -> Dialect {
        self.dialect.unwrap_or_else(|| self.agent.dialect())
    }

    /// Returns the folder of the agent's files: in the project, or the person's own.
    pub(crate) fn folder(&self, in_project: &str) -> PathBuf {
        match self.scope {
            Scope::Project => self.places.project.join(in_project),
            Scope::User => self.places.own_folder(self.agent),
        }
    }
}
