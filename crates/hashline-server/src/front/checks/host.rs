//! Whether the caller meant this server.
//!
//! A page can point a name of its own at 127.0.0.1 and then counts as the same origin. What it cannot do is send another `Host`.

use std::net::{Ipv4Addr, Ipv6Addr};

use crate::front::door::Door;
use crate::front::head::Head;
use crate::front::listen::Hosts;
use crate::front::refusal::Refusal;

/// The names of this machine that nobody else can give away.
const LOOPBACK: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// Refuses a `Host` that is not ours: missing or doubled as the protocol demands, any other as misdirected.
pub(super) fn is_ours(door: &Door, head: &Head<'_, '_>) -> Result<(), Refusal> {
    let host = head
        .only("host")
        .ok_or(Refusal::Malformed("Send exactly one Host."))?;
    let host = std::str::from_utf8(host).map_err(|_| Refusal::Host)?;
    let ours = match &door.hosts {
        Hosts::Loopback(port) => name_at(host, *port).is_some_and(is_loopback),
        Hosts::Exposed(port, names) => name_at(host, *port).is_some_and(|name| {
            let is_name = |known: &String| known.eq_ignore_ascii_case(name);
            is_loopback(name) || is_digits(name) || names.iter().any(is_name)
        }),
        Hosts::Socket => is_loopback(without_port(host)),
    };
    if ours { Ok(()) } else { Err(Refusal::Host) }
}

fn is_loopback(name: &str) -> bool {
    LOOPBACK
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns whether a name is an address as digits, which no page can claim for itself.
fn is_digits(name: &str) -> bool {
    let inner = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    name.parse::<Ipv4Addr>().is_ok() || inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
}

/// Returns the name of a host that has this port. Only port 80 may be left out.
fn name_at(host: &str, port: u16) -> Option<&str> {
    let suffix = format!(":{port}");
    let bare = Some(host).filter(|_| port == 80 && without_port(host) == host);
    host.strip_suffix(suffix.as_str()).or(bare)
}

/// Returns a host without its port, if it has one.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}
