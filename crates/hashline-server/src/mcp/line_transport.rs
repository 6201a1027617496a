//! The MCP transport for one client over two streams, usually standard input and output, with one message per line.
//!
//! The transport of the protocol library stops at the first line that it cannot parse, and does not limit the length of a line. This transport
//! answers a line that is not a message with an error, and reads the next.

use std::collections::HashSet;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use hashline_wire::request::Limits;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, RequestId,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage, serve_server};
use rmcp::transport::{Transport, stdio_pipes};
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, watch};
use tokio::task::JoinHandle;

use crate::mcp::message::{self, BadMessage};
use crate::mcp::server::McpServer;

/// How serving a client over two streams ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StdioEnd {
    /// The client disconnected, and every request was answered before.
    Served,
    /// The client disconnected before it had initialized the connection.
    NeverInitialized,
}

/// Serves one client over standard input and output until the client disconnects. Calls that have begun are finished.
///
/// # Errors
///
/// If no thread can be started, or there are no random bytes for the session's name.
pub fn serve_stdio(server: &McpServer) -> io::Result<StdioEnd> {
    // One thread for messages, which are little work; tools run on blocking threads of their own.
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let (input, output) = stdio_pipes();
        serve_over(server, input, output).await
    })
}

/// Serves one client over two streams, one message per line, until `input` ends.
///
/// # Errors
///
/// If there are no random bytes for the session's name.
pub async fn serve_over<R, W>(server: &McpServer, input: R, output: W) -> io::Result<StdioEnd>
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let client = server.client()?;
    let changes = Arc::clone(&client.roots_changes);
    let transport = LineTransport::new(input, output, server.limits(), changes);
    match serve_server(client, transport).await {
        Ok(running) => {
            // However it ended, the client is gone.
            let _ = running.waiting().await;
            Ok(StdioEnd::Served)
        }
        Err(_) => Ok(StdioEnd::NeverInitialized),
    }
}

/// A transport with one message per line. The transport ends when the input has ended and every request is answered.
struct LineTransport<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is being skipped.
    skipping: bool,
    limits: Limits,
    /// Whether the client has named its protocol version. Before that, only requests are passed on, not notifications.
    initialized: bool,
    /// The output stream; `None` once it is closed.
    output: Arc<Mutex<Option<W>>>,
    in_flight: Arc<watch::Sender<InFlight>>,
    roots_changes: Arc<AtomicUsize>,
    /// The task that is writing an error message. The error is written by a separate task, because the future of `receive` may be dropped before it
    /// completes.
    writing_error: Option<JoinHandle<io::Result<()>>>,
}

/// The requests that are not answered yet.
#[derive(Default)]
struct InFlight {
    /// The ids of the requests that are being processed.
    ids: HashSet<RequestId>,
    /// How many answers are being written. Their request ids may be used again: a client may have read an answer before our write returns.
    writing: usize,
}

