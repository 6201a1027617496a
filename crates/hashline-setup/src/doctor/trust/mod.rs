//! What an agent must be told to trust, and whether that was done, as far as its own files say so.

mod claude;
mod codex;
mod gemini;

use std::path::Path;

use serde_json::Value;

use super::Finding;
use super::configured::Configured;
use crate::agent::{Agent, Scope};
use crate::merge::json;

/// Looks at what the agent trusts.
pub(super) fn look(configured: &Configured) -> Vec<Finding> {
    let wish = &configured.wish;
    match (wish.agent, wish.scope) {
        (Agent::Claude, _) => claude::look(wish),
        (Agent::Codex, _) => codex::look(configured),
        (Agent::Gemini, Scope::Project) => vec![gemini::look(wish)],
        (Agent::Gemini | Agent::OpenCode | Agent::Pi, _) => Vec::new(),
    }
}

/// Returns what stands below some keys of a JSON file; null if there is nothing.
fn json_at(path: &Path, keys: &[&str]) -> Value {
    json::look_up(&text(path), keys).unwrap_or_default()
}

fn text(path: &Path) -> String {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    text.trim_start_matches('\u{feff}').to_owned()
}
