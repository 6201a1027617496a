//! Messages, one a line: bounded, and whatever is no message is told so and passed over.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use rmcp::model::{ClientNotification, ErrorCode, ErrorData, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};

/// A message over lines. It ends when its input has ended and every request is answered.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is passed over.
    skipping: bool,
    longest: usize,
    output: Arc<Mutex<Output<W>>>,
    open: Arc<Open>,
}

/// What was no message, and to whom that is told.
type Refused = Box<(Option<RequestId>, ErrorData)>;

/// Where answers go.
struct Output<W> {
    way: W,
    is_closed: bool,
}

/// The requests that have no answer yet.
#[derive(Default)]
struct Open {
    ids: StdMutex<HashSet<RequestId>>,
    fewer: Notify,
}

impl Open {
    fn add(&self, id: RequestId) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.insert(id);
    }

    fn remove(&self, id: &RequestId) {
        let mut ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.remove(id);
        self.fewer.notify_waiters();
    }

    fn is_empty(&self) -> bool {
        let ids = self.ids.lock().unwrap_or_else(PoisonError::into_inner);
        ids.is_empty()
    }

    /// Waits until none is left.
    async fn none(&self) {
        loop {
            let fewer = self.fewer.notified();
            if self.is_empty() {
                return;
            }
            fewer.await;
        }
    }
}

/// What was read.
enum Read {
    Line,
    TooLong,
    End,
}

impl<R: AsyncRead + Unpin, W: AsyncWrite + Unpin> Lines<R, W> {
    pub(crate) fn new(input: R, output: W, longest: usize) -> Self {
        Self {
            input: BufReader::with_capacity(64 << 10, input),
            line: Vec::new(),
            skipping: false,
            longest,
            output: Arc::new(Mutex::new(Output {
                way: output,
                is_closed: false,
            })),
            open: Arc::default(),
        }
    }

    /// Reads a line. Whoever stops waiting for it loses nothing: what was read so far is kept.
    async fn read_line(&mut self) -> io::Result<Read> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                return Ok(Read::End);
            }
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let taken = end.map_or(bytes.len(), |end| end + 1);
            let fits = self.line.len() + taken <= self.longest;
            if !self.skipping && fits {
                self.line.extend_from_slice(&bytes[..taken]);
            }
            self.input.consume(taken);
            let ended = end.is_some();
            match (self.skipping, fits) {
                (true, _) => self.skipping = !ended,
                (false, true) if ended => return Ok(Read::Line),
                (false, true) => {}
                (false, false) => {
                    self.line.clear();
                    self.skipping = !ended;
                    return Ok(Read::TooLong);
                }
            }
        }
    }

    /// Reads the message of a line; nothing if there is none in it that could be answered.
    fn message(&mut self) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Refused> {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        if text.is_empty() {
            return Ok(None);
        }
        if let Ok(message) = serde_json::from_slice(text) {
            return Ok(Some(message));
        }
        let Ok(value) = serde_json::from_slice::<Value>(text) else {
            let message = "this line is not JSON";
            let error = ErrorData::new(ErrorCode::PARSE_ERROR, message, None);
            return Err(Box::new((None, error)));
        };
        let has = |key: &str| value.get(key).is_some();
        if has("method") && !has("id") {
            // A notification that nobody knows is passed over.
            return Ok(None);
        }
        let id = value.get("id").cloned();
        let id = id.and_then(|id| serde_json::from_value(id).ok());
        let message = match value {
            Value::Array(_) => "batches are not taken: one line, one message",
            _ => "this is no JSON-RPC 2.0 message",
        };
        Err(Box::new((id, ErrorData::invalid_request(message, None))))
    }

    /// Takes the message in, for the count of those that want an answer.
    fn note(&self, message: &RxJsonRpcMessage<RoleServer>) {
        match message {
            JsonRpcMessage::Request(request) => self.open.add(request.id.clone()),
            JsonRpcMessage::Notification(notification) => {
                if let ClientNotification::CancelledNotification(cancelled) =
                    &notification.notification
                    && let Some(id) = &cancelled.params.request_id
                {
                    self.open.remove(id);
                }
            }
            _ => {}
        }
    }
}

/// Writes a message and the end of its line.
async fn write<W: AsyncWrite + Unpin>(
    output: &Mutex<Output<W>>,
    message: &TxJsonRpcMessage<RoleServer>,
) -> io::Result<()> {
    let mut line = match message {
        // Whoever cannot be told which request is meant is told so: the id is null, not absent.
        JsonRpcMessage::Error(error) if error.id.is_none() => {
            let mut value = serde_json::to_value(message)?;
            value["id"] = Value::Null;
            serde_json::to_vec(&value)?
        }
        message => serde_json::to_vec(message)?,
    };
    line.push(b'\n');
    let mut output = output.lock().await;
    if output.is_closed {
        return Err(io::ErrorKind::NotConnected.into());
    }
    output.way.write_all(&line).await?;
    output.way.flush().await
}

impl<R, W> Transport<RoleServer> for Lines<R, W>
where
    R: AsyncRead + Unpin + Send,
    W: AsyncWrite + Unpin + Send + 'static,
{
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let (output, open) = (Arc::clone(&self.output), Arc::clone(&self.open));
        async move {
            let answered = match &message {
                JsonRpcMessage::Response(response) => Some(response.id.clone()),
                JsonRpcMessage::Error(error) => error.id.clone(),
                _ => None,
            };
            let written = write(&output, &message).await;
            if let Some(id) = answered {
                open.remove(&id);
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            let refused = match self.read_line().await {
                Ok(Read::Line) => match self.message() {
                    Ok(Some(message)) => {
                        self.note(&message);
                        return Some(message);
                    }
                    Ok(None) => continue,
                    Err(refused) => *refused,
                },
                Ok(Read::TooLong) => {
                    let message = format!("a line has at most {} bytes", self.longest);
                    (None, ErrorData::invalid_request(message, None))
                }
                Ok(Read::End) | Err(_) => {
                    self.open.none().await;
                    return None;
                }
            };
            let (id, error) = refused;
            let message = TxJsonRpcMessage::<RoleServer>::error(error, id);
            if write(&self.output, &message).await.is_err() {
                return None;
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let mut output = self.output.lock().await;
        output.is_closed = true;
        output.way.shutdown().await
    }
}
