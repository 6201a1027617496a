//! The state of an agent's configuration files, compared with what setup would write.

use std::path::{Path, PathBuf};

use hashline_core::dialect::Dialect;
use serde_json::Value;

use crate::setup::SetupOptions;
use crate::setup::agents::{AgentFile, FileContent, agent_files, edit_rights, plugin_constant};
use crate::setup::error::SetupError;
use crate::setup::merge::json::{self, JsonEntry};
use crate::setup::merge::{MergeError, section, toml};
use crate::setup::merged_file::utf8;
use crate::setup::ownership::{HookCommand, NAME, Ownership, dialect_in, texts};
use crate::setup::program::{Programs, find};
use crate::setup::read::{self, BOM};

/// The names that agents have for the hook event before a tool call.
const BEFORE_TOOLS: [&str; 2] = ["PreToolUse", "BeforeTool"];

/// How much of what setup writes is in a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum FileState {
    /// The file does not exist, or has no entry of hashline.
    Missing,
    /// Some entries are in the file; the listed ones are missing.
    InPart(Vec<String>),
    /// The file is as setup would write it.
    Current,
    /// All entries are in the file, but the listed ones differ from what setup would write.
    Differs(Vec<String>),
    /// The file cannot be read or parsed.
    Unreadable(SetupError),
}

/// The configuration files of an agent in one scope: the project's or the user's.
#[derive(Clone, Debug)]
pub(super) struct AgentSetup {
    /// The options with which setup would write the files. Program and dialect are taken from the files if those call hashline.
    pub(super) options: SetupOptions,
    pub(super) files: Vec<(PathBuf, FileState)>,
    /// The program that the files start as our MCP server, or that a plugin calls, even if it is not hashline.
    pub(super) call: Option<ServerCall>,
    /// The hooks in the files that run hashline.
    pub(super) hooks: Vec<HookEntry>,
}

/// A hook in an agent's files that runs hashline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HookEntry {
    pub(super) file: PathBuf,
    event: String,
    /// The program and the options that the hook runs.
    pub(super) call: HookCommand,
}

/// The program that an agent's files start as our MCP server, or that a plugin calls.
#[derive(Clone, Debug)]
pub(super) struct ServerCall {
    pub(super) file: PathBuf,
    /// The name or path of the program, as the file calls it.
    pub(super) program: String,
    /// The arguments of the server; `None` for a plugin, which chooses the arguments itself.
    pub(super) args: Option<Vec<String>>,
    /// The dialect that the arguments or the plugin name, if any.
    pub(super) dialect: Option<Dialect>,
}

impl AgentSetup {
    /// Reads the files of an agent, and takes the program and the dialect from them.
    pub(super) fn read(mut options: SetupOptions, programs: &Programs) -> Self {
        options.edits = edit_rights(&options);
        let files = agent_files(&options).files;
        let server = files.iter().find_map(server);
        let call = server.or_else(|| files.iter().find_map(plugin));
        if let Some(call) = &call {
            options.dialect = call.dialect;
            let (is_plugin, is_gone) = (call.args.is_none(), is_gone(&call.program));
            if programs.find(&call.program).is_some() || (is_plugin && is_gone) {
                options.command.clone_from(&call.program);
            } else if is_gone {
                // Where one file names what is gone, others need not.
                options.command = NAME.to_owned();
            }
        }
        let ownership = Ownership::new(&options.command, &[]);
        let files = agent_files(&options).files;
        let states = files
            .iter()
            .map(|file| (file.path.clone(), state(file, &ownership)));
        let hooks = files.iter().flat_map(|file| hooks_in(file, &ownership));
        Self {
            files: states.collect(),
            hooks: hooks.collect(),
            call,
            options,
        }
    }

    /// Returns whether none of the files has an entry of hashline.
    pub(super) fn is_absent(&self) -> bool {
        let mut files = self.files.iter();
        files.all(|(_, state)| *state == FileState::Missing)
    }

    /// Returns our hook for the event before tool calls, if its command line is one that setup writes.
    pub(super) fn hook(&self) -> Option<&HookEntry> {
        let mut hooks = self.hooks.iter();
        hooks.find(|hook| BEFORE_TOOLS.contains(&hook.event.as_str()) && hook.call.is_plain)
    }

