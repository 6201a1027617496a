//! What setup writes for Claude Code: an MCP server, hooks, permissions, a section of CLAUDE.md and a skill.

use std::path::{Path, PathBuf};

use hashline_wire::prompt::{Caller, prompt};
use hashline_workspace::system::FileAccess;
use serde_json::{Value, json};

use super::{AgentFile, AgentFiles, FileContent, SERVER, hook, member, text};
use crate::setup::merge::json::JsonEntry;
use crate::setup::options::{EditRights, Scope, SetupOptions};
use crate::setup::ownership::NAME;

/// The rule that allows all our tools.
pub(super) const ALL_TOOLS: &str = "mcp__hl__*";

/// The front matter that turns our instructions into a skill.
const SKILL_FRONT_MATTER: &str = include_str!("../../../assets/skill/front_matter.md");

pub(super) fn files(options: &SetupOptions) -> AgentFiles {
    let folder = options.folder(".claude");
    let skill = prompt(options.spoken_dialect(), Caller::Shell);
    AgentFiles {
        files: vec![
            AgentFile {
                path: server_file(options),
                content: FileContent::Json(vec![member(&["mcpServers"], SERVER, server(options))]),
                access: match options.scope {
                    Scope::Project => FileAccess::Usual,
                    // Claude Code keeps tokens in it.
                    Scope::User => FileAccess::Private,
                },
            },
            AgentFile::new(
                folder.join("settings.json"),
                FileContent::Json(settings(options)),
            ),
            options.instructions(options.agent.instructions()),
            AgentFile::new(
                folder.join("skills/hashline/SKILL.md"),
                FileContent::Whole(format!("{SKILL_FRONT_MATTER}{skill}")),
            ),
        ],
        manual_steps: options.in_project(
            "Start `claude` in the project once: trust the folder, and approve the server `hl` of .mcp.json. \
            Until then `claude mcp list` shows it as pending, and permissions of the project are ignored.",
        ),
    }
}

fn server_file(options: &SetupOptions) -> PathBuf {
    let places = &options.places;
    match (options.scope, &places.claude) {
        (Scope::Project, _) => places.project.join(".mcp.json"),
        (Scope::User, Some(own)) => own.join(".claude.json"),
        (Scope::User, None) => places.home.join(".claude.json"),
    }
}

fn server(options: &SetupOptions) -> Value {
    json!({
        "type": "stdio",
        "command": options.command,
        "args": options.args("mcp"),
        // Without this the tools are hidden until the model searches for them.
        "alwaysLoad": true,
    })
}

fn settings(options: &SetupOptions) -> Vec<JsonEntry> {
    let run = json!({
        "type": "command",
        "command": options.command,
        "args": options.args("hook"),
        "timeout": 10,
    });
    let hooked = |event, tools| hook(event, tools, run.clone());
    let mut entries = vec![
        hooked(
            "PreToolUse",
            Some("Edit|Write|MultiEdit|Bash|mcp__hl__edit|mcp__hl__write"),
        ),
        hooked("PostToolUse", Some("Read|Bash|Edit|Write|MultiEdit")),
        hooked("PostToolUseFailure", Some("Bash|Edit|Write|MultiEdit")),
        hooked("SessionStart", None),
    ];
    let allowed: &[&str] = match options.edits {
        EditRights::Ask => &["mcp__hl__read", "mcp__hl__search"],
        EditRights::Allow => &[ALL_TOOLS],
    };
    entries.extend(allowed.iter().map(|rule| allow(rule)));
    // Where the name leads to nothing or to another program, the model calls the path.
    let path = options.command != NAME && Path::new(&options.command).is_absolute();
    let path = path.then_some(options.command.as_str());
    for program in [Some(NAME), path].into_iter().flatten() {
        entries.extend(match options.edits {
            EditRights::Ask => {
                let reading = ["read", "search"].iter();
                let rules = reading.map(|command| allow(&format!("Bash({program} {command}:*)")));
                rules.collect::<Vec<_>>()
            }
            EditRights::Allow => vec![allow(&format!("Bash({program}:*)"))],
        });
    }
    entries
}

/// Makes the entry that lets the model do something without a question.
fn allow(rule: &str) -> JsonEntry {
    text(&["permissions", "allow"], rule)
}
