//! Checks Codex: whether the project and the hooks are trusted.
//!
//! Codex trusts a hook by its hash. The doctor does not know how the hash is computed, so it can only tell that hooks were trusted once.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::text;
use crate::doctor::agent_setup::{AgentSetup, FileState};
use crate::doctor::{Finding, fix_commands};
use crate::setup::merge::toml;
use crate::setup::ownership::Ownership;
use crate::setup::{Scope, SetupOptions};

pub(super) fn check(setup: &AgentSetup) -> Vec<Finding> {
    let options = &setup.options;
    let own = options.places.own_folder(options.agent);
    let known = text(&own.join("config.toml"));
    let folder = match options.scope {
        Scope::Project => options.places.project.join(".codex"),
        Scope::User => own,
    };
    let mut findings = Vec::new();
    if options.scope == Scope::Project {
        findings.push(project(options, &known));
    }
    findings.extend(hooks(setup, &known, &folder));
    findings.extend(hooks_off(options));
    findings
}

/// Reports if the setting `features.hooks` turns off all hooks. The project's `config.toml` overrides the user's.
fn hooks_off(options: &SetupOptions) -> Option<Finding> {
    let own = options.places.own_folder(options.agent);
    let files =
        [options.places.project.join(".codex"), own].map(|folder| folder.join("config.toml"));
    // It had the second name before.
    let set = files.iter().find_map(|file| {
        ["hooks", "codex_hooks"].into_iter().find_map(|key| {
            let value = toml::look_below(&text(file), &["features", key])?;
            Some((file, key, value))
        })
    });
    let (file, key, _) = set.filter(|(_, _, value)| *value == false)?;
    let text = format!(
        "no hook runs: `features.{key}` is false in {}",
        file.display()
    );
    let fix = format!("remove `{key}` from `[features]` there");
    Some(Finding::problem(text).with_fix(fix))
}

/// Returns the user's own Codex files that the check needs; the doctor reports those that cannot be read.
pub(super) fn files(options: &SetupOptions) -> Vec<PathBuf> {
    let own = options.places.own_folder(options.agent);
    vec![own.join("config.toml")]
}

fn project(options: &SetupOptions, known: &str) -> Finding {
    let project = options.places.project.to_string_lossy();
    let level = toml::look_below(known, &["projects", &project, "trust_level"]);
    match level.as_ref().and_then(Value::as_str) {
        Some("trusted") => Finding::ok("the project is trusted"),
        _ => Finding::warning("the project is not trusted yet: its .codex is ignored")
            .with_fix("start `codex` in the project once and trust it"),
    }
}

/// Reports whether Codex trusts our hooks, in `hooks.json` or `config.toml`. A `hooks.json` without them is reported by the check of the files.
fn hooks(setup: &AgentSetup, known: &str, folder: &Path) -> Option<Finding> {
    let (file, config) = (folder.join("hooks.json"), folder.join("config.toml"));
    let mut files = setup.files.iter();
    match files.find(|(path, _)| *path == file) {
        Some((_, FileState::Missing)) => None,
        Some(_) => Some(trusted(known, &file)),
        None if has_ours(&setup.options, &config) => Some(trusted(known, &config)),
        // Codex reads either the hooks of its configuration or hooks.json.
        None => {
            let text = format!(
                "hashline's hooks are missing: {} has hooks of its own",
                config.display()
            );
            let line = fix_commands::hashline("hook");
            Some(Finding::problem(text).with_fix(format!(
                "add `{line}` there for the events PreToolUse, PostToolUse and SessionStart"
            )))
        }
    }
}

/// Returns whether a `config.toml` has a hook that runs hashline.
fn has_ours(options: &SetupOptions, config: &Path) -> bool {
    let ownership = Ownership::new(&options.command, &[]);
    let hooks = toml::look_below(&text(config), &["hooks"]).unwrap_or_default();
    !ownership.events_with_ours(&hooks).is_empty()
}

/// Reports whether Codex has stored the hooks of a file as trusted or as disabled.
fn trusted(known: &str, file: &Path) -> Finding {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let all = toml::look_below(known, &["hooks", "state"]).unwrap_or_default();
    let all = all.as_object().cloned().unwrap_or_default();
    // The name of a hook is its file, and behind a colon its event and place.
    let of_file = format!("{}:", file.display());
    let named = all.iter().filter(|(key, _)| key.starts_with(&of_file));
    let states: Vec<&Value> = named.map(|(_, state)| state).collect();
    if states.iter().any(|state| state["enabled"] == false) {
        let text = format!("hooks of {name} are turned off in Codex");
        return Finding::problem(text).with_fix("run `/hooks` in Codex and enable them");
    }
    if states.iter().any(|state| state["trusted_hash"].is_string()) {
        let text = format!(
            "hooks of {name} were trusted at some time; `/hooks` in Codex shows whether they still are"
        );
        return Finding::ok(text);
    }
    let text = "the hooks are not trusted yet: Codex skips them silently";
    Finding::warning(text).with_fix("run `/hooks` in Codex and trust them")
}
