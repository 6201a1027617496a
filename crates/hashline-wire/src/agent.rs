//! The coding agents that hashline can be set up for. Prompts, setup, doctor and the command line use this one list.

use hashline_core::dialect::Dialect;
use serde::{Deserialize, Serialize};

/// A coding agent that hashline can be set up for.
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

/// The names, files and instructions that differ between agents.
struct Row {
    name: &'static str,
    title: &'static str,
    instructions: &'static str,
    dialect: Dialect,
    route: &'static str,
}

impl Agent {
    /// All agents.
    pub const ALL: [Self; 5] = [
        Self::Claude,
        Self::Codex,
        Self::OpenCode,
        Self::Gemini,
        Self::Pi,
    ];

    /// Returns the agent's name as an argument of `hashline`, which is also the name of the agent's program.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.row().name
    }

    /// Returns the agent's name in prose, such as `Claude Code`.
    #[must_use]
    pub fn title(self) -> &'static str {
        self.row().title
    }

    /// Returns the file that the agent loads its instructions from (such as `AGENTS.md`), unless its settings name another.
    #[must_use]
    pub fn instructions(self) -> &'static str {
        self.row().instructions
    }

    /// Returns the default dialect of the tools that are set up for the agent.
    #[must_use]
    pub fn dialect(self) -> Dialect {
        self.row().dialect
    }

    /// Returns the sentence of the prompt that says which of the agent's tools to use for files, and which not.
    pub(crate) fn route(self) -> &'static str {
        self.row().route
    }

    fn row(self) -> Row {
        match self {
            Self::Claude => Row {
                name: "claude",
                title: "Claude Code",
                instructions: "CLAUDE.md",
                dialect: Dialect::default(),
                route: "Read files with `mcp__hl__read`, search with `mcp__hl__search`, change lines with `mcp__hl__edit`, write whole files with \
                    `mcp__hl__write`; not with another edit tool",
            },
            // Its newest models write scripts that call tools, and see only what those print.
            Self::Codex => Row {
                name: "codex",
                title: "Codex",
                instructions: "AGENTS.md",
                dialect: Dialect::default(),
                route: "Read files with `mcp__hl__read`, search with `mcp__hl__search`, change lines with `mcp__hl__edit`, write whole files with \
                    `mcp__hl__write` (in a script: `text((await tools.mcp__hl__read({path})).content[0].text)`); not with `apply_patch`",
            },
            // GPT models are offered `apply_patch` instead of the other two.
            Self::OpenCode => Row {
                name: "opencode",
                title: "OpenCode",
                instructions: "AGENTS.md",
                dialect: Dialect::default(),
                route: "Read and search files with `read`, change lines with `edit`, write whole files with `write`, or do both with `apply_patch` if \
                    you have that instead: here these tools are hashline's; not with `patch`",
            },
            Self::Gemini => Row {
                name: "gemini",
                title: "Gemini CLI",
                instructions: "GEMINI.md",
                dialect: Dialect::default(),
                route: "Read files with `mcp_hl_read`, search with `mcp_hl_search`, change lines with `mcp_hl_edit`, write whole files with \
                    `mcp_hl_write`; not with `replace` or `write_file`",
            },
            Self::Pi => Row {
                name: "pi",
                title: "pi",
                instructions: "AGENTS.md",
                dialect: Dialect::PI,
                route: "Read and search files with `read`, change them with `apply_hash`; not with another edit tool",
            },
        }
    }
}
