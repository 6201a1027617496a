//! The connections to Redis: one server, or the node of a cluster that has a workspace.
//!
//! All keys of a workspace are on one node of a cluster. A call goes to the node that answered last; a node that is not the right one any more names
//! the right one, and if a node does not answer, the others that are known are asked. Decision 0021 says why this is not left to the cluster
//! client of the library.
//!
//! No caller waits long for a Redis that is dead or hangs: connecting and each answer have a time-out, a call goes on to other nodes only for
//! as long as two of these take, and after a failure all calls fail at once, but one a second that tries again.

use std::fmt;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use redis::{
    Client, Connection, ConnectionAddr, ErrorKind, RedisError, RedisResult, ServerErrorKind, cmd,
};

use super::fleet::RedisNode;
use crate::ledger::StateNote;

/// How long Redis is left alone after it did not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// The most redirections that a call follows.
const MOST_REDIRECTIONS: usize = 5;
/// The most connections that are kept open while nobody uses them.
const MOST_IDLE: usize = 16;

/// The connections to Redis.
pub(super) struct Link {
    /// The nodes that were configured.
    nodes: Vec<RedisNode>,
    /// How long to wait for a connection, and for an answer.
    patience: Duration,
    state: Mutex<LinkState>,
    failures: AtomicU64,
    skipped: AtomicU64,
    connections: AtomicU64,
}

struct LinkState {
    /// The node that is asked first.
    first: Option<RedisNode>,
    /// Connections to that node that nobody uses.
    idle: Vec<Connection>,
    down: Option<Down>,
}

/// Redis did not answer.
#[derive(Clone, Copy)]
struct Down {
    kind: io::ErrorKind,
    /// When it is asked again.
    until: Instant,
}

/// How a ledger on Redis fares, for metrics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RedisHealth {
    /// Whether Redis answered last time.
    pub is_up: bool,
    /// How many calls failed: Redis did not answer, or refused the command.
    pub failures: u64,
    /// How many calls were not made, because Redis had not answered shortly before.
    pub skipped: u64,
    /// How many connections were opened.
    pub connections: u64,
}

/// Why Redis did not do what it was asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum RedisFailure {
    /// It did not answer.
    Down(io::ErrorKind),
    /// It refused the command, with this code.
    Refused(String),
}

/// Where to try again after an error.
enum Next {
    /// On another node, because this one does not answer.
    Elsewhere(RedisFailure),
    /// On the node that has the keys.
    Redirected { address: String, asking: bool },
    /// Nowhere.
    GiveUp(RedisFailure),
}

/// The nodes that one call still tries.
struct Route {
    /// The nodes that did not answer.
    failed: Vec<RedisNode>,
    redirections: usize,
}

impl Link {
    /// Returns a link to some nodes, of which none is asked yet. `patience` is how long to wait for a connection, and for an answer.
    pub(super) fn new(nodes: Vec<RedisNode>, patience: Duration) -> Self {
        Self {
            state: Mutex::new(LinkState {
                first: nodes.first().cloned(),
                idle: Vec::new(),
                down: None,
            }),
            nodes,
            patience,
            failures: AtomicU64::new(0),
            skipped: AtomicU64::new(0),
            connections: AtomicU64::new(0),
        }
    }

    /// Calls Redis with one command. `command` may be run several times, on several nodes.
    pub(super) fn call<T>(
        &self,
        command: impl Fn(&mut Connection) -> RedisResult<T>,
    ) -> Result<T, RedisFailure> {
        if let Some(down) = self.pause() {
            self.skipped.fetch_add(1, Ordering::Relaxed);
            return Err(RedisFailure::Down(down.kind));
        }
        let answer = self.call_nodes(&command);
        let down = match &answer {
            Err(RedisFailure::Down(kind)) => Some(Down {
                kind: *kind,
                until: Instant::now() + PAUSE,
            }),
            Ok(_) | Err(RedisFailure::Refused(_)) => None,
        };
        self.failures
            .fetch_add(u64::from(answer.is_err()), Ordering::Relaxed);
        self.state().down = down;
        answer
    }

