//! The MCP server: finds the tool of a call, runs it on a blocking thread, and stops it when the call is cancelled.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hashline_session::Service;
use hashline_wire::Refusal;
use hashline_wire::agent::Agent;
use hashline_wire::page::PageSize;
use hashline_wire::prompt;
use hashline_wire::request::Limits;
use hashline_wire::schema::Tool;
use hashline_workspace::CancelToken;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CancelledNotificationParam, CustomRequest,
    CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult, PaginatedRequestParams,
    ProgressNotificationParam, ProgressToken, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, Peer, RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::SemaphorePermit;

use crate::mcp::answer::ToolAnswer;
use crate::mcp::client::{McpClient, McpOptions, SessionMode, Shared};
use crate::mcp::{sandbox, tools};

/// The HTTP header in which clients of older protocol versions send their session id.
pub(crate) const HTTP_SESSION: &str = "mcp-session-id";
/// The key in `_meta` under which a call may name the session that its anchors belong to.
const SESSION_KEY: &str = "hashline/session";
/// The methods of the protocol that are supported. An unparsable request for one of them has invalid parameters; any other method is unknown.
const METHODS: [&str; 4] = ["initialize", "ping", "tools/call", "tools/list"];
/// Time between two progress notifications of a call.
const PROGRESS_INTERVAL: Duration = Duration::from_millis(250);

/// An MCP server for any number of clients.
#[derive(Clone, Debug)]
pub struct McpServer(Arc<Shared>);

impl McpServer {
    /// Opens the user's roots and creates the server.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened, or a configuration file is invalid.
    pub fn open(options: McpOptions) -> Result<Self, Refusal> {
        Ok(Self(Arc::new(Shared::open(options)?)))
    }

    /// Returns how many bytes a message may have, as configured.
    #[must_use]
    pub fn message_bytes(&self) -> usize {
        self.limits().bytes
    }

    /// Returns the configured limits of a message.
    pub(crate) fn limits(&self) -> Limits {
        self.0.service.request_limits()
    }

    /// Creates a new client of this server.
    pub(crate) fn client(&self) -> io::Result<McpClient> {
        McpClient::new(Arc::clone(&self.0))
    }

    /// Cancels all calls that have not begun to write.
    pub(crate) fn shut_down(&self) {
        self.0.shutdown.cancel();
    }
}

impl ServerHandler for McpClient {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hashline", env!("CARGO_PKG_VERSION"));
        let instructions = prompt::server(self.shared.dialect);
        info.instructions = Some(instructions.trim_end().to_owned());
        info
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult {
            tools: tools::list(self.shared.dialect),
            ..ListToolsResult::default()
        })
    }

    async fn call_tool(
        &self,
        call: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let Some(tool) = Tool::ALL.into_iter().find(|tool| tool.name() == call.name) else {
            let message = format!(
                "there is no tool {:?}: read, search, edit, write",
                call.name
            );
            return Err(ErrorData::invalid_params(message, None));
        };
        let arguments = Value::Object(call.arguments.unwrap_or_default());
        let page = self.page(&context);
        if matches!(tool, Tool::Edit | Tool::Write) && sandbox::is_read_only(&context.meta.0.0) {
            return Ok(ToolAnswer::refused(tools::READ_ONLY.to_owned())
                .into_result(page)
                .into());
        }
        let answer = self.call(tool, arguments, page, &context).await;
        Ok(answer.into_result(page).into())
    }

    /// Refuses a request that the protocol library could not parse: its method is unknown, or its parameters are invalid.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(if METHODS.contains(&method.as_str()) {
            let message = format!("{method}: the parameters are of wrong types, or missing");
            ErrorData::invalid_params(message, None)
        } else {
            let message = format!("there is no method {method:?}");
            ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
        })
    }

    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if let Some(id) = &cancelled.request_id {
            self.cancelled.cancel(id);
        }
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.roots_changes.fetch_add(1, Ordering::Release);
    }
}

