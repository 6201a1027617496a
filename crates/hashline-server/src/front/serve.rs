//! The HTTP server itself: its limits, binding, accepting clients, stopping.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::pin;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::front::address::{BindAddress, ListenAddress};
use crate::front::checks::Check;
use crate::front::connection::{reject, serve_connection};
use crate::front::error::FrontError;
use crate::front::listen::{AllowedHosts, Listeners, Socket};
use crate::front::origins::AllowedOrigins;
use crate::front::proxies::{Peer, TrustedProxies};
use crate::front::routes::Routes;
use crate::front::tokens::Tokens;

/// How long to wait before accepting again when the process has no file descriptor left.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// An HTTP server that is bound to its address but does not answer yet.
#[derive(Debug)]
#[must_use = "nothing is answered until it serves"]
pub struct Front {
    listeners: Listeners,
    tokens: Tokens,
    limits: HttpLimits,
    origins: AllowedOrigins,
    proxies: TrustedProxies,
    #[cfg(test)]
    pub(crate) skipped: Option<Check>,
}

/// The limits of an HTTP server. These limits are set when the server starts; no request changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Maximum bytes of the request line and headers together; more is answered with 431, or with 414 if the request line alone is longer.
    pub header_bytes: usize,
    /// Maximum time from a connection's start, or from the first byte of a later request, to the end of the headers. For as long, the bytes of a
    /// refused client are still read, so that the response reaches the client.
    pub header_time: Duration,
    /// Maximum bytes of a request's body; more is answered with 413.
    pub body_bytes: usize,
    /// Maximum time from the end of the headers to the end of the body; more is answered with 408.
    pub body_time: Duration,
    /// How long a connection may be idle between two requests before it is closed. A connection is not idle while a response, such as a stream of
    /// events, is still being sent.
    pub idle_time: Duration,
    /// Maximum connections at one time; one more is answered with 503.
    pub connections: usize,
    /// Maximum time to finish responses in progress when the server stops.
    pub stop_time: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            header_bytes: 16 * 1024,
            header_time: Duration::from_secs(5),
            body_bytes: 8 * 1024 * 1024,
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(120),
            connections: 64,
            stop_time: Duration::from_secs(2),
        }
    }
}

/// The settings that all connections of a server share.
pub(crate) struct FrontState {
    pub(crate) hosts: AllowedHosts,
    pub(crate) tokens: Tokens,
    pub(crate) origins: AllowedOrigins,
    pub(crate) proxies: TrustedProxies,
    pub(crate) limits: HttpLimits,
    pub(crate) routes: Routes,
    #[cfg(test)]
    skipped: Option<Check>,
}

impl FrontState {
    /// Returns whether a check is skipped. Only tests skip one, to prove that a bad request would reach the handler without that check.
    #[cfg(test)]
    pub(crate) fn skips(&self, check: Check) -> bool {
        self.skipped == Some(check)
    }

    /// Returns `false`: outside of tests, no check is skipped.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the tests use it")]
    pub(crate) fn skips(&self, _: Check) -> bool {
        false
    }
}

impl Front {
    /// Binds an address. After this clients can connect; [`serve`](Self::serve) answers them.
    ///
    /// # Errors
    /// The address is in use or does not exist, or the socket's folder is accessible to others.
    pub fn bind(
        address: BindAddress,
        tokens: impl Into<Tokens>,
        limits: HttpLimits,
        origins: AllowedOrigins,
    ) -> Result<Self, FrontError> {
        Ok(Self {
            listeners: Listeners::bind(address)?,
            tokens: tokens.into(),
            limits,
            origins,
            proxies: TrustedProxies::default(),
            #[cfg(test)]
            skipped: None,
        })
    }

    /// Accepts the host names of reverse proxies, on connections from them.
    pub fn behind(self, proxies: TrustedProxies) -> Self {
        Self { proxies, ..self }
    }

    /// Returns the addresses on which the server listens.
    pub fn addresses(&self) -> &[ListenAddress] {
        self.listeners.addresses()
    }

    /// Returns whether other machines can reach the server, of which the user should be warned.
    pub fn is_exposed(&self) -> bool {
        !self.addresses().iter().all(ListenAddress::is_local)
    }

    /// Answers clients until the future `stop` completes. Then no more clients are accepted, and responses in progress get the time that the limits
    /// allow.
    ///
    /// # Errors
    /// The listening sockets could not be registered with the async runtime.
    pub async fn serve(
        self,
        routes: Routes,
        stop: impl Future<Output = ()>,
    ) -> Result<(), FrontError> {
        let state = Arc::new(FrontState {
            hosts: self.listeners.hosts(),
            tokens: self.tokens,
            origins: self.origins,
            proxies: self.proxies,
            limits: self.limits,
            routes,
            #[cfg(test)]
            skipped: self.skipped,
        });
        let acceptors = self
            .listeners
            .into_acceptors()
            .map_err(FrontError::Runtime)?;
        let mut connections = Connections::new(state);
        pin!(stop);
        loop {
            tokio::select! {
                // In this order: a flood of new connections must not keep the server from stopping.
                biased;
                () = &mut stop => break,
                Some(_) = connections.tasks.join_next() => {}
                accepted = acceptors.accept() => match accepted {
                    Ok((socket, peer)) => connections.add(socket, peer).await,
                    Err(_) => sleep(ACCEPT_RETRY).await,
                },
            }
        }
        // Closes the listeners first: new clients are turned away by the system while the last responses are sent.
        drop(acceptors);
        connections.finish().await;
        Ok(())
    }
}

/// All open connections of a server.
struct Connections {
    front: Arc<FrontState>,
    permits: Arc<Semaphore>,
    stopping: watch::Sender<()>,
    tasks: JoinSet<()>,
}

impl Connections {
    fn new(front: Arc<FrontState>) -> Self {
        Self {
            permits: Arc::new(Semaphore::new(front.limits.connections)),
            front,
            stopping: watch::Sender::new(()),
            tasks: JoinSet::new(),
        }
    }

    /// Serves a connection in a task of its own, so that a panic ends only this connection; rejects the connection if there are too many.
    async fn add(&mut self, socket: Socket, peer: Peer) {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return reject(socket, &self.front).await;
        };
        let connection = serve_connection(
            socket,
            peer,
            Arc::clone(&self.front),
            self.stopping.subscribe(),
        );
        self.tasks.spawn(async move {
            connection.await;
            drop(permit);
        });
    }

    /// Waits until all connections have finished, and aborts those that take longer than the limit.
    async fn finish(mut self) {
        self.stopping.send_replace(());
        let finished = async { while self.tasks.join_next().await.is_some() {} };
        let _ = timeout(self.front.limits.stop_time, finished).await;
        self.tasks.shutdown().await;
    }
}
