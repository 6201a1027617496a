//! The head of an HTTP request: request line and headers, exactly as they were sent.
//!
//! hyper silently drops `Content-Length` beside `Transfer-Encoding`, merges equal lengths and accepts bare line feeds. We refuse requests that two
//! programs may parse differently, so we parse the head from its bytes, with the parser (`httparse`) that hyper uses too.

use http::uri::PathAndQuery;
use httparse::{EMPTY_HEADER, Error, Header, Status};

use crate::front::refusal::HttpRefusal;

/// How many headers a request may have at most.
const MAX_HEADERS: usize = 64;

/// The head of a well-formed HTTP/1.1 request.
#[derive(Debug)]
pub(crate) struct RequestHead<'b> {
    pub(crate) method: &'b str,
    /// The request target without its query, as it was sent: percent escapes are not decoded and `..` is not resolved.
    pub(crate) path: &'b str,
    headers: Vec<Header<'b>>,
}

impl<'b> RequestHead<'b> {
    /// Parses the request head at the beginning of `bytes` and returns it with its length; `None` if its end has not arrived yet.
    pub(crate) fn parse(bytes: &'b [u8]) -> Result<Option<(usize, Self)>, HttpRefusal> {
        let mut slots = [EMPTY_HEADER; MAX_HEADERS];
        let mut request = httparse::Request::new(&mut slots);
        let length = match request.parse(bytes) {
            Ok(Status::Complete(length)) => length,
            Ok(Status::Partial) => return Ok(None),
            Err(Error::TooManyHeaders) => return Err(HttpRefusal::HeadTooLarge),
            Err(Error::Version) => return Err(HttpRefusal::Version),
            Err(_) => return Err(HttpRefusal::Malformed("This is not an HTTP/1.1 request.")),
        };
        let (Some(method), Some(target), Some(version)) =
            (request.method, request.path, request.version)
        else {
            return Err(HttpRefusal::Malformed("This is not an HTTP/1.1 request."));
        };
        if version != 1 {
            return Err(HttpRefusal::Version);
        }
        if has_bare_line_feed(&bytes[..length]) {
            return Err(HttpRefusal::Malformed("Lines must end with CR LF."));
        }
        let head = Self {
            method,
            path: path_of(target)?,
            headers: request.headers.to_vec(),
        };
        Ok(Some((length, head)))
    }

    /// Returns whether requests with this method have a body.
    pub(crate) fn carries_body(&self) -> bool {
        matches!(self.method, "POST" | "PUT" | "PATCH")
    }

    /// Returns every value that was sent for a header, with surrounding whitespace trimmed.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &'b [u8]> {
        let named = self
            .headers
            .iter()
            .filter(move |header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value.trim_ascii())
    }

    /// Returns the value of a header that was sent exactly once, else `None`.
    pub(crate) fn only(&self, name: &str) -> Option<&'b [u8]> {
        let mut values = self.values(name);
        values.next().filter(|_| values.next().is_none())
    }
}

/// How the end of a request body is determined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFraming {
    /// Neither `Content-Length` nor `Transfer-Encoding` was sent.
    Missing,
    /// The body has this many bytes (`Content-Length`).
    Length(u64),
    /// The body is sent in chunks, up to an empty chunk (`Transfer-Encoding: chunked`).
    Chunked,
}

impl BodyFraming {
    /// Determines the framing as leniently as hyper does; the check `framing_is_unambiguous` refuses heads that can be parsed in two ways.
    pub(crate) fn of(head: &RequestHead<'_>) -> Self {
        if head.values("transfer-encoding").next().is_some() {
            Self::Chunked
        } else {
            let length = head.values("content-length").next();
            length
                .and_then(parse_length)
                .map_or(Self::Missing, Self::Length)
        }
    }
}

/// Parses a `Content-Length`: digits only, no sign, no list.
pub(crate) fn parse_length(text: &[u8]) -> Option<u64> {
    let digits = text.iter().all(u8::is_ascii_digit);
    let text = std::str::from_utf8(text).ok().filter(|_| digits)?;
    text.parse().ok()
}

/// Returns the path of a request target, without its query. Other forms of target (absolute URL, authority, `*`) are refused: they are for proxies,
/// and could name a second host.
fn path_of(target: &str) -> Result<&str, HttpRefusal> {
    let plain =
        target.starts_with('/') && !target.contains('#') && PathAndQuery::try_from(target).is_ok();
    if plain {
        Ok(target.split_once('?').map_or(target, |(path, _)| path))
    } else {
        Err(HttpRefusal::Malformed("The target must be a path."))
    }
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    let feeds = head.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    feeds
        .map(|(at, _)| at)
        .any(|at| at == 0 || head[at - 1] != b'\r')
}
