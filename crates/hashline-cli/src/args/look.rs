//! The commands that look, explain or prepare, and edit nothing.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use hashline_wire::prompt::Caller;

use super::DialectArg;
use super::setup::one_of;

/// Print the anchors of a file, without its text
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/hash.txt"))]
pub(crate) struct HashArgs {
    /// File
    pub(crate) path: String,
    /// Print one hash over the lines from A to B instead, given by numbers or anchors
    #[arg(long, value_name = "A..B")]
    pub(crate) rolling: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Say where anchors land now, and why not
///
/// Exit code 1 if one of them has no place. Each is judged as an edit there would be: by what was shown, across changes made since.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/verify.txt"))]
pub(crate) struct VerifyArgs {
    /// File
    pub(crate) path: String,
    /// Anchors; A..B is a range
    #[arg(required = true, value_name = "ANCHOR")]
    pub(crate) anchors: Vec<String>,
    /// Revision they were shown in
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
    /// How many lines to show around one that has no place (0 to 50)
    #[arg(short = 'C', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) context: u8,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Take the anchors off lines that were shown, from standard input
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/strip.txt"))]
pub(crate) struct StripArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Say which lines of a file changed since a revision was shown
///
/// The record of what was shown holds no text, so what went is told by its line numbers; what came is shown with anchors.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/diff.txt"))]
pub(crate) struct DiffArgs {
    /// File
    pub(crate) path: String,
    /// The revision, as `read --header` shows it
    #[arg(long, value_name = "REV")]
    pub(crate) rev: String,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Print the JSON Schema of a request or of its answer
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/schema.txt"))]
pub(crate) struct SchemaArgs {
    /// For which request
    #[arg(long, value_enum, default_value = "edit")]
    pub(crate) tool: ToolArg,
    /// Print the schema of the answer: `edit` in the dialect's own shape (`apply --json --answer dialect`), `common` as `apply --json`
    /// gives it, `read` as `read --json` gives it for each file
    #[arg(long)]
    pub(crate) answer: bool,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Which request a schema is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ToolArg {
    /// A request to edit
    Edit,
    /// A request to read
    Read,
    /// The request that every dialect accepts
    Common,
}

/// Print the instructions that teach a model to use hashline
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/prompt.txt"))]
pub(crate) struct PromptArgs {
    /// How the model calls hashline
    #[arg(long, default_value = "shell", value_parser = one_of(callers()))]
    pub(crate) agent: Caller,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

/// Returns the ways of calling, with what the help says about each.
fn callers() -> Vec<(PossibleValue, Caller)> {
    let value = |caller: Caller| {
        let help = match caller {
            Caller::Shell => "As a program in a shell".to_owned(),
            Caller::Tools => "As the tools `read` and `edit`".to_owned(),
            Caller::Agent(agent) => format!("By {}: for {}", agent.title(), agent.instructions()),
        };
        (PossibleValue::new(caller.name()).help(help), caller)
    };
    Caller::all().map(value).collect()
}

/// Settle what a broken-off request left
///
/// Every command does this by itself where it is safe. Only where somebody changed the files since is it up to you.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/recover.txt"))]
pub(crate) struct RecoverArgs {
    /// Leave every file as it is now
    #[arg(long, group = "how")]
    pub(crate) keep_current: bool,
    /// Give every file the bytes it had before the request
    #[arg(long, group = "how")]
    pub(crate) restore_old: bool,
    /// Give every file the bytes the request was to write
    #[arg(long, group = "how")]
    pub(crate) finish_new: bool,
    /// Take journals that were put aside, as those of a copied tree are, as ours after all
    #[arg(long, group = "how")]
    pub(crate) trust: bool,
}

/// Show what hashline does, step by step, in a temporary folder
#[derive(Debug, Args)]
pub(crate) struct TourArgs {
    /// Keep the folder, and say how to go on there
    #[arg(long)]
    pub(crate) keep: bool,
}

/// Print a completion script for a shell
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/completions.txt"))]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// Print the manual, or write a page for each command into a folder
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/man.txt"))]
pub(crate) struct ManArgs {
    /// Folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
