//! The front itself: binding, accepting clients, stopping.

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
use crate::front::limits::HttpLimits;
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
                biased;
                () = &mut stop => break,
                Some(_) = connections.tasks.join_next() => {}
                accepted = acceptors.accept() => match accepted {
                    Ok(socket) => connections.add(socket).await,
                    Err(_) => sleep(ACCEPT_RETRY).await,
                },
            }
        }
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
