//! Claude Code: a server, hooks, permissions, a section of CLAUDE.md, a skill.

use std::path::{Path, PathBuf};

use hashline_wire::prompt::{Caller, prompt};
use serde_json::{Value, json};

use super::{SERVER, Target, Targets, What, hook, member, text};
use crate::setup::agent::{Scope, Wish};
use crate::setup::merge::json::Entry;
use crate::setup::owned::NAME;
use crate::setup::write::Access;

/// What is put before the instructions to make a skill of them.
const SKILL_HEAD: &str = include_str!("../../../assets/skill/head.md");

pub(super) fn targets(wish: &Wish) -> Targets {
    let folder = wish.folder(".claude");
    let skill = prompt(wish.spoken(), Caller::Shell);
    Targets {
        files: vec![
            Target {
                path: server_file(wish),
                what: What::Json(vec![member(&["mcpServers"], SERVER, server(wish))]),
                access: match wish.scope {
                    Scope::Project => Access::Usual,
                    // Claude Code keeps tokens in it.
                    Scope::User => Access::Owner,
                },
            },
            Target::new(folder.join("settings.json"), What::Json(settings(wish))),
            wish.instructions("CLAUDE.md"),
            Target::new(
                folder.join("skills/hashline/SKILL.md"),
                What::Whole(format!("{SKILL_HEAD}{skill}")),
            ),
        ],
        by_hand: by_hand(wish.scope),
    }
}

fn server_file(wish: &Wish) -> PathBuf {
    let places = &wish.places;
    match (wish.scope, &places.claude) {
        (Scope::Project, _) => places.project.join(".mcp.json"),
        (Scope::User, Some(own)) => own.join(".claude.json"),
        (Scope::User, None) => places.home.join(".claude.json"),
    }
}

fn server(wish: &Wish) -> Value {
    json!({
        "type": "stdio",
        "command": wish.command,
        "args": wish.server_args(),
        // Without this the tools are hidden until the model searches for them.
        "alwaysLoad": true,
    })
}

fn settings(wish: &Wish) -> Vec<Entry> {
    let run = json!({
        "type": "command",
        "command": wish.command,
        "args": wish.hook_args(),
        "timeout": 10,
    });
    let hooked = |event, tools| hook(event, tools, run.clone());
    let mut entries = vec![
        hooked("PreToolUse", Some("Edit|Write|MultiEdit|Bash")),
        hooked("PostToolUse", Some("Read|Bash|Edit|Write|MultiEdit")),
        hooked("PostToolUseFailure", Some("Bash|Edit|Write|MultiEdit")),
        hooked("SessionStart", None),
        text(&["permissions", "allow"], "mcp__hl__*"),
        text(&["permissions", "allow"], "Bash(hashline:*)"),
    ];
    // Where the name leads to nothing or to another program, the model calls the path.
    if wish.command != NAME && Path::new(&wish.command).is_absolute() {
        let rule = format!("Bash({}:*)", wish.command);
        entries.push(text(&["permissions", "allow"], &rule));
    }
    entries
}

fn by_hand(scope: Scope) -> Vec<String> {
    match scope {
        Scope::User => Vec::new(),
        Scope::Project => vec![
            "Start `claude` in the project once: trust the folder, and approve the server `hl` of .mcp.json. \
            Until then `claude mcp list` shows it as pending, and permissions of the project are ignored."
                .to_owned(),
        ],
    }
}
