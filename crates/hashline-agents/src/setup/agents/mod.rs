//! The configuration files that setup writes for each agent, and the content of each file.

mod claude;
mod codex;
mod gemini;

use std::path::PathBuf;

use hashline_core::dialect::Dialect;
use hashline_wire::agent::Agent;
use hashline_wire::prompt::{Caller, prompt};
use hashline_workspace::system::FileAccess;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::setup::merge::json::{self as json_merge, JsonEntry, JsonItem};
use crate::setup::merge::section::Section;
use crate::setup::merge::toml::{self, TomlTable};
use crate::setup::options::{EditRights, Scope, SetupOptions};
use crate::setup::ownership::{CallKind, NAME, Ownership, dialect_in, hook_line, texts};
use crate::setup::program::find;
use crate::setup::read;

/// The name of our MCP server in the configuration of every agent.
pub(crate) const SERVER: &str = "hl";

/// JavaScript that the plugins for OpenCode and pi share.
const SHARED: &str = include_str!("../../../assets/shared.js");
/// The plugin that replaces OpenCode's file tools. No MCP server is added: two sets of tools would confuse the model.
const OPENCODE: &str = include_str!("../../../assets/opencode/hashline.js");
/// The extension that replaces the file tools of pi, which does not support MCP.
const PI: &str = include_str!("../../../assets/pi/hashline.ts");

/// A configuration file of an agent, and the content that setup writes into it.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AgentFile {
    /// The path of the file.
    pub(crate) path: PathBuf,
    /// The entries, section or text that setup writes into the file.
    pub(crate) content: FileContent,
    /// Who may read the file if setup creates it.
    pub(crate) access: FileAccess,
}

impl AgentFile {
    /// Makes a file that is created with the usual permissions.
    pub(crate) fn new(path: PathBuf, content: FileContent) -> Self {
        let access = FileAccess::Usual;
        Self {
            path,
            content,
            access,
        }
    }
}

/// The part of a file that setup writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) enum FileContent {
    /// Entries of a JSON file; the file may have comments.
    Json(Vec<JsonEntry>),
    /// A table of a TOML file.
    Toml(TomlTable),
    /// A section of a Markdown file.
    Section(Section),
    /// The whole file.
    Whole(String),
}

impl FileContent {
    /// Returns the JSON values of the entries, by which a later setup recognizes them; sections and whole files have none.
    pub(crate) fn values(&self) -> Vec<Value> {
        match self {
            Self::Json(entries) => entries.iter().map(JsonEntry::value).collect(),
            Self::Toml(table) => vec![table.value()],
            Self::Section(_) | Self::Whole(_) => Vec::new(),
        }
    }

    /// Returns the content with the text of sections and whole files left out, because a receipt does not need it.
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

    /// Returns the content with the entries of an earlier setup in front; an earlier entry takes precedence over a new one of the same name.
    pub(crate) fn with(&self, earlier: Option<&Self>) -> Self {
        match (self, earlier) {
            (Self::Json(now), Some(Self::Json(earlier))) => {
                let is_there =
                    |entry: &&JsonEntry| earlier.iter().any(|one| one.name() == entry.name());
                let new = now.iter().filter(|entry| !is_there(entry));
                Self::Json(earlier.iter().chain(new).cloned().collect())
            }
            (Self::Toml(_), Some(earlier @ Self::Toml(_))) => earlier.clone(),
            _ => self.clone(),
        }
    }

    /// Returns the value of the entry for our MCP server in a file's text, whichever program it runs.
    pub(crate) fn server_in(&self, text: &str) -> Option<Value> {
        match self {
            Self::Json(_) => json_merge::look_up(text, &["mcpServers", SERVER]),
            Self::Toml(table) => toml::look_up(text, table).ok().flatten(),
            Self::Section(_) | Self::Whole(_) => None,
        }
    }

    /// Returns the hooks in a file's text, as an object with event names as keys.
    pub(crate) fn hooks_in(&self, text: &str) -> Option<Value> {
        match self {
            Self::Json(_) => json_merge::look_up(text, &["hooks"]),
            Self::Toml(_) => toml::look_below(text, &["hooks"]),
            Self::Section(_) | Self::Whole(_) => None,
        }
    }
}

/// The files that setup writes for an agent, and the steps that the user has to do.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct AgentFiles {
    pub(crate) files: Vec<AgentFile>,
    /// Steps that setup cannot do itself, in whole sentences for the user.
    pub(crate) manual_steps: Vec<String>,
}

/// Returns the files that setup writes for the agent, and the manual steps.
pub(crate) fn agent_files(options: &SetupOptions) -> AgentFiles {
    let mut files = match options.agent {
        Agent::Claude => claude::files(options),
        Agent::Codex => codex::files(options),
        Agent::OpenCode => {
            let plugin = options.folder(".opencode").join("plugins/hashline.js");
            options.plugin(plugin, OPENCODE)
        }
        Agent::Gemini => gemini::files(options),
        Agent::Pi => {
            let extension = options.folder(".pi").join("extensions/hashline.ts");
            options.plugin(extension, PI)
        }
    };
    if options.command != NAME && find(NAME).is_none() {
        files.manual_steps.push(format!(
            "Put `{NAME}` on your PATH, for example as a link to {}: the instructions use that name, and it is not found.",
            options.command
        ));
    }
    files
}

/// Returns the steps, in whole sentences, for removing entries that run hashline and that setup did not write.
#[must_use]
pub fn manual_removal_steps(options: &SetupOptions) -> Vec<String> {
    match options.agent {
        Agent::Codex => codex::manual_removal_steps(options),
        Agent::Claude | Agent::OpenCode | Agent::Gemini | Agent::Pi => Vec::new(),
    }
}

