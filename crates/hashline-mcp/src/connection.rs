//! One client: its session, and the folders it may touch.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use hashline_core::dialect::Dialect;
use hashline_core::disk::DiskError;
use hashline_service::{Service, Start};
use rmcp::service::{Peer, RoleServer};
use tokio::sync::Mutex as AsyncMutex;
use uuid::Uuid;

use crate::late::Late;
use crate::roots::narrowed;

/// A client that does not answer about its roots within this has none.
const ROOTS_WAIT: Duration = Duration::from_secs(2);

/// How a server is set up.
#[derive(Clone, Debug)]
pub struct Options {
    /// Roots and configuration.
    pub start: Start,
    /// The dialect of all clients; nothing: as configured.
    pub dialect: Option<Dialect>,
    /// Whose anchors a client's are.
    pub sessions: Sessions,
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

    /// Returns how many bytes a message may have.
    pub(crate) fn longest(&self) -> usize {
        self.service.request_limits().bytes
    }
}

/// One client.
#[derive(Debug)]
pub(crate) struct Connection {
    pub(crate) common: Arc<Common>,
    session: String,
    /// The folders it may touch, once its own are known.
    ground: AsyncMutex<Option<Ground>>,
    /// What must be told although it was taken back.
    pub(crate) late: Late,
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

    /// Returns the folders this client may touch; asks it for its own the first time.
    pub(crate) async fn ground(&self, peer: &Peer<RoleServer>) -> Ground {
        let mut ground = self.ground.lock().await;
        if let Some(ground) = ground.as_ref() {
            return ground.clone();
        }
        let found = match client_roots(peer).await {
            None => Ground::Open(Arc::clone(&self.common.service)),
            Some(roots) => self.narrowed(&roots),
        };
        *ground = Some(found.clone());
        found
    }

    /// Asks for the client's folders again when next needed.
    pub(crate) async fn forget_roots(&self) {
        *self.ground.lock().await = None;
    }

    fn narrowed(&self, client: &[String]) -> Ground {
        let person: Vec<PathBuf> = self.common.service.roots();
        let options = &self.common.options;
        let Some(start) = narrowed(&options.start, &person, client) else {
            return Ground::Closed(
                "the folders of this client lie outside of those that this server may touch"
                    .to_owned(),
            );
        };
        if start.roots == person {
            return Ground::Open(Arc::clone(&self.common.service));
        }
        match Service::open(&start) {
            Ok(service) => Ground::Open(Arc::new(service)),
            Err(error) => Ground::Closed(error.to_string()),
        }
    }
}

/// Asks a client for its folders, if it says that it has some.
#[expect(
    deprecated,
    reason = "roots are part of every protocol version before the newest"
)]
async fn client_roots(peer: &Peer<RoleServer>) -> Option<Vec<String>> {
    let capable = peer.peer_info()?.capabilities.roots.is_some();
    if !capable {
        return None;
    }
    let asked = tokio::time::timeout(ROOTS_WAIT, peer.list_roots()).await;
    let roots = asked.ok()?.ok()?.roots;
    (!roots.is_empty()).then(|| roots.into_iter().map(|root| root.uri).collect())
}