    /// Returns the counters of the link.
    pub(super) fn health(&self) -> RedisHealth {
        RedisHealth {
            is_up: self.state().down.is_none(),
            failures: self.failures.load(Ordering::Relaxed),
            skipped: self.skipped.load(Ordering::Relaxed),
            connections: self.connections.load(Ordering::Relaxed),
        }
    }

    /// Returns why Redis must not be asked now. If the pause is over, this call may try; the others still wait for it.
    fn pause(&self) -> Option<Down> {
        let mut state = self.state();
        let down = state.down.as_mut()?;
        let now = Instant::now();
        if now < down.until {
            return Some(*down);
        }
        down.until = now + PAUSE;
        None
    }

    /// Runs a command on the node that has the keys, wherever it is.
    fn call_nodes<T>(
        &self,
        command: &impl Fn(&mut Connection) -> RedisResult<T>,
    ) -> Result<T, RedisFailure> {
        let started = Instant::now();
        let mut route = Route {
            failed: Vec::new(),
            redirections: 0,
        };
        let mut failure = RedisFailure::Down(io::ErrorKind::NotConnected);
        let mut next = self.state().first.clone().map(|node| (node, false));
        while let Some((node, asking)) = next {
            let error = match self.call_node(&node, asking, command) {
                Ok(answer) => return Ok(answer),
                Err(error) => error,
            };
            next = match next_step(&error) {
                Next::GiveUp(failure) => return Err(failure),
                Next::Redirected { address, asking } => {
                    route.redirections += 1;
                    let node = node.at(&address);
                    node.filter(|node| route.may_try(node))
                        .map(|node| (node, asking))
                }
                Next::Elsewhere(why) => {
                    failure = why;
                    route.failed.push(node);
                    let mut others = self.nodes.iter();
                    let other = others.find(|node| route.may_try(node)).cloned();
                    other.map(|node| (node, false))
                }
            };
            if started.elapsed() >= 2 * self.patience {
                break;
            }
        }
        self.start_elsewhere(&route.failed);
        Err(failure)
    }

    /// Runs a command on one node. A connection that was idle may have been closed meanwhile: then the command is run again on a new one.
    fn call_node<T>(
        &self,
        node: &RedisNode,
        asking: bool,
        command: &impl Fn(&mut Connection) -> RedisResult<T>,
    ) -> RedisResult<T> {
        let run = |connection: &mut Connection| {
            if asking {
                cmd("ASKING").exec(connection)?;
            }
            command(connection)
        };
        if let Some(mut connection) = self.idle_connection(node) {
            let answer = run(&mut connection);
            if !answer.as_ref().is_err_and(is_closed) {
                self.put_back(node, connection, &answer);
                return answer;
            }
            self.state().idle.clear();
        }
        let mut connection = connect(node, self.patience)?;
        self.connections.fetch_add(1, Ordering::Relaxed);
        let answer = run(&mut connection);
        // A node that was only to be asked once is not the one that has the keys.
        if answer.is_ok() && !asking {
            self.remember(node);
        }
        self.put_back(node, connection, &answer);
        answer
    }

    fn idle_connection(&self, node: &RedisNode) -> Option<Connection> {
        let mut state = self.state();
        let is_first = state.first.as_ref() == Some(node);
        is_first.then(|| state.idle.pop()).flatten()
    }

    /// Keeps a connection for the next call, unless an answer is still to come on it, or it leads to a node that will not be asked.
    fn put_back<T>(&self, node: &RedisNode, connection: Connection, answer: &RedisResult<T>) {
        let mut state = self.state();
        let is_usable = answer.as_ref().err().is_none_or(|error| !is_broken(error));
        if is_usable && state.first.as_ref() == Some(node) && state.idle.len() < MOST_IDLE {
            state.idle.push(connection);
        }
    }

    /// Has the next call begin with the node that answered.
    fn remember(&self, node: &RedisNode) {
        let mut state = self.state();
        if state.first.as_ref() != Some(node) {
            state.idle.clear();
            state.first = Some(node.clone());
        }
    }

