//! Claude Code: the folder, the server of `.mcp.json`, and whether hooks run at all.

use std::path::PathBuf;

use serde_json::Value;

use super::json_at;
use crate::doctor::Finding;
use crate::setup::agent::{Scope, Wish};
use crate::setup::targets::SERVER;

const FIX: &str =
    "start `claude` in the project once, trust the folder and approve the server `hl`";

pub(super) fn look(wish: &Wish) -> Vec<Finding> {
    let files = Files::of(wish);
    let mut findings = Vec::new();
    if wish.scope == Scope::Project {
        let known = files.known(wish);
        findings.push(folder(wish, &known));
        findings.push(server(wish, &files, known));
    }
    findings.extend(hooks(wish, &files));
    findings.extend(denied(wish, &files));
    findings
}

/// Returns the files that are asked.
pub(super) fn files(wish: &Wish) -> Vec<PathBuf> {
    let files = Files::of(wish);
    vec![files.memory, files.own, files.local, files.shared]
}

/// Where Claude Code writes down what a person decided.
struct Files {
    /// What it remembers of every project.
    memory: PathBuf,
    /// The person's settings.
    own: PathBuf,
    /// The person's settings of this project.
    local: PathBuf,
    /// The settings of this project, for everybody.
    shared: PathBuf,
}

impl Files {
    fn of(wish: &Wish) -> Self {
        let places = &wish.places;
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

    /// Returns what it remembers of the project.
    fn known(&self, wish: &Wish) -> Value {
        let project = wish.places.project.to_string_lossy();
        json_at(&self.memory, &["projects", &project])
    }
}

fn folder(wish: &Wish, known: &Value) -> Finding {
    let about = wish.agent.title();
    match known["hasTrustDialogAccepted"] == true {
        true => Finding::ok(about, "the folder is trusted"),
        false => Finding::warning(
            about,
            "the folder is not trusted yet: permissions of the project are ignored",
        )
        .mended_by(FIX),
    }
}

/// Says whether the server is approved. To turn it down counts wherever it is said; to approve it, where only the person says so.
fn server(wish: &Wish, files: &Files, known: Value) -> Finding {
    let about = wish.agent.title();
    let lists = |value: &Value, key: &str| {
        let list = value[key].as_array();
        list.is_some_and(|list| list.contains(&SERVER.into()))
    };
    let said = [known, json_at(&files.own, &[]), json_at(&files.local, &[])];
    let shared = json_at(&files.shared, &[]);
    let is_disabled = |value: &Value| lists(value, "disabledMcpjsonServers");
    let is_approved = |value: &Value| {
        lists(value, "enabledMcpjsonServers") || value["enableAllProjectMcpServers"] == true
    };
    if said.iter().chain([&shared]).any(is_disabled) {
        let text = "the server `hl` of .mcp.json was turned down (disabledMcpjsonServers)";
        let fix = "take `hl` out of disabledMcpjsonServers";
        return Finding::problem(about, text).mended_by(fix);
    }
    match said.iter().any(is_approved) {
        true => Finding::ok(about, "the server `hl` of .mcp.json is approved"),
        false => {
            let text = "the server `hl` of .mcp.json is not known to be approved";
            Finding::warning(about, text).mended_by(FIX)
        }
    }
}

/// Says where all hooks are turned off.
fn hooks(wish: &Wish, files: &Files) -> Vec<Finding> {
    let about = wish.agent.title();
    let places = [&files.own, &files.shared, &files.local].into_iter();
    let off = places.filter(|file| json_at(file, &["disableAllHooks"]) == true);
    off.map(|file| {
        let shown = file.display();
        let text = format!("no hook runs: `disableAllHooks` is set in {shown}");
        Finding::problem(about, text).mended_by("take `disableAllHooks` out there")
    })
    .collect()
}

/// Says which settings forbid our tools.
fn denied(wish: &Wish, files: &Files) -> Vec<Finding> {
    let about = wish.agent.title();
    let (server, tools) = (format!("mcp__{SERVER}"), format!("mcp__{SERVER}__"));
    let mut findings = Vec::new();
    for file in [&files.own, &files.shared, &files.local] {
        let rules = json_at(file, &["permissions", "deny"]);
        let rules = rules.as_array().into_iter().flatten();
        let rules = rules.filter_map(Value::as_str);
        for rule in rules.filter(|rule| *rule == server || rule.starts_with(&tools)) {
            let shown = file.display();
            let text =
                format!("its tools are forbidden: `permissions.deny` in {shown} has `{rule}`");
            let fix = format!("take `{rule}` out of `permissions.deny` there");
            findings.push(Finding::problem(about, text).mended_by(fix));
        }
    }
    findings
}
