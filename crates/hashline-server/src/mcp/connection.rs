//! One client: its session, and the folders it may touch.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_session::{Service, Start};
use hashline_wire::request::Limits;
use rmcp::model::ErrorCode;
use rmcp::service::{Peer, RoleServer, ServiceError};
use tokio::sync::Mutex as AsyncMutex;
use uuid::Uuid;

use crate::mcp::late::Late;
use crate::mcp::roots::narrowed;

/// So long a client has for saying which roots are its own.
const ROOTS_WAIT: Duration = Duration::from_secs(5);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Roots and configuration.
    pub start: Start,
    /// The dialect of all clients; nothing: as configured.
    pub dialect: Option<Dialect>,
    /// Whose anchors a client's are.
    pub sessions: Sessions,
    /// What is made of the folders that clients say are theirs.
    pub client_roots: ClientRoots,
}

/// What is made of the folders that clients say are theirs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ClientRoots {
    /// They narrow those of the person.
    #[default]
    Narrow,
    /// Nobody asks for them: those of the person count.
    Ignored,
}

/// Whose anchors a client's are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sessions {
    /// Those of a session that was named.
    Named(String),
    /// Its own: each connection is a session.
    Each,
}

/// What all clients of a server share.
#[derive(Debug)]
pub(crate) struct Common {
    pub(crate) options: Options,
    pub(crate) dialect: Dialect,
    service: Arc<Service>,
}

impl Common {
    /// Opens the person's roots.
    pub(crate) fn open(options: Options) -> Result<Self, DiskError> {
        let service = Service::open(&options.start)?;
        let dialect = options.dialect.or(service.config().dialect);
        Ok(Self {
            dialect: dialect.unwrap_or_default(),
            service: Arc::new(service),
            options,
        })
    }

    /// Returns the bounds of a message.
    pub(crate) fn limits(&self) -> Limits {
        self.service.request_limits()
    }

    /// Opens what the person's roots and a client's have in common.
    fn narrowed(&self, client: &[String]) -> Ground {
        let person: Vec<PathBuf> = self.service.roots();
        let Some(start) = narrowed(&self.options.start, &person, client) else {
            return Ground::Closed(
                "the folders of this client lie outside of those that this server may touch"
                    .to_owned(),
            );
        };
        if start.roots == person {
            return Ground::Open(Arc::clone(&self.service));
        }
        match Service::open(&start) {
            Ok(service) => Ground::Open(Arc::new(service)),
            Err(error) => Ground::Closed(error.to_string()),
        }
    }
}

/// One client.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) common: Arc<Common>,
    session: String,
    /// The folders it may touch, once it was asked for its own.
    ground: AsyncMutex<Option<Known>>,
    /// How often the client has said that its folders are others now.
    changes: Arc<RootsChanges>,
    /// What must be told although it was taken back.
    pub(crate) late: Late,
}

/// What came of asking a client for its folders.
#[derive(Debug)]
struct Known {
    ground: Ground,
    /// How often they had changed when it was asked.
    changes: usize,
    /// When it was given up: whoever calls later asks again.
    given_up: Option<Instant>,
}

impl Known {
    /// Tells whether it counts for a call that came at a moment.
    fn counts(&self, changes: usize, came: Instant) -> bool {
        self.changes == changes && self.given_up.is_none_or(|when| came <= when)
    }
}

/// Counts how often a client has said that its folders are others now. It is counted where messages come in, so that no call that was sent
/// later works in the folders of before.
#[derive(Debug, Default)]
pub(crate) struct RootsChanges(AtomicUsize);

impl RootsChanges {
    /// Counts one more.
    pub(crate) fn add(&self) {
        self.0.fetch_add(1, Ordering::Release);
    }

    fn so_far(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}

/// The folders a client may touch.
#[derive(Clone, Debug)]
pub(crate) enum Ground {
    /// Some.
    Open(Arc<Service>),
    /// None: what it asks for and what the person allows have nothing in common, or it cannot be opened.
    Closed(String),
}

impl Connection {
    pub(crate) fn new(common: Arc<Common>) -> Self {
        let session = match &common.options.sessions {
            Sessions::Named(name) => name.clone(),
            Sessions::Each => format!("mcp-{}", Uuid::new_v4().simple()),
        };
        Self {
            common,
            session,
            ground: AsyncMutex::new(None),
            changes: Arc::default(),
            late: Late::default(),
        }
    }

    /// Returns the session of this client.
    pub(crate) fn session(&self) -> &str {
        &self.session
    }

    /// Tells whether the session is this connection's own.
    pub(crate) fn is_its_own(&self) -> bool {
        self.common.options.sessions == Sessions::Each
    }

    /// Returns where it is counted that the client's folders are others now.
    pub(crate) fn changes(&self) -> &Arc<RootsChanges> {
        &self.changes
    }

    /// Returns the folders this client may touch; asks it for its own the first time, and when they are others.
    pub(crate) async fn ground(&self, peer: &Peer<RoleServer>) -> Ground {
        if self.common.options.client_roots == ClientRoots::Ignored {
            return Ground::Open(Arc::clone(&self.common.service));
        }
        let came = Instant::now();
        let mut known = self.ground.lock().await;
        let changes = self.changes.so_far();
        if let Some(known) = known.as_ref().filter(|known| known.counts(changes, came)) {
            return known.ground.clone();
        }
        let (ground, given_up) = match client_roots(peer).await {
            Roots::None => (Ground::Open(Arc::clone(&self.common.service)), None),
            Roots::Some(roots) => (self.narrowed(roots).await, None),
            Roots::Unsaid => (Ground::Closed(UNSAID.to_owned()), Some(Instant::now())),
        };
        *known = Some(Known {
            ground: ground.clone(),
            changes,
            given_up,
        });
        ground
    }

    /// Opens folders beside the messages: a disk can be slow.
    async fn narrowed(&self, client: Vec<String>) -> Ground {
        let common = Arc::clone(&self.common);
        let opened = tokio::task::spawn_blocking(move || common.narrowed(&client)).await;
        opened.unwrap_or_else(|_| Ground::Closed("the folders cannot be opened".to_owned()))
    }
}

/// Why a call is refused whose client has folders of its own and does not say which.
const UNSAID: &str = "this client has folders of its own (roots) and does not say which; \
    it is asked again with the next call, and never by a server that is started with --ignore-client-roots";

/// What a client says about folders of its own.
enum Roots {
    /// It has none: the person's alone count.
    None,
    /// These.
    Some(Vec<String>),
    /// It has some, and has not said which.
    Unsaid,
}

/// Asks a client for its folders, if it says that it has some.
#[expect(
    deprecated,
    reason = "roots are part of every protocol version before the newest"
)]
async fn client_roots(peer: &Peer<RoleServer>) -> Roots {
    let info = peer.peer_info();
    if info.is_none_or(|info| info.capabilities.roots.is_none()) {
        return Roots::None;
    }
    match tokio::time::timeout(ROOTS_WAIT, peer.list_roots()).await {
        Ok(Ok(said)) if said.roots.is_empty() => Roots::None,
        Ok(Ok(said)) => Roots::Some(said.roots.into_iter().map(|root| root.uri).collect()),
        // It says that it does not know the question after all.
        Ok(Err(ServiceError::McpError(error))) if error.code == ErrorCode::METHOD_NOT_FOUND => {
            Roots::None
        }
        Ok(Err(_)) | Err(_) => Roots::Unsaid,
    }
}
