//! Where a server listens, for `hashline mcp` and `hashline serve`.

use std::net::SocketAddr;
use std::path::PathBuf;

use clap::{ArgGroup, Args};

#[derive(Debug, Args)]
#[command(group = ArgGroup::new("place").args(["http", "socket", "expose"]))]
pub(crate) struct ListenArgs {
    /// Serve any number of clients over streamable HTTP on 127.0.0.1 and ::1; without PORT, on a free one
    #[arg(long, value_name = "PORT", num_args = 0..=1, default_missing_value = "0")]
    pub(crate) http: Option<u16>,
    /// The same over a Unix socket, in a folder that only you can enter
    #[arg(long, value_name = "PATH")]
    pub(crate) socket: Option<PathBuf>,
    /// The same on an address that other machines can reach; the traffic, including the token, is not encrypted
    #[arg(long, value_name = "ADDRESS:PORT")]
    pub(crate) expose: Option<SocketAddr>,
    /// Host name of that address, such as `build.example`; can be given several times
    #[arg(long, value_name = "NAME", requires = "expose")]
    pub(crate) host_name: Vec<String>,
    /// `Origin` to accept, such as `https://example.com`, for a client that sends one; can be given several times. Web pages are still refused
    #[arg(long, value_name = "ORIGIN", requires = "place")]
    pub(crate) allow_origin: Vec<String>,
    /// File for the token that every client must send [default: in your state directory]
    #[arg(long, value_name = "FILE", requires = "place")]
    pub(crate) token_file: Option<PathBuf>,
}
