//! How an agent's files stand: what setup would write, against what is there.

use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::agent::Wish;
use crate::disk;
use crate::error::Refused;
use crate::merge::json::{self, Entry, Item, Presence};
use crate::merge::{section, toml};
use crate::owned::Owned;
use crate::program::{Programs, find};
use crate::targets::{SERVER, Target, What, targets};

/// The events before a tool is used, at the agents that have hooks.
const BEFORE_TOOLS: [&str; 2] = ["PreToolUse", "BeforeTool"];

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
    Unreadable(Refused),
}

/// An agent's files in one scope.
#[derive(Clone, Debug)]
pub(super) struct Configured {
    /// What setup would do. The program and the dialect are those of the files, where they are ours.
    pub(super) wish: Wish,
    pub(super) files: Vec<(PathBuf, Standing)>,
    /// What the files call, whatever that is.
    pub(super) call: Option<Call>,
    /// Whether our hook is asked before the agent uses a tool.
    pub(super) has_hook: bool,
}

/// What an agent's files call.
#[derive(Clone, Debug)]
pub(super) struct Call {
    /// In which file.
    pub(super) file: PathBuf,
    /// The program, as it is named there.
    pub(super) program: String,
    /// Its arguments, if it is a server; a plugin chooses its own.
    pub(super) args: Option<Vec<String>>,
    dialect: Option<Dialect>,
}

impl Configured {
    /// Looks at the files of an agent. What runs, and in which dialect, is taken from what is there.
    pub(super) fn look(mut wish: Wish, programs: &Programs) -> Self {
        let call = call_in(&wish);
        if let Some(call) = &call {
            wish.dialect = call.dialect;
            if programs.find(&call.program).is_some() || is_gone(&call.program) {
                wish.command.clone_from(&call.program);
            }
        }
        let owned = Owned::new(&wish.command, &[]);
        let targets = targets(&wish).files;
        let files = targets.iter().map(|target| {
            let standing = standing(target, &owned);
            (target.path.clone(), standing)
        });
        Self {
            files: files.collect(),
            has_hook: targets.iter().any(|target| has_hook(target, &owned)),
            call,
            wish,
        }
    }

    /// Tells whether nothing of ours is there.
    pub(super) fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(_, standing)| *standing == Standing::Missing)
    }
}

/// Tells whether a call is of a hashline that is not there any more.
fn is_gone(program: &str) -> bool {
    let stem = Path::new(program).file_stem();
    find(program).is_none() && stem.is_some_and(|stem| stem == "hashline")
}

fn call_in(wish: &Wish) -> Option<Call> {
    let files = targets(wish).files;
    files
        .iter()
        .find_map(server)
        .or_else(|| files.iter().find_map(plugin))
}

/// Returns the call of our server, as it stands in a file.
fn server(target: &Target) -> Option<Call> {
    let text = text_of(target)?;
    let found = match &target.what {
        What::Json(_) => json::look_up(&text, &["mcpServers", SERVER]),
        What::Toml(table) => toml::look_up(&text, table).ok().flatten(),
        What::Section(_) | What::Whole(_) => None,
    }?;
    let args = found.get("args").and_then(Value::as_array);
    let args = args.into_iter().flatten().filter_map(Value::as_str);
    let args: Vec<String> = args.map(str::to_owned).collect();
    let at = args.iter().position(|arg| arg == "--dialect");
    Some(Call {
        file: target.path.clone(),
        program: found.get("command")?.as_str()?.to_owned(),
        dialect: at.and_then(|at| Dialect::named(args.get(at + 1)?)),
        args: Some(args),
    })
}

/// Returns the call of a plugin, which says so in its own text.
fn plugin(target: &Target) -> Option<Call> {
    let What::Whole(_) = target.what else {
        return None;
    };
    let text = text_of(target)?;
    let said = |name: &str| {
        let line = text
            .lines()
            .find_map(|line| line.strip_prefix(&format!("const {name} = ")))?;
        serde_json::from_str::<String>(line.trim_end_matches(';')).ok()
    };
    Some(Call {
        file: target.path.clone(),
        program: said("HASHLINE")?,
        dialect: said("DIALECT").and_then(|name| Dialect::named(&name)),
        args: None,
    })
}

fn text_of(target: &Target) -> Option<String> {
    let bytes = disk::look(&target.path).ok()?.bytes?;
    let text = String::from_utf8(bytes).ok()?;
    Some(text.trim_start_matches('\u{feff}').to_owned())
}

/// Tells whether a file has our hook before tools are used, just as setup writes it.
fn has_hook(target: &Target, owned: &Owned) -> bool {
    let What::Json(entries) = &target.what else {
        return false;
    };
    let is_before = |entry: &Entry| {
        let event = entry.path.last();
        let known = event.is_some_and(|event| BEFORE_TOOLS.contains(&event.as_str()));
        known && matches!(entry.item, Item::Hooks(_))
    };
    let found = text_of(target).and_then(|text| json::present(&text, entries, owned).ok());
    let found = found.unwrap_or_default();
    let mut pairs = entries.iter().zip(found);
    pairs.any(|(entry, found)| is_before(entry) && found == Presence::Current)
}

fn standing(target: &Target, owned: &Owned) -> Standing {
    let seen = match disk::look(&target.path) {
        Ok(seen) => seen,
        Err(refused) => return Standing::Unreadable(refused),
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
        Standing::Unreadable(Refused::Unmerged { path, why })
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
