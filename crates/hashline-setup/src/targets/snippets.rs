//! Editors that setup writes nothing for: what to put where, from their documentation, not tried with the real thing.

use serde_json::{Value, json};

use super::SERVER;

/// An editor that setup only knows from documentation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Editor {
    /// Cursor.
    Cursor,
    /// Visual Studio Code with Copilot.
    VsCode,
    /// Windsurf.
    Windsurf,
    /// Zed.
    Zed,
}

/// What to put where.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    /// The file.
    pub file: &'static str,
    /// What goes into it, beside what is there.
    pub value: Value,
    /// What else there is to know: a whole sentence.
    pub remark: &'static str,
}

impl Editor {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Cursor, Self::VsCode, Self::Windsurf, Self::Zed];

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Windsurf => "windsurf",
            Self::Zed => "zed",
        }
    }

    /// Returns the editor of a name on the command line.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|editor| editor.name() == name)
    }

    /// Returns what to put where so that it runs a command with arguments as our server.
    #[must_use]
    pub fn snippet(self, command: &str, args: &[String]) -> Snippet {
        let plain = json!({"command": command, "args": args});
        match self {
            Self::Cursor => Snippet {
                file: ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
                value: json!({"mcpServers": {SERVER: plain}}),
                remark: "Put the output of `hashline prompt --agent tools` into AGENTS.md or .cursor/rules/hashline.mdc.",
            },
            Self::VsCode => Snippet {
                file: ".vscode/mcp.json in the project",
                value: json!({"servers": {SERVER: {"type": "stdio", "command": command, "args": args}}}),
                remark: "Put the output of `hashline prompt --agent tools` into AGENTS.md or .github/copilot-instructions.md.",
            },
            Self::Windsurf => Snippet {
                file: "~/.codeium/windsurf/mcp_config.json",
                value: json!({"mcpServers": {SERVER: plain}}),
                remark: "Put the output of `hashline prompt --agent tools` into AGENTS.md.",
            },
            Self::Zed => Snippet {
                file: "settings.json (in Zed: `zed: open settings`)",
                value: json!({"context_servers": {SERVER: {"command": command, "args": args, "env": {}}}}),
                remark: "Put the output of `hashline prompt --agent tools` into AGENTS.md.",
            },
        }
    }
}
