//! The addresses that an HTTP server may bind, and those it listens on.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// The address that an HTTP server is to bind.
#[derive(Clone, Debug)]
pub enum BindAddress {
    /// 127.0.0.1 and ::1 (or the one of them that the machine has), on this port; port 0 chooses a port that is free on both.
    Loopback(u16),
    /// An address that other machines may reach.
    Exposed(ExposedAddress),
    /// A Unix socket in a folder that only the user can enter; not available on Windows.
    UnixSocket(PathBuf),
}

/// An address beyond loopback. Data sent to it, the token included, can be read on the network, so the name of the constructor makes sure that no
/// code binds such an address by accident.
#[derive(Clone, Debug)]
pub struct ExposedAddress {
    pub(crate) address: SocketAddr,
    pub(crate) host_names: Vec<String>,
}

impl ExposedAddress {
    /// Creates the address. Call this only if the person who starts the server asked for the address and was warned.
    pub fn because_the_person_asked(address: SocketAddr) -> Self {
        Self {
            address,
            host_names: Vec::new(),
        }
    }

    /// Adds a host name that the `Host` header may contain, besides any IP address. A name that others control would let web pages reach the server
    /// (DNS rebinding).
    #[must_use]
    pub fn with_host_name(mut self, name: &str) -> Self {
        self.host_names.push(name.to_owned());
        self
    }
}

/// An address on which the server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// An IP address and a port.
    Tcp(SocketAddr),
    /// A Unix socket.
    UnixSocket(PathBuf),
}

impl ListenAddress {
    /// Returns whether only this machine can reach the address.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::UnixSocket(_) => true,
        }
    }
}

/// Formats the address as `http://127.0.0.1:8080` or `unix:/path`.
impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "http://{address}"),
            Self::UnixSocket(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
