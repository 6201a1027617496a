//! The gate between the socket and hyper: hyper reads the bytes of a request only after the checks passed.
//!
//! On its own, hyper would parse leniently, answer some faults with empty bodies and others not at all, and call us only after it has
//! decided about framing. In place of a refused head, hyper reads a plain request of ours, and the refusal waits in [`PendingRequests`] for
//! the service to send it. So refusals keep their order among pipelined requests, and nothing passes after one.

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
use crate::front::refusal::HttpRefusal;
use crate::front::serve::FrontState;

/// What hyper reads in place of a refused head.
const PLACEHOLDER: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

/// The same for a method whose responses have no body.
const HEAD_PLACEHOLDER: &[u8] = b"HEAD / HTTP/1.1\r\n\r\n";

/// How many bytes are read from the socket at once.
const READ_SIZE: usize = 8 * 1024;

/// The gate of one connection.
pub(crate) struct RequestGate {
    socket: Socket,
    front: Arc<FrontState>,
    pending: Arc<PendingRequests>,
    state: GateState,
    /// Read from the socket, not yet for hyper.
    unchecked: BytesMut,
    /// For hyper to read.
    passed: BytesMut,
    deadline: Pin<Box<Sleep>>,
}

/// What the gate expects next from the socket.
#[derive(Clone, Copy, Debug)]
enum GateState {
    /// The first head of the connection.
    FirstHead,
    /// A later head.
    NextHead,
    /// This many bytes of a body.
    Body(u64),
    /// A chunked body. Only hyper knows where it ends, so this is the last request of the connection.
    ChunkedBody,
    /// Nothing: a request was refused.
    Refused,
    /// Nothing: the response is sent, and what still arrives is dropped.
    Draining,
}

impl RequestGate {
    /// Makes the gate of a new connection.
    pub(crate) fn new(
        socket: Socket,
        front: Arc<FrontState>,
        pending: Arc<PendingRequests>,
    ) -> Self {
        let deadline = Instant::now() + front.limits.header_time;
        Self {
            socket,
            front,
            pending,
            state: GateState::FirstHead,
            unchecked: BytesMut::new(),
            passed: BytesMut::new(),
            deadline: Box::pin(sleep_until(deadline)),
        }
    }

    /// Begins the next head, some of which may have arrived already.
    fn expect_head(&mut self) {
        self.state = GateState::NextHead;
        if self.unchecked.is_empty() {
            self.set_deadline(Instant::now() + self.front.limits.idle_time);
        } else {
            self.set_deadline(Instant::now() + self.front.limits.header_time);
            self.check_head();
        }
    }

    /// Reads more of a head. `Ready(false)` if the connection is to end without a response.
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
            self.set_deadline(Instant::now() + self.front.limits.header_time);
        }
        self.check_head();
        Poll::Ready(Ok(true))
    }

    /// Refuses a head that takes too long, and ends an idle connection. While a response is still being sent the connection is not idle:
    /// then the deadline is set anew and `None` returned.
    fn head_timed_out(&mut self) -> Option<bool> {
        if !self.unchecked.is_empty() {
            self.refuse(HttpRefusal::HeadTooSlow);
            return Some(true);
        }
        let GateState::NextHead = self.state else {
            return Some(false);
        };
        let deadline = self.pending.idle_since() + self.front.limits.idle_time;
        if deadline <= Instant::now() {
            return Some(false);
        }
        self.set_deadline(deadline);
        None
    }

    /// Runs the checks on the head, if all of it has arrived.
    fn check_head(&mut self) {
        let result = match RequestHead::parse(&self.unchecked) {
            Ok(Some((length, head))) => {
                admit(&self.front, &head).map(|admitted| (length, admitted))
            }
            Ok(None) if self.unchecked.len() < self.front.limits.header_bytes => return,
            // Once the request line has ended, it is the headers that are too long.
            Ok(None) if self.unchecked.contains(&b'\n') => Err(HttpRefusal::HeadTooLarge),
            Ok(None) => Err(HttpRefusal::TargetTooLong),
            Err(refusal) => Err(refusal),
        };
        match result {
            Ok((length, admitted)) => {
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

    /// Queues a refusal, and gives hyper a request to answer with it.
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

    /// Passes on what arrived of a body, or reads more. `Ready(false)` at the end of the connection.
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

    /// Reads at most this many bytes from the socket, and returns how many arrived.
    fn poll_fill(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<usize>> {
        let mut piece = [0; READ_SIZE];
        let mut space = ReadBuf::new(&mut piece[..most.min(READ_SIZE)]);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut space))?;
        self.unchecked.extend_from_slice(space.filled());
        Poll::Ready(Ok(space.filled().len()))
    }

    /// Drops what a refused client still sends. A socket that is closed with unread bytes is reset, and the client may lose the response
    /// with it.
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
                GateState::Body(0) => {
                    gate.expect_head();
                    true
                }
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
