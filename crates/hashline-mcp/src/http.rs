//! The server over streamable HTTP, behind the front that checks who is asking.

use std::io;
use std::sync::Arc;

use hashline_http::{Front, FrontError, Routes};
use http::Method;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};

use crate::runtime;
use crate::server::Server;

/// Where the protocol is spoken.
pub const PATH: &str = "/mcp";

/// Serves any number of clients until somebody ends the program. Work that has begun is brought to its end.
///
/// # Errors
///
/// If no thread can be started, or the front cannot begin.
pub fn serve_http(server: &Server, front: Front) -> Result<(), FrontError> {
    let runtime = runtime::start().map_err(FrontError::Runtime)?;
    runtime.block_on(front.serve(routes(server), runtime::told_to_end()))
}

fn routes(server: &Server) -> Routes {
    let server = server.clone();
    let clients = move || Ok::<_, io::Error>(server.client());
    // Who may ask was settled by the front, which knows the port.
    let config = StreamableHttpServerConfig::default().disable_allowed_hosts();
    let sessions = Arc::new(LocalSessionManager::default());
    let service = StreamableHttpService::new(clients, sessions, config);
    let methods = [Method::GET, Method::POST, Method::DELETE];
    Routes::new().at(PATH, &methods, service)
}
