//! The arguments. Their doc comments are the help texts, and are written nowhere else.

mod apply;
mod guard;
mod hook;
mod listen;
mod look;
mod mcp;
mod read;
mod search;
mod serve;
mod setup;
mod stats;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand};
use hashline_core::dialect::Dialect;

pub(crate) use apply::{AnswerShape, ApplyArgs};
pub(crate) use guard::GuardArgs;
pub(crate) use hook::HookArgs;
pub(crate) use listen::ListenArgs;
pub(crate) use look::{
    CompletionsArgs, DiffArgs, HashArgs, ManArgs, PromptArgs, RecoverArgs, SchemaArgs, StripArgs,
    ToolArg, TourArgs, VerifyArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use read::ReadArgs;
pub(crate) use search::SearchArgs;
pub(crate) use serve::ServeArgs;
pub(crate) use setup::{DoctorArgs, SetupArgs, SetupTarget};
pub(crate) use stats::StatsArgs;

/// Read files with an anchor on every line, and edit by naming anchors
///
/// Every line is shown with an anchor, its number and a tag of its text: `12:a3|text`. An edit names anchors instead of retyping old
/// text. It lands exactly as written, on exactly the lines that were shown, or nothing is written and the answer holds what is needed to
/// try again.
#[derive(Debug, Parser)]
#[command(
    name = "hashline",
    disable_version_flag = true,
    arg_required_else_help = true,
    subcommand_required = false,
    max_term_width = 100,
    after_help = "Exit codes:  0 done   1 stale, unseen or partly shown lines, nothing written, fresh anchors on standard error   2 anything else, nothing written\n\
                  New here?    hashline tour",
    after_long_help = include_str!("../help/hashline.txt")
)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) global: Global,
    /// Print the version; with --json also the dialects, the system and the machine
    #[arg(short = 'V', long)]
    pub(crate) version: bool,
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
}

/// The options of every command.
#[derive(Debug, Args)]
pub(crate) struct Global {
    /// Answer with JSON on standard output, refusals too
    #[arg(long, global = true, help_heading = "Common options")]
    pub(crate) json: bool,
    /// Folder that may be read and changed; can be given several times
    ///
    /// Without it: the nearest folder above the working directory that holds .git or .hashline, else the working directory; for `guard`,
    /// which looks at no file, the folder the command runs in. Relative paths are relative to the working directory. A path on the command
    /// line that lies elsewhere adds its own folder for that call.
    #[arg(
        long,
        value_name = "DIR",
        global = true,
        help_heading = "Common options"
    )]
    pub(crate) root: Vec<PathBuf>,
    /// Session that the anchors belong to
    ///
    /// An anchor means the line that was shown in this session. Without a name: in any of your sessions.
    #[arg(
        long,
        value_name = "NAME",
        env = "HASHLINE_SESSION",
        hide_env_values = true,
        global = true,
        help_heading = "Common options"
    )]
    pub(crate) session: Option<String>,
    /// Set a configuration key for this call
    #[arg(
        long,
        value_name = "KEY=VALUE",
        global = true,
        help_heading = "Common options"
    )]
    pub(crate) set: Vec<String>,
}

impl Global {
    /// Returns the session, if one was named.
    pub(crate) fn session(&self) -> Option<&str> {
        self.session.as_deref().filter(|name| !name.is_empty())
    }
}

