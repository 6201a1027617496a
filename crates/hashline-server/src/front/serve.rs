//! The front door.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::pin;
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use crate::front::bounds::Bounds;
use crate::front::connection::{converse, turn_away};
use crate::front::door::Door;
use crate::front::error::FrontError;
use crate::front::listen::{Listeners, Socket};
use crate::front::origins::Origins;
use crate::front::place::{Address, Place};
use crate::front::routes::Routes;
use crate::front::token::Token;

/// How long to wait before accepting again when the system has no descriptor left.
const NO_DESCRIPTOR: Duration = Duration::from_millis(50);

/// A server that is bound and does not answer yet.
#[derive(Debug)]
#[must_use = "nobody is answered until it serves"]
pub struct Front {
    listeners: Listeners,
    token: Token,
    bounds: Bounds,
    origins: Origins,
    #[cfg(test)]
    pub(crate) left_out: Option<crate::front::checks::Check>,
}

impl Front {
    /// Binds a place. From here on callers queue; [`serve`](Self::serve) answers them.
    ///
    /// # Errors
    /// The place is taken, not there, or not the user's own.
    pub fn bind(
        place: Place,
        token: Token,
        bounds: Bounds,
        origins: Origins,
    ) -> Result<Self, FrontError> {
        Ok(Self {
            listeners: Listeners::bind(place)?,
            token,
            bounds,
            origins,
            #[cfg(test)]
            left_out: None,
        })
    }

    /// Returns where it listens.
    pub fn addresses(&self) -> &[Address] {
        self.listeners.addresses()
    }

    /// Returns whether others than this machine can reach it, of which the person should be warned.
    pub fn is_exposed(&self) -> bool {
        !self.addresses().iter().all(Address::is_local)
    }

    /// Answers callers until `stop` ends. Then no more are accepted, and answers under way are given the time that the bounds allow.
    ///
    /// # Errors
    /// The listeners could not be handed to the runtime.
    pub async fn serve(
        self,
        routes: Routes,
        stop: impl Future<Output = ()>,
    ) -> Result<(), FrontError> {
        let door = Arc::new(Door {
            hosts: self.listeners.hosts(),
            token: self.token,
            origins: self.origins,
            bounds: self.bounds,
            routes,
            #[cfg(test)]
            left_out: self.left_out,
        });
        let acceptors = self
            .listeners
            .into_acceptors()
            .map_err(FrontError::Runtime)?;
        let mut callers = Callers::new(door);
        pin!(stop);
        loop {
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(_) = callers.tasks.join_next() => {}
                accepted = acceptors.accept() => match accepted {
                    Ok(socket) => callers.take(socket).await,
                    Err(_) => sleep(NO_DESCRIPTOR).await,
                },
            }
        }
        drop(acceptors);
        callers.dismiss().await;
        Ok(())
    }
}

/// Everybody who is connected.
struct Callers {
    door: Arc<Door>,
    room: Arc<Semaphore>,
    stopping: watch::Sender<()>,
    tasks: JoinSet<()>,
}

impl Callers {
    fn new(door: Arc<Door>) -> Self {
        Self {
            room: Arc::new(Semaphore::new(door.bounds.connections)),
            door,
            stopping: watch::Sender::new(()),
            tasks: JoinSet::new(),
        }
    }

    /// Begins a conversation, in a task of its own so that a panic ends nothing else, or turns the caller away.
    async fn take(&mut self, socket: Socket) {
        let Ok(place) = Arc::clone(&self.room).try_acquire_owned() else {
            return turn_away(socket, &self.door).await;
        };
        let conversation = converse(socket, Arc::clone(&self.door), self.stopping.subscribe());
        self.tasks.spawn(async move {
            conversation.await;
            drop(place);
        });
    }

    /// Asks everybody to finish, and cuts off who does not in time.
    async fn dismiss(mut self) {
        self.stopping.send_replace(());
        let finished = async { while self.tasks.join_next().await.is_some() {} };
        let _ = timeout(self.door.bounds.stop_time, finished).await;
        self.tasks.shutdown().await;
    }
}
