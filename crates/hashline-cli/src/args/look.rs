//! Arguments of commands that edit no file: `hash`, `verify`, `strip`, `diff`, `schema`, `prompt`, `recover`, `tour`, `completions`, `man`.

use std::path::PathBuf;

use clap::builder::PossibleValue;
use clap::{Args, ValueEnum};
use hashline_wire::prompt::{Caller, SandboxPrompt};

use super::DialectArg;
use super::setup::one_of;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/hash.txt"))]
pub(crate) struct HashArgs {
    /// File
    pub(crate) path: String,
    /// Print one hash over lines A to B instead; A and B are line numbers or anchors
    #[arg(long, value_name = "A..B")]
    pub(crate) rolling: Option<String>,
    /// Encoding of the file, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/verify.txt"))]
pub(crate) struct VerifyArgs {
    /// File
    pub(crate) path: String,
    /// Anchors; A..B is a range
    #[arg(required = true, value_name = "ANCHOR")]
    pub(crate) anchors: Vec<String>,
    /// Revision the anchors were shown in
    #[arg(long, value_name = "REV")]
    pub(crate) rev: Option<String>,
    /// How many lines to show around an anchor that does not land (0 to 50)
    #[arg(short = 'C', long, value_name = "N", default_value_t = 2, value_parser = clap::value_parser!(u8).range(0..=50))]
    pub(crate) context: u8,
    /// Encoding of the file, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/strip.txt"))]
pub(crate) struct StripArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/diff.txt"))]
pub(crate) struct DiffArgs {
    /// File
    pub(crate) path: String,
    /// Revision, as `read --header` shows it
    #[arg(long, value_name = "REV")]
    pub(crate) rev: String,
    /// Encoding of the file, such as windows-1252 [default: detected]
    #[arg(long, value_name = "NAME")]
    pub(crate) encoding: Option<String>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/schema.txt"))]
pub(crate) struct SchemaArgs {
    /// Which request
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
    /// The common request, accepted in every dialect
    Common,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/prompt.txt"))]
pub(crate) struct PromptArgs {
    /// How the model calls hashline
    #[arg(long, default_value = "shell", value_parser = one_of(callers()))]
    pub(crate) agent: Caller,
    /// Print a prompt of seed 001 instead, for an agent that works through the sandbox service (`hashline serve`)
    #[arg(long, value_name = "NAME", conflicts_with_all = ["agent", "dialect"], value_parser = one_of(sandbox_prompts()))]
    pub(crate) name: Option<SandboxPrompt>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}

fn sandbox_prompts() -> Vec<(PossibleValue, SandboxPrompt)> {
    let value = |prompt: SandboxPrompt| {
        let help = match prompt {
            SandboxPrompt::ToolProtocol => "The tools of a sandbox",
            SandboxPrompt::CoderSystem => "How to carry out a task with these tools",
        };
        (PossibleValue::new(prompt.name()).help(help), prompt)
    };
    SandboxPrompt::ALL.map(value).into()
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

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/recover.txt"))]
pub(crate) struct RecoverArgs {
    /// Keep the current content of the files of the interrupted request
    #[arg(long, group = "how")]
    pub(crate) keep_current: bool,
    /// Restore the files to their content before the request
    #[arg(long, group = "how")]
    pub(crate) restore_old: bool,
    /// Finish the request: write the files as it would have
    #[arg(long, group = "how")]
    pub(crate) finish_new: bool,
    /// Use journals in .hashline/foreign, such as those of a copied folder, as this folder's own
    #[arg(long, group = "how")]
    pub(crate) trust: bool,
}

#[derive(Debug, Args)]
pub(crate) struct TourArgs {
    /// Keep the folder, and print how to continue there
    #[arg(long)]
    pub(crate) keep: bool,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/completions.txt"))]
pub(crate) struct CompletionsArgs {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/man.txt"))]
pub(crate) struct ManArgs {
    /// Folder
    #[arg(value_name = "DIR")]
    pub(crate) folder: Option<PathBuf>,
}
