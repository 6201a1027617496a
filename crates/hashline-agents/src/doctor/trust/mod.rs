//! Checks whether the user has approved hashline in an agent, according to the agent's own files: the folder, the server, the hooks.

mod claude;
mod codex;
mod gemini;

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Finding;
use super::agent_setup::AgentSetup;
use crate::setup::Agent;
use crate::setup::merge::json;
use crate::setup::read;

/// Reports whether the agent trusts the project and our server and hooks.
pub(super) fn check(setup: &AgentSetup) -> Vec<Finding> {
    let options = &setup.options;
    let (files, mut findings) = match options.agent {
        Agent::Claude => (claude::files(options), claude::check(options)),
        Agent::Codex => (codex::files(options), codex::check(setup)),
        Agent::Gemini => (gemini::files(options), gemini::check(options)),
        Agent::OpenCode | Agent::Pi => (Vec::new(), Vec::new()),
    };
    findings.extend(files.iter().filter_map(|file| unreadable(setup, file)));
    findings
}

/// Reports a file with the user's approvals that cannot be read. Files that setup writes are checked elsewhere.
fn unreadable(setup: &AgentSetup, file: &PathBuf) -> Option<Finding> {
    if setup.files.iter().any(|(known, _)| known == file) {
        return None;
    }
    let error = read::read(file).err()?;
    Some(Finding::problem(error.to_string()))
}

/// Returns the value at a key path of a JSON file; null if it is missing.
fn json_at(path: &Path, keys: &[&str]) -> Value {
    json::look_up(&text(path), keys).unwrap_or_default()
}

fn text(path: &Path) -> String {
    read::text(path).unwrap_or_default()
}
