//! Names of files and folders that make agents, editors or shells run commands. No edit may write such files unless the user unlocks the
//! name.
//!
//! The list has the files that an agent, an editor, a shell or git runs or obeys when a folder is opened or a commit is made. Files that
//! only a build, a test or an installation runs are not listed: `package.json`, `Makefile`, `build.rs` or `.npmrc` are edited every day,
//! and an agent that may write code that is built can run commands anyway.

/// A protected name, and why edits may not write files with that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProtectedName {
    /// The name of a file or folder: a whole name, `*` and the end of a name, or a folder and a name with a slash between.
    pub name: &'static str,
    /// Which program runs or obeys the file.
    pub why: &'static str,
}

/// All protected names, folded to lower case, because names are folded before they are compared.
#[rustfmt::skip] // One line for each row.
pub const PROTECTED_NAMES: &[ProtectedName] = &[
    // Agents.
    row(".aider.conf.yml", "aider runs its lint and test commands"),
    row(".amazonq", "Amazon Q: MCP servers and agents with hooks"),
    row(".claude", "Claude Code: hooks, MCP servers, allowed commands"),
    row(".claude-plugin", "Claude Code: plugins with hooks"),
    row(".claude.json", "Claude Code: MCP servers"),
    row(".cline", "Cline: MCP servers and hooks"),
    row(".clinerules", "Cline: hooks beside its rules"),
    row(".codex", "Codex: hooks, MCP servers, sandbox"),
    row(".continue", "Continue: MCP servers"),
    row(".copilot", "Copilot: hooks and MCP servers"),
    row(".crush.json", "Crush: MCP and language servers"),
    row("crush.json", "Crush: MCP and language servers"),
    row(".cursor", "Cursor: hooks and MCP servers"),
    row(".cursorrules", "Cursor: orders that it follows unasked"),
    row(".gemini", "Gemini CLI: hooks, MCP servers, tools found by a command"),
    row(".github/hooks", "Copilot: hooks; the rest of `.github` is not run here"),
    row(".junie", "Junie: MCP servers"),
    row(".kilocode", "Kilo Code: MCP servers"),
    row(".kiro", "Kiro: hooks and MCP servers"),
    row(".mcp.json", "MCP servers, for several agents"),
    row("mcp.json", "MCP servers, for several agents"),
    row(".opencode", "OpenCode: plugins and MCP servers"),
    row("opencode.json", "OpenCode: MCP servers, formatters, language servers"),
    row("opencode.jsonc", "OpenCode: MCP servers, formatters, language servers"),
    row(".pi", "pi: extensions"),
    row(".qwen", "Qwen Code: hooks and MCP servers"),
    row(".roo", "Roo Code: MCP servers"),
    row(".windsurf", "Windsurf: hooks"),
    row("hashline.toml", "our own settings"),
    // Editors and the places they open.
    row("*.code-workspace", "VS Code: tasks and settings, as `.vscode`"),
    row("*.sublime-project", "Sublime Text: build commands and language servers"),
    row(".devcontainer", "commands when the container is made or entered"),
    row(".devcontainer.json", "commands when the container is made or entered"),
    row(".dir-locals.el", "Emacs: evaluated when a file is opened"),
    row(".dir-locals-2.el", "Emacs: evaluated when a file is opened"),
    row(".exrc", "Vim: sourced in its folder where `exrc` is on"),
    row(".vimrc", "Vim: sourced in its folder where `exrc` is on"),
    row(".nvimrc", "Neovim: sourced in its folder where `exrc` is on"),
    row(".nvim.lua", "Neovim: sourced in its folder where `exrc` is on"),
    row("coc-settings.json", "Vim with coc: language servers"),
    row(".gitpod.yml", "commands when the workspace is opened"),
    row(".helix", "Helix: language servers and formatters"),
    row(".idea", "JetBrains: run configurations, watchers, startup tasks"),
    row(".replit", "commands when the workspace is opened"),
    row(".vscode", "VS Code: tasks, paths of programs, MCP servers"),
    row(".zed", "Zed: tasks, language servers, MCP servers"),
    // Shells, on entering the folder.
    row(".direnv", "direnv: what it loaded"),
    row(".envrc", "direnv: a script run on entering the folder"),
    row(".mise", "mise: hooks and tasks"),
    row(".mise.toml", "mise: hooks on entering the folder, templates that run commands"),
    row(".mise.local.toml", "mise: as `.mise.toml`"),
    row("mise.toml", "mise: as `.mise.toml`"),
    row("mise.local.toml", "mise: as `.mise.toml`"),
    // Git hooks: any commit runs them.
    row(".githooks", "git: hooks, by custom"),
    row(".husky", "husky: git hooks"),
    row(".lefthook", "lefthook: scripts of git hooks"),
    row("lefthook.yml", "lefthook: git hooks"),
    row("lefthook.yaml", "lefthook: git hooks"),
    row("lefthook.toml", "lefthook: git hooks"),
    row("lefthook.json", "lefthook: git hooks"),
    row("lefthook-local.yml", "lefthook: git hooks"),
    row("lefthook-local.yaml", "lefthook: git hooks"),
    row("lefthook-local.toml", "lefthook: git hooks"),
    row("lefthook-local.json", "lefthook: git hooks"),
    row(".lefthook.yml", "lefthook: git hooks"),
    row(".lefthook.yaml", "lefthook: git hooks"),
    row(".lefthook.toml", "lefthook: git hooks"),
    row(".lefthook.json", "lefthook: git hooks"),
    row(".lefthook-local.yml", "lefthook: git hooks"),
    row(".lefthook-local.yaml", "lefthook: git hooks"),
    row(".lefthook-local.toml", "lefthook: git hooks"),
    row(".lefthook-local.json", "lefthook: git hooks"),
    row(".overcommit.yml", "Overcommit: git hooks"),
    row(".pre-commit-config.yaml", "pre-commit: git hooks"),
    row(".simple-git-hooks.json", "simple-git-hooks: git hooks"),
];

impl ProtectedName {
    /// Returns the row whose `name` is exactly this text.
    pub(crate) fn named(name: &str) -> Option<&'static Self> {
        PROTECTED_NAMES.iter().find(|row| row.name == name)
    }

    /// Returns whether this row protects the file `name` in `folder`. Both names are folded to lower case by the caller.
    pub(crate) fn covers(&self, folder: &str, name: &str) -> bool {
        match (self.name.strip_prefix('*'), self.name.split_once('/')) {
            (Some(end), _) => name.ends_with(end),
            (None, Some((above, own))) => folder == above && name == own,
            (None, None) => name == self.name,
        }
    }
}

const fn row(name: &'static str, why: &'static str) -> ProtectedName {
    ProtectedName { name, why }
}
