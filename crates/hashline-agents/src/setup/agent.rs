//! The agents and editors that setup knows.

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::prompt::Caller;
use serde::{Deserialize, Serialize};

/// An agent whose files setup changes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Agent {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// OpenCode.
    OpenCode,
    /// Gemini CLI.
    Gemini,
    /// pi.
    Pi,
}

impl Agent {
    /// All of them.
    pub const ALL: [Self; 5] = [
        Self::Claude,
        Self::Codex,
        Self::OpenCode,
        Self::Gemini,
        Self::Pi,
    ];

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::OpenCode => "opencode",
            Self::Gemini => "gemini",
            Self::Pi => "pi",
        }
    }

    /// Returns the name people use.
    #[must_use]
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::OpenCode => "OpenCode",
            Self::Gemini => "Gemini CLI",
            Self::Pi => "pi",
        }
    }

    /// Returns how it calls hashline.
    pub(crate) fn caller(self) -> Caller {
        match self {
            Self::Claude => Caller::Claude,
            Self::Codex => Caller::Codex,
            Self::OpenCode => Caller::OpenCode,
            Self::Gemini => Caller::Gemini,
            Self::Pi => Caller::Pi,
        }
    }

    /// Returns the agent of a name on the command line.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|agent| agent.name() == name)
    }
}

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
pub struct Places {
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

impl Places {
    /// Returns the places of a project and of the person whose program this is; nothing if the person has no home.
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

/// What is to be set up, and where.
#[derive(Clone, Debug)]
pub struct Wish {
    /// For which agent.
    pub agent: Agent,
    /// For whom.
    pub scope: Scope,
    /// Where files lie.
    pub places: Places,
    /// The program that entries call.
    pub command: String,
    /// The dialect that the agent is to speak; nothing: what an earlier setup was told, else what is configured, else the usual one.
    pub dialect: Option<Dialect>,
    /// The dialect that is configured where the agent is set up.
    pub configured: Option<Dialect>,
}

impl Wish {
    /// Returns the dialect that the agent speaks.
    pub(crate) fn spoken(&self) -> Dialect {
        let usual = || self.agent.caller().dialect();
        self.dialect.unwrap_or_else(usual)
    }
}
