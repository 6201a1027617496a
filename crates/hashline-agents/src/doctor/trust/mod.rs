//! What an agent must be told to trust, and whether that was done, as far as its own files say so.

mod claude;
mod codex;
mod gemini;

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::Finding;
use super::configured::Configured;
use crate::setup::agent::Agent;
use crate::setup::disk;
use crate::setup::merge::json;
use crate::setup::words;

/// Looks at what the agent trusts.
pub(super) fn look(configured: &Configured) -> Vec<Finding> {
    let wish = &configured.wish;
    let (files, mut findings) = match wish.agent {
        Agent::Claude => (claude::files(wish), claude::look(wish)),
        Agent::Codex => (codex::files(wish), codex::look(configured)),
        Agent::Gemini => (gemini::files(wish), gemini::look(wish)),
        Agent::OpenCode | Agent::Pi => (Vec::new(), Vec::new()),
    };
    findings.extend(files.iter().filter_map(|file| unreadable(configured, file)));
    findings
}

/// Says that a file cannot be read in which the agent keeps what a person decided. One that setup writes was told of before.
fn unreadable(configured: &Configured, file: &PathBuf) -> Option<Finding> {
    if configured.files.iter().any(|(known, _)| known == file) {
        return None;
    }
    let refused = disk::look(file).err()?;
    let text = words::happened(&refused);
    Some(Finding::problem(configured.wish.agent.title(), text))
}

/// Returns what stands below some keys of a JSON file; null if there is nothing.
fn json_at(path: &Path, keys: &[&str]) -> Value {
    json::look_up(&text(path), keys).unwrap_or_default()
}

fn text(path: &Path) -> String {
    disk::text(path).unwrap_or_default()
}