    /// Has the next call begin with another node than those that did not answer; with the first of them again if all did not.
    fn start_elsewhere(&self, failed: &[RedisNode]) {
        let others = || self.nodes.iter().filter(|node| !failed.contains(node));
        let after = |node: &&RedisNode| failed.last() != Some(*node);
        let next = others().next().or_else(|| self.nodes.iter().find(after));
        if let Some(next) = next.or(self.nodes.first()) {
            self.remember(next);
        }
    }

    fn state(&self) -> MutexGuard<'_, LinkState> {
        // Nothing panics while the state is changed, and every state of it is complete.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Route {
    fn may_try(&self, node: &RedisNode) -> bool {
        self.redirections <= MOST_REDIRECTIONS && !self.failed.contains(node)
    }
}

impl From<RedisFailure> for StateNote {
    fn from(failure: RedisFailure) -> Self {
        match failure {
            RedisFailure::Down(kind) => Self::RedisDown { kind },
            RedisFailure::Refused(code) => Self::RedisRefused { code },
        }
    }
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link")
            .field("nodes", &self.nodes)
            .field("health", &self.health())
            .finish_non_exhaustive()
    }
}

/// Connects to a node, on a thread of its own: looking up a name cannot be given up after a while. Then the thread ends later, and by itself.
fn connect(node: &RedisNode, patience: Duration) -> RedisResult<Connection> {
    if matches!(node.info().addr(), ConnectionAddr::TcpTls { .. }) {
        // If a program has two libraries for it, TLS would panic. Somebody else may have chosen one already.
        let _ = rustls::crypto::ring::default_provider().install_default();
    }
    let client = Client::open(node.info().clone())?;
    let (sender, receiver) = mpsc::channel();
    let connect = move || {
        // If nobody waits for it any more, the connection is closed.
        let _ = sender.send(client.get_connection_with_timeout(patience));
    };
    let thread = thread::Builder::new().name("redis-connect".to_owned());
    thread.spawn(connect)?;
    let timed_out = |_| RedisError::from(io::Error::from(io::ErrorKind::TimedOut));
    let connection = receiver.recv_timeout(patience).map_err(timed_out)??;
    connection.set_read_timeout(Some(patience))?;
    connection.set_write_timeout(Some(patience))?;
    Ok(connection)
}

/// Returns where to try again after an error.
fn next_step(error: &RedisError) -> Next {
    if let Some((address, _)) = error.redirect_node() {
        return Next::Redirected {
            address: address.to_owned(),
            asking: error.kind() == ErrorKind::Server(ServerErrorKind::Ask),
        };
    }
    let refused = || RedisFailure::Refused(error.code().unwrap_or(error.category()).to_owned());
    match error.kind() {
        ErrorKind::Io => Next::Elsewhere(RedisFailure::Down(io_kind(error))),
        ErrorKind::Server(
            ServerErrorKind::ReadOnly
            | ServerErrorKind::BusyLoading
            | ServerErrorKind::ClusterDown
            | ServerErrorKind::MasterDown,
        ) => Next::Elsewhere(refused()),
        _ => Next::GiveUp(refused()),
    }
}

/// Returns whether an answer may still come on the connection, or none can.
fn is_broken(error: &RedisError) -> bool {
    matches!(error.kind(), ErrorKind::Io | ErrorKind::Parse)
}

/// Returns whether the connection was closed by the other side.
fn is_closed(error: &RedisError) -> bool {
    error.is_connection_dropped() && !error.is_timeout()
}

/// Returns what kind of I/O error it is. A socket reports a time-out as if it did not block.
fn io_kind(error: &RedisError) -> io::ErrorKind {
    if error.is_timeout() {
        io::ErrorKind::TimedOut
    } else if error.is_connection_refusal() {
        io::ErrorKind::ConnectionRefused
    } else if error.is_connection_dropped() {
        io::ErrorKind::ConnectionReset
    } else {
        io::ErrorKind::NotConnected
    }
}
