//! The coding agents that hashline can be set up for. Prompts, setup, doctor and the command line use this one list.

use hashline_core::dialect::Dialect;
use serde::{Deserialize, Serialize};

use crate::page::PageSize;

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
    /// The name that the agent gives to an MCP server as its own; `None` if it speaks no MCP.
    mcp_client: Option<&'static str>,
    page: PageSize,
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

    /// Returns the agent that introduces itself to an MCP server by this name.
    #[must_use]
    pub fn of_mcp_client(name: &str) -> Option<Self> {
        let is_named = |agent: &Self| {
            agent
                .row()
                .mcp_client
                .is_some_and(|known| is_client(known, name))
        };
        Self::ALL.into_iter().find(is_named)
    }

    /// Returns how large an answer may be so that the agent hands it to its model whole. Where each limit was seen is in `docs/mcp.md`.
    #[must_use]
    pub fn page(self) -> PageSize {
        self.row().page
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
                mcp_client: Some("claude-code"),
                // It takes as many characters as a tool asks for (`anthropic/maxResultSizeChars`), and ours ask for more than a page; but of errors no
                // more than 10,000.
                page: PageSize::DEFAULT.with_refusals(9_000),
            },
            // Its newest models write scripts that call tools, and see only what those print.
            Self::Codex => Row {
                name: "codex",
                title: "Codex",
                instructions: "AGENTS.md",
                dialect: Dialect::default(),
                route: "Read files with `mcp__hl__read`, search with `mcp__hl__search`, change lines with `mcp__hl__edit`, write whole files with \
                    `mcp__hl__write` (in a script: `text((await tools.mcp__hl__read({path})).content[0].text)`); not with `apply_patch`",
                mcp_client: Some("codex-mcp-client"),
                // It cuts at 12,000 tokens, for the scripts of its newest models at 10,000, and takes four bytes for a token.
                page: PageSize::DEFAULT,
            },
            // GPT models are offered `apply_patch` instead of the other two.
            Self::OpenCode => Row {
                name: "opencode",
                title: "OpenCode",
                instructions: "AGENTS.md",
                dialect: Dialect::default(),
                route: "Read and search files with `read`, change lines with `edit`, write whole files with `write`, or do both with `apply_patch` if \
                    you have that instead: here these tools are hashline's; not with `patch`",
                mcp_client: Some("opencode"),
                // It cuts after 2,000 lines or 51,200 bytes.
                page: PageSize::DEFAULT,
            },
            Self::Gemini => Row {
                name: "gemini",
                title: "Gemini CLI",
                instructions: "GEMINI.md",
                dialect: Dialect::default(),
                route: "Read files with `mcp_hl_read`, search with `mcp_hl_search`, change lines with `mcp_hl_edit`, write whole files with \
                    `mcp_hl_write`; not with `replace` or `write_file`",
                mcp_client: Some("gemini-cli-mcp-client"),
                // It cuts at 40,000 characters (units of UTF-16), in the middle.
                page: PageSize::DEFAULT,
            },
            Self::Pi => Row {
                name: "pi",
                title: "pi",
                instructions: "AGENTS.md",
                dialect: Dialect::PI,
                route: "Read and search files with `read`, change them with `apply_hash`; not with another edit tool",
                mcp_client: None,
                // It does not cut what extensions answer.
                page: PageSize::DEFAULT,
            },
        }
    }
}

/// Returns whether a client's name is a known one; some add a word of their own, such as the name of the server.
fn is_client(known: &str, name: &str) -> bool {
    name.strip_prefix(known)
        .is_some_and(|rest| !rest.starts_with(|next: char| next.is_ascii_alphanumeric()))
}

#[cfg(test)]
mod tests {
    use super::Agent;

    #[test]
    fn a_client_is_known_by_the_name_it_gives_itself() {
        for (name, agent) in [
            ("claude-code", Some(Agent::Claude)),
            ("codex-mcp-client", Some(Agent::Codex)),
            ("opencode", Some(Agent::OpenCode)),
            ("gemini-cli-mcp-client", Some(Agent::Gemini)),
            ("gemini-cli-mcp-client-hl", Some(Agent::Gemini)),
            ("opencoder", None),
            ("", None),
        ] {
            assert_eq!(Agent::of_mcp_client(name), agent, "{name}");
        }
    }

    /// What each client is known to cut: more than so many bytes, for whatever text. `docs/mcp.md` says where that was seen.
    #[test]
    fn a_page_is_less_than_what_the_client_cuts() {
        for (agent, answers, refusals) in [
            (Agent::Claude, 100_000, 10_000),
            (Agent::Codex, 10_000 * 4, 10_000 * 4),
            (Agent::OpenCode, 50 << 10, 50 << 10),
            (Agent::Gemini, 40_000, 40_000),
            (Agent::Pi, usize::MAX, usize::MAX),
        ] {
            let page = agent.page();
            // A tenth for what the client writes around an answer.
            assert!(page.bytes() <= answers - answers / 10, "{agent:?}");
            let refusal = page.of_refusal().bytes();
            assert!(refusal <= refusals - refusals / 10, "{agent:?}");
            assert!(
                refusal <= page.bytes() && page.bytes() <= 36_000,
                "{agent:?}"
            );
        }
    }
}
