//! `hashline mcp`.

use clap::Args;

use super::DialectArg;

/// Serve agents over the Model Context Protocol
///
/// The tools are read, search, edit and write. Without further options one client is served over standard input and output, until it is
/// gone. A client's own roots narrow the folders that may be touched; they never widen them.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/mcp.txt"))]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
}