    /// Returns every program that the files call, with the files that call it.
    pub(super) fn programs(&self) -> Vec<(&str, Vec<&Path>)> {
        let server = self.call.iter();
        let server = server.map(|call| (call.program.as_str(), call.file.as_path()));
        let hooks = self.hooks.iter();
        let hooks = hooks.map(|hook| (hook.call.program.as_str(), hook.file.as_path()));
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

/// Returns whether a call names a hashline program that no longer exists.
fn is_gone(program: &str) -> bool {
    let stem = Path::new(program).file_stem();
    find(program).is_none() && stem.is_some_and(|stem| stem == NAME)
}

/// Returns the entry for our MCP server in a file, taken apart.
fn server(file: &AgentFile) -> Option<ServerCall> {
    let server = file.content.server_in(&read::text(&file.path)?)?;
    let args = texts(server.get("args"));
    Some(ServerCall {
        file: file.path.clone(),
        program: server.get("command")?.as_str()?.to_owned(),
        dialect: dialect_in(&args).and_then(|name| Dialect::named(&name)),
        args: Some(args.into_iter().map(str::to_owned).collect()),
    })
}

/// Returns the program and the dialect that a plugin's source names.
fn plugin(file: &AgentFile) -> Option<ServerCall> {
    let FileContent::Whole(_) = file.content else {
        return None;
    };
    let text = read::text(&file.path)?;
    Some(ServerCall {
        file: file.path.clone(),
        program: plugin_constant(&text, "HASHLINE")?,
        dialect: plugin_constant(&text, "DIALECT").and_then(|name| Dialect::named(&name)),
        args: None,
    })
}

/// Returns the hooks in a file that run hashline.
fn hooks_in(file: &AgentFile, ownership: &Ownership) -> Vec<HookEntry> {
    let text = read::text(&file.path).unwrap_or_default();
    let Some(Value::Object(events)) = file.content.hooks_in(&text) else {
        return Vec::new();
    };
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let hooks = events.iter().flat_map(|(event, groups)| {
        let groups = list(groups).into_iter();
        let hooks = groups.flat_map(|group| list(&group["hooks"]));
        let calls = hooks.filter_map(|hook| ownership.hook_command(&hook));
        calls.map(|call| HookEntry {
            file: file.path.clone(),
            event: event.clone(),
            call,
        })
    });
    hooks.collect()
}

fn state(file: &AgentFile, ownership: &Ownership) -> FileState {
    let bytes = match read::read(&file.path) {
        Err(error) => return FileState::Unreadable(error),
        Ok(found) => match found.bytes {
            None => return FileState::Missing,
            Some(bytes) => bytes,
        },
    };
    let state = match &file.content {
        FileContent::Whole(ours) if ours.as_bytes() == bytes => Ok(FileState::Current),
        FileContent::Whole(_) => Ok(FileState::Differs(vec!["the whole file".to_owned()])),
        content => {
            utf8(&bytes).and_then(|text| state_in(text.trim_start_matches(BOM), content, ownership))
        }
    };
    state.unwrap_or_else(|why| {
        let path = file.path.clone();
        FileState::Unreadable(SetupError::Merge { path, why })
    })
}

/// Returns how many of our entries are in a text that also has entries of the user.
fn state_in(
    text: &str,
    content: &FileContent,
    ownership: &Ownership,
) -> Result<FileState, MergeError> {
    Ok(match content {
        FileContent::Section(section) => match section::is_current(text, section)? {
            None => FileState::Missing,
            Some(true) => FileState::Current,
            Some(false) => FileState::Differs(vec!["the section".to_owned()]),
        },
        FileContent::Toml(table) => match toml::look_up(text, table)? {
            None => FileState::Missing,
            Some(value) if ownership.is_current(&value, &table.value()) => FileState::Current,
            Some(_) => FileState::Differs(vec![table.full_name()]),
        },
        FileContent::Json(entries) => {
            let found = json::found(text, entries, ownership)?;
            state_of_entries(entries, &found, ownership)
        }
        FileContent::Whole(_) => FileState::Current,
    })
}

fn state_of_entries(
    entries: &[JsonEntry],
    found: &[Option<Value>],
    ownership: &Ownership,
) -> FileState {
    let (mut missing, mut differing) = (Vec::new(), Vec::new());
    for (entry, found) in entries.iter().zip(found) {
        let ours = entry.value();
        match found {
            None => missing.push(entry.name()),
            // What it calls, and in which dialect, is reported apart.
            Some(value) if *value == ours || ownership.is_current(value, &ours) => {}
            Some(_) => differing.push(entry.name()),
        }
    }
    if !differing.is_empty() {
        FileState::Differs(differing)
    } else if missing.is_empty() {
        FileState::Current
    } else if missing.len() == entries.len() {
        FileState::Missing
    } else {
        FileState::InPart(missing)
    }
}
