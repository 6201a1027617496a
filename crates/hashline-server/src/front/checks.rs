//! The checks that the head of an HTTP request must pass before its body is read. [`CHECKS`] lists them in order.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use crate::front::head::{BodyFraming, RequestHead, parse_length};
use crate::front::listen::AllowedHosts;
use crate::front::proxies::Peer;
use crate::front::refusal::HttpRefusal;
use crate::front::routes::{Handler, RouteAccess};
use crate::front::serve::FrontState;
use crate::front::tokens::Caller;

/// The host names of this machine that nobody else can register.
const LOOPBACK_NAMES: [&str; 3] = ["localhost", "127.0.0.1", "[::1]"];

/// The name of a check, by which tests skip each check in turn to prove that it is needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Check {
    Framing,
    Path,
    Method,
    Host,
    Origin,
    FetchSite,
    Token,
    ContentType,
    Length,
}

type CheckFn = fn(&FrontState, &RequestHead<'_>, Peer) -> Result<(), HttpRefusal>;

/// Every check of a request head, in order. Checks that reveal something about the handlers come after the check of the token.
pub(crate) const CHECKS: [(Check, CheckFn); 9] = [
    (Check::Framing, framing_is_unambiguous),
    (Check::Path, path_has_a_route),
    (Check::Method, route_takes_the_method),
    (Check::Host, host_is_ours),
    (Check::Origin, origin_is_allowed),
    (Check::FetchSite, fetch_site_is_not_foreign),
    (Check::Token, token_matches),
    (Check::ContentType, content_type_is_json),
    (Check::Length, length_is_within_limits),
];

/// A request that passed all checks: its body may be read and its handler may be called.
pub(crate) struct Admitted {
    pub(crate) handler: Handler,
    pub(crate) framing: BodyFraming,
    pub(crate) access: RouteAccess,
    /// Whose token the request has; `None` if the route needs none.
    pub(crate) caller: Option<Caller>,
}

/// Runs all checks on a request head and returns its handler, or the first refusal.
pub(crate) fn admit(
    front: &FrontState,
    head: &RequestHead<'_>,
    peer: Peer,
) -> Result<Admitted, HttpRefusal> {
    for (check, passes) in CHECKS {
        if !front.skips(check) {
            passes(front, head, peer)?;
        }
    }
    let route = front.routes.find(head.path).ok_or(HttpRefusal::NoRoute)?;
    Ok(Admitted {
        handler: Arc::clone(&route.handler),
        framing: BodyFraming::of(head),
        access: route.access,
        caller: caller(front, head),
    })
}

/// Refuses both framing headers together, either of them twice, a length that is not a number, and any coding but `chunked`: two programs could parse
/// such a request differently, which allows request smuggling.
fn framing_is_unambiguous(
    _: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let lengths = head.values("content-length").count();
    let codings = head.values("transfer-encoding").count();
    let unambiguous = match (lengths, codings) {
        (0, 0) => true,
        (1, 0) => head.only("content-length").and_then(parse_length).is_some(),
        (0, 1) => head
            .only("transfer-encoding")
            .is_some_and(|coding| coding.eq_ignore_ascii_case(b"chunked")),
        _ => false,
    };
    let why = "Send either one Content-Length or Transfer-Encoding: chunked.";
    unambiguous.then_some(()).ok_or(HttpRefusal::Malformed(why))
}

/// Refuses a path that has no route. Paths are compared byte by byte.
fn path_has_a_route(
    front: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let route = front.routes.find(head.path);
    route.map(drop).ok_or(HttpRefusal::NoRoute)
}

/// Refuses a method that the route does not list. No route lists `OPTIONS`, so no CORS preflight succeeds.
fn route_takes_the_method(
    front: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    match front.routes.find(head.path) {
        Some(route) if !route.takes(head.method) => Err(HttpRefusal::Method(route.methods.clone())),
        _ => Ok(()),
    }
}

/// Refuses a `Host` that does not name this server: a missing or repeated header as malformed (400), any other host as misdirected (421).
///
/// A web page can point a host name of its own at 127.0.0.1 and then counts as the same origin (DNS rebinding), but it cannot change the `Host`
/// header.
fn host_is_ours(front: &FrontState, head: &RequestHead<'_>, peer: Peer) -> Result<(), HttpRefusal> {
    let host = head
        .only("host")
        .ok_or(HttpRefusal::Malformed("Send exactly one Host."))?;
    let host = std::str::from_utf8(host).map_err(|_| HttpRefusal::Host)?;
    let ours = match &front.hosts {
        AllowedHosts::Loopback(port) => name_with_port(host, *port).is_some_and(is_loopback),
        AllowedHosts::Exposed(port, names) => name_with_port(host, *port).is_some_and(|name| {
            let is_name = |known: &String| known.eq_ignore_ascii_case(name);
            is_loopback(name) || is_ip_address(name) || names.iter().any(is_name)
        }),
        AllowedHosts::UnixSocket => is_loopback(without_port(host)),
    };
    (ours || front.proxies.vouch_for(host, peer))
        .then_some(())
        .ok_or(HttpRefusal::Host)
}

/// Refuses every `Origin` that is not in the allowed list, `null` included. The origin of a page that the server itself shows has the `Host` that
/// was found to be ours before.
fn origin_is_allowed(
    front: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let mut origins = head.values("origin");
    let host = head.only("host").unwrap_or_default();
    let allowed = origins.all(|origin| front.origins.contain(origin, host));
    allowed.then_some(()).ok_or(HttpRefusal::Origin)
}

/// Refuses what a browser sends on behalf of another site's page, by `Sec-Fetch-Site`. Browsers send that header also for images and forms, which
/// have no `Origin`.
fn fetch_site_is_not_foreign(
    _: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let mut sites = head.values("sec-fetch-site");
    let own = sites.all(|site| matches!(site, b"none" | b"same-origin"));
    own.then_some(()).ok_or(HttpRefusal::FetchSite)
}

/// Refuses a request without exactly one `Authorization: Bearer TOKEN` header with an accepted token, unless the route is open to anyone.
fn token_matches(front: &FrontState, head: &RequestHead<'_>, _: Peer) -> Result<(), HttpRefusal> {
    let route = front.routes.find(head.path);
    let is_open = route.is_some_and(|route| route.access == RouteAccess::Anyone);
    (is_open || caller(front, head).is_some())
        .then_some(())
        .ok_or(HttpRefusal::Token)
}

/// Returns whose token a request has, if it has exactly one that is accepted.
fn caller(front: &FrontState, head: &RequestHead<'_>) -> Option<Caller> {
    let sent = head.only("authorization").and_then(bearer)?;
    front.tokens.find(sent)
}

/// Refuses a body that is not declared as JSON, because a form on a web page can send other content types without a CORS preflight.
fn content_type_is_json(
    _: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let value = head.only("content-type").unwrap_or_default();
    let essence = value.split(|&byte| byte == b';').next().unwrap_or_default();
    let is_json = essence
        .trim_ascii()
        .eq_ignore_ascii_case(b"application/json");
    (is_json || !head.carries_body())
        .then_some(())
        .ok_or(HttpRefusal::ContentType)
}

/// Refuses a body without a length, a body that is too long, and a body with a method that takes none. The length of a chunked body is checked while
/// it arrives.
fn length_is_within_limits(
    front: &FrontState,
    head: &RequestHead<'_>,
    _: Peer,
) -> Result<(), HttpRefusal> {
    let most = u64::try_from(front.limits.body_bytes).unwrap_or(u64::MAX);
    match BodyFraming::of(head) {
        BodyFraming::Missing if head.carries_body() => Err(HttpRefusal::LengthMissing),
        BodyFraming::Missing | BodyFraming::Length(0) => Ok(()),
        _ if !head.carries_body() => Err(HttpRefusal::Malformed("This method takes no body.")),
        BodyFraming::Length(length) if length > most => Err(HttpRefusal::BodyTooLarge),
        BodyFraming::Length(_) | BodyFraming::Chunked => Ok(()),
    }
}

fn is_loopback(name: &str) -> bool {
    LOOPBACK_NAMES
        .iter()
        .any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns whether a host name is an IP address, which no web page can register as its own name.
fn is_ip_address(name: &str) -> bool {
    let inner = name
        .strip_prefix('[')
        .and_then(|rest| rest.strip_suffix(']'));
    name.parse::<Ipv4Addr>().is_ok() || inner.is_some_and(|inner| inner.parse::<Ipv6Addr>().is_ok())
}

/// Returns the name in a `Host` value if its port is this one; only port 80 may be omitted.
fn name_with_port(host: &str, port: u16) -> Option<&str> {
    let suffix = format!(":{port}");
    let bare = Some(host).filter(|_| port == 80 && without_port(host) == host);
    host.strip_suffix(suffix.as_str()).or(bare)
}

/// Returns a `Host` value without its port.
fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Returns the token after `Bearer `, which may be written in any case.
fn bearer(value: &[u8]) -> Option<&[u8]> {
    let (scheme, rest) = value.split_at_checked(b"bearer ".len())?;
    scheme.eq_ignore_ascii_case(b"bearer ").then_some(rest)
}
