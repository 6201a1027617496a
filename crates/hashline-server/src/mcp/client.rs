//! One client: its session, and the folders it may touch.

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
/// How many calls run at once, over all clients; the others wait.
const RUNNING_CALLS: usize = 16;
/// Why a call is refused whose client announced roots and did not list them.
const ROOTS_NOT_LISTED: &str = "this client has folders of its own (roots) and does not say which; \
    it is asked again with the next call, and never by a server that is started with --ignore-client-roots";

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct McpOptions {
    /// Roots and configuration.
    pub start: ServiceOptions,
    /// The dialect of all clients; `None`: as configured.
    pub dialect: Option<Dialect>,
    /// Which session the anchors of a client belong to.
    pub session: SessionMode,
    /// What to do with the roots that clients announce.
    pub client_roots: ClientRoots,
}

/// What to do with the roots that clients announce.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientRoots {
    /// They narrow the user's roots.
    #[default]
    Narrow,
    /// They are not asked for: the user's roots count.
    Ignore,
}

/// Which session the anchors of a client belong to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionMode {
    /// All clients share this session.
    Named(String),
    /// Each connection is a session.
    PerConnection,
}

/// What all clients of a server share.
#[derive(Debug)]
pub(crate) struct Shared {
    pub(crate) options: McpOptions,
    pub(crate) dialect: Dialect,
    /// The user's roots, open.
    pub(crate) service: Arc<Service>,
    /// A permit for each call that may run.
    pub(crate) running: Semaphore,
    /// Cancelled when the server shuts down.
    pub(crate) shutdown: CancellationToken,
}

impl Shared {
    /// Opens the user's roots.
    pub(crate) fn open(options: McpOptions) -> Result<Self, Refusal> {
        let service = Service::open(&options.start)?;
        let dialect = options.dialect.or(service.config().dialect);
        Ok(Self {
            dialect: dialect.unwrap_or_default(),
            service: Arc::new(service),
            options,
            running: Semaphore::new(RUNNING_CALLS),
            shutdown: CancellationToken::new(),
        })
    }

    /// Opens the folders that the user's roots and a client's have in common.
    fn narrowed(&self, client: &[String]) -> OpenedRoots {
        let user: Vec<PathBuf> = self.service.roots();
        let start = narrowed(&self.options.start, &user, client)
            .ok_or("the folders of this client lie outside of those that this server may touch")?;
        if start.roots == user {
            return Ok(Arc::clone(&self.service));
        }
        let opened = Service::open(&start).map_err(|error| error.to_string())?;
        Ok(Arc::new(opened))
    }
}

/// The folders a client may touch, open; or why there are none: the client's and the user's have nothing in common, or cannot be opened.
type OpenedRoots = Result<Arc<Service>, String>;

/// One client of a server.
#[derive(Debug)]
pub(crate) struct McpClient {
    pub(crate) shared: Arc<Shared>,
    pub(crate) session: String,
    /// What came of asking the client for its roots, once it was asked.
    roots: Mutex<Option<CachedRoots>>,
    /// How often the client has announced that its roots changed. Counted where messages come in, so that no call that was sent after the
    /// announcement runs in the old folders.
    pub(crate) roots_changes: Arc<AtomicUsize>,
    pub(crate) cancelled: CancelledCalls,
}

/// What came of asking a client for its roots.
#[derive(Debug)]
struct CachedRoots {
    workspace: OpenedRoots,
    /// How many changes had been announced when the client was asked.
    changes: usize,
    /// When the client failed to list them: calls that came later ask again.
    failed: Option<Instant>,
}

impl CachedRoots {
    /// Returns whether this still holds for a call that came at `came`.
    fn is_valid(&self, changes: usize, came: Instant) -> bool {
        self.changes == changes && self.failed.is_none_or(|when| came <= when)
    }
}

impl McpClient {
    /// Makes a client.
    ///
    /// # Errors
    /// There is no randomness for the name of its session.
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

    /// Returns the folders this client may touch. Asks it for its roots the first time, and after it announced a change.
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

    /// Opens folders on another thread: a disk can be slow.
    async fn narrowed(&self, client: Vec<String>) -> OpenedRoots {
        let shared = Arc::clone(&self.shared);
        let opened = tokio::task::spawn_blocking(move || shared.narrowed(&client)).await;
        opened.unwrap_or_else(|_| Err("the folders cannot be opened".to_owned()))
    }
}

/// What a client says about roots of its own.
enum ListedRoots {
    /// It has none: only the user's count.
    None,
    /// Their URIs.
    Some(Vec<String>),
    /// It announced that it has some, and did not list them.
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
