//! The instructions that teach a model to use hashline: Markdown templates, combined for a dialect and a way to call hashline.
//!
//! A frame says how to work in any dialect: `shell.md`, `tools.md`, or `agent.md` for an agent that has both. The part about one dialect is a
//! file in `edits/`, followed by `files.md` if that file does not cover creating, moving and deleting files. The prompts in `sandbox/` are seed
//! 001's, for an agent whose application calls the sandbox service. A test parses every example
//! request in the templates and applies it to the example file.

use hashline_core::dialect::Dialect;
use hashline_core::render::AnchoredLine;
use hashline_core::text::LineNo;

use crate::agent::Agent;
use crate::schema::Tool;

// The placeholders in the Markdown files.

/// Placeholder in a frame for the part about the dialect's edits.
const EDITS: &str = "{edits}";
/// Placeholder for the name of the agent.
const WHOM: &str = "{agent}";
/// Placeholder for the sentence on which of the agent's tools to use.
const ROUTE: &str = "{route}";
/// Placeholder in a shell command for the option `--dialect`.
const DIALECT: &str = "{dialect}";

/// Placeholder in a sandbox prompt for the tools of the sandbox.
const TOOLS: &str = "{tools}";
/// Placeholder for the sentence on how to edit several files in one request.
const FURTHER: &str = "{further}";
/// Placeholder for an example line with its anchor in the dialect.
const LINE: &str = "{line}";

/// How a model calls hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// As the command `hashline` in a shell.
    Shell,
    /// As the tools `read` and `edit`.
    Tools,
    /// Through a coding agent, by MCP tools or by tools that replace the agent's own.
    Agent(Agent),
}

impl Caller {
    /// Lists all ways to call hashline: shell, tools, and each agent.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let agents = Agent::ALL.into_iter().map(Self::Agent);
        [Self::Shell, Self::Tools].into_iter().chain(agents)
    }

    /// Returns the caller's name as an argument of `hashline`, such as `shell` or `claude`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Tools => "tools",
            Self::Agent(agent) => agent.name(),
        }
    }
}

/// Returns the instructions for a model, in Markdown, for a dialect and a way to call hashline.
#[must_use]
pub fn prompt(dialect: Dialect, caller: Caller) -> String {
    let edits = edits(dialect).trim_end();
    match caller {
        Caller::Shell => include_str!("../prompts/shell.md")
            .replace(EDITS, &[&with_command(edits), files(dialect)].concat())
            .replace(DIALECT, &option(dialect)),
        Caller::Tools => include_str!("../prompts/tools.md").replace(EDITS, edits),
        Caller::Agent(agent) => include_str!("../prompts/agent.md")
            .replace(WHOM, agent.title())
            .replace(ROUTE, agent.route())
            .replace(EDITS, &[&with_command(edits), files(dialect)].concat())
            .replace(DIALECT, &option(dialect)),
    }
}

/// A prompt of seed 001, for an agent that edits files of a sandbox through the sandbox service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SandboxPrompt {
    /// The tools, and how to call them.
    ToolProtocol,
    /// How to carry out a task with the tools; contains the other prompt.
    CoderSystem,
}

impl SandboxPrompt {
    /// Every prompt.
    pub const ALL: [Self; 2] = [Self::ToolProtocol, Self::CoderSystem];

    /// Returns the seed's name of the prompt, as an argument of `hashline`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::ToolProtocol => "SANDBOX_TOOL_PROTOCOL",
            Self::CoderSystem => "CODER_SYSTEM_PROMPT",
        }
    }

    /// Returns the text of the prompt, in Markdown.
    #[must_use]
    pub fn text(self) -> String {
        match self {
            Self::ToolProtocol => include_str!("../prompts/sandbox/tools.md").replace(
                EDITS,
                &with_tool("sandbox_edit_file", edits(Dialect::PUSH).trim_end()),
            ),
            Self::CoderSystem => include_str!("../prompts/sandbox/coder.md")
                .replace(TOOLS, Self::ToolProtocol.text().trim_end()),
        }
    }
}

