//! `hashline mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

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
    /// Serve any number of clients over streamable HTTP at 127.0.0.1 and ::1; without a port, one that is free
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0", conflicts_with_all = ["socket", "expose"])]
    pub(crate) http: Option<u16>,
    /// The same over a socket in the file system, in a folder that is yours alone
    #[arg(long, value_name = "PATH", conflicts_with = "expose")]
    pub(crate) socket: Option<PathBuf>,
    /// The same at an address that other machines may reach: whatever is sent, the token too, can be read on the way
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) expose: Option<SocketAddr>,
    /// A web page that may ask, as in `https://example.com`; can be given several times
    #[arg(long, value_name = "ORIGIN")]
    pub(crate) allow_origin: Vec<String>,
    /// Where the token is kept that every client must send [default: in your state directory]
    #[arg(long, value_name = "FILE")]
    pub(crate) token_file: Option<PathBuf>,
}
