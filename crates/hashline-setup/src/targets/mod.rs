//! What setup writes: for each agent a table of files, and what goes into each.

mod claude;
mod codex;
mod gemini;
mod opencode;
mod pi;
mod snippets;

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::prompt::{Caller, prompt};
use hashline_wire::render::shell;
use serde_json::{Value, json};

use crate::agent::{Agent, Scope, Wish};
use crate::merge::json::{Entry, Item};
use crate::merge::section::Section;
use crate::merge::toml::Table;

pub use snippets::{Editor, Snippet};

/// The name of our server in every client.
pub(crate) const SERVER: &str = "hl";

/// A file, and what goes into it.
#[derive(Clone, Debug, PartialEq)]
pub struct Target {
    /// Where it lies.
    pub path: PathBuf,
    /// What goes into it.
    pub what: What,
}

/// What goes into a file.
#[derive(Clone, Debug, PartialEq)]
pub enum What {
    /// Entries of a JSON file, which may have comments.
    Json(Vec<Entry>),
    /// A table of a TOML file.
    Toml(Table),
    /// A section of a Markdown file.
    Section(Section),
    /// All of it.
    Whole(String),
}

/// What setup does for an agent, and what a person has to do.
#[derive(Clone, Debug, PartialEq)]
pub struct Targets {
    /// The files.
    pub files: Vec<Target>,
    /// What cannot be done for the person: whole sentences.
    pub by_hand: Vec<String>,
}

/// Returns what setup writes for a wish.
#[must_use]
pub fn targets(wish: &Wish) -> Targets {
    match wish.agent {
        Agent::Claude => claude::targets(wish),
        Agent::Codex => codex::targets(wish),
        Agent::OpenCode => opencode::targets(wish),
        Agent::Gemini => gemini::targets(wish),
        Agent::Pi => pi::targets(wish),
    }
}

impl Wish {
    /// Returns a folder of the agent's: in the project, or the person's own.
    fn folder(&self, in_project: &str, own: PathBuf) -> PathBuf {
        match self.scope {
            Scope::Project => self.places.project.join(in_project),
            Scope::User => own,
        }
    }

    /// Returns the arguments of our server.
    fn server_args(&self) -> Vec<String> {
        let mut args = vec!["mcp".to_owned()];
        if let Some(dialect) = self.dialect {
            args.extend(["--dialect".to_owned(), dialect.name().to_owned()]);
        }
        args
    }

    /// Returns the command line that runs our hook in a shell.
    fn hook_line(&self) -> String {
        format!("{} hook", shell::word(&self.command))
    }

    /// Returns the section for the agent's instruction file.
    fn section(&self) -> What {
        let dialect = self.dialect.unwrap_or_default();
        What::Section(Section {
            agent: self.agent.name(),
            text: instructions(self.agent, dialect),
        })
    }

    /// Returns a file of ours with this wish's command and dialect in it.
    fn asset(&self, text: &str) -> What {
        let command = format!("const HASHLINE = {};", Value::from(self.command.as_str()));
        let dialect = self.dialect.map_or("", Dialect::name);
        let dialect = format!("const DIALECT = {};", Value::from(dialect));
        let text = text.replacen("const HASHLINE = \"hashline\";", &command, 1);
        What::Whole(text.replacen("const DIALECT = \"\";", &dialect, 1))
    }
}

/// Returns what an agent is told about hashline.
fn instructions(agent: Agent, dialect: Dialect) -> String {
    let caller = Caller::ALL
        .into_iter()
        .find(|caller| caller.name() == agent.name());
    prompt(dialect, caller.unwrap_or(Caller::Tools))
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
