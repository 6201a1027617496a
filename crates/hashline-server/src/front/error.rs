//! Why a front does not listen.

use std::fmt;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why a front could not be bound, or a token not be kept.
#[derive(Debug)]
pub enum FrontError {
    /// The address cannot be bound.
    Bind {
        /// Which address.
        at: SocketAddr,
        /// What the system said.
        error: io::Error,
    },
    /// No port was free on both loopback addresses.
    NoCommonPort,
    /// This machine has no loopback address.
    NoLoopback,
    /// Somebody listens on the socket.
    Live(PathBuf),
    /// Something that is not a socket of the user's own lies where the socket should be.
    NotASocket(PathBuf),
    /// Something that is no token lies where the token should be kept.
    NotAToken(PathBuf),
    /// The folder is not the user's own, or others may look into it.
    NotPrivate(PathBuf),
    /// The path has no folder or no name.
    BadPath(PathBuf),
    /// The system has no sockets in the file system.
    NoSockets,
    /// A file, folder or socket could not be used.
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// The listeners could not be handed to the runtime.
    Runtime(io::Error),
}

impl FrontError {
    /// Returns the stable name of the error.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Bind { .. } => "cannot_bind",
            Self::NoCommonPort => "no_common_port",
            Self::NoLoopback => "no_loopback",
            Self::Live(_) => "already_served",
            Self::NotASocket(_) => "not_a_socket",
            Self::NotAToken(_) => "not_a_token",
            Self::NotPrivate(_) => "not_private",
            Self::BadPath(_) => "bad_path",
            Self::NoSockets => "no_sockets",
            Self::Io { .. } => "io",
            Self::Runtime(_) => "runtime",
        }
    }
}

impl fmt::Display for FrontError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Bind { at, error } => write!(f, "cannot listen on {at}: {error}"),
            Self::NoCommonPort => f.write_str("no port is free on both 127.0.0.1 and ::1"),
            Self::NoLoopback => f.write_str("this machine has neither 127.0.0.1 nor ::1"),
            Self::Live(path) => write!(f, "another server listens on {}", path.display()),
            Self::NotASocket(path) => {
                write!(f, "{} exists and is not a socket of yours", path.display())
            }
            Self::NotAToken(path) => write!(
                f,
                "{} exists and holds no token; it was left as it is",
                path.display()
            ),
            Self::NotPrivate(path) => write!(
                f,
                "{} must be a folder of yours that nobody else may enter (mode 0700)",
                path.display()
            ),
            Self::BadPath(path) => write!(f, "{} names no file in a folder", path.display()),
            Self::NoSockets => f.write_str("this system has no sockets in the file system"),
            Self::Io { path, error } => write!(f, "{}: {error}", path.display()),
            Self::Runtime(error) => write!(f, "cannot serve: {error}"),
        }
    }
}

impl std::error::Error for FrontError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Bind { error, .. } | Self::Io { error, .. } | Self::Runtime(error) => Some(error),
            _ => None,
        }
    }
}
