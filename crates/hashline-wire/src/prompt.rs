//! The instructions that teach a model to use hashline: Markdown files, put together for a dialect and a way of calling.
//!
//! A frame says how to work in any dialect: `shell.md`, `tools.md`, or `agent.md` for an agent that has both. The part about one dialect is a
//! file in `edits/`, followed by `files.md` if it does not cover creating, moving and deleting files. A test parses every request in them and
//! applies it to the file it is about.

use hashline_core::dialect::Dialect;
use hashline_core::render::AnchoredLine;
use hashline_core::text::LineNo;

use crate::agent::Agent;
use crate::schema::Tool;

// The placeholders in the Markdown files.

/// Where the edits of the dialect go in a frame.
const EDITS: &str = "{edits}";
/// Where an agent is named.
const WHOM: &str = "{agent}";
/// Where the tools of an agent go.
const ROUTE: &str = "{route}";
/// Where a command says which dialect it speaks.
const DIALECT: &str = "{dialect}";

/// Where it is said how several files go into one request.
const FURTHER: &str = "{further}";
/// Where a line is shown as it looks in the dialect.
const LINE: &str = "{line}";

/// How a model calls hashline.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Caller {
    /// As a program in a shell.
    Shell,
    /// As the tools `read` and `edit`.
    Tools,
    /// By an agent, with its MCP tools or with tools that take the place of its own.
    Agent(Agent),
}

impl Caller {
    /// Returns all ways of calling.
    pub fn all() -> impl Iterator<Item = Self> + Clone {
        let agents = Agent::ALL.into_iter().map(Self::Agent);
        [Self::Shell, Self::Tools].into_iter().chain(agents)
    }

    /// Returns the name on the command line.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Shell => "shell",
            Self::Tools => "tools",
            Self::Agent(agent) => agent.name(),
        }
    }
}

/// Returns the instructions for a dialect.
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

/// Returns how many tokens the instructions are, by the encoding `o200k`; counted when they were last changed.
#[must_use]
pub fn tokens(dialect: Dialect, caller: Caller) -> Option<usize> {
    let table = include_str!("../prompts/tokens.tsv").lines();
    let mut rows = table.map(|row| row.split('\t').collect::<Vec<_>>());
    let row = rows.find(|row| row.starts_with(&[caller.name(), dialect.name()]))?;
    row.last()?.parse().ok()
}

/// Returns what is said about the edits of a dialect: a file as it is shown, requests to edit it, what they may hold.
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

/// Returns what is said about files that come and go, where the edits of the dialect have no words for that. The program takes it in every
/// dialect; a tool's schema does not have it.
#[must_use]
pub fn files(dialect: Dialect) -> &'static str {
    match dialect {
        Dialect::OMP | Dialect::PUSH | Dialect::COWBOY => {
            concat!("\n\n", include_str!("../prompts/files.md")).trim_ascii_end()
        }
        _ => "",
    }
}

/// Returns the option by which a command is told the dialect. The default needs none, and every token costs.
fn option(dialect: Dialect) -> String {
    if dialect == Dialect::default() {
        return String::new();
    }
    format!(" --dialect {}", dialect.name())
}

/// Shows the first request as the command that sends it; one command is enough to learn the form.
fn with_command(edits: &str) -> String {
    let parts = edits
        .split_once("```json\n")
        .and_then(|(before, rest)| Some((before, rest.split_once("\n```")?)));
    match parts {
        Some((before, (request, after))) => {
            format!("{before}```sh\nhashline apply{DIALECT} <<'EOF'\n{request}\nEOF\n```{after}")
        }
        None => edits.to_owned(),
    }
}

/// Returns what a server tells its clients' models at once: which tools to use, and how lines look in its dialect.
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

/// Says how several files go into one request, where the edits of the dialect do not name a file each.
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

/// Returns what is said about a tool where it is offered, for a dialect.
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
