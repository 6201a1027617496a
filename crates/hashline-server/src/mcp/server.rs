//! The server: finds the tool, lets it work beside everything else, and hears when a call is taken back.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use hashline_core::disk::DiskError;
use hashline_session::Service;
use hashline_wire::prompt;
use hashline_wire::request::Limits;
use hashline_wire::schema::Tool;
use hashline_workspace::CancelToken;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam,
    CustomRequest, CustomResult, ErrorCode, ErrorData, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_util::sync::CancellationToken;

use crate::mcp::answer::Answer;
use crate::mcp::connection::{Common, Connection, Ground, Options, RootsChanges};
use crate::mcp::{offer, progress, tools};

/// So many calls work at once; the others wait their turn.
const AT_ONCE: usize = 16;
/// The header by which HTTP clients of older protocol versions say which connection is theirs.
pub(crate) const HTTP_SESSION: &str = "mcp-session-id";
/// Where a call may say whose anchors it means.
const SESSION: &str = "hashline/session";
/// The methods there are; a request for one of them that is not understood has wrong parameters.
const METHODS: [&str; 4] = ["initialize", "ping", "tools/call", "tools/list"];

/// A server for any number of clients: [`Server::client`] is one of them.
#[derive(Clone, Debug)]
pub struct Server {
    common: Arc<Common>,
    working: Arc<Semaphore>,
    ending: CancellationToken,
}

/// One client of a server.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Arc<Connection>,
    working: Arc<Semaphore>,
    ending: CancellationToken,
}

impl Server {
    /// Opens the roots.
    ///
    /// # Errors
    ///
    /// If a root cannot be opened, or a configuration cannot be used.
    pub fn open(options: Options) -> Result<Self, DiskError> {
        Ok(Self {
            common: Arc::new(Common::open(options)?),
            working: Arc::new(Semaphore::new(AT_ONCE)),
            ending: CancellationToken::new(),
        })
    }

    /// Returns how many bytes a message may have, by the configuration.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.limits().bytes
    }

    /// Returns the bounds of a message.
    pub(crate) fn limits(&self) -> Limits {
        self.common.limits()
    }

    /// Returns a new client.
    #[must_use]
    pub fn client(&self) -> Client {
        Client {
            connection: Arc::new(Connection::new(Arc::clone(&self.common))),
            working: Arc::clone(&self.working),
            ending: self.ending.clone(),
        }
    }

    /// Takes back all calls that have not begun to write.
    pub(crate) fn give_up(&self) {
        self.ending.cancel();
    }
}

impl ServerHandler for Client {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hashline", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(
            prompt::server(self.connection.common.dialect)
                .trim_end()
                .to_owned(),
        );
        info
    }

    async fn list_tools(
        &self,
        _page: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult {
            tools: offer::tools(self.connection.common.dialect),
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
        let answer = self.answer(tool, arguments, &context).await;
        Ok(CallToolResult::from(answer).into())
    }

    /// Hears what could not be understood.
    async fn on_custom_request(
        &self,
        request: CustomRequest,
        _context: RequestContext<RoleServer>,
    ) -> Result<CustomResult, ErrorData> {
        let method = request.method;
        Err(match METHODS.contains(&method.as_str()) {
            true => {
                let message = format!("{method}: the parameters are of wrong types, or missing");
                ErrorData::invalid_params(message, None)
            }
            false => {
                let message = format!("there is no method {method:?}");
                ErrorData::new(ErrorCode::METHOD_NOT_FOUND, message, None)
            }
        })
    }

    async fn on_cancelled(
        &self,
        cancelled: CancelledNotificationParam,
        _context: NotificationContext<RoleServer>,
    ) {
        if let Some(id) = &cancelled.request_id {
            self.connection.late.taken_back(id);
        }
    }

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.connection.changes().add();
    }
}

impl Client {
    /// Returns where it is counted that the client's folders are others now.
    pub(crate) fn roots_changes(&self) -> Arc<RootsChanges> {
        Arc::clone(self.connection.changes())
    }

    /// Answers a call. One that is taken back is stopped, if it has not begun to write.
    async fn answer(
        &self,
        tool: Tool,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let (service, _turn) = tokio::select! {
            // First of all: what was taken back before it could begin does not begin.
            biased;
            () = self.given_up(context) => return Answer::refused(tools::not_begun()),
            begun = self.begin(context) => match begun {
                Ok(begun) => begun,
                Err(refused) => return refused,
            },
        };
        let (stop, seen) = (
            Arc::new(CancelToken::default()),
            Arc::new(AtomicUsize::new(0)),
        );
        let session = self.session_of(context);
        let dialect = self.connection.common.dialect;
        let (heard, counted) = (Arc::clone(&stop), Arc::clone(&seen));
        let mut work = tokio::task::spawn_blocking(move || {
            let call = tools::Call {
                session: service.session(session.as_deref()),
                dialect,
                stop: &heard,
                seen: &counted,
            };
            let answer = tools::run(tool, arguments, &call);
            let notes = tools::state_notes(&service);
            (answer, notes)
        });
        let done = tokio::select! {
            done = &mut work => done,
            () = self.given_up(context) => {
                stop.cancel();
                work.await
            }
            () = progress::tell(&context.peer, context.meta.get_progress_token(), &seen) => work.await,
        };
        let Ok((answer, notes)) = done else {
            return Answer::refused(tools::broke_down());
        };
        let is_taken_back = || context.ct.is_cancelled();
        let late = self
            .connection
            .late
            .tell(&context.id, &answer, is_taken_back);
        answer.with_lines(&[late, notes].concat())
    }

    /// Waits until a call is taken back, or the server ends.
    async fn given_up(&self, context: &RequestContext<RoleServer>) {
        tokio::select! {
            () = context.ct.cancelled() => {}
            () = self.ending.cancelled() => {}
        }
    }

    /// Waits until a call may begin, and returns where.
    async fn begin(
        &self,
        context: &RequestContext<RoleServer>,
    ) -> Result<(Arc<Service>, Option<SemaphorePermit<'_>>), Answer> {
        match self.connection.ground(&context.peer).await {
            // The semaphore is never closed.
            Ground::Open(service) => Ok((service, self.working.acquire().await.ok())),
            Ground::Closed(why) => Err(Answer::refused(format!("Nothing was written: {why}."))),
        }
    }

    /// Returns whose anchors a call means: as it says itself, else those of this connection. Over HTTP without sessions a connection is
    /// one call, so it is whoever was shown them.
    fn session_of(&self, context: &RequestContext<RoleServer>) -> Option<String> {
        let declared = context.meta.0.0.get(SESSION).and_then(Value::as_str);
        let head = context.extensions.get::<http::request::Parts>();
        let alone = head.is_some_and(|head| !head.headers.contains_key(HTTP_SESSION));
        match declared {
            Some(name) => Some(name.to_owned()),
            None if alone && self.connection.is_its_own() => None,
            None => Some(self.connection.session().to_owned()),
        }
    }
}
