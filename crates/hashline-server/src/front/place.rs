//! Where a front listens.

use std::fmt;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Where to listen.
#[derive(Clone, Debug)]
pub enum Place {
    /// 127.0.0.1 and ::1, where they exist, on this port; 0 chooses one that is free on both.
    Loopback(u16),
    /// An address that others may reach.
    Address(Exposed),
    /// A socket in the file system, in a folder of the user's own. Only where the system has them.
    Socket(PathBuf),
}

/// An address beyond loopback. Everything sent there is readable on the way, the token included, so nobody should listen there by
/// accident: the one way to make this says so.
#[derive(Clone, Debug)]
pub struct Exposed {
    pub(crate) at: SocketAddr,
    pub(crate) names: Vec<String>,
}

impl Exposed {
    /// Makes the place, because the person who starts the server asked for it and was warned.
    pub fn because_the_person_asked(at: SocketAddr) -> Self {
        Self {
            at,
            names: Vec::new(),
        }
    }

    /// Adds a name that callers may use for it in `Host`, beside any address as digits. A name that others control lets web pages in.
    #[must_use]
    pub fn known_as(mut self, name: &str) -> Self {
        self.names.push(name.to_owned());
        self
    }
}

/// Where a front does listen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// An address and a port.
    Tcp(SocketAddr),
    /// A socket in the file system.
    Socket(PathBuf),
}

impl Address {
    /// Returns whether only this machine can reach it.
    pub fn is_local(&self) -> bool {
        match self {
            Self::Tcp(at) => at.ip().is_loopback(),
            Self::Socket(_) => true,
        }
    }
}

/// Writes `http://127.0.0.1:8080` or `unix:/path`.
impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Tcp(at) => write!(f, "http://{at}"),
            Self::Socket(path) => write!(f, "unix:{}", path.display()),
        }
    }
}
