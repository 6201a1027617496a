//! Checks Gemini CLI: whether the folder is trusted, and whether settings turn off our server or hook. Names of settings are those of version
//! 0.61.0.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::json_at;
use crate::doctor::Finding;
use crate::setup::agents::SERVER;
use crate::setup::ownership::texts;
use crate::setup::{Scope, SetupOptions};

/// The name of our hook in Gemini's settings.
const HOOK: &str = "hashline";

/// Returns the user's own Gemini CLI files that the check needs; the doctor reports those that cannot be read.
pub(super) fn files(options: &SetupOptions) -> Vec<PathBuf> {
    let own = options.places.own_folder(options.agent);
    vec![own.join("settings.json"), own.join("trustedFolders.json")]
}

pub(super) fn check(options: &SetupOptions) -> Vec<Finding> {
    let mut findings = Vec::new();
    if options.scope == Scope::Project {
        findings.push(folder(options));
    }
    findings.extend(turned_off(options));
    findings
}

fn folder(options: &SetupOptions) -> Finding {
    let own = options.places.own_folder(options.agent);
    let keys = ["security", "folderTrust", "enabled"];
    if json_at(&own.join("settings.json"), &keys) == false {
        return Finding::ok("folders need not be trusted");
    }
    let folders = json_at(&own.join("trustedFolders.json"), &[]);
    let fix = "start `gemini` in the project once and trust it";
    match level(&folders, &options.places.project) {
        Some("TRUST_FOLDER" | "TRUST_PARENT") => Finding::ok("the folder is trusted"),
        Some("DO_NOT_TRUST") => Finding::problem(
            "the folder is marked as untrusted: its .gemini is ignored",
        )
        .with_fix("remove its entry from ~/.gemini/trustedFolders.json, then start `gemini` there"),
        _ => Finding::warning("the folder is not known to be trusted: its .gemini may be ignored")
            .with_fix(fix),
    }
}

/// Reports settings that turn off our server, tools or hooks. The project's settings override the user's, except that the lists of both files apply.
fn turned_off(options: &SetupOptions) -> Vec<Finding> {
    let own = options.places.own_folder(options.agent);
    let files =
        [options.places.project.join(".gemini"), own].map(|folder| folder.join("settings.json"));
    let mut findings = Vec::new();
    let mut found = |what: String, fix: &str| {
        findings.push(Finding::problem(what).with_fix(fix));
    };
    for file in &files {
        let shown = file.display();
        let mcp = json_at(file, &["mcp"]);
        if has(&mcp["excluded"], SERVER) {
            let text =
                format!("the server is turned off: `mcp.excluded` in {shown} has `{SERVER}`");
            found(text, "remove `hl` from `mcp.excluded` there");
        }
        if mcp["allowed"].is_array() && !has(&mcp["allowed"], SERVER) {
            let text =
                format!("the server is turned off: `mcp.allowed` in {shown} lacks `{SERVER}`");
            found(text, "add `hl` to `mcp.allowed` there");
        }
        let server = json_at(file, &["mcpServers", SERVER]);
        for tool in texts(server.get("excludeTools")) {
            let text = format!(
                "the tool `{tool}` is turned off: `mcpServers.{SERVER}.excludeTools` in {shown} has it"
            );
            found(text, "remove it from `excludeTools` there");
        }
        if has(&json_at(file, &["hooksConfig", "disabled"]), HOOK) {
            let text =
                format!("the hook is turned off: `hooksConfig.disabled` in {shown} has `{HOOK}`");
            found(text, "remove `hashline` from `hooksConfig.disabled` there");
        }
    }
    let enabled = |file| json_at(file, &["hooksConfig", "enabled"]);
    let set = files.iter().find(|file| enabled(file).is_boolean());
    if let Some(file) = set.filter(|file| enabled(file) == false) {
        let shown = file.display();
        let text = format!("no hook runs: `hooksConfig.enabled` is false in {shown}");
        found(text, "remove `hooksConfig.enabled` there");
    }
    findings
}

/// Returns whether a list has a name, ignoring case and surrounding spaces as Gemini CLI does.
fn has(list: &Value, name: &str) -> bool {
    let mut names = texts(Some(list)).into_iter();
    names.any(|one| one.trim().eq_ignore_ascii_case(name))
}

/// Returns the trust level of a project: that of the longest path in the list that contains it.
fn level<'a>(folders: &'a Value, project: &Path) -> Option<&'a str> {
    let entries = folders.as_object()?.iter();
    let holding = entries.filter_map(|(path, level)| {
        let (path, level) = (Path::new(path), level.as_str()?);
        let from = match level {
            "TRUST_PARENT" => path.parent()?,
            _ => path,
        };
        project.starts_with(from).then_some((path, level))
    });
    let nearest = holding.max_by_key(|(path, _)| path.as_os_str().len());
    nearest.map(|(_, level)| level)
}
