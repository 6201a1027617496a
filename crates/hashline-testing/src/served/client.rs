//! A client of HTTP/1.1 over TCP or a Unix socket: one connection, kept open, over which one request follows the other.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::time::Duration;

use serde_json::Value;

/// A server that says nothing for so long hangs.
const HANGS: Duration = Duration::from_secs(120);

/// Where a server listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Address {
    /// `host:port`.
    Tcp(String),
    /// The path of a Unix socket.
    Unix(PathBuf),
}

impl Address {
    /// Parses an address as the server prints it: `http://host:port`, or `unix:` and a path.
    #[must_use]
    pub fn parse(url: &str) -> Self {
        match url.strip_prefix("unix:") {
            Some(path) => Self::Unix(path.into()),
            None => {
                let place = url.strip_prefix("http://").unwrap_or(url);
                Self::Tcp(place.trim_end_matches('/').to_owned())
            }
        }
    }

    /// Returns the `Host` that clients of the address send.
    #[must_use]
    pub fn host(&self) -> &str {
        match self {
            Self::Tcp(place) => place,
            Self::Unix(_) => "localhost",
        }
    }
}

/// A connection to a server, and the token that its requests carry.
pub struct Client {
    address: Address,
    token: String,
    stream: Option<BufReader<Box<dyn Stream>>>,
}

/// A connection over TCP or a Unix socket.
trait Stream: Read + Write + Send {}

impl<T: Read + Write + Send> Stream for T {}

/// What a server answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The headers: names in lower case, and values.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the value of a header.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut headers = self.headers.iter();
        let found = headers.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON; null if it is none.
    #[must_use]
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Client {
    /// Makes a client; it connects with its first request.
    #[must_use]
    pub fn new(address: Address, token: &str) -> Self {
        Self {
            address,
            token: token.to_owned(),
            stream: None,
        }
    }

    /// Sends JSON to a path and returns the answer.
    ///
    /// # Errors
    ///
    /// The connection is refused or breaks off, or the answer is not HTTP.
    pub fn post(
        &mut self,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Response> {
        let head = self.head("POST", path, headers, body.len());
        self.exchange(&head, body)
    }

    /// Sends a JSON value to a path and returns the answer.
    ///
    /// # Errors
    ///
    /// As for [`post`](Self::post).
    pub fn call(&mut self, path: &str, body: &Value) -> io::Result<Response> {
        self.post(path, &[], body.to_string().as_bytes())
    }

    /// Requests a path.
    ///
    /// # Errors
    ///
    /// As for [`post`](Self::post).
    pub fn get(&mut self, path: &str, headers: &[(&str, &str)]) -> io::Result<Response> {
        let head = self.head("GET", path, headers, 0);
        self.exchange(&head, b"")
    }

    /// Sends a request, and breaks the connection off before the answer.
    ///
    /// # Errors
    ///
    /// As for [`post`](Self::post).
    pub fn hang_up(&mut self, path: &str, body: &[u8]) -> io::Result<()> {
        let head = self.head("POST", path, &[], body.len());
        let stream = self.connected()?.get_mut();
        stream.write_all(&[head.as_bytes(), body].concat())?;
        self.stream = None;
        Ok(())
    }

    /// Returns the head of a request. Headers that are given replace those of the same name that are always sent.
    fn head(&self, method: &str, path: &str, headers: &[(&str, &str)], length: usize) -> String {
        let bearer = format!("Bearer {}", self.token);
        let usual = [
            ("Host", self.address.host()),
            ("Authorization", &bearer),
            ("Content-Type", "application/json"),
        ];
        let is_given = |name: &str| {
            let mut given = headers.iter();
            given.any(|(known, _)| known.eq_ignore_ascii_case(name))
        };
        let usual = usual.iter().filter(|(name, _)| !is_given(name));
        let lines = usual
            .chain(headers)
            .map(|(name, value)| format!("{name}: {value}\r\n"));
        let lines: String = lines.collect();
        format!("{method} {path} HTTP/1.1\r\n{lines}Content-Length: {length}\r\n\r\n")
    }

    fn exchange(&mut self, head: &str, body: &[u8]) -> io::Result<Response> {
        let answered = self.tried(head, body);
        let is_last = |response: &Response| response.header("connection") == Some("close");
        if answered.as_ref().map_or(true, is_last) {
            self.stream = None;
        }
        answered
    }

    fn tried(&mut self, head: &str, body: &[u8]) -> io::Result<Response> {
        let stream = self.connected()?;
        let sent = stream
            .get_mut()
            .write_all(&[head.as_bytes(), body].concat());
        // A server that refuses the head may answer and close before it has read the body.
        match response(stream) {
            Ok(response) => Ok(response),
            Err(error) => Err(sent.err().unwrap_or(error)),
        }
    }

    fn connected(&mut self) -> io::Result<&mut BufReader<Box<dyn Stream>>> {
        let stream = match self.stream.take() {
            Some(stream) => stream,
            None => BufReader::new(connect(&self.address)?),
        };
        Ok(self.stream.insert(stream))
    }
}

fn connect(address: &Address) -> io::Result<Box<dyn Stream>> {
    match address {
        Address::Tcp(place) => {
            let stream = TcpStream::connect(place)?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(HANGS))?;
            Ok(Box::new(stream))
        }
        Address::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_read_timeout(Some(HANGS))?;
            Ok(Box::new(stream))
        }
    }
}

/// Reads an answer.
fn response(stream: &mut impl BufRead) -> io::Result<Response> {
    let not_http = |line: &str| io::Error::new(io::ErrorKind::InvalidData, line.to_owned());
    let status_line = line(stream)?;
    let status = status_line.strip_prefix("HTTP/1.1 ");
    let status = status.and_then(|rest| rest.get(..3)?.parse().ok());
    let status = status.ok_or_else(|| not_http(&status_line))?;
    let mut headers = Vec::new();
    loop {
        let line = line(stream)?;
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(':').ok_or_else(|| not_http(&line))?;
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let mut response = Response {
        status,
        headers,
        body: Vec::new(),
    };
    let length = response.header("content-length").map(str::parse);
    let length: usize = length.and_then(Result::ok).unwrap_or_default();
    response.body = vec![0; length];
    stream.read_exact(&mut response.body)?;
    Ok(response)
}

/// Reads a line, without its end.
fn line(stream: &mut impl BufRead) -> io::Result<String> {
    let mut line = String::new();
    if stream.read_line(&mut line)? == 0 {
        return Err(io::ErrorKind::UnexpectedEof.into());
    }
    Ok(line.trim_end_matches(['\r', '\n']).to_owned())
}
