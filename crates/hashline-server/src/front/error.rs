//! Why a front does not start.

use hashline_core::Code;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a front could not be bound, or a token not be stored.
#[derive(Debug, Error)]
pub enum FrontError {
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {error}")]
    Bind {
        /// Which address.
        address: SocketAddr,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// No port was free on both loopback addresses.
    #[error("no port is free on both 127.0.0.1 and ::1")]
    NoCommonPort,
    /// This machine has no loopback address.
    #[error("this machine has neither 127.0.0.1 nor ::1")]
    NoLoopback,
    /// Another process listens on the socket.
    #[error("another server listens on {}", .0.display())]
    InUse(PathBuf),
    /// Something that is not a socket of the user exists where the socket should be.
    #[error("{} exists and is not a socket of yours", .0.display())]
    NotASocket(PathBuf),
    /// A file without a token exists where the token should be stored.
    #[error("{} exists and holds no token; it was left as it is", .0.display())]
    NotAToken(PathBuf),
    /// The folder belongs to another user, or others may enter it.
    #[error("{} must be a folder of yours that nobody else may enter (mode 0700)", .0.display())]
    NotPrivate(PathBuf),
    /// The path has no folder or no name.
    #[error("{} does not name a file in a folder", .0.display())]
    BadPath(PathBuf),
    /// The system has no Unix sockets.
    #[error("this system has no Unix sockets")]
    NoSockets,
    /// A file, folder or socket could not be used.
    #[error("{}: {error}", .path.display())]
    Io {
        /// Which one.
        path: PathBuf,
        /// What the system said.
        #[source]
        error: io::Error,
    },
    /// The listeners could not be registered with the runtime.
    #[error("cannot serve: {0}")]
    Runtime(#[source] io::Error),
}

impl FrontError {
    /// Returns what makes an error of the system one about this path.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io {
            path: path.clone(),
            error,
        }
    }

    /// Returns the stable name of the error.
    pub fn code(&self) -> Code {
        match self {
            Self::Bind { .. } => Code::CannotBind,
            Self::NoCommonPort => Code::NoCommonPort,
            Self::NoLoopback => Code::NoLoopback,
            Self::InUse(_) => Code::AlreadyServed,
            Self::NotASocket(_) => Code::NotASocket,
            Self::NotAToken(_) => Code::NotAToken,
            Self::NotPrivate(_) => Code::NotPrivate,
            Self::BadPath(_) => Code::BadPath,
            Self::NoSockets => Code::NoSockets,
            Self::Io { .. } => Code::Io,
            Self::Runtime(_) => Code::Runtime,
        }
    }
}
