//! Which dialect an agent's files speak already: what a team agreed on is not undone by somebody who sets up a clone. Files that say
//! nothing get the one that is configured, by its name, so that all that is written says the same wherever it is used.

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::setup::agent::{Agent, Wish};
use crate::setup::disk;
use crate::setup::merge::{json, toml};
use crate::setup::owned::{Calls, Owned, dialect_in};
use crate::setup::targets::{SERVER, Target, What, targets};

/// Returns the dialect that our server or plugin is told in the files of a wish, else the one that is configured; nothing if neither says.
pub(crate) fn spoken(wish: &Wish) -> Option<Dialect> {
    let owned = Owned::new(&wish.command, &[]);
    let mut files = targets(wish).files.into_iter();
    let name = files.find_map(|target| told(&target, &owned));
    let said = name.and_then(|name| Dialect::named(&name));
    // The extension of pi speaks its own, whatever is configured.
    said.or(wish.configured.filter(|_| wish.agent != Agent::Pi))
}

fn told(target: &Target, owned: &Owned) -> Option<String> {
    let text = disk::text(&target.path)?;
    let server = match &target.what {
        What::Json(_) => json::look_up(&text, &["mcpServers", SERVER]),
        What::Toml(table) => toml::look_up(&text, table).ok().flatten(),
        What::Whole(_) => {
            let mut lines = text.lines();
            let said = lines.find_map(|line| line.strip_prefix("const DIALECT = "))?;
            return serde_json::from_str(said.trim_end_matches(';')).ok();
        }
        What::Section(_) => None,
    };
    let server = server.filter(|server| owned.runs_us(server, Calls::Anything))?;
    let args = server.get("args").and_then(Value::as_array)?;
    let args: Vec<&str> = args.iter().filter_map(Value::as_str).collect();
    dialect_in(&args)
}
