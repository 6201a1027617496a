//! Gemini CLI: a server, hooks, a section of the file that it takes its instructions from.

use std::path::Path;

use serde_json::{Value, json};

use super::{SERVER, Target, Targets, What, hook, member};
use crate::setup::agent::{Scope, Wish};
use crate::setup::disk;
use crate::setup::merge::json::{Entry, look_up};
use crate::setup::owned::GOES_ON;

pub(super) fn targets(wish: &Wish) -> Targets {
    let settings = wish.folder(".gemini").join("settings.json");
    let own = wish.places.own_folder(wish.agent).join("settings.json");
    let name = instruction_file([&settings, &own]);
    Targets {
        files: vec![
            Target::new(settings, What::Json(entries(wish))),
            wish.instructions(&name),
        ],
        by_hand: by_hand(wish.scope),
    }
}

fn entries(wish: &Wish) -> Vec<Entry> {
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
    let hooked = |event, tools| hook(event, tools, run.clone());
    vec![
        member(&["mcpServers"], SERVER, server),
        hooked("BeforeTool", Some("replace|write_file|run_shell_command")),
        hooked(
            "AfterTool",
            Some("read_file|replace|write_file|run_shell_command"),
        ),
        hooked("SessionStart", None),
    ]
}

fn by_hand(scope: Scope) -> Vec<String> {
    match scope {
        Scope::User => Vec::new(),
        Scope::Project => vec![
            "Trust the folder when Gemini CLI asks: the files in .gemini count only in a trusted folder.".to_owned(),
        ],
    }
}

/// Returns the name of the file that Gemini reads: GEMINI.md, unless settings, the nearest first, name only others.
fn instruction_file(settings: [&Path; 2]) -> String {
    const USUAL: &str = "GEMINI.md";
    let said = settings.into_iter().find_map(|path| {
        let text = disk::text(path)?;
        look_up(&text, &["context", "fileName"])
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
