//! `hashline stats`.

use std::path::PathBuf;

use clap::Args;

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/stats.txt"))]
pub(crate) struct StatsArgs {
    /// Judge the four gates that compare `edit-file` with `write-file`, by the counts of `hashline serve`
    #[arg(long)]
    pub(crate) gate: bool,
    /// Read the counts from a running server of hashline, or from a Prometheus server that scrapes it: a URL of plain HTTP
    #[arg(long, value_name = "URL", requires = "gate")]
    pub(crate) from: Option<String>,
    /// File with the token that this server wants
    #[arg(long, value_name = "FILE", requires = "from")]
    pub(crate) token_file: Option<PathBuf>,
    /// Count only this workspace
    #[arg(long, value_name = "NAME", requires = "from")]
    pub(crate) workspace: Option<String>,
    /// How far back a Prometheus server is to look, such as `7d` [default: since the servers started]
    #[arg(long, value_name = "TIME", requires = "from")]
    pub(crate) over: Option<String>,
}
