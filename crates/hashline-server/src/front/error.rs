//! The reasons why an HTTP server does not start.

use hashline_core::Code;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// Why a server could not be bound, or its token could not be stored.
#[derive(Debug, Error)]
pub enum FrontError {
    /// The TCP address cannot be bound.
    #[error("cannot listen on {address}: {error}")]
    Bind {
        /// The address that cannot be bound.
        address: SocketAddr,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// No port was free on both loopback addresses, 127.0.0.1 and ::1.
    #[error("no port is free on both 127.0.0.1 and ::1")]
    NoCommonPort,
    /// This machine has no loopback address.
    #[error("this machine has neither 127.0.0.1 nor ::1")]
    NoLoopback,
    /// Another process listens on the Unix socket.
    #[error("another server listens on {}", .0.display())]
    InUse(PathBuf),
    /// At the path of the Unix socket there is a file that is not a socket of this user.
    #[error("{} exists and is not a socket of yours", .0.display())]
    NotASocket(PathBuf),
    /// At the path of the token file there is a file that contains no token.
    #[error("{} exists and holds no token; it was left as it is", .0.display())]
    NotAToken(PathBuf),
    /// The folder of the socket or token file belongs to another user, or others may enter it.
    #[error("{} must be a folder of yours that nobody else may enter (mode 0700)", .0.display())]
    NotPrivate(PathBuf),
    /// The path of the socket or token file has no folder or no file name.
    #[error("{} does not name a file in a folder", .0.display())]
    BadPath(PathBuf),
    /// The operating system has no Unix sockets.
    #[error("this system has no Unix sockets")]
    NoSockets,
    /// A file, folder or socket could not be created, opened or removed.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The path of that file, folder or socket.
        path: PathBuf,
        /// The error of the operating system.
        #[source]
        error: io::Error,
    },
    /// The listening sockets could not be registered with the async runtime.
    #[error("cannot serve: {0}")]
    Runtime(#[source] io::Error),
}

impl FrontError {
    /// Returns a function that converts an `io::Error` into an error about this path.
    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self {
        let path = path.to_owned();
        move |error| Self::Io {
            path: path.clone(),
            error,
        }
    }

    /// Returns the stable error code of this error.
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
