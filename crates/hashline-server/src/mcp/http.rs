//! The MCP server over streamable HTTP, behind the HTTP front that checks the token.

use std::collections::HashSet;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use hashline_wire::request::Limits;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Response, StatusCode};
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full};
use rmcp::model::{ClientRequest, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use serde_json::{Value, json};

use crate::front::{Front, FrontError, HttpRequest, Routes};
use crate::mcp::client::McpClient;
use crate::mcp::message::{self, BadMessage};
use crate::mcp::server::{HTTP_SESSION, McpServer};
use crate::signals::shutdown_signal;

/// The path of the MCP endpoint.
pub const MCP_PATH: &str = "/mcp";

/// How long an MCP session without messages is kept; a person may pause for hours.
const KEEP_ALIVE: Duration = Duration::from_hours(4);
/// How many MCP sessions are kept at a time; one takes about 50 KB.
const MAX_SESSIONS: usize = 1024;

type HttpResponse = Response<BoxBody<Bytes, Infallible>>;

/// Serves any number of clients until the process receives a signal to end; calls `ready` once that signal is handled. On that signal, calls that
/// have not begun to write are cancelled, and calls that have are finished.
///
/// # Errors
///
/// If no thread can be started, or the HTTP server cannot begin.
pub fn serve_http(
    server: &McpServer,
    front: Front,
    ready: impl FnOnce(),
) -> Result<(), FrontError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(FrontError::Runtime)?;
    runtime.block_on(async {
        // Before `ready`: whoever starts the server may end it as soon as it is ready.
        let signal = shutdown_signal();
        ready();
        let stop = async {
            signal.await;
            server.shut_down();
        };
        front.serve(routes(server), stop).await
    })
}

fn routes(server: &McpServer) -> Routes {
    let clients = {
        let server = server.clone();
        move || server.client()
    };
    // The front has checked `Host` already, and knows the port.
    let config = StreamableHttpServerConfig::default()
        .disable_allowed_hosts()
        // The front has refused longer bodies already; the library's own limit is lower.
        .with_max_request_body_bytes(server.message_bytes());
    let mut sessions = LocalSessionManager::default();
    sessions.session_config.keep_alive = Some(KEEP_ALIVE);
    let sessions = Arc::new(sessions);
    let endpoint = Arc::new(McpEndpoint {
        service: StreamableHttpService::new(clients, Arc::clone(&sessions), config),
        sessions,
        limits: server.limits(),
        in_flight: Arc::default(),
    });
    let methods = [Method::GET, Method::POST, Method::DELETE];
    Routes::new().at(MCP_PATH, &methods, move |request| {
        let endpoint = Arc::clone(&endpoint);
        async move { Ok::<_, Infallible>(endpoint.handle(request).await) }
    })
}

/// The HTTP handler of the MCP endpoint. The handler checks messages before the protocol library does, because the library silently accepts duplicate
/// keys and duplicate request ids.
struct McpEndpoint {
    service: StreamableHttpService<McpClient, LocalSessionManager>,
    sessions: Arc<LocalSessionManager>,
    limits: Limits,
    in_flight: Arc<RequestIds>,
}

/// The requests that are not answered yet, by MCP session and request id.
type RequestIds = Mutex<HashSet<(HeaderValue, RequestId)>>;

/// Holds the id of one request that is not answered yet; the id is free again when the guard is dropped.
struct RequestIdGuard {
    ids: Arc<RequestIds>,
    key: (HeaderValue, RequestId),
}

impl Drop for RequestIdGuard {
    fn drop(&mut self) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.remove(&self.key);
    }
}

impl McpEndpoint {
    /// Responds to one HTTP request of the MCP endpoint.
    async fn handle(&self, request: HttpRequest) -> HttpResponse {
        if request.method() != Method::POST {
            return self.service.handle(request).await;
        }
        let (head, body) = request.into_parts();
        // The front hands over whole bodies, which cannot fail.
        let body = body.collect().await.map(|body| body.to_bytes());
        let body = body.unwrap_or_default();
        let message = match message::parse(body.trim_ascii(), &self.limits) {
            Ok(message) => message,
            Err(bad) => return error_response(StatusCode::BAD_REQUEST, &bad),
        };
        let session = head.headers.get(HTTP_SESSION).cloned();
        let guard = match self.admit(session, message).await {
            Ok(guard) => guard,
            Err((status, bad)) => return error_response(status, &bad),
        };
        let request = http::Request::from_parts(head, Full::new(body));
        let response = self.service.handle(request).await;
        response.map(|body| {
            // The id is in use until the last byte of the answer is out.
            let keep_guard = move |frame| {
                let _ = &guard;
                frame
            };
            body.map_frame(keep_guard).boxed()
        })
    }

    /// Records that a request is being answered, unless its id is in use or there are too many MCP sessions already.
    async fn admit(
        &self,
        session: Option<HeaderValue>,
        message: Option<RxJsonRpcMessage<RoleServer>>,
    ) -> Result<Option<RequestIdGuard>, (StatusCode, Box<BadMessage>)> {
        let Some(JsonRpcMessage::Request(request)) = message else {
            return Ok(None);
        };
        let refused = |status, why: &str| {
            let error = ErrorData::invalid_request(why.to_owned(), None);
            Err((status, BadMessage::new(Some(request.id.clone()), error)))
        };
        let Some(session) = session else {
            let is_new = matches!(request.request, ClientRequest::InitializeRequest(_));
            if is_new && self.sessions.sessions.read().await.len() >= MAX_SESSIONS {
                let why = "there are too many connections; end one with DELETE";
                return refused(StatusCode::SERVICE_UNAVAILABLE, why);
            }
            return Ok(None);
        };
        let key = (session, request.id.clone());
        let in_flight = self.in_flight.lock();
        let is_new = in_flight
            .unwrap_or_else(PoisonError::into_inner)
            .insert(key.clone());
        if !is_new {
            return refused(StatusCode::BAD_REQUEST, message::ID_IN_USE);
        }
        let ids = Arc::clone(&self.in_flight);
        Ok(Some(RequestIdGuard { ids, key }))
    }
}

fn error_response(status: StatusCode, bad: &BadMessage) -> HttpResponse {
    let body: Value = match &bad.id {
        Some(id) => json!({"jsonrpc": "2.0", "id": id, "error": bad.error}),
        None => message::without_id(&bad.error),
    };
    let mut response = Response::new(Full::new(Bytes::from(body.to_string())).boxed());
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
