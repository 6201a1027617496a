//! A caller that sends exactly the bytes it is given and reads answers one by one.

use std::io::{ErrorKind, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Longer than any bound under test: a test that gets here hangs, and fails.
const HANGS: Duration = Duration::from_secs(60);

/// A client's connection.
pub(super) struct Wire<S> {
    stream: S,
    held: Vec<u8>,
}

/// An HTTP response as it was received.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
}

impl Answer {
    /// Returns the value of a header.
    pub(super) fn header(&self, name: &str) -> Option<&str> {
        let mut named = self.headers.iter().filter(|(key, _)| key == name);
        named.next().map(|(_, value)| value.as_str())
    }

    /// Returns the body as JSON; null if it is none.
    pub(super) fn json(&self) -> serde_json::Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

impl Wire<TcpStream> {
    /// Opens a connection to an address.
    pub(super) fn to(at: SocketAddr) -> Self {
        let stream = TcpStream::connect(at).expect("the server accepts");
        stream.set_read_timeout(Some(HANGS)).expect("it can be set");
        stream.set_nodelay(true).expect("it can be set");
        Self::over(stream)
    }
}

impl<S: Read + Write> Wire<S> {
    /// Wraps a stream.
    pub(super) fn over(stream: S) -> Self {
        let held = Vec::new();
        Self { stream, held }
    }

    /// Sends bytes. A server that has refused may have closed already, which is no failure.
    pub(super) fn send(&mut self, bytes: impl AsRef<[u8]>) {
        let _ = self.stream.write_all(bytes.as_ref());
    }

    /// Reads the next answer; `None` if the connection ends instead.
    pub(super) fn answer(&mut self) -> Option<Answer> {
        let head = self.until(b"\r\n\r\n")?;
        let head = String::from_utf8(head).expect("our heads are ASCII");
        let mut lines = head.lines();
        let status = lines.next().and_then(|line| line.split(' ').nth(1));
        let status = status
            .and_then(|code| code.parse().ok())
            .expect("a status line");
        let headers = lines.filter_map(|line| line.split_once(": "));
        let mut answer = Answer {
            status,
            headers: headers
                .map(|(key, value)| (key.to_lowercase(), value.to_owned()))
                .collect(),
            body: Vec::new(),
        };
        let length = answer
            .header("content-length")
            .map(|value| value.parse().expect("a length"));
        answer.body = self
            .exactly(length.unwrap_or(0))
            .expect("as many bytes as were promised");
        Some(answer)
    }

    /// Reads up to and including a mark; `None` if the connection ends first.
    pub(super) fn until(&mut self, mark: &[u8]) -> Option<Vec<u8>> {
        loop {
            if let Some(at) = self
                .held
                .windows(mark.len())
                .position(|window| window == mark)
            {
                return Some(self.held.drain(..at + mark.len()).collect());
            }
            if !self.fill() {
                return None;
            }
        }
    }

    /// Waits for the end of the connection and returns what came before it.
    pub(super) fn rest(&mut self) -> Vec<u8> {
        while self.fill() {}
        std::mem::take(&mut self.held)
    }

    fn exactly(&mut self, length: usize) -> Option<Vec<u8>> {
        while self.held.len() < length {
            if !self.fill() {
                return None;
            }
        }
        Some(self.held.drain(..length).collect())
    }

    /// Reads more; false at the end.
    fn fill(&mut self) -> bool {
        let mut piece = [0; 4096];
        match self.stream.read(&mut piece) {
            Ok(0) => false,
            Ok(count) => {
                self.held.extend_from_slice(&piece[..count]);
                true
            }
            Err(error) if error.kind() == ErrorKind::ConnectionReset => false,
            Err(error) => panic!("the server neither answers nor closes: {error}"),
        }
    }
}
