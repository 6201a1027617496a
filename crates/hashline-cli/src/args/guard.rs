//! `hashline guard`.

use std::path::PathBuf;

use clap::Args;

/// Check whether a shell command bypasses hashline to read or write files
///
/// The command is parsed as a shell would parse it, but never run, and no file is read. `read-bypass`: it shows a file of the root without
/// anchors. `write-bypass`: it changes one. `allow`: neither, or this cannot be determined.
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
