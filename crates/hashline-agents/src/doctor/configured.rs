//! How an agent's files stand: what setup would write, against what is there.

use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::setup::agent::Wish;
use crate::setup::disk;
use crate::setup::error::Refused;
use crate::setup::file::text_of;
use crate::setup::merge::json::{self, Entry, Presence};
use crate::setup::merge::{Unmerged, section, toml};
use crate::setup::owned::{HookCall, NAME, Owned, dialect_in};
use crate::setup::program::{Programs, find};
use crate::setup::targets::{SERVER, Target, What, targets};

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
    /// What the files call as a server or in a plugin, whatever that is.
    pub(super) call: Option<Call>,
    /// Our hooks in the files.
    pub(super) hooks: Vec<Hooked>,
}

/// A hook of ours in an agent's files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hooked {
    /// In which file.
    pub(super) file: PathBuf,
    /// When it is asked.
    event: String,
    /// How it calls us.
    pub(super) call: HookCall,
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
    /// The dialect it is told, if it is.
    pub(super) dialect: Option<Dialect>,
}

impl Configured {
    /// Looks at the files of an agent. What runs, and in which dialect, is taken from what is there.
    pub(super) fn look(mut wish: Wish, programs: &Programs) -> Self {
        let call = call_in(&wish);
        if let Some(call) = &call {
            wish.dialect = call.dialect;
            if programs.find(&call.program).is_some()
                || (call.is_plugin() && is_gone(&call.program))
            {
                wish.command.clone_from(&call.program);
            } else if is_gone(&call.program) {
                // Where one file names what is gone, others need not.
                wish.command = NAME.to_owned();
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
            hooks: targets
                .iter()
                .flat_map(|target| hooks_in(target, &owned))
                .collect(),
            call,
            wish,
        }
    }

    /// Tells whether nothing of ours is there.
    pub(super) fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(_, standing)| *standing == Standing::Missing)
    }

    /// Returns our hook that is asked before the agent uses a tool, if it is called as setup writes it.
    pub(super) fn hook(&self) -> Option<&Hooked> {
        let mut hooks = self.hooks.iter();
        hooks.find(|hook| BEFORE_TOOLS.contains(&hook.event.as_str()) && hook.call.is_plain)
    }

    /// Returns every program that the files call, and the files that do.
    pub(super) fn programs(&self) -> Vec<(&str, Vec<&Path>)> {
        let server = self
            .call
            .iter()
            .map(|call| (call.program.as_str(), call.file.as_path()));
        let hooks = self
            .hooks
            .iter()
            .map(|hook| (hook.call.program.as_str(), hook.file.as_path()));
        let mut programs: Vec<(&str, Vec<&Path>)> = Vec::new();
        for (program, file) in server.chain(hooks) {
            match programs.iter_mut().find(|(known, _)| *known == program) {
                None => programs.push((program, vec![file])),
                Some((_, files)) if files.contains(&file) => {}
                Some((_, files)) => files.push(file),
            }
        }
        programs
    }
}

impl Call {
    fn is_plugin(&self) -> bool {
        self.args.is_none()
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
    let text = disk::text(&target.path)?;
    let found = match &target.what {
        What::Json(_) => json::look_up(&text, &["mcpServers", SERVER]),
        What::Toml(table) => toml::look_up(&text, table).ok().flatten(),
        What::Section(_) | What::Whole(_) => None,
    }?;
    let args = found.get("args").and_then(Value::as_array);
    let args = args.into_iter().flatten().filter_map(Value::as_str);
    let args: Vec<String> = args.map(str::to_owned).collect();
    let words: Vec<&str> = args.iter().map(String::as_str).collect();
    Some(Call {
        file: target.path.clone(),
        program: found.get("command")?.as_str()?.to_owned(),
        dialect: dialect_in(&words).and_then(|name| Dialect::named(&name)),
        args: Some(args),
    })
}

/// Returns the call of a plugin, which says so in its own text.
fn plugin(target: &Target) -> Option<Call> {
    let What::Whole(_) = target.what else {
        return None;
    };
    let text = disk::text(&target.path)?;
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

/// Returns our hooks in a file.
fn hooks_in(target: &Target, owned: &Owned) -> Vec<Hooked> {
    let text = disk::text(&target.path).unwrap_or_default();
    let found = match &target.what {
        What::Json(_) => json::look_up(&text, &["hooks"]),
        What::Toml(_) => toml::look_below(&text, &["hooks"]),
        What::Section(_) | What::Whole(_) => None,
    };
    let Some(Value::Object(events)) = found else {
        return Vec::new();
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let hooks = events.iter().flat_map(|(event, groups)| {
        let groups = list(groups);
        let hooks = groups.iter().flat_map(|group| list(&group["hooks"]));
        let calls: Vec<HookCall> = hooks.filter_map(|hook| owned.hook_call(&hook)).collect();
        calls.into_iter().map(|call| Hooked {
            file: target.path.clone(),
            event: event.clone(),
            call,
        })
    });
    hooks.collect()
}

fn standing(target: &Target, owned: &Owned) -> Standing {
    let seen = match disk::look(&target.path) {
        Ok(seen) => seen,
        Err(refused) => return Standing::Unreadable(refused),
    };
    let Some(bytes) = seen.bytes else {
        return Standing::Missing;
    };
    if let What::Whole(ours) = &target.what {
        return match ours.as_bytes() == bytes {
            true => Standing::Current,
            false => Standing::Differs(vec!["the whole file".to_owned()]),
        };
    }
    let text = text_of(&bytes).map(|text| text.trim_start_matches('\u{feff}'));
    let found = text.and_then(|text| standing_in(text, &target.what, owned));
    found.unwrap_or_else(|why| {
        let path = target.path.clone();
        Standing::Unreadable(Refused::Unmerged { path, why })
    })
}

/// Says how something stands in a text that has other things in it, too.
fn standing_in(text: &str, what: &What, owned: &Owned) -> Result<Standing, Unmerged> {
    Ok(match what {
        What::Section(section) => match section::is_current(text, section)? {
            None => Standing::Missing,
            Some(true) => Standing::Current,
            Some(false) => Standing::Differs(vec!["the section".to_owned()]),
        },
        What::Toml(table) => match toml::look_up(text, table)? {
            None => Standing::Missing,
            Some(value) if owned.is_current(&value, &table.value()) => Standing::Current,
            Some(_) => Standing::Differs(vec![table.full_name()]),
        },
        What::Json(entries) => of_entries(entries, &json::present(text, entries, owned)?, owned),
        What::Whole(_) => Standing::Current,
    })
}

fn of_entries(entries: &[Entry], found: &[Presence], owned: &Owned) -> Standing {
    let named = |is: &dyn Fn(&Entry, &Presence) -> bool| -> Vec<String> {
        let pairs = entries.iter().zip(found);
        let pairs = pairs.filter(|(entry, found)| is(entry, found));
        pairs.map(|(entry, _)| entry.name()).collect()
    };
    let missing = named(&|_, found| *found == Presence::Missing);
    // What it calls, and in which dialect, is judged apart.
    let differs = named(&|entry, found| match found {
        Presence::Differs(value) => !owned.is_current(value, &entry.value()),
        Presence::Foreign => true,
        Presence::Missing | Presence::Current => false,
    });
    match (missing.len(), differs.is_empty()) {
        (0, true) => Standing::Current,
        (some, true) if some == entries.len() => Standing::Missing,
        (_, false) => Standing::Differs(differs),
        _ => Standing::InPart(missing),
    }
}
