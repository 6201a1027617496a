//! `hashline mcp`: starts the MCP server, on stdio or over HTTP.

use std::path::PathBuf;

use hashline_server::front::{BindAddress, Front, HttpLimits, ListenAddress, TokenFile};
use hashline_server::mcp::{
    ClientRoots, MCP_PATH, McpOptions, McpServer, SessionMode, StdioEnd, serve_http, serve_stdio,
};
use hashline_session::ServiceOptions;

use super::listen;
use crate::args::{Global, ListenArgs, McpArgs};
use crate::exit::Exit;
use crate::output::Output;
use crate::paths;
use crate::refusals;
use hashline_wire::Refusal;
use serde_json::json;

/// The environment variable in which Claude Code names its session.
const CLAUDE_SESSION: &str = "CLAUDE_CODE_SESSION_ID";

pub(super) fn run(global: &Global, args: &McpArgs, out: &mut Output) -> Result<Exit, Refusal> {
    let (options, _) = paths::options(global, &[])?;
    let options = with_base_in_a_root(options);
    let address = listen::address(&args.listen);
    let server = McpServer::open(McpOptions {
        service: options,
        dialect: args.dialect.get(),
        session: session(global, address.as_ref()),
        client_roots: if args.ignore_client_roots {
            ClientRoots::Ignore
        } else {
            ClientRoots::Narrow
        },
    })?;
    match address {
        Some(address) => serve(&server, address, &args.listen, out)?,
        None => serve_standard_input(&server, out)?,
    }
    Ok(Exit::Done)
}

/// Lets relative paths begin at the first root if the working directory is in no root: clients start servers in any directory, which their model
/// does not know.
fn with_base_in_a_root(mut options: ServiceOptions) -> ServiceOptions {
    let real = |path: &PathBuf| path.canonicalize().ok();
    let base = options.base.as_ref().and_then(real);
    let roots: Vec<PathBuf> = options.roots.iter().filter_map(real).collect();
    let inside = base.is_some_and(|base| roots.iter().any(|root| base.starts_with(root)));
    if !inside && let Some(first) = roots.into_iter().next() {
        options.base = Some(first);
    }
    options
}

/// Serves HTTP clients until the process receives a signal to end.
fn serve(
    server: &McpServer,
    address: BindAddress,
    args: &ListenArgs,
    out: &mut Output,
) -> Result<(), Refusal> {
    let token = listen::new_token()?;
    let limits = HttpLimits {
        body_bytes: server.message_bytes(),
        ..HttpLimits::default()
    };
    let front = Front::bind(address, &token, limits, listen::origins(args)?);
    let front = front.map_err(|error| listen::refused(&error))?;
    let path = match &args.token_file {
        Some(path) => path.clone(),
        None => {
            let name = format!("mcp{}.token", listen::address_in_file_name(&front));
            listen::token_folder()?.join(name)
        }
    };
    let file = listen::token_file(&path, &token)?;
    let urls: Vec<String> = front.addresses().iter().map(url).collect();
    let is_exposed = front.is_exposed();
    let ready = || {
        announce(&urls, &file, out);
        listen::warn_if_exposed(is_exposed, out);
    };
    serve_http(server, front, ready).map_err(|error| listen::refused(&error))
}

/// Prints the URLs of the server and the path of its token file.
fn announce(urls: &[String], file: &TokenFile, out: &mut Output) {
    if out.json {
        out.object(&json!({"ok": true, "urls": urls, "token_file": file.path()}));
        out.finish();
    } else {
        out.message(&format!(
            "note: serving at {}; the token is in {}",
            urls.join(" and "),
            file.path().display()
        ));
    }
}

fn url(address: &ListenAddress) -> String {
    match address {
        ListenAddress::Tcp(_) => format!("{address}{MCP_PATH}"),
        ListenAddress::UnixSocket(_) => address.to_string(),
    }
}

fn serve_standard_input(server: &McpServer, out: &mut Output) -> Result<(), Refusal> {
    let served = serve_stdio(server);
    match served.map_err(|error| refusals::system("standard input", "serving", &error))? {
        StdioEnd::Served => {}
        StdioEnd::NeverInitialized => {
            out.message("note: the client disconnected before it sent `initialize`");
        }
    }
    Ok(())
}

/// Returns whether clients share a named session or each connection has its own. The session that Claude Code names in the environment is used only
/// on stdio, where the server has that one client.
fn session(global: &Global, address: Option<&BindAddress>) -> SessionMode {
    let named = global.session().map(str::to_owned);
    let claude = || match address {
        None => std::env::var(CLAUDE_SESSION).ok(),
        Some(_) => None,
    };
    match named.or_else(claude).filter(|name| !name.is_empty()) {
        Some(name) => SessionMode::Named(name),
        None => SessionMode::PerConnection,
    }
}
