//! What a ledger on Redis is opened with: where Redis is, the key of the fleet, and which workspace the files belong to.
//!
//! The key and the password are secrets: they come from a file or the environment, and no `Debug` output shows them.

use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use redis::io::tcp::TcpSettings;
use redis::{ConnectionAddr, ConnectionInfo, IntoConnectionInfo};

/// What a [`RedisLedger`](super::RedisLedger) is opened with.
#[derive(Clone, Debug)]
pub struct FleetOptions {
    /// One Redis server, or some nodes of a Redis Cluster. The other nodes are found through these, so one of them must be reachable.
    pub nodes: Vec<RedisNode>,
    /// The key of the fleet.
    pub key: FleetKey,
    /// The name of the workspace; the machines that share its files give it the same name.
    pub workspace: String,
    /// The real path of the folder with the files of the workspace. Of files elsewhere nothing is recorded.
    pub root: PathBuf,
    /// How long to wait for a connection, and for an answer; usually [`FleetOptions::PATIENCE`].
    pub patience: Duration,
}

/// The secret that all machines of a fleet share. Paths, session names and lines are stored under it.
#[derive(Clone, PartialEq, Eq)]
pub struct FleetKey([u8; FleetKey::BYTES]);

/// The address of a Redis server, with what it needs to log in.
#[derive(Clone)]
pub struct RedisNode(ConnectionInfo);

/// Why a URL is not the address of a Redis server. It does not repeat the URL, which may have a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadRedisUrl {
    /// It is not a URL of the form `redis://host:port` or `rediss://host:port`.
    #[error("is not a URL like redis://host:6379 or rediss://host:6379")]
    NotAUrl,
    /// It is the address of a socket in the file system, which other machines cannot reach.
    #[error("is a socket in the file system; a fleet needs redis:// or rediss://")]
    Socket,
}

impl FleetOptions {
    /// With this patience, a call returns within a second, whatever happens to Redis: it may wait for two connections and two answers.
    pub const PATIENCE: Duration = Duration::from_millis(250);
}

impl FleetKey {
    /// The length of a key.
    pub const BYTES: usize = 32;

    /// Parses a key: 64 hexadecimal digits, with white space around them.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.trim().as_bytes();
        let mut key = [0; Self::BYTES];
        if digits.len() != 2 * Self::BYTES {
            return None;
        }
        for (byte, pair) in key.iter_mut().zip(digits.chunks_exact(2)) {
            *byte = 16 * digit(pair[0])? + digit(pair[1])?;
        }
        Some(Self(key))
    }

    /// Reads a key from a file.
    ///
    /// # Errors
    ///
    /// If the file cannot be read; [`io::ErrorKind::InvalidData`] if it does not hold 64 hexadecimal digits.
    pub fn read(file: &Path) -> io::Result<Self> {
        let text = fs::read_to_string(file)?;
        Self::parse(&text).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }

    pub(super) fn bytes(&self) -> &[u8] {
        &self.0
    }
}

fn digit(digit: u8) -> Option<u8> {
    match digit {
        b'0'..=b'9' => Some(digit - b'0'),
        b'a'..=b'f' => Some(digit - b'a' + 10),
        b'A'..=b'F' => Some(digit - b'A' + 10),
        _ => None,
    }
}

impl RedisNode {
    /// Parses a URL: `redis://host:port`, or `rediss://host:port` for TLS. The URL may have a user and a password.
    ///
    /// # Errors
    ///
    /// If it is not such a URL.
    pub fn parse(url: &str) -> Result<Self, BadRedisUrl> {
        let parsed = url.into_connection_info();
        let info = parsed.map_err(|_| BadRedisUrl::NotAUrl)?;
        // Connecting to a socket cannot be given up after a while.
        if matches!(info.addr(), ConnectionAddr::Unix(_)) {
            return Err(BadRedisUrl::Socket);
        }
        let settings = info.redis_settings().clone().set_skip_set_lib_name();
        let info = info.set_redis_settings(settings);
        Ok(Self(info.set_tcp_settings(
            TcpSettings::default().set_nodelay(true),
        )))
    }

