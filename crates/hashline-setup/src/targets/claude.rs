//! Claude Code: a server, hooks, permissions, a section of CLAUDE.md, a skill.

use hashline_wire::prompt::{Caller, prompt};
use serde_json::json;

use super::{SERVER, Target, Targets, What, hook, member, text};
use crate::agent::{Scope, Wish};

/// What is put before the instructions to make a skill of them.
const SKILL_HEAD: &str = include_str!("../../assets/skill/head.md");

pub(super) fn targets(wish: &Wish) -> Targets {
    let places = &wish.places;
    let own = places.claude.clone();
    let own = own.unwrap_or_else(|| places.home.join(".claude"));
    let folder = wish.folder(".claude", own);
    let (servers, memory) = match (wish.scope, &places.claude) {
        (Scope::Project, _) => (
            places.project.join(".mcp.json"),
            places.project.join("CLAUDE.md"),
        ),
        (Scope::User, Some(own)) => (own.join(".claude.json"), folder.join("CLAUDE.md")),
        (Scope::User, None) => (places.home.join(".claude.json"), folder.join("CLAUDE.md")),
    };
    let server = json!({
        "type": "stdio",
        "command": wish.command,
        "args": wish.server_args(),
        // Without this the tools are hidden until the model searches for them.
        "alwaysLoad": true,
    });
    let run = json!({"type": "command", "command": wish.command, "args": ["hook"], "timeout": 10});
    let settings = vec![
        hook("PreToolUse", Some("Edit|Write|MultiEdit|Bash"), run.clone()),
        hook(
            "PostToolUse",
            Some("Read|Bash|Edit|Write|MultiEdit"),
            run.clone(),
        ),
        hook("SessionStart", None, run),
        text(&["permissions", "allow"], "mcp__hl__*"),
        text(&["permissions", "allow"], "Bash(hashline:*)"),
    ];
    let skill = prompt(wish.dialect.unwrap_or_default(), Caller::Shell);
    let file = |path, what| Target { path, what };
    Targets {
        files: vec![
            file(servers, What::Json(vec![member(&["mcpServers"], SERVER, server)])),
            file(folder.join("settings.json"), What::Json(settings)),
            file(memory, wish.section()),
            file(folder.join("skills/hashline/SKILL.md"), What::Whole(format!("{SKILL_HEAD}{skill}"))),
        ],
        by_hand: match wish.scope {
            Scope::User => Vec::new(),
            Scope::Project => vec![
                "Start `claude` in the project once: trust the folder, and approve the server `hl` of .mcp.json. \
                Until then `claude mcp list` shows it as pending, and permissions of the project are ignored."
                    .to_owned(),
            ],
        },
    }
}
