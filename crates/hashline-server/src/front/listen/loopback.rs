//! Both loopback addresses on one port.
//!
//! A client that is told `localhost` may try ::1 first. If somebody else listened there, it would be handed our token; so a port counts
//! as ours only if both addresses are, wherever the machine has both.

use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};

use crate::front::error::FrontError;

/// How many ports that the system offers for one address are tried on the other.
const TRIES: usize = 32;

/// Binds what the machine has of 127.0.0.1 and ::1, on one port; 0 chooses it.
pub(super) fn bind(port: u16) -> Result<Vec<TcpListener>, FrontError> {
    if port != 0 {
        return bind_both(port).map_err(|(at, error)| FrontError::Bind { at, error })?;
    }
    for _ in 0..TRIES {
        match bind_both(0) {
            Ok(bound) => return bound,
            Err((_, error)) if error.kind() == ErrorKind::AddrInUse => {}
            Err((at, error)) => return Err(FrontError::Bind { at, error }),
        }
    }
    Err(FrontError::NoCommonPort)
}

/// Binds the second address on the port of the first. The outer error is that of an address which exists.
type Both = Result<Result<Vec<TcpListener>, FrontError>, (SocketAddr, io::Error)>;

fn bind_both(mut port: u16) -> Both {
    let mut bound = Vec::new();
    for ip in [
        IpAddr::from(Ipv4Addr::LOCALHOST),
        IpAddr::from(Ipv6Addr::LOCALHOST),
    ] {
        let at = SocketAddr::new(ip, port);
        match TcpListener::bind(at) {
            Ok(listener) => {
                port = listener.local_addr().map_err(|error| (at, error))?.port();
                bound.push(listener);
            }
            Err(error) if is_missing(&error) => {}
            Err(error) => return Err((at, error)),
        }
    }
    if bound.is_empty() {
        Ok(Err(FrontError::NoLoopback))
    } else {
        Ok(Ok(bound))
    }
}

/// Returns whether the machine lacks the address, or its whole family.
fn is_missing(error: &io::Error) -> bool {
    #[cfg(unix)]
    let no_family = error.raw_os_error() == Some(rustix::io::Errno::AFNOSUPPORT.raw_os_error());
    #[cfg(not(unix))]
    let no_family = error.raw_os_error() == Some(10047);
    no_family || error.kind() == ErrorKind::AddrNotAvailable
}