    /// Returns the same node with a password, and with a user if Redis has several.
    #[must_use]
    pub fn with_login(self, user: Option<&str>, password: &str) -> Self {
        let settings = self.0.redis_settings().clone().set_password(password);
        let settings = match user {
            Some(user) => settings.set_username(user),
            None => settings,
        };
        Self(self.0.set_redis_settings(settings))
    }

    /// Returns whether the node has a password. One that stands in a URL on a command line can be seen by other users of the machine.
    #[must_use]
    pub fn has_password(&self) -> bool {
        self.0.redis_settings().password().is_some()
    }

    /// Returns the node of the same cluster at another address, such as `10.0.0.7:6379`. Without a host it is another port of this node's host.
    pub(super) fn at(&self, address: &str) -> Option<Self> {
        let (host, port) = address.rsplit_once(':')?;
        let port = port.parse().ok()?;
        let host = |own: &str| if host.is_empty() { own } else { host }.to_owned();
        let address = match self.0.addr().clone() {
            ConnectionAddr::Tcp(own, _) => ConnectionAddr::Tcp(host(&own), port),
            ConnectionAddr::TcpTls {
                host: own,
                insecure,
                tls_params,
                ..
            } => ConnectionAddr::TcpTls {
                host: host(&own),
                port,
                insecure,
                tls_params,
            },
            _ => return None,
        };
        Some(Self(self.0.clone().set_addr(address)))
    }

    pub(super) fn info(&self) -> &ConnectionInfo {
        &self.0
    }
}

impl PartialEq for RedisNode {
    fn eq(&self, other: &Self) -> bool {
        self.0.addr() == other.0.addr()
    }
}

impl fmt::Debug for FleetKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FleetKey(..)")
    }
}

impl fmt::Debug for RedisNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RedisNode({})", self.0.addr())
    }
}

#[cfg(test)]
mod tests {
    use super::{BadRedisUrl, FleetKey, RedisNode};

    const DIGITS: &str = "00ff10AB00ff10ab00ff10ab00ff10ab00ff10ab00ff10ab00ff10ab00ff10ab";

    #[test]
    fn a_key_has_64_hexadecimal_digits() {
        let key = FleetKey::parse(&format!(" {DIGITS}\n")).expect("a key");
        assert_eq!(key.bytes()[..4], [0, 255, 16, 171]);
        for bad in ["", "00ff", &DIGITS[1..], &DIGITS.replace('f', "g")] {
            assert_eq!(FleetKey::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn debug_output_has_neither_key_nor_password() {
        let node = RedisNode::parse("rediss://me:canary@redis.example:6380").expect("a node");
        assert!(node.has_password());
        let other = node.at(":6381").expect("a node");
        assert!(other.has_password());
        assert_eq!(format!("{other:?}"), "RedisNode(redis.example:6381)");
        let plain = RedisNode::parse("redis://redis.example").expect("a node");
        assert!(!plain.has_password());
        let plain = plain.with_login(None, "canary");
        assert!(plain.has_password() && !format!("{plain:?}").contains("canary"));
        let key = FleetKey::parse(DIGITS).expect("a key");
        assert_eq!(format!("{key:?}"), "FleetKey(..)");
    }

    #[test]
    fn an_address_is_a_url_of_a_server() {
        for (url, why) in [
            ("redis.example:6379", BadRedisUrl::NotAUrl),
            ("http://redis.example", BadRedisUrl::NotAUrl),
            ("redis://:canary@", BadRedisUrl::NotAUrl),
            ("unix:///run/redis.sock", BadRedisUrl::Socket),
        ] {
            assert_eq!(RedisNode::parse(url).err(), Some(why), "{url}");
        }
    }

    #[test]
    fn a_node_of_the_cluster_may_have_any_address() {
        let node = RedisNode::parse("redis://one:6379").expect("a node");
        for (address, expected) in [
            ("two:1", Some("RedisNode(two:1)")),
            ("::1:6379", Some("RedisNode(::1:6379)")),
            ("two", None),
            ("two:", None),
            ("two:99999", None),
        ] {
            let found = node.at(address).map(|node| format!("{node:?}"));
            assert_eq!(found.as_deref(), expected, "{address}");
        }
    }
}
