//! The head of a request as it was sent, before anything is made of it.
//!
//! The protocol library silently drops `Content-Length` beside `Transfer-Encoding`, merges equal lengths and takes bare line feeds. What
//! two programs may read differently is refused here, so the head is parsed from its bytes, with the parser that the library uses too.

use http::uri::PathAndQuery;
use httparse::{EMPTY_HEADER, Error, Header, Status};

use crate::front::refusal::Refusal;

/// How many headers a request may have.
pub(crate) const MOST_HEADERS: usize = 64;

/// Room for the headers of one head.
pub(crate) type Slots<'b> = [Header<'b>; MOST_HEADERS];

/// No headers yet.
pub(crate) const fn slots<'b>() -> Slots<'b> {
    [EMPTY_HEADER; MOST_HEADERS]
}

/// A well-formed head of an HTTP/1.1 request.
#[derive(Debug)]
pub(crate) struct Head<'h, 'b> {
    method: &'b str,
    path: &'b str,
    headers: &'h [Header<'b>],
}

impl<'h, 'b> Head<'h, 'b> {
    /// Reads the head at the beginning of these bytes and returns it with its length; `None` if its end has not come yet.
    pub(crate) fn parse(
        bytes: &'b [u8],
        slots: &'h mut Slots<'b>,
    ) -> Result<Option<(usize, Self)>, Refusal> {
        let mut request = httparse::Request::new(slots);
        let length = match request.parse(bytes) {
            Ok(Status::Complete(length)) => length,
            Ok(Status::Partial) => return Ok(None),
            Err(Error::TooManyHeaders) => return Err(Refusal::HeadTooLarge),
            Err(Error::Version) => return Err(Refusal::Version),
            Err(_) => return Err(Refusal::Malformed("This is not an HTTP/1.1 request.")),
        };
        let (Some(method), Some(target), Some(version)) =
            (request.method, request.path, request.version)
        else {
            return Err(Refusal::Malformed("This is not an HTTP/1.1 request."));
        };
        if version != 1 {
            return Err(Refusal::Version);
        }
        if has_bare_line_feed(&bytes[..length]) {
            return Err(Refusal::Malformed("Lines must end with CR LF."));
        }
        let path = path_of(target)?;
        let headers = request.headers;
        Ok(Some((
            length,
            Self {
                method,
                path,
                headers,
            },
        )))
    }

    /// Returns the method, as it was sent.
    pub(crate) fn method(&self) -> &'b str {
        self.method
    }

    /// Returns the target without its query, as it was sent: nothing is decoded and no dots are followed.
    pub(crate) fn path(&self) -> &'b str {
        self.path
    }

    /// Returns whether the method is one that carries a body.
    pub(crate) fn carries_body(&self) -> bool {
        matches!(self.method, "POST" | "PUT" | "PATCH")
    }

    /// Returns every value that was sent for a header, without the blanks around it.
    pub(crate) fn values(&self, name: &str) -> impl Iterator<Item = &'b [u8]> {
        let named = self
            .headers
            .iter()
            .filter(move |header| header.name.eq_ignore_ascii_case(name));
        named.map(|header| header.value.trim_ascii())
    }

    /// Returns the value of a header that was sent exactly once.
    pub(crate) fn only(&self, name: &str) -> Option<&'b [u8]> {
        let mut values = self.values(name);
        values.next().filter(|_| values.next().is_none())
    }
}

/// Only paths are targets: the other forms are for proxies, and a second place to write a host.
fn path_of(target: &str) -> Result<&str, Refusal> {
    let plain =
        target.starts_with('/') && !target.contains('#') && PathAndQuery::try_from(target).is_ok();
    if plain {
        Ok(target.split_once('?').map_or(target, |(path, _)| path))
    } else {
        Err(Refusal::Malformed("The target must be a path."))
    }
}

fn has_bare_line_feed(head: &[u8]) -> bool {
    let feeds = head.iter().enumerate().filter(|&(_, &byte)| byte == b'\n');
    feeds
        .map(|(at, _)| at)
        .any(|at| at == 0 || head[at - 1] != b'\r')
}
