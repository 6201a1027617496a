//! Where a front listens.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Where to listen.
#[derive(Clone, Debug)]
pub enum BindAddress {
    /// 127.0.0.1 and ::1, where they exist, on this port; 0 chooses one that is free on both.
    Loopback(u16),
    /// An address that other machines may reach.
    Exposed(ExposedAddress),
    /// A Unix socket in a folder that only the user can enter. Not on Windows.
    UnixSocket(PathBuf),
}

/// An address beyond loopback. Everything sent there can be read on the way, the token included, so the name of the constructor makes sure
/// that nobody listens there by accident.
#[derive(Clone, Debug)]
pub struct ExposedAddress {
    pub(crate) address: SocketAddr,
    pub(crate) host_names: Vec<String>,
}

impl ExposedAddress {
    /// Makes the address, because the person who starts the server asked for it and was warned.
    pub fn because_the_person_asked(address: SocketAddr) -> Self {
        Self {
            address,
            host_names: Vec::new(),
        }
    }

    /// Adds a name that `Host` may hold, beside any IP address. A name that others control lets web pages in.
    #[must_use]
    pub fn with_host_name(mut self, name: &str) -> Self {
        self.host_names.push(name.to_owned());
        self
    }
}

/// An address on which a front listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ListenAddress {
    /// An IP address and a port.
    Tcp(SocketAddr),
    /// A Unix socket.
    UnixSocket(PathBuf),
}

impl ListenAddress {
    /// Returns whether only this machine can reach it.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(address) => address.ip().is_loopback(),
            Self::UnixSocket(_) => true,
        }
    }
}

/// Writes `http://127.0.0.1:8080` or `unix:/path`.
impl fmt::Display for ListenAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(address) => write!(f, "http://{address}"),
            Self::UnixSocket(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
