//! One MCP client: its session, and the folders whose files it may read and edit.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hashline_core::dialect::Dialect;
use hashline_session::{Service, ServiceOptions};
use hashline_wire::Refusal;
use rmcp::model::ErrorCode;
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::{Mutex, Semaphore};
use tokio_util::sync::CancellationToken;

use crate::mcp::cancelled::CancelledCalls;
use crate::mcp::roots::narrowed;
use crate::random_hex;

/// How long a client may take to list its roots.
const ROOTS_TIMEOUT: Duration = Duration::from_secs(5);
/// How many calls run at once, over all clients; further calls wait.
const RUNNING_CALLS: usize = 16;
/// The refusal of a call whose client announced roots and did not list them.
const ROOTS_NOT_LISTED: &str = "this client has folders of its own (roots) and does not say which; \
    it is asked again with the next call, and never by a server that is started with --ignore-client-roots";

/// The options of an MCP server.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// The roots and the configuration of the server.
    pub service: ServiceOptions,
    /// The dialect for all clients; `None`: as configured.
    pub dialect: Option<Dialect>,
    /// How sessions are assigned to clients; an anchor is valid only in the session it was shown to.
    pub session: SessionMode,
    /// Whether the roots (folders) that clients announce are used.
    pub client_roots: ClientRoots,
}

/// Whether the roots (folders) that clients announce are used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientRoots {
    /// A client may use only folders that are inside both its own roots and the user's.
    #[default]
    Narrow,
    /// Clients are not asked for roots: every client may use all of the user's roots.
    Ignore,
}

/// How sessions are assigned to clients.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionMode {
    /// All clients share this session.
    Named(String),
    /// Each connection is a session.
    PerConnection,
}

/// The state that all clients of a server share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: McpOptions,
    pub(crate) dialect: Dialect,
    /// The service with all of the user's roots.
    pub(crate) service: Arc<Service>,
    /// A semaphore with one permit for each call that may run at the same time.
    pub(crate) running: Semaphore,
    /// The token that is cancelled when the server shuts down.
    pub(crate) shutdown: CancellationToken,
}

impl Shared {
    /// Opens the user's roots and creates the shared state.
    pub(crate) fn open(options: McpOptions) -> Result<Self, Refusal> {
        let service = Service::open(&options.service)?;
        let dialect = options.dialect.or(service.config().dialect);
        Ok(Self {
            dialect: dialect.unwrap_or_default(),
            service: Arc::new(service),
            options,
            running: Semaphore::new(RUNNING_CALLS),
            shutdown: CancellationToken::new(),
        })
    }

    /// Opens the folders that are inside both the user's and the client's roots.
    fn narrowed(&self, client: &[String]) -> OpenedRoots {
        let user: Vec<PathBuf> = self.service.roots();
        let start = narrowed(&self.options.service, &user, client)
            .ok_or("the folders of this client lie outside of those that this server may touch")?;
        if start.roots == user {
            return Ok(Arc::clone(&self.service));
        }
        let opened = Service::open(&start).map_err(|error| error.to_string())?;
        Ok(Arc::new(opened))
    }
}

/// The service with the folders that a client may use, or the reason why there is none: no folder is inside both the client's and the user's roots, or
/// it cannot be opened.
type OpenedRoots = Result<Arc<Service>, String>;

/// One client of an MCP server.
#[derive(Debug)]
pub(crate) struct McpClient {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: String,
    /// The client's roots, once the client was asked for them.
    roots: Mutex<Option<CachedRoots>>,
    /// How often the client has announced that its roots changed. The transport counts this as messages arrive, so that no call that was sent after
    /// an announcement runs with the old roots.
    pub(crate) roots_changes: Arc<AtomicUsize>,
    pub(crate) cancelled: CancelledCalls,
}

/// The result of asking a client for its roots.
#[derive(Debug)]
struct CachedRoots {
    workspace: OpenedRoots,
    /// How many root changes the client had announced when it was asked.
    changes: usize,
    /// When the client failed to list its roots: calls that arrive later ask again.
    failed: Option<Instant>,
}

impl CachedRoots {
    /// Returns whether this result is still valid for a call that arrived at `came`.
    fn is_valid(&self, changes: usize, came: Instant) -> bool {
        self.changes == changes && self.failed.is_none_or(|when| came <= when)
    }
}

impl McpClient {
    /// Creates a client with its session.
    ///
    /// # Errors
    /// There are no random bytes for the name of the session.
    pub(crate) fn new(shared: Arc<Shared>) -> io::Result<Self> {
        let session = match &shared.options.session {
            SessionMode::Named(name) => name.clone(),
            SessionMode::PerConnection => format!("mcp-{}", random_hex::<16>()?),
        };
        Ok(Self {
            shared,
            session,
            roots: Mutex::new(None),
            roots_changes: Arc::default(),
            cancelled: CancelledCalls::default(),
        })
    }

    /// Returns the service with the folders that this client may use. The client is asked for its roots at the first call, and again after it
    /// announced a change.
    pub(crate) async fn workspace(&self, peer: &Peer<RoleServer>) -> OpenedRoots {
        if self.shared.options.client_roots == ClientRoots::Ignore {
            return Ok(Arc::clone(&self.shared.service));
        }
        let came = Instant::now();
        // Locked while the client is asked, so that calls that come at once ask only once.
        let mut cached = self.roots.lock().await;
        let changes = self.roots_changes.load(Ordering::Acquire);
        if let Some(cached) = cached.as_ref().filter(|it| it.is_valid(changes, came)) {
            return cached.workspace.clone();
        }
        let (workspace, failed) = match list_roots(peer).await {
            ListedRoots::None => (Ok(Arc::clone(&self.shared.service)), None),
            ListedRoots::Some(roots) => (self.narrowed(roots).await, None),
            ListedRoots::Failed => (Err(ROOTS_NOT_LISTED.to_owned()), Some(Instant::now())),
        };
        *cached = Some(CachedRoots {
            workspace: workspace.clone(),
            changes,
            failed,
        });
        workspace
    }

    /// Opens the client's folders on a blocking thread, because a disk can be slow.
    async fn narrowed(&self, client: Vec<String>) -> OpenedRoots {
        let shared = Arc::clone(&self.shared);
        let opened = tokio::task::spawn_blocking(move || shared.narrowed(&client)).await;
        opened.unwrap_or_else(|_| Err("the folders cannot be opened".to_owned()))
    }
}

/// A client's answer when it is asked for its roots.
enum ListedRoots {
    /// The client has no roots of its own, so the user's roots apply.
    None,
    /// The URIs of the client's roots.
    Some(Vec<String>),
    /// The client announced that it has roots, but did not list them.
    Failed,
}

/// Asks a client for its roots, if it announced that it has some.
#[expect(
    deprecated,
    reason = "roots are part of every protocol version before the newest"
)]
async fn list_roots(peer: &Peer<RoleServer>) -> ListedRoots {
    let info = peer.peer_info();
    if info.is_none_or(|info| info.capabilities.roots.is_none()) {
        return ListedRoots::None;
    }
    match tokio::time::timeout(ROOTS_TIMEOUT, peer.list_roots()).await {
        Ok(Ok(listed)) if listed.roots.is_empty() => ListedRoots::None,
        Ok(Ok(listed)) => {
            ListedRoots::Some(listed.roots.into_iter().map(|root| root.uri).collect())
        }
        // It does not know the method after all.
        Ok(Err(ServiceError::McpError(error))) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            ListedRoots::None
        }
        Ok(Err(_)) | Err(_) => ListedRoots::Failed,
    }
}
