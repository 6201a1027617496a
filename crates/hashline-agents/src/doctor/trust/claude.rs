//! Checks Claude Code: whether the folder is trusted, the server of `.mcp.json` is approved, and hooks are enabled.

use std::path::PathBuf;

use serde_json::Value;

use super::json_at;
use crate::doctor::Finding;
use crate::setup::agents::SERVER;
use crate::setup::ownership::texts;
use crate::setup::{Scope, SetupOptions};

const FIX: &str =
    "start `claude` in the project once, trust the folder and approve the server `hl`";

pub(super) fn check(options: &SetupOptions) -> Vec<Finding> {
    let files = ClaudeFiles::of(options);
    let mut findings = Vec::new();
    if options.scope == Scope::Project {
        let known = files.known(options);
        findings.push(folder(&known));
        findings.push(server(&files, known));
    }
    findings.extend(turned_off(&files));
    findings
}

/// Returns the Claude Code files that the check needs; the doctor reports those that cannot be read.
pub(super) fn files(options: &SetupOptions) -> Vec<PathBuf> {
    let files = ClaudeFiles::of(options);
    vec![files.memory, files.own, files.local, files.shared]
}

/// The files in which Claude Code stores what the user approved.
struct ClaudeFiles {
    /// The file in which Claude Code stores the approvals for each project.
    memory: PathBuf,
    /// The user's settings for all projects.
    own: PathBuf,
    /// The user's settings for this project.
    local: PathBuf,
    /// The settings of this project that its users share.
    shared: PathBuf,
}

impl ClaudeFiles {
    fn of(options: &SetupOptions) -> Self {
        let places = &options.places;
        let project = places.project.join(".claude");
        let (memory, own) = match &places.claude {
            Some(own) => (own, own.clone()),
            None => (&places.home, places.home.join(".claude")),
        };
        Self {
            memory: memory.join(".claude.json"),
            own: own.join("settings.json"),
            local: project.join("settings.local.json"),
            shared: project.join("settings.json"),
        }
    }

    /// Returns what Claude Code has stored about the project.
    fn known(&self, options: &SetupOptions) -> Value {
        let project = options.places.project.to_string_lossy();
        json_at(&self.memory, &["projects", &project])
    }
}

fn folder(known: &Value) -> Finding {
    if known["hasTrustDialogAccepted"] == true {
        return Finding::ok("the folder is trusted");
    }
    let text = "the folder is not trusted yet: permissions of the project are ignored";
    Finding::warning(text).with_fix(FIX)
}

/// Reports whether the server is approved. A rejection counts in every settings file; an approval counts only in the user's own files.
fn server(files: &ClaudeFiles, known: Value) -> Finding {
    let lists = |value: &Value, key: &str| {
        let list = value[key].as_array();
        list.is_some_and(|list| list.contains(&SERVER.into()))
    };
    let own = [known, json_at(&files.own, &[]), json_at(&files.local, &[])];
    let shared = json_at(&files.shared, &[]);
    let is_disabled = |value: &Value| lists(value, "disabledMcpjsonServers");
    let is_approved = |value: &Value| {
        lists(value, "enabledMcpjsonServers") || value["enableAllProjectMcpServers"] == true
    };
    if own.iter().chain([&shared]).any(is_disabled) {
        let text = "the server `hl` of .mcp.json was rejected (disabledMcpjsonServers)";
        return Finding::problem(text).with_fix("remove `hl` from disabledMcpjsonServers");
    }
    if own.iter().any(is_approved) {
        return Finding::ok("the server `hl` of .mcp.json is approved");
    }
    Finding::warning("the server `hl` of .mcp.json is not known to be approved").with_fix(FIX)
}

/// Reports settings that turn off all hooks or our tools.
fn turned_off(files: &ClaudeFiles) -> Vec<Finding> {
    let (mut hooks, mut denied) = (Vec::new(), Vec::new());
    let (server, tools) = (format!("mcp__{SERVER}"), format!("mcp__{SERVER}__"));
    for file in [&files.own, &files.shared, &files.local] {
        let shown = file.display();
        if json_at(file, &["disableAllHooks"]) == true {
            let text = format!("no hook runs: `disableAllHooks` is set in {shown}");
            hooks.push(Finding::problem(text).with_fix("remove `disableAllHooks` there"));
        }
        let rules = json_at(file, &["permissions", "deny"]);
        for rule in texts(Some(&rules)) {
            if rule == server || rule.starts_with(&tools) {
                let text =
                    format!("its tools are forbidden: `permissions.deny` in {shown} has `{rule}`");
                let fix = format!("remove `{rule}` from `permissions.deny` there");
                denied.push(Finding::problem(text).with_fix(fix));
            }
        }
    }
    hooks.append(&mut denied);
    hooks
}
