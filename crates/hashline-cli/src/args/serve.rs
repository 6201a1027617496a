//! `hashline serve`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::{DialectArg, ListenArgs};

#[derive(Debug, Args)]
#[command(after_long_help = include_str!("../../help/serve.txt"))]
pub(crate) struct ServeArgs {
    /// Folder to serve, and its name; can be given several times. Without it, the folder of --root is served as `main`
    #[arg(long, value_name = "NAME=ROOT")]
    pub(crate) workspace: Vec<String>,
    /// TOML file with workspaces, read again when the server gets SIGHUP
    #[arg(long, value_name = "FILE")]
    pub(crate) workspaces: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) dialect: DialectArg,
    #[command(flatten)]
    pub(crate) listen: ListenArgs,
    /// Serve a page that shows requests as they come, at / of the server; on a terminal, print its URL with the token
    #[arg(long)]
    pub(crate) ui: bool,
    /// Address of a reverse proxy in front of the server; can be given several times
    #[arg(long, value_name = "ADDRESS", requires = "proxy_host")]
    pub(crate) proxy: Vec<IpAddr>,
    /// Host name under which clients reach the proxy, such as `sandbox.example`; can be given several times
    #[arg(long, value_name = "HOST")]
    pub(crate) proxy_host: Vec<String>,
    /// How many connections may be open at once; one more is answered with 503
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) connections: u16,
}
