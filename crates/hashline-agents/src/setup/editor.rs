//! Editors that setup has only snippets for, which are taken from their documentation and not tested with the editor.

use hashline_core::dialect::Dialect;
use serde_json::{Value, json};

use crate::setup::agents::SERVER;
use crate::setup::ownership::hook_line;

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
    /// The server.
    pub server: SnippetPart,
    /// The hook, where the editor has hooks that ours understands.
    pub hook: Option<SnippetPart>,
    /// What else there is to know: whole sentences.
    pub remark: String,
}

impl Snippet {
    /// Returns the parts that go into files.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &SnippetPart> {
        std::iter::once(&self.server).chain(&self.hook)
    }
}

/// What to put into a file.
#[derive(Clone, Debug, PartialEq)]
pub struct SnippetPart {
    /// The file.
    pub file: &'static str,
    /// The keys that are ours, as people call them.
    pub keys: &'static str,
    /// What goes into it, beside what is there.
    pub value: Value,
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

    /// Returns the snippets that make it run a command as our server and hook, with a dialect or without.
    #[must_use]
    pub fn snippet(self, command: &str, dialect: Option<Dialect>) -> Snippet {
        let dialect = dialect.map(Dialect::name);
        let mut args = vec!["mcp"];
        args.extend(dialect.iter().flat_map(|name| ["--dialect", name]));
        let option: String = args[1..].iter().map(|arg| format!(" {arg}")).collect();
        Snippet {
            server: self.server(command, &args),
            hook: self.hook(&hook_line(command, dialect)),
            remark: format!(
                "Put the output of `hashline prompt --agent tools{option}` into {}",
                self.rules()
            ),
        }
    }

    fn server(self, command: &str, args: &[&str]) -> SnippetPart {
        let plain = json!({"command": command, "args": args});
        match self {
            Self::Cursor => SnippetPart {
                file: ".cursor/mcp.json in the project, or ~/.cursor/mcp.json",
                keys: "`mcpServers.hl`",
                value: json!({"mcpServers": {SERVER: plain}}),
            },
            Self::VsCode => SnippetPart {
                file: ".vscode/mcp.json in the project",
                keys: "`servers.hl`",
                value: json!({"servers": {SERVER: {"type": "stdio", "command": command, "args": args}}}),
            },
            Self::Windsurf => SnippetPart {
                file: "~/.codeium/windsurf/mcp_config.json",
                keys: "`mcpServers.hl`",
                value: json!({"mcpServers": {SERVER: plain}}),
            },
            Self::Zed => SnippetPart {
                file: "settings.json (in Zed: `zed: open settings`)",
                keys: "`context_servers.hl`",
                value: json!({"context_servers": {SERVER: {"command": command, "args": args, "env": {}}}}),
            },
        }
    }

    fn hook(self, line: &str) -> Option<SnippetPart> {
        let run = || json!([{"command": line}]);
        let (file, value) = match self {
            Self::Cursor => (
                ".cursor/hooks.json in the project, or ~/.cursor/hooks.json",
                json!({"version": 1, "hooks": {
                    "preToolUse": [{"command": line, "matcher": "Shell|Write|StrReplace|Edit|MultiEdit"}],
                    "afterFileEdit": run(),
                    "afterShellExecution": run(),
                    "sessionStart": run(),
                }}),
            ),
            Self::Windsurf => (
                ".windsurf/hooks.json in the project, or ~/.codeium/windsurf/hooks.json",
                json!({"hooks": {
                    "pre_write_code": run(),
                    "pre_run_command": run(),
                    "post_write_code": run(),
                    "post_run_command": run(),
                }}),
            ),
            Self::VsCode | Self::Zed => return None,
        };
        Some(SnippetPart {
            file,
            keys: "the hooks that run `hashline hook`",
            value,
        })
    }

    /// Says where its rules for the model lie, to the end of the sentence.
    fn rules(self) -> &'static str {
        match self {
            Self::Cursor => {
                "AGENTS.md, or into .cursor/rules/hashline.mdc below this front matter:\n---\ndescription: How files are read and edited here\nalwaysApply: true\n---"
            }
            Self::VsCode => "AGENTS.md or .github/copilot-instructions.md.",
            Self::Windsurf | Self::Zed => "AGENTS.md.",
        }
    }
}
