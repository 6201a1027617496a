//! Codex: a server, hooks, a section of AGENTS.md.

use std::path::Path;

use serde_json::{Map, Value, json};

use super::{SERVER, Target, Targets, What, hook};
use crate::setup::agent::{Scope, Wish};
use crate::setup::disk;
use crate::setup::merge::toml::{Table, look_below};
use crate::setup::owned::{Calls, Owned};

pub(super) fn targets(wish: &Wish) -> Targets {
    let folder = wish.folder(".codex");
    let run = json!({"type": "command", "command": wish.hook_line(), "timeout": 10});
    let hooks = vec![
        hook("PreToolUse", Some("Bash|apply_patch"), run.clone()),
        hook("PostToolUse", Some("Bash|apply_patch"), run.clone()),
        hook("SessionStart", None, run),
    ];
    let (config, hooks_file) = (folder.join("config.toml"), folder.join("hooks.json"));
    let mut files = vec![Target::new(config.clone(), What::Toml(server(wish)))];
    let mut by_hand = by_hand(wish);
    if hooks_file.exists() || !has_hooks(&config) {
        files.push(Target::new(hooks_file, What::Json(hooks)));
    } else {
        by_hand.push(format!(
            "{} has hooks of its own, and Codex takes either those or a hooks.json: add `{}` there for the events PreToolUse, PostToolUse and SessionStart.",
            config.display(),
            wish.hook_line()
        ));
    }
    files.push(wish.instructions("AGENTS.md"));
    Targets { files, by_hand }
}

/// Tells whether a configuration has hooks in it. What Codex remembers of trusted ones does not count.
fn has_hooks(config: &Path) -> bool {
    let text = disk::text(config).unwrap_or_default();
    let hooks = look_below(&text, &["hooks"]);
    let hooks = hooks.as_ref().and_then(Value::as_object);
    hooks.is_some_and(|hooks| hooks.keys().any(|key| key != "state"))
}

/// Says which hooks of a configuration's own run hashline: setup did not write them, and does not take them out.
pub(super) fn left_by_hand(wish: &Wish) -> Vec<String> {
    let config = wish.folder(".codex").join("config.toml");
    let owned = Owned::new(&wish.command, &[]);
    let text = disk::text(&config).unwrap_or_default();
    let Some(Value::Object(events)) = look_below(&text, &["hooks"]) else {
        return Vec::new();
    };
    let runs_us = |groups: &Value| {
        let groups = groups.as_array().into_iter().flatten();
        groups
            .into_iter()
            .any(|group| owned.runs_us(group, Calls::Hook))
    };
    let ours = events.iter().filter(|(_, groups)| runs_us(groups));
    let ours: Vec<&str> = ours.map(|(event, _)| event.as_str()).collect();
    match ours.as_slice() {
        [] => Vec::new(),
        events => vec![format!(
            "Take the hooks that run hashline out of {}: {}. Setup did not write them.",
            config.display(),
            events.join(", ")
        )],
    }
}

fn server(wish: &Wish) -> Table {
    let keys: [(&str, Value); 5] = [
        ("command", wish.command.as_str().into()),
        ("args", wish.server_args().into()),
        ("startup_timeout_sec", 10.into()),
        ("tool_timeout_sec", 60.into()),
        ("default_tools_approval_mode", "approve".into()),
    ];
    let keys = keys.map(|(key, value)| (key.to_owned(), value));
    Table {
        parent: "mcp_servers".to_owned(),
        name: SERVER.to_owned(),
        keys: Map::from_iter(keys),
    }
}

fn by_hand(wish: &Wish) -> Vec<String> {
    let hooks = "Run `/hooks` in Codex once and trust the hashline hooks: Codex skips hooks that nobody has trusted, and says nothing.";
    let project =
        "Trust the project when Codex asks: the files in .codex count only in a trusted project.";
    match wish.scope {
        Scope::Project => vec![project.to_owned(), hooks.to_owned()],
        Scope::User => vec![hooks.to_owned()],
    }
}
