//! Listening: what is bound, what it may be called, and who is accepted next.

mod loopback;
#[cfg(unix)]
mod socket_name;

use std::future::poll_fn;
use std::io;
use std::net::TcpListener;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite};

use crate::front::error::FrontError;
use crate::front::place::{Address, Exposed, Place};
#[cfg(unix)]
use socket_name::SocketName;

/// What a caller is connected by.
pub(crate) type Socket = Box<dyn Duplex>;

/// Both directions of a connection.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// What callers may write into `Host`.
#[derive(Clone, Debug)]
pub(crate) enum Hosts {
    /// A loopback name and our port.
    Loopback(u16),
    /// Any address as digits, a loopback name or one of these names, and our port.
    Exposed(u16, Vec<String>),
    /// A loopback name: over a socket, ports mean nothing.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no such sockets"))]
    Socket,
}

/// Everything that a front listens on. Sockets in the file system go with it.
#[derive(Debug)]
pub(crate) struct Listeners {
    bound: Vec<Bound>,
    addresses: Vec<Address>,
    hosts: Hosts,
}

#[derive(Debug)]
enum Bound {
    Tcp(TcpListener),
    #[cfg(unix)]
    Socket(std::os::unix::net::UnixListener, SocketName),
}

/// The same, known to the runtime.
pub(crate) struct Acceptors(Vec<Acceptor>);

enum Acceptor {
    Tcp(tokio::net::TcpListener),
    #[cfg(unix)]
    Socket(
        tokio::net::UnixListener,
        #[expect(dead_code, reason = "removes the socket when it is dropped")] SocketName,
    ),
}

impl Listeners {
    /// Binds a place.
    pub(crate) fn bind(place: Place) -> Result<Self, FrontError> {
        match place {
            Place::Loopback(port) => Self::of_tcp(loopback::bind(port)?, Hosts::Loopback),
            Place::Address(Exposed { at, names }) => {
                let bind = |error| FrontError::Bind { at, error };
                let listener = TcpListener::bind(at).map_err(bind)?;
                Self::of_tcp(vec![listener], |port| Hosts::Exposed(port, names))
            }
            #[cfg(unix)]
            Place::Socket(path) => {
                let (listener, name) = socket_name::bind(&path)?;
                Ok(Self {
                    bound: vec![Bound::Socket(listener, name)],
                    addresses: vec![Address::Socket(path)],
                    hosts: Hosts::Socket,
                })
            }
            #[cfg(not(unix))]
            Place::Socket(_) => Err(FrontError::NoSockets),
        }
    }

    /// Returns where they listen.
    pub(crate) fn addresses(&self) -> &[Address] {
        &self.addresses
    }

    /// Returns what callers may write into `Host`.
    pub(crate) fn hosts(&self) -> Hosts {
        self.hosts.clone()
    }

    /// Hands them to the runtime that is running.
    pub(crate) fn into_acceptors(self) -> io::Result<Acceptors> {
        let handed = self.bound.into_iter().map(|bound| match bound {
            Bound::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                tokio::net::TcpListener::from_std(listener).map(Acceptor::Tcp)
            }
            #[cfg(unix)]
            Bound::Socket(listener, name) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::UnixListener::from_std(listener)?;
                Ok(Acceptor::Socket(listener, name))
            }
        });
        handed.collect::<io::Result<_>>().map(Acceptors)
    }

    fn of_tcp(
        listeners: Vec<TcpListener>,
        hosts: impl FnOnce(u16) -> Hosts,
    ) -> Result<Self, FrontError> {
        let mut port = 0;
        let mut addresses = Vec::new();
        for listener in &listeners {
            let at = listener.local_addr().map_err(FrontError::Runtime)?;
            port = at.port();
            addresses.push(Address::Tcp(at));
        }
        Ok(Self {
            bound: listeners.into_iter().map(Bound::Tcp).collect(),
            addresses,
            hosts: hosts(port),
        })
    }
}

impl Acceptors {
    /// Waits for the next caller on any of them.
    pub(crate) async fn accept(&self) -> io::Result<Socket> {
        poll_fn(|cx| {
            for acceptor in &self.0 {
                if let Poll::Ready(accepted) = acceptor.poll_accept(cx) {
                    return Poll::Ready(accepted);
                }
            }
            Poll::Pending
        })
        .await
    }
}

impl Acceptor {
    fn poll_accept(&self, cx: &mut Context<'_>) -> Poll<io::Result<Socket>> {
        match self {
            Self::Tcp(listener) => listener.poll_accept(cx).map_ok(|(stream, _)| {
                // Events of a stream are small and wanted at once; a socket without the option only delays them.
                let _ = stream.set_nodelay(true);
                Box::new(stream) as Socket
            }),
            #[cfg(unix)]
            Self::Socket(listener, _) => listener
                .poll_accept(cx)
                .map_ok(|(stream, _)| Box::new(stream) as Socket),
        }
    }
}