#[derive(Debug, Subcommand)]
// Only the command that is called is built: building all of them takes a fifth of the time that the program needs to start.
#[command(defer = true)]
pub(crate) enum Command {
    /// Show files, or parts of them, with an anchor on every line
    ///
    /// Standard output holds exactly the anchored lines. With several paths each part is headed `--- path ---`, and one that cannot be read
    /// does not stop the others. What was shown is recorded, so that its anchors land even after other parts of the file change.
    Read(ReadArgs),
    /// Search files for lines, and show them with their anchors
    ///
    /// Without a path the working directory is searched, or every folder given with --root. Like ripgrep, it obeys .gitignore and .ignore and
    /// skips hidden files. Finding nothing is not an error.
    Search(SearchArgs),
    /// Apply a request of anchored edits, all or nothing
    ///
    /// The request is JSON on standard input, or comes from --input, --base64 or --fd. The request formats of all dialects are accepted, over
    /// one file or several. All edits of all files are written, or nothing is. The answer shows the touched lines with fresh anchors, so nothing needs to
    /// be read again.
    Apply(Box<ApplyArgs>),
    /// Print the anchors of a file, without its text
    Hash(HashArgs),
    /// Check where anchors land now, and why one does not
    ///
    /// Exit code 1 if one of them does not land. Each is resolved as an edit would resolve it: by what was shown, across changes made since.
    Verify(VerifyArgs),
    /// Remove the anchors from lines on standard input
    Strip(StripArgs),
    /// Show which lines of a file changed since a revision was shown
    ///
    /// The record of what was shown holds no text, so removed lines are given by their numbers; new lines are shown with anchors.
    Diff(DiffArgs),
    /// Print the JSON Schema of a request or of its answer
    Schema(SchemaArgs),
    /// Print the instructions that teach a model to use hashline
    Prompt(PromptArgs),
    /// Show counts of edits applied, refused and repaired
    ///
    /// Counts are kept in your state directory for all programs that use hashline. They hold numbers and codes, never text or paths.
    /// `stats = false` in the configuration turns them off.
    Stats(StatsArgs),
    /// Answer an agent's hook, before or after it uses a tool
    ///
    /// Agents run this with their JSON on standard input; `hashline setup` puts it into their settings. Native edit tools and shell
    /// commands that bypass hashline are refused, with the call to make instead; what a native read tool shows gets anchors where the agent
    /// allows it. The agent is recognised by the format of the JSON. A call that is not understood, fails or takes too long is allowed.
    Hook(HookArgs),
    /// Undo or finish a request that was interrupted
    ///
    /// Every command does this by itself where it is safe. Where the files were changed since, you must choose.
    Recover(RecoverArgs),
    /// Check whether a shell command bypasses hashline to read or write files
    ///
    /// The command is parsed as a shell would parse it, but never run, and no file is read. `read-bypass`: it shows a file of the root without
    /// anchors. `write-bypass`: it changes one. `allow`: neither, or this cannot be determined.
    Guard(GuardArgs),
    /// Serve agents over the Model Context Protocol
    ///
    /// The tools are read, search, edit and write. Without further options it serves one client over standard input and output, until
    /// the client disconnects. A client's own roots can only narrow the folders that may be read and changed.
    Mcp(McpArgs),
    /// Serve reads and edits as JSON over HTTP, for sandboxes
    ///
    /// Serves any number of folders, called workspaces, each with a token of its own that selects it. The routes are those of seed 001
    /// (`/api/sandbox/read-file`, `edit-file`, `write-file`) and our own (`/v1/read`, `search`, `edit`, `write`, `verify`);
    /// `GET /openapi.json` describes them. Without further options it listens on 127.0.0.1 and ::1, on a free port.
    Serve(Box<ServeArgs>),
    /// Set hashline up in an agent's own files, or remove it
    ///
    /// Shows a diff first. On a terminal it asks before it writes, elsewhere it writes without asking; --dry-run only shows the diff. All files
    /// are written or none. The rest of each file stays as it is: comments, order, indentation. A second run changes nothing. Entries that you changed are kept.
    Setup(SetupArgs),
    /// Check the installation and the agents' setup, and show how to fix problems
    ///
    /// Exit code 2 if there is a problem. Nothing is changed.
    Doctor(DoctorArgs),
    /// Show what hashline does, step by step, in a temporary folder
    Tour(TourArgs),
    /// Print a completion script for a shell
    Completions(CompletionsArgs),
    /// Print the manual, or write a page for each command into a folder
    Man(ManArgs),
}

// A doc comment here would become the help of every command that takes a dialect.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct DialectArg {
    /// Format of anchors, requests and answers
    #[arg(long, value_name = "NAME", value_parser = dialects())]
    dialect: Option<Dialect>,
}

impl DialectArg {
    /// Returns the dialect, if one was named.
    pub(crate) fn get(self) -> Option<Dialect> {
        self.dialect
    }
}

/// Reads the name of a dialect.
pub(crate) fn dialects() -> impl TypedValueParser<Value = Dialect> {
    let names = Dialect::ALL.map(Dialect::name);
    // The parser lets only names of dialects through.
    PossibleValuesParser::new(names).map(|name| Dialect::named(&name).unwrap_or_default())
}
