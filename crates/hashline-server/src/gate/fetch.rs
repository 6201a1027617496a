//! A `GET` over plain HTTP/1.1: one request for each connection. Encryption is left to whatever is between; `https` is refused.

use std::io::{self, Read, Write};
use std::net::{TcpStream, ToSocketAddrs};
use std::time::Duration;

/// How long connecting, and each read or write, may take.
const TIME: Duration = Duration::from_secs(10);
/// The most bytes of a response.
const MOST: u64 = 64 << 20;

/// An `http` URL: where to connect to, and the path before all others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct HttpUrl {
    authority: String,
    prefix: String,
}

impl HttpUrl {
    /// Parses a URL; `None` if it is not one that can be fetched.
    pub(super) fn parse(url: &str) -> Option<Self> {
        let rest = url.strip_prefix("http://")?;
        let (authority, prefix) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        let is_plain =
            url.bytes().all(|byte| byte.is_ascii_graphic()) && !url.contains(['?', '#', '@']);
        (is_plain && !authority.is_empty()).then(|| Self {
            authority: authority.to_owned(),
            prefix: prefix.trim_end_matches('/').to_owned(),
        })
    }

    /// Fetches a path below the URL, and returns the status and the body.
    pub(super) fn get(&self, path: &str, token: Option<&str>) -> io::Result<(u16, Vec<u8>)> {
        let mut stream = self.connect()?;
        stream.set_read_timeout(Some(TIME))?;
        stream.set_write_timeout(Some(TIME))?;
        let authorization = token.map(|token| format!("Authorization: Bearer {token}\r\n"));
        let head = format!(
            "GET {}{path} HTTP/1.1\r\nHost: {}\r\n{}Accept: application/json, text/plain\r\nConnection: close\r\n\r\n",
            self.prefix,
            self.authority,
            authorization.unwrap_or_default(),
        );
        stream.write_all(head.as_bytes())?;
        let mut response = Vec::new();
        stream.take(MOST).read_to_end(&mut response)?;
        parsed(&response).ok_or_else(|| io::Error::from(io::ErrorKind::InvalidData))
    }

    fn connect(&self) -> io::Result<TcpStream> {
        let has_port = self
            .authority
            .rsplit(']')
            .next()
            .is_some_and(|end| end.contains(':'));
        let port = if has_port { "" } else { ":80" };
        let mut failed = io::Error::from(io::ErrorKind::AddrNotAvailable);
        for address in format!("{}{port}", self.authority).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, TIME) {
                Ok(stream) => return Ok(stream),
                Err(error) => failed = error,
            }
        }
        Err(failed)
    }
}

/// Returns the status and the body of a whole response; `None` if it is not one, or was cut off.
fn parsed(response: &[u8]) -> Option<(u16, Vec<u8>)> {
    let mut headers = [httparse::EMPTY_HEADER; 64];
    let mut head = httparse::Response::new(&mut headers);
    let httparse::Status::Complete(length) = head.parse(response).ok()? else {
        return None;
    };
    let body = response.get(length..)?;
    let value = |name: &str| {
        let mut headers = head.headers.iter();
        let found = headers.find(|header| header.name.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(found.value).ok()
    };
    let is_chunked =
        value("transfer-encoding").is_some_and(|how| how.eq_ignore_ascii_case("chunked"));
    let body = if is_chunked {
        joined(body)?
    } else {
        match value("content-length") {
            Some(length) => body.get(..length.parse().ok()?)?.to_vec(),
            None => body.to_vec(),
        }
    };
    Some((head.code?, body))
}

/// Joins the chunks of a body.
fn joined(mut rest: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::new();
    loop {
        let httparse::Status::Complete((start, size)) = httparse::parse_chunk_size(rest).ok()?
        else {
            return None;
        };
        if size == 0 {
            return Some(body);
        }
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        body.extend_from_slice(rest.get(start..end)?);
        rest = rest.get(end..)?.strip_prefix(b"\r\n")?;
    }
}

/// Writes a text as the value of a field in the query of a URL.
pub(super) fn in_query(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let escaped = text.bytes().map(|byte| match byte {
        _ if is_plain(byte) => char::from(byte).to_string(),
        _ => format!("%{byte:02X}"),
    });
    escaped.collect()
}

#[cfg(test)]
mod tests {
    use super::{HttpUrl, in_query, parsed};

    #[test]
    fn only_plain_http_urls_are_fetched() {
        for (url, expected) in [
            ("http://127.0.0.1:9090", Some(("127.0.0.1:9090", ""))),
            ("http://[::1]:9090/", Some(("[::1]:9090", ""))),
            ("http://host/prometheus/", Some(("host", "/prometheus"))),
            ("https://host", None),
            ("host:9090", None),
            ("http://", None),
            ("http://user@host", None),
            ("http://host/a b", None),
            ("http://host/\r\nX: y", None),
            ("http://host/?query", None),
        ] {
            let expected = expected.map(|(authority, prefix)| HttpUrl {
                authority: authority.to_owned(),
                prefix: prefix.to_owned(),
            });
            assert_eq!(HttpUrl::parse(url), expected, "{url}");
        }
    }

    #[test]
    fn a_response_is_whole_or_none() {
        let body = |response: &str| parsed(response.as_bytes());
        let done = |text: &str| Some((200, text.as_bytes().to_vec()));
        assert_eq!(
            body("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nab"),
            done("ab")
        );
        assert_eq!(body("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nab"), None);
        assert_eq!(body("HTTP/1.1 200 OK\r\n\r\nab"), done("ab"));
        let chunked =
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nab\r\n1;x\r\nc\r\n0\r\n\r\n";
        assert_eq!(body(chunked), done("abc"));
        assert_eq!(body(&chunked[..chunked.len() - 6]), None);
        assert_eq!(body("HTTP/1.1 404 Not"), None);
    }

    #[test]
    fn what_has_a_meaning_in_a_query_is_escaped() {
        assert_eq!(
            in_query("sum(a{b=\"c\"}) +1"),
            "sum%28a%7Bb%3D%22c%22%7D%29%20%2B1"
        );
    }
}
