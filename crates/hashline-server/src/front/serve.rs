//! The front itself: its limits, binding, accepting clients, stopping.

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
use crate::front::routes::Routes;
use crate::front::token::BearerToken;

/// How long to wait before accepting again when the system has no file descriptor left.
const ACCEPT_RETRY: Duration = Duration::from_millis(50);

/// A server that is bound and does not answer yet.
#[derive(Debug)]
#[must_use = "nothing is answered until it serves"]
pub struct Front {
    listeners: Listeners,
    token: BearerToken,
    limits: HttpLimits,
    origins: AllowedOrigins,
    #[cfg(test)]
    pub(crate) skipped: Option<Check>,
}

/// The limits of a front. They are set when it starts; no request changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Bytes of the request line and headers together; more is answered with 431, or 414 if the line alone is longer.
    pub header_bytes: usize,
    /// Time from a connection's start, or from the first byte of a later request, to the end of the headers. Also how long the bytes of a
    /// refused client are still read, so that the answer reaches it.
    pub header_time: Duration,
    /// Bytes of a request's body; more is answered with 413.
    pub body_bytes: usize,
    /// Time from the end of the headers to the end of the body; more is answered with 408.
    pub body_time: Duration,
    /// How long a connection may be idle between two requests before it is closed. It is not idle while an answer, such as a stream of
    /// events, is still being sent.
    pub idle_time: Duration,
    /// Connections at one time; one more is answered with 503.
    pub connections: usize,
    /// Time to finish answers in progress when the server stops.
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

/// What all connections of a front share.
pub(crate) struct FrontState {
    pub(crate) hosts: AllowedHosts,
    pub(crate) token: BearerToken,
    pub(crate) origins: AllowedOrigins,
    pub(crate) limits: HttpLimits,
    pub(crate) routes: Routes,
    #[cfg(test)]
    skipped: Option<Check>,
}

impl FrontState {
    /// Returns whether a check is skipped, which only a test can ask for: to see that without it the handler would be reached.
    #[cfg(test)]
    pub(crate) fn skips(&self, check: Check) -> bool {
        self.skipped == Some(check)
    }

    /// Skips no check.
    #[cfg(not(test))]
    #[expect(clippy::unused_self, reason = "the tests use it")]
    pub(crate) fn skips(&self, _: Check) -> bool {
        false
    }
}

impl Front {
    /// Binds an address. From here on clients can connect; [`serve`](Self::serve) answers them.
    ///
    /// # Errors
    /// The address is in use, does not exist, or is a path that others can reach.
    pub fn bind(
        address: BindAddress,
        token: BearerToken,
        limits: HttpLimits,
        origins: AllowedOrigins,
    ) -> Result<Self, FrontError> {
        Ok(Self {
            listeners: Listeners::bind(address)?,
            token,
            limits,
            origins,
            #[cfg(test)]
            skipped: None,
        })
    }

    /// Returns where it listens.
    pub fn addresses(&self) -> &[ListenAddress] {
        self.listeners.addresses()
    }

    /// Returns whether other machines can reach it, of which the user should be warned.
    pub fn is_exposed(&self) -> bool {
        !self.addresses().iter().all(ListenAddress::is_local)
    }

    /// Answers clients until `stop` ends. Then no more are accepted, and responses in progress get the time that the limits allow.
    ///
    /// # Errors
    /// The listeners could not be registered with the runtime.
    pub async fn serve(
        self,
        routes: Routes,
        stop: impl Future<Output = ()>,
    ) -> Result<(), FrontError> {
        let state = Arc::new(FrontState {
            hosts: self.listeners.hosts(),
            token: self.token,
            origins: self.origins,
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
                    Ok(socket) => connections.add(socket).await,
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

/// All open connections.
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

    /// Serves a connection in a task of its own, so that a panic ends nothing else; rejects it if there are too many.
    async fn add(&mut self, socket: Socket) {
        let Ok(permit) = Arc::clone(&self.permits).try_acquire_owned() else {
            return reject(socket, &self.front).await;
        };
        let connection =
            serve_connection(socket, Arc::clone(&self.front), self.stopping.subscribe());
        self.tasks.spawn(async move {
            connection.await;
            drop(permit);
        });
    }

    /// Lets all connections finish, and cuts off those that take too long.
    async fn finish(mut self) {
        self.stopping.send_replace(());
        let finished = async { while self.tasks.join_next().await.is_some() {} };
        let _ = timeout(self.front.limits.stop_time, finished).await;
        self.tasks.shutdown().await;
    }
}