/// Returns the dialect that the agent's files already name, else the configured dialect, if any. So a setup in a fresh clone keeps the dialect that
/// the team agreed on.
pub(crate) fn earlier_dialect(options: &SetupOptions) -> Option<Dialect> {
    let ownership = Ownership::new(&options.command, &[]);
    let files = agent_files(options).files;
    let name = files.iter().find_map(|file| {
        let text = read::text(&file.path)?;
        if let FileContent::Whole(_) = file.content {
            return plugin_constant(&text, "DIALECT");
        }
        let server = file.content.server_in(&text)?;
        let is_ours = ownership.runs_hashline(&server, CallKind::Anything);
        dialect_in(&texts(server.get("args"))).filter(|_| is_ours)
    });
    let earlier = name.and_then(|name| Dialect::named(&name));
    // The extension of pi speaks its own, whatever is configured.
    earlier.or(options.configured.filter(|_| options.agent != Agent::Pi))
}

/// Returns whether the agent's files allow edits without a question.
pub(crate) fn edit_rights(options: &SetupOptions) -> EditRights {
    let files = agent_files(options).files;
    let is_allowed = |file: &AgentFile| {
        let text = read::text(&file.path).unwrap_or_default();
        let server = file.content.server_in(&text).unwrap_or_default();
        let rules = match file.content {
            FileContent::Json(_) => json_merge::look_up(&text, &["permissions", "allow"]),
            _ => None,
        };
        server[codex::APPROVAL] == codex::APPROVE
            || server[gemini::TRUST] == true
            || texts(rules.as_ref()).contains(&claude::ALL_TOOLS)
    };
    if files.iter().any(is_allowed) {
        EditRights::Allow
    } else {
        EditRights::Ask
    }
}

/// Returns the value of a constant that setup wrote into a plugin's source, such as `DIALECT`.
pub(crate) fn plugin_constant(plugin: &str, name: &str) -> Option<String> {
    let head = format!("const {name} = ");
    let value = plugin.lines().find_map(|line| line.strip_prefix(&head))?;
    serde_json::from_str(value.trim_end_matches(';')).ok()
}

impl SetupOptions {
    /// Returns the arguments for a hashline command (`mcp` or `hook`), with the chosen dialect: server and hook must use the same one.
    fn args(&self, command: &str) -> Vec<String> {
        let mut args = vec![command.to_owned()];
        if let Some(dialect) = self.dialect {
            args.extend(["--dialect".to_owned(), dialect.name().to_owned()]);
        }
        args
    }

    /// Returns the shell command that runs our hook.
    fn hook_line(&self) -> String {
        hook_line(&self.command, self.dialect.map(Dialect::name))
    }

    /// Returns a manual step if the scope is [`Scope::Project`], otherwise nothing.
    fn in_project(&self, step: &str) -> Vec<String> {
        match self.scope {
            Scope::Project => vec![step.to_owned()],
            Scope::User => Vec::new(),
        }
    }

    /// Returns the agent's instruction file, such as CLAUDE.md, with our section: at the top of the project, or in the user's folder.
    fn instructions(&self, name: &str) -> AgentFile {
        let section = Section {
            agent: self.agent,
            text: prompt(self.spoken_dialect(), Caller::Agent(self.agent)),
        };
        AgentFile::new(self.folder("").join(name), FileContent::Section(section))
    }

    /// Returns the file of a plugin that replaces the agent's tools, with the command and dialect filled in, and the instruction file.
    fn plugin(&self, path: PathBuf, text: &str) -> AgentFiles {
        let text = joined(text);
        let command = format!("const HASHLINE = {};", Value::from(self.command.as_str()));
        let dialect = self.dialect.map_or("", Dialect::name);
        let dialect = format!("const DIALECT = {};", Value::from(dialect));
        let text = text.replacen("const HASHLINE = \"hashline\";", &command, 1);
        let text = text.replacen("const DIALECT = \"\";", &dialect, 1);
        AgentFiles {
            files: vec![
                AgentFile::new(path, FileContent::Whole(text)),
                self.instructions(self.agent.instructions()),
            ],
            manual_steps: Vec::new(),
        }
    }
}

/// Inserts the shared JavaScript into a plugin, in place of the line that imports it: agents load only single-file plugins.
fn joined(plugin: &str) -> String {
    let shared = SHARED.replace("\nexport ", "\n");
    let lines = plugin.split_inclusive('\n');
    let lines = lines.map(|line| match line {
        line if line.ends_with("from \"../shared.js\";\n") => &shared,
        line => line,
    });
    lines.collect()
}

/// Makes a JSON entry that is a member `key` of the object at `path`.
fn member(path: &[&str], key: &str, value: Value) -> JsonEntry {
    entry(path, JsonItem::Member(key.to_owned(), value))
}

/// Makes a JSON entry that is a string in the list at `path`.
fn text(path: &[&str], text: &str) -> JsonEntry {
    entry(path, JsonItem::Text(text.to_owned()))
}

/// Makes a JSON entry for a group of one hook, for the tools that match `matcher`, or for all tools.
fn hook(event: &str, matcher: Option<&str>, hook: Value) -> JsonEntry {
    let mut group = json!({});
    if let Some(matcher) = matcher {
        group["matcher"] = matcher.into();
    }
    group["hooks"] = json!([hook]);
    entry(&["hooks", event], JsonItem::Hooks(group))
}

fn entry(path: &[&str], item: JsonItem) -> JsonEntry {
    let path = path.iter().map(|&key| key.to_owned()).collect();
    JsonEntry { path, item }
}