/// Returns how many tokens the instructions have in the encoding `o200k`, from a table that is updated when they change.
#[must_use]
pub fn tokens(dialect: Dialect, caller: Caller) -> Option<usize> {
    let table = include_str!("../prompts/tokens.tsv").lines();
    let mut rows = table.map(|row| row.split('\t').collect::<Vec<_>>());
    let row = rows.find(|row| row.starts_with(&[caller.name(), dialect.name()]))?;
    row.last()?.parse().ok()
}

/// Returns the instructions on a dialect's edits: an example file with anchors, example requests, and the fields they may have.
#[must_use]
pub fn edits(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::PUSH => include_str!("../prompts/edits/push.md"),
        Dialect::COWBOY => include_str!("../prompts/edits/cowboy.md"),
        Dialect::OPENAGENT => include_str!("../prompts/edits/openagent.md"),
        Dialect::PI => include_str!("../prompts/edits/pi.md"),
        Dialect::LEAN => include_str!("../prompts/edits/lean.md"),
        _ => include_str!("../prompts/edits/omp.md"),
    }
}

/// Returns the instructions on creating, moving and deleting files, for dialects whose own edits cannot; empty for the others. The command
/// line accepts such requests in every dialect, but they are not in the schemas of the tools.
#[must_use]
pub fn files(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OMP | Dialect::PUSH | Dialect::COWBOY => {
            concat!("\n\n", include_str!("../prompts/files.md")).trim_ascii_end()
        }
        _ => "",
    }
}

/// Returns the option ` --dialect <name>` for a shell command; empty for the default dialect, to save tokens.
fn option(dialect: Dialect) -> String {
    if dialect == Dialect::default() {
        return String::new();
    }
    format!(" --dialect {}", dialect.name())
}

/// Turns the first example request into the shell command that sends it; one command is enough for a model to learn the form.
fn with_command(edits: &str) -> String {
    with_request(edits, |request| {
        format!("```sh\nhashline apply{DIALECT} <<'EOF'\n{request}\nEOF\n```")
    })
}

/// Turns the first example request into the call of a tool that sends it.
fn with_tool(tool: &str, edits: &str) -> String {
    with_request(edits, |request| {
        format!("```json\n{{\"tool\":\"{tool}\",\"args\":{request}}}\n```")
    })
}

/// Replaces the block of the first example request.
fn with_request(edits: &str, block: impl FnOnce(&str) -> String) -> String {
    let parts = edits
        .split_once("```json\n")
        .and_then(|(before, rest)| Some((before, rest.split_once("\n```")?)));
    match parts {
        Some((before, (request, after))) => [before, &block(request), after].concat(),
        None => edits.to_owned(),
    }
}

/// Returns the MCP server's instructions, which clients give to their models at the start: which tools to use, and how anchored lines look.
#[must_use]
pub fn server(dialect: Dialect) -> String {
    let (scheme, number, text) = (dialect.scheme, LineNo::from_index(11), "text");
    let line = AnchoredLine {
        scheme,
        number,
        tag: scheme.tag(text.as_bytes(), number),
        text: text.into(),
    };
    include_str!("../prompts/server.md").replace(LINE, &line.to_string())
}

/// Returns the sentence on how to edit several files in one request; empty for pi, whose operations each name a file.
fn further(dialect: Dialect) -> String {
    let (path, list) = match dialect {
        Dialect::PI => return String::new(),
        Dialect::COWBOY => ("path", "operations"),
        Dialect::OPENAGENT => ("filePath", "edits"),
        _ => ("path", "edits"),
    };
    format!(
        "Further files go into `files`, each with its own `{path}`, `rev` and `{list}`: all are written, or none."
    )
}

/// Returns the description of a tool in the MCP server's list of tools, for a dialect.
#[must_use]
pub fn tool(tool: Tool, dialect: Dialect) -> String {
    match tool {
        Tool::Read => include_str!("../prompts/tools/read.md").to_owned(),
        Tool::Search => include_str!("../prompts/tools/search.md").to_owned(),
        Tool::Write => include_str!("../prompts/tools/write.md").to_owned(),
        Tool::Edit => {
            let text =
                include_str!("../prompts/tools/edit.md").replace(EDITS, edits(dialect).trim_end());
            let text = text.replace(FURTHER, &further(dialect));
            format!("{}\n", text.trim_end())
        }
    }
}
