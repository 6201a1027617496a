//! The gate between the socket and hyper: hyper receives the bytes of a request only after the checks passed.
//!
//! On its own, hyper would parse leniently, answer some invalid requests with empty bodies and others not at all, and call our code only after it has
//! decided about framing. For a refused request, the gate passes a fixed valid request to hyper instead, and the refusal waits in [`PendingRequests`]
//! for the hyper service to send it. So refusals keep their order among pipelined requests, and no bytes pass the gate after a refused request.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::front::checks::admit;
use crate::front::head::{BodyFraming, RequestHead};
use crate::front::listen::Socket;
use crate::front::pending::PendingRequests;
use crate::front::proxies::Peer;
use crate::front::refusal::HttpRefusal;
use crate::front::routes::RouteAccess;
use crate::front::serve::FrontState;

/// The request that is passed to hyper in place of a refused one.
const PLACEHOLDER: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

/// The request that is passed to hyper in place of a refused `HEAD` request, whose response has no body.
const HEAD_PLACEHOLDER: &[u8] = b"HEAD / HTTP/1.1\r\n\r\n";

/// How many bytes are read from the socket at once.
const READ_SIZE: usize = 8 * 1024;

/// The gate of one connection: hyper reads from it instead of from the socket.
pub(crate) struct RequestGate {
    socket: Socket,
    peer: Peer,
    front: Arc<FrontState>,
    pending: Arc<PendingRequests>,
    state: GateState,
    /// Bytes that were read from the socket and not yet checked.
    unchecked: BytesMut,
    /// Bytes that passed the checks and that hyper has not read yet.
    passed: BytesMut,
    deadline: Pin<Box<Sleep>>,
    opened: Instant,
    client: Client,
}

/// Whether the client of a connection has sent the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Client {
    /// Not yet. Its connection is closed when the time for the first head is over, whatever it sends until then.
    Unknown,
    /// A request with the token passed the checks.
    Known,
}

/// The part of a request that the gate expects next from the socket.
#[derive(Clone, Copy, Debug)]
enum GateState {
    /// The head (request line and headers) of the connection's first request.
    FirstHead,
    /// The head of a later request on the same connection.
    NextHead,
    /// The next bytes of a request body, of which this many are missing.
    Body(u64),
    /// A chunked body. Only hyper finds its end, so this is the last request of the connection.
    ChunkedBody,
    /// No more input, because a request was refused.
    Refused,
    /// No more input: the response was sent, and bytes that still arrive are discarded.
    Draining,
}

impl RequestGate {
    /// Creates the gate of a new connection.
    pub(crate) fn new(
        socket: Socket,
        peer: Peer,
        front: Arc<FrontState>,
        pending: Arc<PendingRequests>,
    ) -> Self {
        let opened = Instant::now();
        let deadline = opened + front.limits.header_time;
        Self {
            socket,
            peer,
            front,
            pending,
            state: GateState::FirstHead,
            unchecked: BytesMut::new(),
            passed: BytesMut::new(),
            deadline: Box::pin(sleep_until(deadline)),
            opened,
            client: Client::Unknown,
        }
    }

    /// Returns the deadline for the next head: `later`, but for a client without the token no later than the time for the first head.
    fn head_deadline(&self, later: Instant) -> Instant {
        match self.client {
            Client::Known => later,
            Client::Unknown => later.min(self.opened + self.front.limits.header_time),
        }
    }

    /// Starts waiting for the head of the next request, of which some bytes may have arrived already. Returns whether the connection stays open.
    fn expect_head(&mut self) -> bool {
        self.state = GateState::NextHead;
        let limits = &self.front.limits;
        let now = Instant::now();
        let wait = if self.unchecked.is_empty() {
            limits.idle_time
        } else {
            limits.header_time
        };
        let deadline = self.head_deadline(now + wait);
        // The deadline is only polled when no bytes arrive, so a client that never stops sending is closed here.
        if deadline <= now {
            return false;
        }
        self.set_deadline(deadline);
        if !self.unchecked.is_empty() {
            self.check_head();
        }
        true
    }

