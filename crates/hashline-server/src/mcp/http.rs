//! The server over streamable HTTP, behind the front that checks who is asking.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use crate::front::{Front, FrontError, Routes, answering};
use http::Method;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::mcp::gate::Gate;
use crate::mcp::runtime::{self, Ending};
use crate::mcp::server::Server;

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";

/// A connection of which nothing is heard for so long is given up. A person may think for hours.
const KEPT: Duration = Duration::from_hours(4);

/// Serves any number of clients until somebody ends the program; says when it is ready to be ended. Calls that have not begun to write then
/// are given up, those that have are brought to their end.
///
/// # Errors
///
/// If no thread can be started, or the front cannot begin.
pub fn serve_http(server: &Server, front: Front, ready: impl FnOnce()) -> Result<(), FrontError> {
    let runtime = runtime::start().map_err(FrontError::Runtime)?;
    runtime.block_on(async {
        let mut ending = Ending::heard();
        ready();
        let ended = async {
            ending.come().await;
            server.give_up();
        };
        front.serve(routes(server), ended).await
    })
}

fn routes(server: &Server) -> Routes {
    let clients = {
        let server = server.clone();
        move || Ok::<_, io::Error>(server.client())
    };
    // Who may ask was settled by the front, which knows the port.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEPT);
    let sessions = Arc::new(sessions);
    let service = StreamableHttpService::new(clients, Arc::clone(&sessions), config);
    let gate = Gate::new(service, sessions, server.limits());
    let methods = [Method::GET, Method::POST, Method::DELETE];
    let answer = answering(move |request| {
        let gate = gate.clone();
        async move { Ok::<_, Infallible>(gate.answer(request).await) }
    });
    Routes::new().at(PATH, &methods, answer)
}
