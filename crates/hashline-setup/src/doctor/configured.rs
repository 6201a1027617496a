//! How an agent's files stand: what setup would write, against what is there.

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::agent::{Agent, Scope, Wish};
use crate::disk;
use crate::merge::json::{self, Entry, Presence};
use crate::merge::{section, toml};
use crate::owned::Owned;
use crate::targets::{SERVER, Target, What, targets};

/// How what goes into a file stands there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// Nothing of it is there.
    Missing,
    /// Some of it is.
    InPart(Vec<String>),
    /// All of it is, as setup would write it.
    Current,
    /// It is there, but otherwise than setup would write it.
    Differs(Vec<String>),
    /// It cannot be told.
    Unreadable(String),
}

/// An agent's files in one scope.
#[derive(Clone, Debug)]
pub(super) struct Configured {
    pub(super) wish: Wish,
    pub(super) files: Vec<(PathBuf, Standing)>,
}

impl Configured {
    /// Looks at the files of an agent. What runs, and in which dialect, is taken from what is there.
    pub(super) fn look(mut wish: Wish) -> Self {
        if let Some(call) = call_in(&wish) {
            wish.command = call.program;
            wish.dialect = call.dialect;
        }
        let owned = Owned::new(&wish.command, &[]);
        let files = targets(&wish).files.into_iter();
        let files = files.map(|target| {
            let standing = standing(&target, &owned);
            (target.path, standing)
        });
        Self {
            files: files.collect(),
            wish,
        }
    }

    /// Tells whether nothing of ours is there.
    pub(super) fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(_, standing)| *standing == Standing::Missing)
    }

    /// Returns the arguments of the server as the agent starts it; nothing if it starts none.
    pub(super) fn server_args(&self) -> Option<Vec<String>> {
        let (_, args) = server(&self.wish)?;
        Some(args)
    }
}

/// What an agent's files call.
struct Call {
    program: String,
    dialect: Option<Dialect>,
}

fn call_in(wish: &Wish) -> Option<Call> {
    if let Some((program, args)) = server(wish) {
        let at = args.iter().position(|arg| arg == "--dialect");
        let dialect = at.and_then(|at| Dialect::named(args.get(at + 1)?));
        return Some(Call { program, dialect });
    }
    // A plugin says so in its own text.
    let files = targets(wish).files;
    let whole = files
        .iter()
        .find(|target| matches!(target.what, What::Whole(_)))?;
    let text = text_of(whole)?;
    let said = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("const {name} = ")))?;
        serde_json::from_str::<String>(line.trim_end_matches(';')).ok()
    };
    Some(Call {
        program: said("HASHLINE")?,
        dialect: said("DIALECT").and_then(|name| Dialect::named(&name)),
    })
}

/// Returns the program and arguments of our server, as they stand in the agent's files.
fn server(wish: &Wish) -> Option<(String, Vec<String>)> {
    let found = targets(wish).files.iter().find_map(|target| {
        let text = text_of(target)?;
        match &target.what {
            What::Json(_) => json::look_up(&text, &["mcpServers", SERVER]),
            What::Toml(table) => toml::look_up(&text, table).ok().flatten(),
            What::Section(_) | What::Whole(_) => None,
        }
    })?;
    let program = found.get("command")?.as_str()?.to_owned();
    let args = found.get("args").and_then(Value::as_array);
    let args = args.into_iter().flatten().filter_map(Value::as_str);
    Some((program, args.map(str::to_owned).collect()))
}

fn text_of(target: &Target) -> Option<String> {
    let bytes = disk::look(&target.path).ok()?.bytes?;
    let text = String::from_utf8(bytes).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

fn standing(target: &Target, owned: &Owned) -> Standing {
    let seen = match disk::look(&target.path) {
        Ok(seen) => seen,
        Err(refused) => return Standing::Unreadable(told(&refused)),
    };
    let Some(bytes) = seen.bytes else {
        return Standing::Missing;
    };
    let text = String::from_utf8_lossy(&bytes);
    let text = text.trim_start_matches('\u{feff}');
    let found = match &target.what {
        What::Whole(ours) => Ok(match ours == text {
            true => Standing::Current,
            false => Standing::Differs(vec!["the whole file".to_owned()]),
        }),
        What::Section(section) => section::is_current(text, section).map(|found| match found {
            None => Standing::Missing,
            Some(true) => Standing::Current,
            Some(false) => Standing::Differs(vec!["the section".to_owned()]),
        }),
        What::Toml(table) => toml::look_up(text, table).map(|found| match found {
            None => Standing::Missing,
            Some(value) if value == table.value() => Standing::Current,
            Some(_) => Standing::Differs(vec![table.full_name()]),
        }),
        What::Json(entries) => {
            json::present(text, entries, owned).map(|found| of_entries(entries, &found))
        }
    };
    found.unwrap_or_else(|why| {
        let path = target.path.clone();
        Standing::Unreadable(told(&crate::Refused::Unmerged { path, why }))
    })
}

fn of_entries(entries: &[Entry], found: &[Presence]) -> Standing {
    let named = |is: &dyn Fn(&Presence) -> bool| -> Vec<String> {
        let pairs = entries.iter().zip(found).filter(|(_, found)| is(found));
        pairs.map(|(entry, _)| entry.name()).collect()
    };
    let missing = named(&|found| *found == Presence::Missing);
    let differs = named(&|found| matches!(found, Presence::Differs(_) | Presence::Foreign));
    match (missing.len(), differs.is_empty()) {
        (0, true) => Standing::Current,
        (some, true) if some == entries.len() => Standing::Missing,
        (_, false) => Standing::Differs(differs),
        _ => Standing::InPart(missing),
    }
}

fn told(refused: &crate::Refused) -> String {
    let words = crate::words::refused(refused);
    let line = words.lines().next().unwrap_or_default();
    let line = line.strip_prefix("error: ").unwrap_or(line);
    line.strip_suffix("; nothing was written")
        .unwrap_or(line)
        .to_owned()
}

/// Returns the option of a scope on the command line.
pub(super) fn option(scope: Scope) -> &'static str {
    match scope {
        Scope::Project => "",
        Scope::User => " --user",
    }
}

/// Returns the command that sets an agent up.
pub(super) fn setup(agent: Agent, scope: Scope) -> String {
    format!("hashline setup {}{}", agent.name(), option(scope))
}
