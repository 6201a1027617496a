//! The agents that run hooks: what each can do, and, in a file for each, how it writes events and answers.

pub(crate) mod claude;
pub(crate) mod copilot;
pub(crate) mod cursor;
pub(crate) mod gemini;
mod patch;
pub(crate) mod windsurf;

/// A client that runs hooks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Client {
    /// Claude Code.
    Claude,
    /// Codex.
    Codex,
    /// Gemini CLI.
    Gemini,
    /// Cursor; its shapes are taken from its documentation.
    Cursor,
    /// Windsurf; its shapes are taken from its documentation.
    Windsurf,
    /// Copilot CLI; its shapes are taken from its documentation.
    Copilot,
}

/// When a client takes advice about a tool that it runs all the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Advice {
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

    /// Tells what stands before the name of a tool of our server, which every client knows as `hl`. Nothing is known of those that show
    /// the name alone.
    pub(crate) const fn tool_prefix(self) -> &'static str {
        match self {
            Self::Claude | Self::Codex => "mcp__hl__",
            Self::Gemini => "mcp_hl_",
            Self::Cursor | Self::Windsurf | Self::Copilot => "",
        }
    }

    /// Tells when it takes advice.
    pub(crate) const fn advice(self) -> Advice {
        match self {
            Self::Claude => Advice::Before,
            Self::Codex | Self::Gemini => Advice::After,
            Self::Cursor | Self::Windsurf | Self::Copilot => Advice::Never,
        }
    }

    /// Tells whether it lets the text that its own read tool shows be replaced.
    pub(crate) const fn rewrites_reads(self) -> bool {
        matches!(self, Self::Claude | Self::Gemini)
    }
}
