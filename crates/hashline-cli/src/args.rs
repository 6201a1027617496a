//! The arguments. Their doc comments are the help texts, and are written nowhere else.

mod apply;
mod guard;
mod hook;
mod look;
mod mcp;
mod read;
mod search;
mod setup;

use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::builder::TypedValueParser;
use clap::{Args, Parser, Subcommand};
use hashline_core::dialect::Dialect;

pub(crate) use apply::{AnswerShape, ApplyArgs};
pub(crate) use guard::GuardArgs;
pub(crate) use hook::HookArgs;
pub(crate) use look::{
    CompletionsArgs, DiffArgs, HashArgs, ManArgs, PromptArgs, RecoverArgs, SchemaArgs, StripArgs,
    ToolArg, TourArgs, VerifyArgs,
};
pub(crate) use mcp::McpArgs;
pub(crate) use read::ReadArgs;
pub(crate) use search::SearchArgs;
pub(crate) use setup::{DoctorArgs, SetupArgs, SetupTarget};

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
    after_help = "Exit codes:  0 done   1 stale anchors, nothing written, fresh ones on standard error   2 anything else, nothing written\n\
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
pub(crate) enum Command {
    Read(ReadArgs),
    Search(SearchArgs),
    Apply(Box<ApplyArgs>),
    Hash(HashArgs),
    Verify(VerifyArgs),
    Strip(StripArgs),
    Diff(DiffArgs),
    Schema(SchemaArgs),
    Prompt(PromptArgs),
    /// Show counts of edits applied, refused and repaired
    ///
    /// Counts are kept in your state directory for all programs that use hashline. They hold numbers and codes, never text or paths.
    /// `stats = false` in the configuration turns them off.
    #[command(after_long_help = include_str!("../help/stats.txt"))]
    Stats,
    Hook(HookArgs),
    Recover(RecoverArgs),
    Guard(GuardArgs),
    Mcp(McpArgs),
    Setup(SetupArgs),
    Doctor(DoctorArgs),
    Tour(TourArgs),
    Completions(CompletionsArgs),
    Man(ManArgs),
}

/// A dialect on the command line.
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
