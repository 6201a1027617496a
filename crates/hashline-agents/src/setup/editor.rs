//! Cursor, VS Code, Windsurf and Zed: editors for which `hashline setup` prints configuration snippets instead of writing files. The snippets follow the editors' documentation and
//! were not tested in the editors.

use hashline_core::dialect::Dialect;
use serde_json::{Value, json};

use crate::setup::agents::SERVER;
use crate::setup::ownership::hook_line;

/// An editor for which setup only prints configuration snippets, taken from the editor's documentation.
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

/// The configuration that a user pastes into an editor's files by hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    /// The configuration of our MCP server.
    pub server: SnippetPart,
    /// The configuration of our hook; `None` if the editor has no hooks that `hashline hook` understands.
    pub hook: Option<SnippetPart>,
    /// Further advice for the user, in whole sentences: where to put the instructions for the model.
    pub remark: String,
}

impl Snippet {
    /// Returns the parts of the snippet that belong into files: the server's, then the hook's if there is one.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &SnippetPart> {
        std::iter::once(&self.server).chain(&self.hook)
    }
}

/// A piece of JSON, and the configuration file that the user has to add it to.
#[derive(Clone, Debug, PartialEq)]
pub struct SnippetPart {
    /// The configuration file, described for the user: `.cursor/mcp.json in the project, or ~/.cursor/mcp.json`.
    pub file: &'static str,
    /// The names of the added keys for messages, such as "`mcpServers.hl`".
    pub keys: &'static str,
    /// The JSON that the user merges into the configuration file.
    pub value: Value,
}

impl Editor {
    /// All editors for which setup prints snippets.
    pub const ALL: [Self; 4] = [Self::Cursor, Self::VsCode, Self::Windsurf, Self::Zed];

    /// Returns the editor's name on the command line, such as `vscode`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Cursor => "cursor",
            Self::VsCode => "vscode",
            Self::Windsurf => "windsurf",
            Self::Zed => "zed",
        }
    }

    /// Returns the snippets that make the editor run `command` as MCP server and as hook, with `--dialect` if a dialect is given.
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

    /// Returns the rest of the sentence "Put the output of `hashline prompt` into ...": the editor's instruction files.
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
