//! Listening for clients over HTTP: where, with which token, and how that is told.

use std::path::PathBuf;

use hashline_core::text::Revision;
use hashline_server::front::{
    Address, Bounds, Exposed, Front, FrontError, Origins, Place, Token, TokenFile,
};
use hashline_server::mcp::{PATH, Server, serve_http};
use hashline_workspace::ledger::state_dir;
use serde_json::json;

use crate::args::McpArgs;
use crate::output::Output;
use crate::trouble::Trouble;

/// Returns where to listen, if the arguments say so.
pub(super) fn place(args: &McpArgs) -> Option<Place> {
    let socket = || args.socket.clone().map(Place::Socket);
    let exposed = || {
        let exposed = Exposed::because_the_person_asked(args.expose?);
        let names = args.host_name.iter();
        let known = names.fold(exposed, |exposed, name| exposed.known_as(name));
        Some(Place::Address(known))
    };
    args.http
        .map(Place::Loopback)
        .or_else(socket)
        .or_else(exposed)
}

/// Serves until somebody ends the program.
pub(super) fn serve(
    server: &Server,
    place: Place,
    args: &McpArgs,
    out: &mut Output,
) -> Result<(), Trouble> {
    let origins = args.allow_origin.iter().map(String::as_str);
    let origins =
        Origins::listed(origins).map_err(|bad| Trouble::Usage(format!("--allow-origin: {bad}")))?;
    let random = Token::random();
    let token = random.map_err(|error| Trouble::system("token", "making it", &error))?;
    let bounds = Bounds {
        body_bytes: server.longest(),
        ..Bounds::default()
    };
    let front =
        Front::bind(place, token.clone(), bounds, origins).map_err(|error| refused(&error))?;
    let path = match &args.token_file {
        Some(path) => path.clone(),
        None => token_path(&front)?,
    };
    let file = TokenFile::create(&path, &token).map_err(|error| refused(&error))?;
    let said = Said::of(&front, &file);
    serve_http(server, front, || said.tell(out)).map_err(|error| refused(&error))
}

/// Returns the file of the token, unless somebody names one: it carries the address, so that servers do not get in each other's way.
fn token_path(front: &Front) -> Result<PathBuf, Trouble> {
    let Some(state) = state_dir() else {
        let message = "there is no state directory: name a file for the token with --token-file";
        return Err(Trouble::Usage(message.to_owned()));
    };
    let name = front.addresses().first().map_or_else(String::new, named);
    Ok(state.join("tokens").join(format!("mcp{name}.token")))
}

/// Names an address in a file's name. The port is enough for this machine alone.
fn named(address: &Address) -> String {
    match address {
        Address::Tcp(at) if address.is_local() => format!("-{}", at.port()),
        Address::Tcp(at) => format!("-{}", at.to_string().replace([':', '[', ']'], "-")),
        Address::Socket(path) => {
            let path = std::path::absolute(path).unwrap_or_else(|_| path.clone());
            let sum = Revision::of(path.as_os_str().as_encoded_bytes());
            format!("-{sum}")
        }
    }
}

/// What is told once clients can come.
struct Said {
    urls: Vec<String>,
    token_file: PathBuf,
    is_exposed: bool,
}

impl Said {
    fn of(front: &Front, file: &TokenFile) -> Self {
        Self {
            urls: front.addresses().iter().map(url).collect(),
            token_file: file.path().to_owned(),
            is_exposed: front.is_exposed(),
        }
    }

    fn tell(&self, out: &mut Output) {
        let (urls, token) = (&self.urls, &self.token_file);
        if out.json {
            out.object(&json!({"ok": true, "urls": urls, "token_file": token}));
            out.finish();
        } else {
            out.tell(&format!(
                "note: serving at {}; the token is in {}",
                urls.join(" and "),
                token.display()
            ));
        }
        if self.is_exposed {
            out.tell("note: other machines may reach this address, and whatever is sent there can be read on the way, the token too");
        }
    }
}

fn url(address: &Address) -> String {
    match address {
        Address::Tcp(_) => format!("{address}{PATH}"),
        Address::Socket(_) => address.to_string(),
    }
}

fn refused(error: &FrontError) -> Trouble {
    Trouble::Front {
        code: error.code(),
        message: error.to_string(),
    }
}
