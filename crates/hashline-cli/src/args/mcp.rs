//! `hashline mcp`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::DialectArg;

/// Serve agents over the Model Context Protocol
///
/// The tools are read, search, edit and write. Without further options it serves one client over standard input and output, until
/// the client disconnects. A client's own roots narrow the folders that may be touched; they never widen them.
#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/mcp.txt"))]
#[command(group = ArgGroup::new("place").args(["http", "socket", "expose"]))]
pub(crate) struct McpArgs {
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    /// Do not ask clients for their roots: only yours count
    #[arg(long)]
    pub(crate) ignore_client_roots: bool,
    /// Serve any number of clients over streamable HTTP on 127.0.0.1 and ::1; without a port, on a free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub(crate) http: Option<u16>,
    /// The same over a Unix socket, in a folder that only you can enter
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// The same on an address that other machines may reach: whatever is sent, the token too, can be read on the way
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) expose: Option<SocketAddr>,
    /// A host name of that address, as in `build.example`; can be given several times
    #[arg(long, value_name = "NAME", requires = "expose")]
    pub(crate) host_name: Vec<String>,
    /// An `Origin` to accept, as in `https://example.com`, for a client that sends one; can be given several times. Web pages are still refused
    #[arg(long, value_name = "ORIGIN", requires = "place")]
    pub(crate) allow_origin: Vec<String>,
    /// File for the token that every client must send [default: in your state directory]
    #[arg(long, value_name = "FILE", requires = "place")]
    pub(crate) token_file: Option<PathBuf>,
}
