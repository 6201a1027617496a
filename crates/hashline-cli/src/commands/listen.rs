//! Where a server listens, the files of its tokens, and the message that tells the user both.

use std::path::PathBuf;

use hashline_core::text::Revision;
use hashline_server::front::{
    AllowedOrigins, BearerToken, BindAddress, ExposedAddress, Front, FrontError, ListenAddress,
    TokenFile,
};
use hashline_wire::{Refusal, Written};
use hashline_workspace::ledger::state_dir;

use crate::args::ListenArgs;
use crate::output::Output;
use crate::refusals;

/// Returns the address to listen on, if the arguments ask for HTTP.
pub(super) fn address(args: &ListenArgs) -> Option<BindAddress> {
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

/// Returns the origins that are accepted.
pub(super) fn origins(args: &ListenArgs) -> Result<AllowedOrigins, Refusal> {
    let origins = args.allow_origin.iter().map(String::as_str);
    AllowedOrigins::listed(origins).map_err(|bad| refusals::usage(format!("--allow-origin: {bad}")))
}

/// Makes a token.
pub(super) fn new_token() -> Result<BearerToken, Refusal> {
    let random = BearerToken::random();
    random.map_err(|error| refusals::system("token", "making it", &error))
}

/// Returns the folder in which the token files of servers are, if the arguments name no file.
pub(super) fn token_folder() -> Result<PathBuf, Refusal> {
    let state = state_dir().ok_or_else(|| {
        let message = "there is no state directory: name a file for the token with --token-file";
        refusals::usage(message.to_owned())
    })?;
    Ok(state.join("tokens"))
}

/// Writes a token into its file.
pub(super) fn token_file(
    path: &std::path::Path,
    token: &BearerToken,
) -> Result<TokenFile, Refusal> {
    TokenFile::create(path, token).map_err(|error| refused(&error))
}

/// Formats the first address of a server as part of a file name. For a loopback address the port is enough.
pub(super) fn address_in_file_name(front: &Front) -> String {
    match front.addresses().first() {
        None => String::new(),
        Some(ListenAddress::Tcp(at)) if at.ip().is_loopback() => format!("-{}", at.port()),
        Some(ListenAddress::Tcp(at)) => {
            format!("-{}", at.to_string().replace([':', '[', ']'], "-"))
        }
        Some(ListenAddress::UnixSocket(path)) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let sum = Revision::of(path.as_os_str().as_encoded_bytes());
            format!("-{sum}")
        }
    }
}

/// Warns the user if other machines can reach the server.
pub(super) fn warn_if_exposed(is_exposed: bool, out: &mut Output) {
    if is_exposed {
        out.message("note: other machines can reach this address; the traffic, including the token, is not encrypted");
    }
}

/// Builds the refusal for a server that cannot be started.
pub(super) fn refused(error: &FrontError) -> Refusal {
    Refusal::new(error.code(), error.to_string())
        .with_written(Written::NotAsked)
        .with_next("see `hashline mcp --help` for the addresses that a server can listen on")
}
