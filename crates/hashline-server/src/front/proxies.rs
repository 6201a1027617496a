//! Reverse proxies in front of the server, and the host names under which clients reach them.
//!
//! A proxy passes on the `Host` that its client sent, which names the proxy. Such a name is accepted only on connections from the addresses that the
//! person who starts the server lists: from anywhere else it could be a web page's (DNS rebinding).

use std::net::IpAddr;

/// The other end of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Peer {
    /// A program at this address.
    Ip(IpAddr),
    /// A program of this user, over a Unix socket.
    #[cfg_attr(not(unix), expect(dead_code, reason = "there are no such sockets"))]
    Local,
}

/// The reverse proxies that a server trusts, and the host names that it is known by behind them.
#[derive(Clone, Debug, Default)]
pub struct TrustedProxies {
    /// The addresses of the proxies. A proxy that connects over the server's Unix socket needs none: only the user's programs can.
    pub addresses: Vec<IpAddr>,
    /// The host names, each with a port if it is not the usual one, as clients of the proxy send them.
    pub host_names: Vec<String>,
}

impl TrustedProxies {
    /// Returns whether `host` names this server to clients of the proxy that is at the other end.
    pub(crate) fn vouch_for(&self, host: &str, peer: Peer) -> bool {
        let is_proxy = match peer {
            Peer::Ip(address) => self.addresses.contains(&address.to_canonical()),
            Peer::Local => true,
        };
        let mut names = self.host_names.iter();
        is_proxy && names.any(|name| name.eq_ignore_ascii_case(host))
    }
}
