//! What setup writes for Gemini CLI: an MCP server, hooks and a section of its instruction file.

use std::path::Path;

use serde_json::{Value, json};

use super::{AgentFile, AgentFiles, FileContent, SERVER, hook, member, text};
use crate::setup::merge::json::{JsonEntry, look_up};
use crate::setup::options::{EditRights, SetupOptions};
use crate::setup::ownership::ALWAYS_SUCCEED;
use crate::setup::read;

/// The key of a server whose tools Gemini CLI never asks about.
pub(super) const TRUST: &str = "trust";

pub(super) fn files(options: &SetupOptions) -> AgentFiles {
    let settings = options.folder(".gemini").join("settings.json");
    let own = options
        .places
        .own_folder(options.agent)
        .join("settings.json");
    let name = instruction_file([&settings, &own]);
    AgentFiles {
        files: vec![
            AgentFile::new(settings, FileContent::Json(entries(options))),
            options.instructions(&name),
        ],
        manual_steps: options.in_project(
            "Trust the folder when Gemini CLI asks: the files in .gemini count only in a trusted folder.",
        ),
    }
}

fn entries(options: &SetupOptions) -> Vec<JsonEntry> {
    let mut server = json!({
        "command": options.command,
        "args": options.args("mcp"),
        "timeout": 60_000,
    });
    if options.edits == EditRights::Allow {
        server[TRUST] = true.into();
    }
    // A hook that fails stops the call, so one whose program is gone would stop them all.
    let line = format!("{}{ALWAYS_SUCCEED}", options.hook_line());
    let run = json!({"type": "command", "name": "hashline", "command": line, "timeout": 10_000});
    let hooked = |event, tools| hook(event, tools, run.clone());
    let mut entries = vec![
        member(&["mcpServers"], SERVER, server),
        hooked("BeforeTool", Some("replace|write_file|run_shell_command")),
        hooked(
            "AfterTool",
            Some("read_file|replace|write_file|run_shell_command"),
        ),
        hooked("SessionStart", None),
    ];
    if options.edits == EditRights::Ask {
        let reading = ["mcp_hl_read", "mcp_hl_search"].iter();
        entries.extend(reading.map(|tool| text(&["tools", "allowed"], tool)));
    }
    entries
}

/// Returns the name of Gemini's instruction file: GEMINI.md, unless `context.fileName` in the settings lists only other names. The first settings
/// file that has the key decides.
fn instruction_file(settings: [&Path; 2]) -> String {
    const USUAL: &str = "GEMINI.md";
    let named = settings.into_iter().find_map(|path| {
        let settings = read::text(path)?;
        look_up(&settings, &["context", "fileName"])
    });
    let plain = |name: &&str| !name.is_empty() && !name.contains(['/', '\\']);
    let name = match &named {
        Some(Value::String(name)) => Some(name.as_str()).filter(plain),
        Some(Value::Array(names)) => {
            let mut names = names.iter().filter_map(Value::as_str).filter(plain);
            let first = names.clone().next();
            names.find(|name| *name == USUAL).or(first)
        }
        _ => None,
    };
    name.unwrap_or(USUAL).to_owned()
}
