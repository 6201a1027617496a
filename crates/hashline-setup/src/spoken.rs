//! Which dialect an agent's files speak already: what a team agreed on is not undone by somebody who sets up a clone.

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::agent::Wish;
use crate::disk;
use crate::merge::{json, toml};
use crate::owned::{Calls, Owned};
use crate::targets::{SERVER, Target, What, targets};

/// Returns the dialect that our server or plugin is told in the files of a wish; nothing if none of them says.
pub(crate) fn spoken(wish: &Wish) -> Option<Dialect> {
    let owned = Owned::new(&wish.command, &[]);
    let mut files = targets(wish).files.into_iter();
    let name = files.find_map(|target| told(&target, &owned))?;
    Dialect::named(&name)
}

fn told(target: &Target, owned: &Owned) -> Option<String> {
    let bytes = disk::look(&target.path).ok()?.bytes?;
    let text = std::str::from_utf8(&bytes).ok()?;
    let text = text.trim_start_matches('\u{feff}');
    let server = match &target.what {
        What::Json(_) => json::look_up(text, &["mcpServers", SERVER]),
        What::Toml(table) => toml::look_up(text, table).ok().flatten(),
        What::Whole(_) => {
            let mut lines = text.lines();
            let said = lines.find_map(|line| line.strip_prefix("const DIALECT = "))?;
            return serde_json::from_str(said.trim_end_matches(';')).ok();
        }
        What::Section(_) => None,
    };
    let server = server.filter(|server| owned.runs_us(server, Calls::Anything))?;
    let args = server.get("args").and_then(Value::as_array)?;
    let at = args.iter().position(|arg| arg == "--dialect")?;
    args.get(at + 1)?.as_str().map(str::to_owned)
}