    /// Reads more bytes of a request head. Returns `Ready(false)` if the connection is to be closed without a response.
    fn poll_head(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<bool>> {
        let begins = self.unchecked.is_empty();
        let room = self
            .front
            .limits
            .header_bytes
            .saturating_sub(self.unchecked.len());
        // The deadline is polled second: bytes that arrived in time count even if a busy machine reads them late.
        let Poll::Ready(count) = self.poll_fill(cx, room)? else {
            while self.deadline.as_mut().poll(cx).is_ready() {
                if let Some(goes_on) = self.head_timed_out() {
                    return Poll::Ready(Ok(goes_on));
                }
            }
            return Poll::Pending;
        };
        if count == 0 {
            return Poll::Ready(Ok(false));
        }
        if let (true, GateState::NextHead) = (begins, self.state) {
            let deadline = Instant::now() + self.front.limits.header_time;
            self.set_deadline(self.head_deadline(deadline));
        }
        self.check_head();
        Poll::Ready(Ok(true))
    }

    /// Refuses a request head that takes too long, or closes an idle connection (`Some(false)`). A connection is not idle while a response is being
    /// sent: then the deadline is extended and `None` is returned.
    fn head_timed_out(&mut self) -> Option<bool> {
        if !self.unchecked.is_empty() {
            self.refuse(HttpRefusal::HeadTooSlow);
            return Some(true);
        }
        let GateState::NextHead = self.state else {
            return Some(false);
        };
        let deadline = self.pending.idle_since() + self.front.limits.idle_time;
        let deadline = self.head_deadline(deadline);
        if deadline <= Instant::now() {
            return Some(false);
        }
        self.set_deadline(deadline);
        None
    }

    /// Runs the checks on a request head, once all of the head has arrived.
    fn check_head(&mut self) {
        let result = match RequestHead::parse(&self.unchecked) {
            Ok(Some((length, head))) => {
                let admitted = admit(&self.front, &head, self.peer);
                admitted.map(|admitted| (length, admitted))
            }
            Ok(None) if self.unchecked.len() < self.front.limits.header_bytes => return,
            // Once the request line has ended, it is the headers that are too long.
            Ok(None) if self.unchecked.contains(&b'\n') => Err(HttpRefusal::HeadTooLarge),
            Ok(None) => Err(HttpRefusal::TargetTooLong),
            Err(refusal) => Err(refusal),
        };
        match result {
            Ok((length, admitted)) => {
                if admitted.access == RouteAccess::Token {
                    self.client = Client::Known;
                }
                self.state = match admitted.framing {
                    BodyFraming::Missing => GateState::Body(0),
                    BodyFraming::Length(length) => GateState::Body(length),
                    BodyFraming::Chunked => GateState::ChunkedBody,
                };
                self.passed = self.unchecked.split_to(length);
                self.pending.push(Ok(admitted));
            }
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Queues a refusal, and passes a placeholder request to hyper so that hyper calls the service, which sends the refusal.
    fn refuse(&mut self, refusal: HttpRefusal) {
        let placeholder = if self.unchecked.starts_with(b"HEAD ") {
            HEAD_PLACEHOLDER
        } else {
            PLACEHOLDER
        };
        self.pending.push(Err(refusal));
        self.passed = BytesMut::from(placeholder);
        // What follows a refused head may be its body or a smuggled request, so nothing passes after a refusal.
        self.unchecked.clear();
        self.state = GateState::Refused;
    }

    /// Passes bytes of a request body on to hyper, or reads more from the socket. Returns `Ready(false)` at the end of the connection.
    fn poll_body(&mut self, cx: &mut Context<'_>, left: u64) -> Poll<io::Result<bool>> {
        let most = usize::try_from(left).unwrap_or(usize::MAX);
        if self.unchecked.is_empty() && ready!(self.poll_fill(cx, most))? == 0 {
            return Poll::Ready(Ok(false));
        }
        let now = most.min(self.unchecked.len());
        self.passed = self.unchecked.split_to(now);
        if let GateState::Body(left) = &mut self.state {
            *left -= now as u64;
        }
        Poll::Ready(Ok(true))
    }

    /// Reads at most `most` bytes from the socket, and returns how many arrived.
    fn poll_fill(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<usize>> {
        let mut piece = [0; READ_SIZE];
        let mut space = ReadBuf::new(&mut piece[..most.min(READ_SIZE)]);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut space))?;
        self.unchecked.extend_from_slice(space.filled());
        Poll::Ready(Ok(space.filled().len()))
    }

    /// Discards the bytes that a refused client still sends, until it closes or a deadline. Closing a socket with unread bytes resets the connection,
    /// and the client may lose the response.
    fn poll_drain(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.deadline.as_mut().poll(cx).is_pending() {
            self.unchecked.clear();
            if let Ok(0) | Err(_) = ready!(self.poll_fill(cx, READ_SIZE)) {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }

    fn set_deadline(&mut self, deadline: Instant) {
        self.deadline.as_mut().reset(deadline);
    }
}

impl AsyncRead for RequestGate {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        while gate.passed.is_empty() {
            let goes_on = match gate.state {
                GateState::FirstHead | GateState::NextHead => ready!(gate.poll_head(cx))?,
                GateState::Body(0) => gate.expect_head(),
                GateState::Body(left) => ready!(gate.poll_body(cx, left))?,
                GateState::ChunkedBody => ready!(gate.poll_body(cx, u64::MAX))?,
                // An end of input here would make hyper drop the response it is about to send; the response closes the connection.
                GateState::Refused | GateState::Draining => return Poll::Pending,
            };
            if !goes_on {
                return Poll::Ready(Ok(()));
            }
        }
        let now = gate.passed.len().min(out.remaining());
        out.put_slice(&gate.passed[..now]);
        gate.passed.advance(now);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for RequestGate {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        Pin::new(&mut self.socket).poll_write(cx, bytes)
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.socket).poll_flush(cx)
    }

    fn poll_shutdown(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        if let GateState::Draining = gate.state {
            return gate.poll_drain(cx);
        }
        ready!(Pin::new(&mut gate.socket).poll_shutdown(cx))?;
        // Between requests, with nothing unread, there is nothing to drain.
        let is_between = matches!(
            gate.state,
            GateState::FirstHead | GateState::NextHead | GateState::Body(0)
        );
        if is_between && gate.unchecked.is_empty() {
            return Poll::Ready(Ok(()));
        }
        gate.state = GateState::Draining;
        gate.set_deadline(Instant::now() + gate.front.limits.header_time);
        gate.poll_drain(cx)
    }
}
