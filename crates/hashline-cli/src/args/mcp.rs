//! `hashline mcp`.

use clap::Args;

use super::{DialectArg, ListenArgs};

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/mcp.txt"))]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Do not ask clients for their roots; use only --root
    #[arg(long)]
    pub(crate) ignore_client_roots: bool,
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
}
