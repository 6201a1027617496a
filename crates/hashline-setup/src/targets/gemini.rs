//! Gemini CLI: a server, hooks, a section of the file that it takes its instructions from.

use std::path::Path;

use serde_json::{Value, json};

use super::{SERVER, Target, Targets, What, hook, member};
use crate::agent::{Scope, Wish};
use crate::merge::json::look_up;
use crate::owned::GOES_ON;

pub(super) fn targets(wish: &Wish) -> Targets {
    let places = &wish.places;
    let folder = wish.folder(".gemini", places.home.join(".gemini"));
    let settings = folder.join("settings.json");
    let name = instruction_file([&settings, &places.home.join(".gemini/settings.json")]);
    let instructions = match wish.scope {
        Scope::Project => places.project.join(name),
        Scope::User => folder.join(name),
    };
    let server = json!({
        "command": wish.command,
        "args": wish.server_args(),
        "timeout": 60_000,
        // Its tools are not asked for one by one; hashline writes only inside the project.
        "trust": true,
    });
    // A hook that fails stops the call, so one whose program is gone would stop them all.
    let line = format!("{}{GOES_ON}", wish.hook_line());
    let run = json!({"type": "command", "name": "hashline", "command": line, "timeout": 10_000});
    let entries = vec![
        member(&["mcpServers"], SERVER, server),
        hook(
            "BeforeTool",
            Some("replace|write_file|run_shell_command"),
            run.clone(),
        ),
        hook(
            "AfterTool",
            Some("read_file|replace|write_file|run_shell_command"),
            run.clone(),
        ),
        hook("SessionStart", None, run),
    ];
    let file = |path, what| Target { path, what };
    Targets {
        files: vec![file(settings, What::Json(entries)), file(instructions, wish.section())],
        by_hand: match wish.scope {
            Scope::User => Vec::new(),
            Scope::Project => vec![
                "Trust the folder when Gemini CLI asks: the files in .gemini count only in a trusted folder.".to_owned(),
            ],
        },
    }
}

/// Returns the name of the file that Gemini reads: GEMINI.md, unless settings, the nearest first, name only others.
fn instruction_file(settings: [&Path; 2]) -> String {
    const USUAL: &str = "GEMINI.md";
    let said = settings.into_iter().find_map(|path| {
        let text = std::fs::read_to_string(path).ok()?;
        look_up(
            text.trim_start_matches('\u{feff}'),
            &["context", "fileName"],
        )
    });
    let plain = |name: &&str| !name.is_empty() && !name.contains(['/', '\\']);
    let name = match &said {
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
