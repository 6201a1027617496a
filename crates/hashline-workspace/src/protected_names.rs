//! Names of files and folders that make agents, editors or shells run commands. No edit may write such files unless the user unlocks the
//! name.
//!
//! The list has the files that an agent, an editor, a shell or version control runs or obeys when a folder is opened or a commit is made. Files that
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
    row(".amp", "Amp: MCP servers and allowed commands"),
    row(".augment", "Augment: rules that it follows unasked"),
    row(".augment-guidelines", "Augment: orders that it follows unasked"),
    row(".claude", "Claude Code: hooks, MCP servers, allowed commands"),
    row(".claude-plugin", "Claude Code: plugins with hooks"),
    row(".claude.json", "Claude Code: MCP servers"),
    row(".cline", "Cline: MCP servers and hooks"),
    row(".clinerules", "Cline: hooks beside its rules"),
    row(".codex", "Codex: hooks, MCP servers, sandbox"),
    row(".continue", "Continue: MCP servers"),
    row(".continuerules", "Continue: orders that it follows unasked"),
    row(".copilot", "Copilot: hooks and MCP servers"),
    row(".crush.json", "Crush: MCP and language servers"),
    row("crush.json", "Crush: MCP and language servers"),
    row(".cursor", "Cursor: hooks and MCP servers"),
    row(".cursorrules", "Cursor: orders that it follows unasked"),
    row(".factory", "Factory: hooks and MCP servers"),
    row(".gemini", "Gemini CLI: hooks, MCP servers, tools found by a command"),
    row(".github/hooks", "Copilot: hooks; the rest of `.github` is not run here"),
    row(".goosehints", "Goose: orders that it follows unasked"),
    row(".junie", "Junie: MCP servers"),
    row(".kilocode", "Kilo Code: MCP servers"),
    row(".kilocodemodes", "Kilo Code: modes with orders and allowed tools"),
    row(".kiro", "Kiro: hooks and MCP servers"),
    row(".mcp.json", "MCP servers, for several agents"),
    row("mcp.json", "MCP servers, for several agents"),
    row(".opencode", "OpenCode: plugins and MCP servers"),
    row("opencode.json", "OpenCode: MCP servers, formatters, language servers"),
    row("opencode.jsonc", "OpenCode: MCP servers, formatters, language servers"),
    row(".openhands", "OpenHands: scripts run when it starts and before a commit"),
    row(".pi", "pi: extensions"),
    row(".qwen", "Qwen Code: hooks and MCP servers"),
    row(".roo", "Roo Code: MCP servers"),
    row(".roomodes", "Roo Code: modes with orders and allowed tools"),
    row(".roorules", "Roo Code: orders that it follows unasked"),
    row(".trae", "Trae: MCP servers and rules"),
    row(".windsurf", "Windsurf: hooks"),
    row(".windsurfrules", "Windsurf: orders that it follows unasked"),
    row("hashline.toml", "our own settings"),
    // Editors and the places they open.
    row("*.code-workspace", "VS Code: tasks and settings, as `.vscode`"),
    row("*.sublime-project", "Sublime Text: build commands and language servers"),
    row(".devcontainer", "commands when the container is made or entered"),
    row(".devcontainer.json", "commands when the container is made or entered"),
    row(".devfile.yaml", "commands when the workspace is opened"),
    row("devfile.yaml", "commands when the workspace is opened"),
    row(".dir-locals.el", "Emacs: evaluated when a file is opened"),
    row(".dir-locals-2.el", "Emacs: evaluated when a file is opened"),
    row(".exrc", "Vim: sourced in its folder where `exrc` is on"),
    row("_exrc", "Vim on Windows: as `.exrc`"),
    row(".vimrc", "Vim: sourced in its folder where `exrc` is on"),
    row("_vimrc", "Vim on Windows: as `.vimrc`"),
    row(".lvimrc", "Vim with localvimrc: sourced when a file is opened"),
    row(".nvimrc", "Neovim: sourced in its folder where `exrc` is on"),
    row(".nvim.lua", "Neovim: sourced in its folder where `exrc` is on"),
    row("coc-settings.json", "Vim with coc: language servers"),
    row(".codesandbox", "CodeSandbox: tasks run when the workspace is opened"),
    row(".fleet", "Fleet: run configurations and paths of programs"),
    row(".gitpod.yml", "commands when the workspace is opened"),
    row(".helix", "Helix: language servers and formatters"),
    row(".idea", "JetBrains: run configurations, watchers, startup tasks"),
    row(".idx", "Firebase Studio: commands when the workspace is opened"),
    row(".kateproject", "Kate: build commands and language servers"),
    row(".nova", "Nova: tasks"),
    row(".replit", "commands when the workspace is opened"),
    row(".stackblitzrc", "StackBlitz: a command when the workspace is opened"),
    row(".theia", "Theia: tasks, as `.vscode`"),
    row(".vs", "Visual Studio: tasks and launch configurations"),
    row(".vscode", "VS Code: tasks, paths of programs, MCP servers"),
    row(".zed", "Zed: tasks, language servers, MCP servers"),
    // Shells, on entering the folder.
    row(".autoenv", "autoenv: sourced on entering the folder"),
    row(".autoenv.zsh", "autoenv: sourced on entering the folder"),
    row(".config/mise", "mise: as `.mise.toml`"),
    row(".direnv", "direnv: what it loaded"),
    row(".envrc", "direnv: a script run on entering the folder"),
    row(".mise", "mise: hooks and tasks"),
    row(".mise.toml", "mise: hooks on entering the folder, templates that run commands"),
    row(".mise.local.toml", "mise: as `.mise.toml`"),
    row("mise.toml", "mise: as `.mise.toml`"),
    row("mise.local.toml", "mise: as `.mise.toml`"),
    // Version control other than git: its own folder, with settings that run commands.
    row(".bzr", "Bazaar: commands run after a commit"),
    row(".hg", "Mercurial: hooks, extensions and aliases that run commands"),
    row(".jj", "Jujutsu: programs that it runs"),
    row(".pijul", "Pijul: hooks"),
    row(".sl", "Sapling: hooks and extensions, as `.hg`"),
    row(".svn", "Subversion: its own record of the working copy"),
    row("_darcs", "darcs: hooks"),
    // Git hooks: any commit runs them.
    row(".git-hooks", "Overcommit: git hooks"),
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
    row(".pre-commit-config.yml", "prek: git hooks"),
    row(".pre-commit-config.yaml", "pre-commit: git hooks"),
    row("prek.toml", "prek: git hooks"),
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
