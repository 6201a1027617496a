//! Binding addresses, the `Host` values that are allowed for them, and accepting connections.

use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite};

use crate::front::address::{BindAddress, ExposedAddress, ListenAddress};
use crate::front::error::FrontError;
use crate::front::proxies::Peer;
#[cfg(unix)]
use crate::front::unix_socket::{self, SocketFile};

/// How many ports that the system offers for one loopback address are tried on the other.
const PORT_TRIES: usize = 32;

/// An accepted connection, over TCP or a Unix socket.
pub(crate) type Socket = Box<dyn Duplex>;

/// A connection that can be read and written.
pub(crate) trait Duplex: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Duplex for T {}

/// The `Host` values that clients may send.
#[derive(Clone, Debug)]
pub(crate) enum AllowedHosts {
    /// A loopback name (such as `localhost`) with the server's port.
    Loopback(u16),
    /// Any IP address, a loopback name or one of these names, with the server's port.
    Exposed(u16, Vec<String>),
    /// A loopback name with any port, because Unix sockets have no ports.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no such sockets"))]
    UnixSocket,
}

/// The listening sockets of a server. The files of Unix sockets are removed when this is dropped.
#[derive(Debug)]
pub(crate) struct Listeners {
    bound: Vec<BoundListener>,
    addresses: Vec<ListenAddress>,
    hosts: AllowedHosts,
}

#[derive(Debug)]
enum BoundListener {
    Tcp(TcpListener),
    #[cfg(unix)]
    Unix(std::os::unix::net::UnixListener, SocketFile),
}

/// The listening sockets, registered with the async runtime.
pub(crate) struct Acceptors(Vec<Acceptor>);

type Acceptor = Box<dyn Fn(&mut Context<'_>) -> Poll<io::Result<(Socket, Peer)>> + Send + Sync>;

impl Listeners {
    /// Binds an address and starts listening.
    pub(crate) fn bind(address: BindAddress) -> Result<Self, FrontError> {
        match address {
            BindAddress::Loopback(port) => {
                Self::from_tcp(bind_loopback(port)?, AllowedHosts::Loopback)
            }
            BindAddress::Exposed(ExposedAddress {
                address,
                host_names,
            }) => {
                let failed = |error| FrontError::Bind { address, error };
                let listener = TcpListener::bind(address).map_err(failed)?;
                let hosts = |port| AllowedHosts::Exposed(port, host_names);
                Self::from_tcp(vec![listener], hosts)
            }
            #[cfg(unix)]
            BindAddress::UnixSocket(path) => {
                let (listener, file) = unix_socket::bind(&path)?;
                Ok(Self {
                    bound: vec![BoundListener::Unix(listener, file)],
                    addresses: vec![ListenAddress::UnixSocket(path)],
                    hosts: AllowedHosts::UnixSocket,
                })
            }
            #[cfg(not(unix))]
            BindAddress::UnixSocket(_) => Err(FrontError::NoSockets),
        }
    }

    /// Returns the addresses on which the sockets listen.
    pub(crate) fn addresses(&self) -> &[ListenAddress] {
        &self.addresses
    }

    /// Returns the `Host` values that clients may send.
    pub(crate) fn hosts(&self) -> AllowedHosts {
        self.hosts.clone()
    }

    /// Registers the listening sockets with the current async runtime.
    pub(crate) fn into_acceptors(self) -> io::Result<Acceptors> {
        let acceptors = self.bound.into_iter().map(|bound| match bound {
            BoundListener::Tcp(listener) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::TcpListener::from_std(listener)?;
                Ok(Box::new(move |cx: &mut Context<'_>| {
                    listener.poll_accept(cx).map_ok(|(stream, address)| {
                        // Events of a stream are small and wanted at once. Without the option they are only delayed, so a failure is
                        // ignored.
                        let _ = stream.set_nodelay(true);
                        (Box::new(stream) as Socket, Peer::Ip(address.ip()))
                    })
                }) as Acceptor)
            }
            #[cfg(unix)]
            BoundListener::Unix(listener, file) => {
                listener.set_nonblocking(true)?;
                let listener = tokio::net::UnixListener::from_std(listener)?;
                Ok(Box::new(move |cx: &mut Context<'_>| {
                    // Dropping the file removes the socket, so it lives as long as the listener.
                    let _ = &file;
                    let accepted = listener.poll_accept(cx);
                    accepted.map_ok(|(stream, _)| (Box::new(stream) as Socket, Peer::Local))
                }) as Acceptor)
            }
        });
        acceptors.collect::<io::Result<_>>().map(Acceptors)
    }

    fn from_tcp(
        listeners: Vec<TcpListener>,
        hosts: impl FnOnce(u16) -> AllowedHosts,
    ) -> Result<Self, FrontError> {
        let mut port = 0;
        let mut addresses = Vec::new();
        for listener in &listeners {
            let address = listener.local_addr().map_err(FrontError::Runtime)?;
            port = address.port();
            addresses.push(ListenAddress::Tcp(address));
        }
        Ok(Self {
            bound: listeners.into_iter().map(BoundListener::Tcp).collect(),
            addresses,
            hosts: hosts(port),
        })
    }
}

impl Acceptors {
    /// Waits for the next connection on any of the listening sockets.
    pub(crate) async fn accept(&self) -> io::Result<(Socket, Peer)> {
        poll_fn(|cx| {
            for acceptor in &self.0 {
                if let Poll::Ready(accepted) = acceptor(cx) {
                    return Poll::Ready(accepted);
                }
            }
            Poll::Pending
        })
        .await
    }
}

/// Binds 127.0.0.1 and ::1 (or the one of them that the machine has) on the same port; port 0 chooses a free one.
///
/// A client that is told `localhost` may try ::1 first. If another program listened on that address, it would receive our token; so a port is used
/// only if it can be bound on both addresses, if the machine has both.
fn bind_loopback(port: u16) -> Result<Vec<TcpListener>, FrontError> {
    let tries = if port == 0 { PORT_TRIES } else { 1 };
    for _ in 0..tries {
        match bind_both(port) {
            Ok(bound) if bound.is_empty() => return Err(FrontError::NoLoopback),
            Ok(bound) => return Ok(bound),
            // The port that the system chose for the first address is taken on the second.
            Err((_, error)) if port == 0 && error.kind() == ErrorKind::AddrInUse => {}
            Err((address, error)) => return Err(FrontError::Bind { address, error }),
        }
    }
    Err(FrontError::NoCommonPort)
}

/// Binds 127.0.0.1, and then ::1 on the same port. An address that the machine does not have is left out.
fn bind_both(mut port: u16) -> Result<Vec<TcpListener>, (SocketAddr, io::Error)> {
    let mut bound = Vec::new();
    for ip in [
        IpAddr::from(Ipv4Addr::LOCALHOST),
        IpAddr::from(Ipv6Addr::LOCALHOST),
    ] {
        let address = SocketAddr::new(ip, port);
        match TcpListener::bind(address) {
            Ok(listener) => {
                let local = listener.local_addr().map_err(|error| (address, error))?;
                port = local.port();
                bound.push(listener);
            }
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err((address, error)),
        }
    }
    Ok(bound)
}

/// Returns whether binding failed because the machine lacks the address, or its whole address family.
fn is_missing(error: &io::Error) -> bool {
    #[cfg(unix)]
    let no_family = error.raw_os_error() == Some(rustix::io::Errno::AFNOSUPPORT.raw_os_error());
    #[cfg(not(unix))]
    let no_family = error.raw_os_error() == Some(10047);
    no_family || error.kind() == ErrorKind::AddrNotAvailable
}