impl McpClient {
    /// Runs a tool call. A call that is cancelled is stopped if it has not begun to write.
    async fn call(
        &self,
        tool: Tool,
        arguments: Value,
        page: PageSize,
        context: &RequestContext<RoleServer>,
    ) -> ToolAnswer {
        let (service, permit) = tokio::select! {
            // In this order, so that a call that was cancelled while it waited does not start.
            biased;
            () = self.cancellation(context) => return ToolAnswer::refused(tools::NOT_BEGUN.to_owned()),
            begun = self.begin(context) => match begun {
                Ok(begun) => begun,
                Err(refused) => return refused,
            },
        };
        let (cancel, searched) = (Arc::<CancelToken>::default(), Arc::<AtomicUsize>::default());
        let session = self.session_of(context);
        let dialect = self.shared.dialect;
        let (cancel_call, count_searched) = (Arc::clone(&cancel), Arc::clone(&searched));
        // One blocking hop for the whole call: nothing below this line is async.
        let mut work = tokio::task::spawn_blocking(move || {
            let call = tools::ToolCall {
                session: service.session(session.as_deref()),
                dialect,
                page: page.without_notes(),
                cancel: &cancel_call,
                searched: &count_searched,
            };
            let answer = tools::run(tool, arguments, &call);
            let notes = tools::state_notes(&service);
            (answer, notes)
        });
        let progress_token = context.meta.get_progress_token();
        let mut finishing = None;
        let done = tokio::select! {
            done = &mut work => done,
            () = self.cancellation(context) => {
                cancel.cancel();
                // It may have begun to write, and the next answer must say so; a read or a search has nothing to report.
                let changes_files = matches!(tool, Tool::Edit | Tool::Write);
                finishing = changes_files.then(|| self.cancelled.finishing.token());
                work.await
            }
            () = report_progress(&context.peer, progress_token, &searched) => work.await,
        };
        let Ok((answer, notes)) = done else {
            return ToolAnswer::refused(tools::FAILED.to_owned());
        };
        // The work is done: what is waited for below must not keep other calls from running.
        drop(permit);
        if finishing.is_none() {
            self.cancelled.all_finished().await;
        }
        let is_cancelled = || context.ct.is_cancelled();
        let missed = self.cancelled.notes_for(&context.id, &answer, is_cancelled);
        answer.with_lines(&[missed, notes].concat())
    }

    /// Returns how large an answer may be: as configured, else what the client is known to hand on whole. A client names itself when it connects,
    /// or, in newer versions of the protocol, with each call.
    fn page(&self, context: &RequestContext<RoleServer>) -> PageSize {
        let named = context.meta.client_info().map(|client| client.name);
        let greeted = || Some(context.peer.peer_info()?.client_info.name.clone());
        let name = named.or_else(greeted);
        let agent = name.and_then(|name| Agent::of_mcp_client(&name));
        self.shared.service.page(agent)
    }

    /// Waits until a call is cancelled, or the server shuts down.
    async fn cancellation(&self, context: &RequestContext<RoleServer>) {
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = self.shared.shutdown.cancelled() => {}
        }
    }

    /// Waits until a call may start, and returns the service with the folders that the call may use.
    async fn begin(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<(Arc<Service>, Option<SemaphorePermit<'_>>), ToolAnswer> {
        match self.workspace(&context.peer).await {
            // The semaphore is never closed.
            Ok(service) => Ok((service, self.shared.running.acquire().await.ok())),
            Err(why) => Err(ToolAnswer::refused(format!("Nothing was written: {why}."))),
        }
    }

    /// Returns the session that the anchors of a call belong to: the one that the call names, else that of this connection. Returns `None` (any
    /// session) for HTTP clients without a session header, for whom every call is a connection of its own.
    fn session_of(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        let named = context.meta.0.0.get(SESSION_KEY).and_then(Value::as_str);
        let head = context.extensions.get::<http::request::Parts>();
        let is_one_call = head.is_some_and(|head| !head.headers.contains_key(HTTP_SESSION));
        let has_own_session = self.shared.options.session == SessionMode::PerConnection;
        match named {
            Some(name) => Some(name.to_owned()),
            None if is_one_call && has_own_session => None,
            None => Some(self.session.clone()),
        }
    }
}

/// Sends a progress notification with the number of searched files at intervals, if the client asked for progress. Never returns.
async fn report_progress(
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
    searched: &AtomicUsize,
) {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let mut reported = 0;
    loop {
        tokio::time::sleep(PROGRESS_INTERVAL).await;
        let now = searched.load(Ordering::Relaxed);
        // The protocol wants the number to grow with each notification.
        if now > reported {
            reported = now;
            let files = u32::try_from(now).unwrap_or(u32::MAX);
            let mut progress = ProgressNotificationParam::new(token.clone(), files.into());
            progress.message = Some(format!("{now} files searched"));
            // A client that is gone needs no progress.
            let _ = peer.notify_progress(progress).await;
        }
    }
}
