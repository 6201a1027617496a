//! Codex: the project, and the hooks.
//!
//! Codex trusts a hook by a hash of it. How that is made is not known here, so what is found is that hooks were trusted at some time.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::text;
use crate::doctor::configured::{Configured, Standing};
use crate::doctor::{Finding, remedy};
use crate::setup::agent::{Scope, Wish};
use crate::setup::merge::toml;
use crate::setup::owned::{Calls, Owned};

pub(super) fn look(configured: &Configured) -> Vec<Finding> {
    let wish = &configured.wish;
    let own = wish.places.own_folder(wish.agent);
    let known = text(&own.join("config.toml"));
    let folder = match wish.scope {
        Scope::Project => wish.places.project.join(".codex"),
        Scope::User => own,
    };
    let mut findings = Vec::new();
    if wish.scope == Scope::Project {
        findings.push(project(wish, &known));
    }
    findings.extend(match hooks_file(configured, &folder) {
        Hooks::In(file) => Some(hooks(wish, &known, &file)),
        Hooks::Missing => None,
        Hooks::Others(config) => Some(others(wish, &config)),
    });
    findings.extend(hooks_off(wish));
    findings
}

/// Says where all hooks are turned off. The project's file goes before the person's.
fn hooks_off(wish: &Wish) -> Option<Finding> {
    let own = wish.places.own_folder(wish.agent);
    let files = [wish.places.project.join(".codex"), own].map(|folder| folder.join("config.toml"));
    let said = files.iter().find_map(|file| {
        let said = |key| toml::look_below(&text(file), &["features", key]);
        // It had the second name before.
        let mut said = ["hooks", "codex_hooks"]
            .into_iter()
            .filter_map(|key| Some((key, said(key)?)));
        said.next().map(|(key, said)| (file, key, said))
    });
    let (file, key, _) = said.filter(|(_, _, said)| *said == false)?;
    let text = format!(
        "no hook runs: `features.{key}` is false in {}",
        file.display()
    );
    let fix = format!("take `{key}` out of `[features]` there");
    Some(Finding::problem(wish.agent.title(), text).mended_by(fix))
}

/// Returns the files that are asked.
pub(super) fn files(wish: &Wish) -> Vec<PathBuf> {
    let own = wish.places.own_folder(wish.agent);
    vec![own.join("config.toml")]
}

fn project(wish: &Wish, known: &str) -> Finding {
    let about = wish.agent.title();
    let project = wish.places.project.to_string_lossy();
    let level = toml::look_below(known, &["projects", &project, "trust_level"]);
    match level.as_ref().and_then(Value::as_str) {
        Some("trusted") => Finding::ok(about, "the project is trusted"),
        _ => Finding::warning(
            about,
            "the project is not trusted yet: its .codex is ignored",
        )
        .mended_by("start `codex` in the project once and trust it"),
    }
}

/// Where our hooks are.
enum Hooks {
    /// In this file.
    In(PathBuf),
    /// Nowhere, which is said where the files are looked at.
    Missing,
    /// Nowhere, since this configuration has hooks of its own.
    Others(PathBuf),
}

fn hooks_file(configured: &Configured, folder: &Path) -> Hooks {
    let (file, config) = (folder.join("hooks.json"), folder.join("config.toml"));
    let mut files = configured.files.iter();
    match files.find(|(path, _)| *path == file) {
        Some((_, Standing::Missing)) => Hooks::Missing,
        Some(_) => Hooks::In(file),
        None if has_ours(&configured.wish, &config) => Hooks::In(config),
        None => Hooks::Others(config),
    }
}

/// Tells whether our hook is among the hooks of a configuration.
fn has_ours(wish: &Wish, config: &Path) -> bool {
    let owned = Owned::new(&wish.command, &[]);
    let hooks = toml::look_below(&text(config), &["hooks"]).unwrap_or_default();
    let events = hooks
        .as_object()
        .into_iter()
        .flat_map(|hooks| hooks.values());
    let mut groups = events.filter_map(Value::as_array).flatten();
    groups.any(|group| owned.runs_us(group, Calls::Hook))
}

fn others(wish: &Wish, config: &Path) -> Finding {
    let config = config.display();
    let text = format!("hashline's hooks are not there: {config} has hooks of its own");
    let line = remedy::hashline("hook");
    Finding::problem(wish.agent.title(), text).mended_by(format!(
        "add `{line}` there for the events PreToolUse, PostToolUse and SessionStart"
    ))
}

/// Says what is remembered of the hooks of a file.
fn hooks(wish: &Wish, known: &str, file: &Path) -> Finding {
    let about = wish.agent.title();
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let all = toml::look_below(known, &["hooks", "state"]).unwrap_or_default();
    let all = all.as_object().cloned().unwrap_or_default();
    // The name of a hook is its file, and behind a colon its event and place.
    let of_file = format!("{}:", file.display());
    let named = all.iter().filter(|(key, _)| key.starts_with(&of_file));
    let states: Vec<&Value> = named.map(|(_, state)| state).collect();
    if states.iter().any(|state| state["enabled"] == false) {
        let text = format!("hooks of {name} are turned off in Codex");
        return Finding::problem(about, text).mended_by("run `/hooks` in Codex and enable them");
    }
    match states.iter().any(|state| state["trusted_hash"].is_string()) {
        true => Finding::ok(
            about,
            format!(
                "hooks of {name} were trusted at some time; whether as they are now, `/hooks` in Codex tells"
            ),
        ),
        false => Finding::warning(
            about,
            "the hooks are not trusted yet: Codex skips them and says nothing",
        )
        .mended_by("run `/hooks` in Codex and trust them"),
    }
}
