//! The server: finds the tool, lets it work beside everything else, and hears when a call is taken back.

use std::sync::Arc;
use std::sync::atomic::AtomicUsize;

use hashline_core::disk::DiskError;
use hashline_wire::prompt;
use hashline_wire::schema::Tool;
use hashline_workspace::Stop;
use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ErrorData, Implementation,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::{NotificationContext, RequestContext, RoleServer};
use serde_json::Value;
use tokio::sync::Semaphore;

use crate::answer::{Answer, Fate};
use crate::connection::{Common, Connection, Ground, Options};
use crate::{offer, progress, tools};

/// So many calls work at once; the others wait their turn.
const AT_ONCE: usize = 16;
/// The header by which HTTP clients of older protocol versions say which connection is theirs.
const HTTP_SESSION: &str = "mcp-session-id";
/// Where a call may say whose anchors it means.
const SESSION: &str = "hashline/session";

/// A server for any number of clients: [`Server::client`] is one of them.
#[derive(Clone, Debug)]
pub struct Server {
    common: Arc<Common>,
    working: Arc<Semaphore>,
}

/// One client of a server.
#[derive(Clone, Debug)]
pub struct Client {
    connection: Arc<Connection>,
    working: Arc<Semaphore>,
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
        })
    }

    /// Returns how many bytes a message may have, by the configuration.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.common.longest()
    }

    /// Returns a new client.
    #[must_use]
    pub fn client(&self) -> Client {
        Client {
            connection: Arc::new(Connection::new(Arc::clone(&self.common))),
            working: Arc::clone(&self.working),
        }
    }
}

impl ServerHandler for Client {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().build();
        let mut info = ServerConfig::new(capabilities);
        info.server_info = Implementation::new("hashline", env!("CARGO_PKG_VERSION"));
        info.instructions = Some(prompt::server().trim_end().to_owned());
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

    async fn on_roots_list_changed(&self, _context: NotificationContext<RoleServer>) {
        self.connection.forget_roots().await;
    }
}

impl Client {
    /// Answers a call. One that is taken back is stopped, if it has not begun to write.
    async fn answer(
        &self,
        tool: Tool,
        arguments: Value,
        context: &RequestContext<RoleServer>,
    ) -> Answer {
        let service = match self.connection.ground(&context.peer).await {
            Ground::Open(service) => service,
            Ground::Closed(why) => return Answer::refused(format!("Nothing was written: {why}.")),
        };
        // The semaphore is never closed.
        let _turn = self.working.acquire().await;
        let (stop, seen) = (Arc::new(Stop::default()), Arc::new(AtomicUsize::new(0)));
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
            () = context.ct.cancelled() => {
                stop.say();
                let done = work.await;
                self.tell_late(&done);
                done
            }
            () = progress::tell(&context.peer, context.meta.get_progress_token(), &seen) => work.await,
        };
        match done {
            Ok((answer, notes)) => {
                let late = self.connection.told_late();
                answer.after(&[late, notes].concat())
            }
            Err(_) => Answer::refused(tools::broke_down()),
        }
    }

    /// Keeps in mind what a call did that was taken back too late.
    fn tell_late(&self, done: &Result<(Answer, Vec<String>), tokio::task::JoinError>) {
        if let Ok((answer, _)) = done
            && answer.fate == Fate::Changed
        {
            let told =
                "Note: a call that you cancelled was done all the same, the cancel came too late:";
            self.connection
                .tell_later(format!("{told}\n{}\n", answer.text));
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
