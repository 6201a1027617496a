//! What setup writes for Codex: an MCP server, hooks and a section of AGENTS.md.

use std::path::Path;

use serde_json::{Value, json};

use super::{AgentFile, AgentFiles, FileContent, SERVER, hook};
use crate::setup::merge::toml::{TomlTable, look_below};
use crate::setup::options::{EditRights, SetupOptions};
use crate::setup::ownership::Ownership;
use crate::setup::read;

/// The key that says which of our tools Codex asks about: `writes` those that change files, `approve` none.
pub(super) const APPROVAL: &str = "default_tools_approval_mode";
pub(super) const APPROVE: &str = "approve";

pub(super) fn files(options: &SetupOptions) -> AgentFiles {
    let folder = options.folder(".codex");
    let run = json!({"type": "command", "command": options.hook_line(), "timeout": 10});
    let hooks = vec![
        hook("PreToolUse", Some("Bash|apply_patch"), run.clone()),
        hook("PostToolUse", Some("Bash|apply_patch"), run.clone()),
        hook("SessionStart", None, run),
    ];
    let (config, hooks_file) = (folder.join("config.toml"), folder.join("hooks.json"));
    let mut files = vec![AgentFile::new(
        config.clone(),
        FileContent::Toml(server(options)),
    )];
    let mut manual_steps = options.in_project(
        "Trust the project when Codex asks: the files in .codex count only in a trusted project.",
    );
    manual_steps.push(
        "Run `/hooks` in Codex once and trust the hashline hooks: Codex silently skips hooks that nobody has trusted."
            .to_owned(),
    );
    if hooks_file.exists() || !has_hooks(&config) {
        files.push(AgentFile::new(hooks_file, FileContent::Json(hooks)));
    } else {
        manual_steps.push(format!(
            "{} has hooks of its own, and Codex reads either those or hooks.json: add `{}` there for the events PreToolUse, PostToolUse and SessionStart.",
            config.display(),
            options.hook_line()
        ));
    }
    files.push(options.instructions(options.agent.instructions()));
    AgentFiles {
        files,
        manual_steps,
    }
}

/// Returns whether a `config.toml` has hooks. `hooks.state`, in which Codex stores which hooks are trusted, does not count.
fn has_hooks(config: &Path) -> bool {
    let text = read::text(config).unwrap_or_default();
    let hooks = look_below(&text, &["hooks"]);
    let hooks = hooks.as_ref().and_then(Value::as_object);
    hooks.is_some_and(|hooks| hooks.keys().any(|key| key != "state"))
}

/// Returns the step of removing the hooks in `config.toml` that run hashline: setup did not write them, and so does not remove them.
pub(super) fn manual_removal_steps(options: &SetupOptions) -> Vec<String> {
    let config = options.folder(".codex").join("config.toml");
    let ownership = Ownership::new(&options.command, &[]);
    let text = read::text(&config).unwrap_or_default();
    let hooks = look_below(&text, &["hooks"]).unwrap_or_default();
    let ours = ownership.events_with_ours(&hooks);
    match ours.as_slice() {
        [] => Vec::new(),
        events => vec![format!(
            "Remove the hooks that run hashline from {}: {}. Setup did not write them.",
            config.display(),
            events.join(", ")
        )],
    }
}

fn server(options: &SetupOptions) -> TomlTable {
    let keys = json!({
        "command": options.command,
        "args": options.args("mcp"),
        "startup_timeout_sec": 10,
        "tool_timeout_sec": 60,
        APPROVAL: match options.edits {
            EditRights::Ask => "writes",
            EditRights::Allow => APPROVE,
        },
    });
    TomlTable {
        parent: "mcp_servers".to_owned(),
        name: SERVER.to_owned(),
        keys: keys.as_object().cloned().unwrap_or_default(),
    }
}
