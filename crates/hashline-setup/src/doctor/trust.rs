//! What an agent must be told to trust, and whether that was done, as far as its own files say so.

use std::path::Path;

use serde_json::Value;

use super::Finding;
use super::configured::Configured;
use crate::agent::{Agent, Scope, Wish};
use crate::merge::{json, toml};

/// Looks at what the agent trusts.
pub(super) fn look(configured: &Configured) -> Vec<Finding> {
    let wish = &configured.wish;
    match (wish.agent, wish.scope) {
        (Agent::Claude, Scope::Project) => claude(wish),
        (Agent::Codex, _) => codex(wish),
        (Agent::Gemini, Scope::Project) => gemini(wish),
        (Agent::Claude | Agent::Gemini | Agent::OpenCode | Agent::Pi, _) => Vec::new(),
    }
}

fn claude(wish: &Wish) -> Vec<Finding> {
    let about = wish.agent.title();
    let places = &wish.places;
    let own = places.claude.clone().unwrap_or_else(|| places.home.clone());
    let project = places.project.to_string_lossy();
    let known = json_at(&own.join(".claude.json"), &["projects", &project]).unwrap_or_default();
    let settings =
        json_at(&places.project.join(".claude/settings.local.json"), &[]).unwrap_or_default();
    let lists = |value: &Value| {
        let listed = value["enabledMcpjsonServers"]
            .as_array()
            .is_some_and(|list| list.contains(&"hl".into()));
        listed || value["enableAllProjectMcpServers"] == true
    };
    let fix = "start `claude` in the project once, trust the folder and approve the server `hl`";
    vec![
        match known["hasTrustDialogAccepted"] == true {
            true => Finding::ok(about, "the folder is trusted"),
            false => Finding::warning(
                about,
                "the folder is not trusted yet: permissions of the project are ignored",
            )
            .mended_by(fix),
        },
        match lists(&known) || lists(&settings) {
            true => Finding::ok(about, "the server `hl` of .mcp.json is approved"),
            false => Finding::warning(about, "the server `hl` of .mcp.json is not approved yet")
                .mended_by(fix),
        },
    ]
}

fn codex(wish: &Wish) -> Vec<Finding> {
    let about = wish.agent.title();
    let places = &wish.places;
    let own = places
        .codex
        .clone()
        .unwrap_or_else(|| places.home.join(".codex"));
    let config = text(&own.join("config.toml"));
    let mut findings = Vec::new();
    if wish.scope == Scope::Project {
        let project = places.project.to_string_lossy();
        let level = toml::look_below(&config, &["projects", &project, "trust_level"]);
        findings.push(match level.as_ref().and_then(Value::as_str) {
            Some("trusted") => Finding::ok(about, "the project is trusted"),
            _ => Finding::warning(
                about,
                "the project is not trusted yet: its .codex is ignored",
            )
            .mended_by("start `codex` in the project once and trust it"),
        });
    }
    let hooks = match wish.scope {
        Scope::Project => places.project.join(".codex/hooks.json"),
        Scope::User => own.join("hooks.json"),
    };
    let hooks = hooks.to_string_lossy();
    let trusted = toml::look_below(&config, &["hooks", "state"]);
    let trusted = trusted.as_ref().and_then(Value::as_object);
    let is_trusted = trusted.is_some_and(|known| known.keys().any(|key| key.contains(&*hooks)));
    findings.push(match is_trusted {
        true => Finding::ok(about, "hooks of hooks.json are trusted"),
        false => Finding::warning(
            about,
            "the hooks are not trusted yet: Codex skips them and says nothing",
        )
        .mended_by("run `/hooks` in Codex and trust them"),
    });
    findings
}

fn gemini(wish: &Wish) -> Vec<Finding> {
    let about = wish.agent.title();
    let own = wish.places.home.join(".gemini");
    let asked = json_at(
        &own.join("settings.json"),
        &["security", "folderTrust", "enabled"],
    );
    if asked == Some(Value::Bool(false)) {
        return vec![Finding::ok(about, "folders need not be trusted")];
    }
    let folders = json_at(&own.join("trustedFolders.json"), &[]).unwrap_or_default();
    let trusts = |path: &Path| {
        let level = &folders[&*path.to_string_lossy()];
        level == "TRUST_FOLDER" || level == "TRUST_PARENT"
    };
    vec![match wish.places.project.ancestors().any(trusts) {
        true => Finding::ok(about, "the folder is trusted"),
        false => Finding::warning(
            about,
            "the folder is not known to be trusted: its .gemini may be ignored",
        )
        .mended_by("start `gemini` in the project once and trust it"),
    }]
}

fn json_at(path: &Path, keys: &[&str]) -> Option<Value> {
    json::look_up(&text(path), keys)
}

fn text(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.trim_start_matches('\u{feff}').to_owned()
}
