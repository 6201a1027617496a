//! What setup writes: for each agent a table of files, and what goes into each.

mod claude;
mod codex;
mod gemini;
mod opencode;
mod pi;
mod snippets;

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::prompt::prompt;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::setup::agent::{Agent, Scope, Wish};
use crate::setup::merge::json::{Entry, Item};
use crate::setup::merge::section::Section;
use crate::setup::merge::toml::Table;
use crate::setup::owned::{NAME, hook_line};
use crate::setup::program::find;
use crate::setup::write::Access;

pub use snippets::Editor;
pub(crate) use snippets::Snippet;

/// The name of our server in every client.
pub(crate) const SERVER: &str = "hl";

/// What the plugins share.
const SHARED: &str = include_str!("../../../assets/shared.js");

/// A file, and what goes into it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Target {
    /// Where it lies.
    pub(crate) path: PathBuf,
    /// What goes into it.
    pub(crate) what: What,
    /// Who may read it, if setup makes it.
    pub(crate) access: Access,
}

impl Target {
    /// Puts something into a file that is made as any other.
    pub(crate) fn new(path: PathBuf, what: What) -> Self {
        let access = Access::Usual;
        Self { path, what, access }
    }
}

/// What goes into a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum What {
    /// Entries of a JSON file, which may have comments.
    Json(Vec<Entry>),
    /// A table of a TOML file.
    Toml(Table),
    /// A section of a Markdown file.
    Section(Section),
    /// All of it.
    Whole(String),
}

impl What {
    /// Returns the values of its entries.
    pub(crate) fn values(&self) -> Vec<Value> {
        match self {
            Self::Json(entries) => entries.iter().map(Entry::value).collect(),
            Self::Toml(table) => vec![table.value()],
            Self::Section(_) | Self::Whole(_) => Vec::new(),
        }
    }

    /// Returns it without long texts: a receipt does without them.
    pub(crate) fn without_text(&self) -> Self {
        match self {
            Self::Section(section) => Self::Section(Section {
                agent: section.agent,
                text: String::new(),
            }),
            Self::Whole(_) => Self::Whole(String::new()),
            Self::Json(_) | Self::Toml(_) => self.clone(),
        }
    }

    /// Returns it with the entries that an earlier setup wrote: those first, as they were written.
    pub(crate) fn with(&self, earlier: Option<&Self>) -> Self {
        match (self, earlier) {
            (Self::Json(now), Some(Self::Json(earlier))) => {
                let is_there =
                    |entry: &&Entry| earlier.iter().any(|one| one.name() == entry.name());
                let new = now.iter().filter(|entry| !is_there(entry));
                Self::Json(earlier.iter().chain(new).cloned().collect())
            }
            (Self::Toml(_), Some(earlier @ Self::Toml(_))) => earlier.clone(),
            _ => self.clone(),
        }
    }
}

/// What setup does for an agent, and what a person has to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Targets {
    /// The files.
    pub(crate) files: Vec<Target>,
    /// What cannot be done for the person: whole sentences.
    pub(crate) by_hand: Vec<String>,
}

/// Returns what setup writes for a wish.
pub(crate) fn targets(wish: &Wish) -> Targets {
    let mut targets = match wish.agent {
        Agent::Claude => claude::targets(wish),
        Agent::Codex => codex::targets(wish),
        Agent::OpenCode => opencode::targets(wish),
        Agent::Gemini => gemini::targets(wish),
        Agent::Pi => pi::targets(wish),
    };
    if wish.command != NAME && find(NAME).is_none() {
        targets.by_hand.push(format!(
            "Put `{NAME}` on your PATH, as a link to {} for instance: the instructions call it by that name, and it is not there.",
            wish.command
        ));
    }
    targets
}

/// Says what of hashline is left when setup has taken out what it wrote, and has to go by hand: whole sentences.
#[must_use]
pub fn left_by_hand(wish: &Wish) -> Vec<String> {
    match wish.agent {
        Agent::Codex => codex::left_by_hand(wish),
        Agent::Claude | Agent::OpenCode | Agent::Gemini | Agent::Pi => Vec::new(),
    }
}

impl Wish {
    /// Returns the folder of the agent's files: in the project, or the person's own.
    fn folder(&self, in_project: &str) -> PathBuf {
        match self.scope {
            Scope::Project => self.places.project.join(in_project),
            Scope::User => self.places.own_folder(self.agent),
        }
    }

    /// Returns the arguments of our server.
    fn server_args(&self) -> Vec<String> {
        self.args("mcp")
    }

    /// Returns the arguments of our hook, where no shell runs it.
    fn hook_args(&self) -> Vec<String> {
        self.args("hook")
    }

    /// Returns a command of ours with the dialect: server and hook have to speak the same.
    fn args(&self, command: &str) -> Vec<String> {
        let mut args = vec![command.to_owned()];
        if let Some(dialect) = self.dialect {
            args.extend(["--dialect".to_owned(), dialect.name().to_owned()]);
        }
        args
    }

    /// Returns the command line that runs our hook in a shell.
    fn hook_line(&self) -> String {
        hook_line(&self.command, self.dialect.map(Dialect::name))
    }

    /// Returns the agent's instruction file, of some name, with a section in it: at the top of the project, or among the person's own.
    fn instructions(&self, name: &str) -> Target {
        let folder = match self.scope {
            Scope::Project => self.places.project.clone(),
            Scope::User => self.places.own_folder(self.agent),
        };
        let section = Section {
            agent: self.agent,
            text: prompt(self.spoken(), self.agent.caller()),
        };
        Target::new(folder.join(name), What::Section(section))
    }

    /// Returns what an agent gets that a file of ours teaches its tools: that file, with this wish's command and dialect in it, and
    /// instructions.
    fn plugin(&self, path: PathBuf, text: &str) -> Targets {
        let text = joined(text);
        let command = format!("const HASHLINE = {};", Value::from(self.command.as_str()));
        let dialect = self.dialect.map_or("", Dialect::name);
        let dialect = format!("const DIALECT = {};", Value::from(dialect));
        let text = text.replacen("const HASHLINE = \"hashline\";", &command, 1);
        let text = text.replacen("const DIALECT = \"\";", &dialect, 1);
        Targets {
            files: vec![
                Target::new(path, What::Whole(text)),
                self.instructions("AGENTS.md"),
            ],
            by_hand: Vec::new(),
        }
    }
}

/// Puts what all plugins share into one of them, in place of the line that imports it: agents load a plugin that is one file.
fn joined(plugin: &str) -> String {
    let shared = SHARED.replace("\nexport ", "\n");
    let line = |line: &str| match line.ends_with("from \"../shared.js\";\n") {
        true => shared.clone(),
        false => line.to_owned(),
    };
    plugin.split_inclusive('\n').map(line).collect()
}

/// Makes a member of an object.
fn member(path: &[&str], key: &str, value: Value) -> Entry {
    let item = Item::Member(key.to_owned(), value);
    Entry {
        path: keys(path),
        item,
    }
}

/// Makes a text in a list.
fn text(path: &[&str], text: &str) -> Entry {
    let item = Item::Text(text.to_owned());
    Entry {
        path: keys(path),
        item,
    }
}

/// Makes a group of one hook, for the tools of a pattern or for all.
fn hook(event: &str, matcher: Option<&str>, hook: Value) -> Entry {
    let mut group = json!({});
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    group["hooks"] = json!([hook]);
    Entry {
        path: keys(&["hooks", event]),
        item: Item::Hooks(group),
    }
}

fn keys(path: &[&str]) -> Vec<String> {
    path.iter().map(|&key| key.to_owned()).collect()
}
