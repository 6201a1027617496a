//! `hashline mcp` over HTTP: the address, the token, and the message that tells the user both.

use std::path::PathBuf;

use hashline_core::text::Revision;
use hashline_server::front::{
    AllowedOrigins, BearerToken, BindAddress, ExposedAddress, Front, FrontError, HttpLimits,
    ListenAddress, TokenFile,
};
use hashline_server::mcp::{MCP_PATH, McpServer, serve_http};
use hashline_workspace::ledger::state_dir;
use serde_json::json;

use crate::args::McpArgs;
use crate::output::Output;
use crate::refusals;
use hashline_wire::{Refusal, Written};

/// Returns the address to listen on, if the arguments ask for HTTP.
pub(super) fn address(args: &McpArgs) -> Option<BindAddress> {
    let socket = || args.socket.clone().map(BindAddress::UnixSocket);
    let exposed = || {
        let exposed = ExposedAddress::because_the_person_asked(args.expose?);
        let names = args.host_name.iter();
        let exposed = names.fold(exposed, |exposed, name| exposed.with_host_name(name));
        Some(BindAddress::Exposed(exposed))
    };
    args.http
        .map(BindAddress::Loopback)
        .or_else(socket)
        .or_else(exposed)
}

/// Serves HTTP clients until the process receives a signal to end.
pub(super) fn serve(
    server: &McpServer,
    address: BindAddress,
    args: &McpArgs,
    out: &mut Output,
) -> Result<(), Refusal> {
    let origins = args.allow_origin.iter().map(String::as_str);
    let origins = AllowedOrigins::listed(origins)
        .map_err(|bad| refusals::usage(format!("--allow-origin: {bad}")))?;
    let random = BearerToken::random();
    let token = random.map_err(|error| refusals::system("token", "making it", &error))?;
    let limits = HttpLimits {
        body_bytes: server.message_bytes(),
        ..HttpLimits::default()
    };
    let front =
        Front::bind(address, &token, limits, origins).map_err(|error| refused(&error))?;
    let path = match &args.token_file {
        Some(path) => path.clone(),
        None => token_path(&front)?,
    };
    let file = TokenFile::create(&path, &token).map_err(|error| refused(&error))?;
    let urls: Vec<String> = front.addresses().iter().map(url).collect();
    let is_exposed = front.is_exposed();
    let ready = || announce(&urls, &file, is_exposed, out);
    serve_http(server, front, ready).map_err(|error| refused(&error))
}

/// Returns the default path of the token file. The file name contains the address, so that several servers do not overwrite each other's tokens.
fn token_path(front: &Front) -> Result<PathBuf, Refusal> {
    let Some(state) = state_dir() else {
        let message = "there is no state directory: name a file for the token with --token-file";
        return Err(refusals::usage(message.to_owned()));
    };
    let first = front.addresses().first();
    let name = first.map_or_else(String::new, address_in_file_name);
    Ok(state.join("tokens").join(format!("mcp{name}.token")))
}

/// Formats an address as part of a file name. For a loopback address the port is enough.
fn address_in_file_name(address: &ListenAddress) -> String {
    match address {
        ListenAddress::Tcp(at) if address.is_local() => format!("-{}", at.port()),
        ListenAddress::Tcp(at) => format!("-{}", at.to_string().replace([':', '[', ']'], "-")),
        ListenAddress::UnixSocket(path) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let sum = Revision::of(path.as_os_str().as_encoded_bytes());
            format!("-{sum}")
        }
    }
}

/// Prints the URLs of the server and the path of its token file.
fn announce(urls: &[String], file: &TokenFile, is_exposed: bool, out: &mut Output) {
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
    if is_exposed {
        out.message("note: other machines can reach this address; the traffic, including the token, is not encrypted");
    }
}

fn url(address: &ListenAddress) -> String {
    match address {
        ListenAddress::Tcp(_) => format!("{address}{MCP_PATH}"),
        ListenAddress::UnixSocket(_) => address.to_string(),
    }
}

fn refused(error: &FrontError) -> Refusal {
    Refusal::new(error.code(), error.to_string())
        .with_written(Written::NotAsked)
        .with_next("see `hashline mcp --help` for the addresses it can listen on")
}
