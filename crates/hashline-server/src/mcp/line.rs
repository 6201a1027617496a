//! Messages, one a line: bounded, and whatever is no message is told so and passed over.

use std::collections::HashSet;
use std::io;
use std::sync::{Arc, Mutex as StdMutex, PoisonError};

use hashline_wire::request::Limits;
use rmcp::model::{
    ClientNotification, ClientRequest, ErrorData, GetMeta, JsonRpcMessage, RequestId,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncWrite, AsyncWriteExt, BufReader};
use tokio::sync::{Mutex, Notify};
use tokio::task::JoinHandle;

use crate::mcp::connection::RootsChanges;
use crate::mcp::message::{self, Refused};

/// Messages over lines. They end when the input has ended and every request is answered.
pub(crate) struct Lines<R, W> {
    input: BufReader<R>,
    line: Vec<u8>,
    /// Whether the rest of a line that is too long is passed over.
    skipping: bool,
    limits: Limits,
    /// Whether the client has said in which version it speaks. Before, nothing but a request can be meant for anybody.
    begun: bool,
    output: Arc<Mutex<Output<W>>>,
    open: Arc<Open>,
    /// Where it is counted that the client's folders are others now.
    roots: Arc<RootsChanges>,
    /// A refusal on its way out. It goes by itself: whoever stops waiting for the next message must not cut it off.
    refusing: Option<JoinHandle<io::Result<()>>>,
}

/// Where answers go.
struct Output<W> {
    way: W,
    is_closed: bool,
}

/// The requests that have no answer yet.
#[derive(Default)]
struct Open {
    requests: StdMutex<Requests>,
    fewer: Notify,
}

#[derive(Default)]
struct Requests {
    /// Those that are worked on.
    ids: HashSet<RequestId>,
    /// How many answers are on their way out. Their ids are free again: a client may have read an answer before we know that it is out.
    leaving: usize,
}

impl Open {
    /// Adds one, unless it is there already.
    fn add(&self, id: RequestId) -> bool {
        self.change(|requests| requests.ids.insert(id))
    }

    /// One is given up.
    fn remove(&self, id: &RequestId) {
        self.change(|requests| requests.ids.remove(id));
    }

    /// The answer to one goes out.
    fn leaving(&self, id: &RequestId) {
        self.change(|requests| {
            requests.ids.remove(id);
            requests.leaving += 1;
        });
    }

    /// An answer is out, or lost.
    fn left(&self) {
        self.change(|requests| requests.leaving = requests.leaving.saturating_sub(1));
    }

    fn change<T>(&self, how: impl FnOnce(&mut Requests) -> T) -> T {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        let changed = how(&mut requests);
        self.fewer.notify_waiters();
        changed
    }

    fn is_empty(&self) -> bool {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.ids.is_empty() && requests.leaving == 0
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
    pub(crate) fn new(input: R, output: W, limits: Limits, roots: Arc<RootsChanges>) -> Self {
        Self {
            input: BufReader::with_capacity(64 << 10, input),
            line: Vec::new(),
            skipping: false,
            limits,
            begun: false,
            output: Arc::new(Mutex::new(Output {
                way: output,
                is_closed: false,
            })),
            open: Arc::default(),
            roots,
            refusing: None,
        }
    }

    /// Reads a line. Whoever stops waiting for it loses nothing: what was read so far is kept.
    async fn read_line(&mut self) -> io::Result<Read> {
        loop {
            let bytes = self.input.fill_buf().await?;
            if bytes.is_empty() {
                // The last line needs no end: half a message cannot be taken for a whole one.
                return Ok(match self.line.is_empty() {
                    true => Read::End,
                    false => Read::Line,
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
    fn message(&mut self) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<Refused>> {
        let line = std::mem::take(&mut self.line);
        let text = line.trim_ascii();
        let text = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
        if text.is_empty() {
            return Ok(None);
        }
        match message::read(text, &self.limits)? {
            Some(message) => self.admit(message),
            None => Ok(None),
        }
    }

    /// Takes a message in: counts those that want an answer, and passes over what cannot be meant for anybody yet.
    fn admit(
        &mut self,
        message: RxJsonRpcMessage<RoleServer>,
    ) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<Refused>> {
        match &message {
            JsonRpcMessage::Request(request) => {
                if !self.open.add(request.id.clone()) {
                    let why = "a request with this id has no answer yet";
                    return Err(Refused::new(None, ErrorData::invalid_request(why, None)));
                }
                self.begun |= begins(&request.request);
            }
            _ if !self.begun => return Ok(None),
            JsonRpcMessage::Notification(notification) => self.hear(&notification.notification),
            _ => {}
        }
        Ok(Some(message))
    }

    /// Hears what must be known before the next message is read.
    fn hear(&self, notification: &ClientNotification) {
        match notification {
            ClientNotification::CancelledNotification(cancelled) => {
                if let Some(id) = &cancelled.params.request_id {
                    self.open.remove(id);
                }
            }
            ClientNotification::RootsListChangedNotification(_) => self.roots.add(),
            _ => {}
        }
    }
}

/// Tells whether a request says in which version its client speaks.
fn begins(request: &ClientRequest) -> bool {
    match request {
        ClientRequest::InitializeRequest(_) => true,
        ClientRequest::DiscoverRequest(_) => false,
        request => request.get_meta().protocol_version().is_some(),
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
            serde_json::to_vec(&message::to_nobody(&error.error))?
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
            if let Some(id) = &answered {
                open.leaving(id);
            }
            let written = write(&output, &message).await;
            if answered.is_some() {
                open.left();
            }
            written
        }
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusing) = &mut self.refusing {
                let told = refusing.await;
                self.refusing = None;
                told.ok()?.ok()?;
            }
            let refused = match self.read_line().await {
                Ok(Read::Line) => match self.message() {
                    Ok(Some(message)) => return Some(message),
                    Ok(None) => continue,
                    Err(refused) => refused,
                },
                Ok(Read::TooLong) => {
                    let message = format!("a line has at most {} bytes", self.limits.bytes);
                    Refused::new(None, ErrorData::invalid_request(message, None))
                }
                Ok(Read::End) | Err(_) => {
                    self.open.none().await;
                    return None;
                }
            };
            let message = TxJsonRpcMessage::<RoleServer>::error(refused.why, refused.id);
            let output = Arc::clone(&self.output);
            self.refusing = Some(tokio::spawn(async move { write(&output, &message).await }));
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        let mut output = self.output.lock().await;
        output.is_closed = true;
        output.way.shutdown().await
    }
}