/// The result of reading one line.
enum LineRead {
    Complete,
    TooLong,
    EndOfInput,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> LineTransport<R, W> {
    fn new(input: R, output: W, limits: Limits, roots_changes: Arc<AtomicUsize>) -> Self {
        Self {
            input: BufReader::with_capacity(64 << 10, input),
            line: Vec::new(),
            skipping: false,
            limits,
            initialized: false,
            output: Arc::new(Mutex::new(Some(output))),
            in_flight: Arc::default(),
            roots_changes,
            writing_error: None,
        }
    }

    /// Reads a line. This method is cancel safe: bytes read so far are kept in `self.line`.
    async fn read_line(&mut self) -> io::Result<LineRead> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                // The last line may lack its end: half a message does not parse.
                return Ok(if self.line.is_empty() {
                    LineRead::EndOfInput
                } else {
                    LineRead::Complete
                });
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            let fits = self.line.len() + taken <= self.limits.bytes;
            if !self.skipping && fits {
                self.line.extend_from_slice(&bytes[..taken]);
            }
            self.input.consume(taken);
            let ended = end.is_some();
            match (self.skipping, fits) {
                (true, _) => self.skipping = !ended,
                (false, true) if ended => return Ok(LineRead::Complete),
                (false, true) => {}
                (false, false) => {
                    self.line.clear();
                    self.skipping = !ended;
                    return Ok(LineRead::TooLong);
                }
            }
        }
    }

    /// Parses the message on the current line. Returns `None` for a blank line and for unknown notifications.
    fn message(&mut self) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<BadMessage>> {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        if text.is_empty() {
            return Ok(None);
        }
        match message::parse(text, &self.limits)? {
            Some(message) => self.admit(message),
            None => Ok(None),
        }
    }

    /// Records a request as not answered yet, and drops notifications that arrive before the client is initialized.
    fn admit(
        &mut self,
        message: RxJsonRpcMessage<RoleServer>,
    ) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<BadMessage>> {
        match &message {
            JsonRpcMessage::Request(request) => {
                let id = request.id.clone();
                if !self
                    .in_flight
                    .send_if_modified(|requests| requests.ids.insert(id))
                {
                    let error = ErrorData::invalid_request(message::ID_IN_USE, None);
                    return Err(BadMessage::new(None, error));
                }
                self.initialized |= names_version(&request.request);
            }
            _ if !self.initialized => return Ok(None),
            JsonRpcMessage::Notification(notification) => self.note(&notification.notification),
            _ => {}
        }
        Ok(Some(message))
    }

    /// Handles the notifications that must take effect before the next message is read: cancellations and changes of roots.
    fn note(&self, notification: &ClientNotification) {
        match notification {
            ClientNotification::CancelledNotification(cancelled) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.in_flight
                        .send_if_modified(|requests| requests.ids.remove(id));
                }
            }
            ClientNotification::RootsListChangedNotification(_) => {
                self.roots_changes.fetch_add(1, Ordering::Release);
            }
            _ => {}
        }
    }
}

/// Returns whether a request contains the client's protocol version.
fn names_version(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().protocol_version().is_some(),
    }
}

/// Writes a message and a line feed.
async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<Option<W>>,
    message: &TxJsonRpcMessage<RoleServer>,
) -> io::Result<()> {
    let mut line = match message {
        JsonRpcMessage::Error(error) if error.id.is_none() => {
            serde_json::to_vec(&message::without_id(&error.error))?
        }
        message => serde_json::to_vec(message)?,
    };
    line.push(b'\n');
    let mut output = output.lock().await;
    let stream = output.as_mut().ok_or(io::ErrorKind::NotConnected)?;
    stream.write_all(&line).await?;
    stream.flush().await
}

impl<R, W> Transport<RoleServer> for LineTransport<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (output, in_flight) = (Arc::clone(&self.output), Arc::clone(&self.in_flight));
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            if let Some(id) = &answered {
                in_flight.send_modify(|requests| {
                    requests.ids.remove(id);
                    requests.writing += 1;
                });
            }
            let written = write(&output, &message).await;
            if answered.is_some() {
                in_flight.send_modify(|requests| requests.writing -= 1);
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            // One error at a time, so that a client that sends garbage and never reads does not fill our memory.
            if let Some(writing) = &mut self.writing_error {
                let written = writing.await;
                self.writing_error = None;
                written.ok()?.ok()?;
            }
            let bad = match self.read_line().await {
                Ok(LineRead::Complete) => match self.message() {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => continue,
                    Err(bad) => bad,
                },
                Ok(LineRead::TooLong) => {
                    let message = format!("a line has at most {} bytes", self.limits.bytes);
                    BadMessage::new(None, ErrorData::invalid_request(message, None))
                }
                Ok(LineRead::EndOfInput) | Err(_) => {
                    let answered =
                        |requests: &InFlight| requests.ids.is_empty() && requests.writing == 0;
                    // The sender is ours, so this cannot fail.
                    let _ = self.in_flight.subscribe().wait_for(answered).await;
                    return None;
                }
            };
            let message = TxJsonRpcMessage::<RoleServer>::error(bad.error, bad.id);
            let output = Arc::clone(&self.output);
            self.writing_error = Some(tokio::spawn(async move { write(&output, &message).await }));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        match self.output.lock().await.take() {
            Some(mut stream) => stream.shutdown().await,
            None => Ok(()),
        }
    }
}
