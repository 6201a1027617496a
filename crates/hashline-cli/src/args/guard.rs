//! `hashline guard`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(
    after_help = "Exit codes:  0 allowed   1 a bypass   2 wrong usage",
    after_long_help = include_str!("../../help/guard.txt")
)]
pub(crate) struct GuardArgs {
    /// The command line, as one argument; without it, or as `-`, standard input
    #[arg(value_name = "COMMAND", allow_hyphen_values = true)]
    pub(crate) command: Option<String>,
    /// Folder the command runs in [default: the root if one is given, else the working directory]
    #[arg(long, value_name = "DIR")]
    pub(crate) cwd: Option<PathBuf>,
}
