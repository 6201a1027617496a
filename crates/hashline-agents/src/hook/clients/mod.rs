//! The agents that run hooks: what each can do, and, in a file for each, how it writes events and answers.

pub(crate) mod claude;
pub(crate) mod copilot;
pub(crate) mod cursor;
pub(crate) mod gemini;
mod patch;
pub(crate) mod windsurf;

/// An agent that runs hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor; its formats are taken from its documentation.
    Cursor,
    /// Windsurf; its formats are taken from its documentation.
    Windsurf,
    /// Copilot CLI; its formats are taken from its documentation.
    Copilot,
}

/// When a client accepts advice about a tool call that it makes all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AdviceTime {
    /// Before the tool runs.
    Before,
    /// After it.
    After,
    /// Never, as far as is known.
    Never,
}

impl Client {
    /// All of them.
    pub const ALL: [Self; 6] = [
        Self::Claude,
        Self::Codex,
        Self::Gemini,
        Self::Cursor,
        Self::Windsurf,
        Self::Copilot,
    ];

    /// Returns its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Gemini => "gemini",
            Self::Cursor => "cursor",
            Self::Windsurf => "windsurf",
            Self::Copilot => "copilot",
        }
    }

    /// Returns the prefix that the client puts before the tools of our server, which is set up as `hl`. Empty if the client shows the
    /// bare name.
    pub(crate) const fn tool_prefix(self) -> &'static str {
        match self {
            Self::Claude | Self::Codex => "mcp__hl__",
            Self::Gemini => "mcp_hl_",
            Self::Cursor | Self::Windsurf | Self::Copilot => "",
        }
    }

    /// Returns when it accepts advice.
    pub(crate) const fn advice(self) -> AdviceTime {
        match self {
            Self::Claude => AdviceTime::Before,
            Self::Codex | Self::Gemini => AdviceTime::After,
            Self::Cursor | Self::Windsurf | Self::Copilot => AdviceTime::Never,
        }
    }

    /// Tells whether a hook may replace the output of its read tool.
    pub(crate) const fn rewrites_reads(self) -> bool {
        matches!(self, Self::Claude | Self::Gemini)
    }
}
