//! The gate between the socket and the protocol library: it lets one head at a time through, and only after the checks.
//!
//! The library would parse leniently, answer some faults with empty bodies and others not at all, and call us only after it has taken
//! its own decisions about framing. So it is given the bytes of a request once they are known to be fine. In place of a head that was
//! refused it reads a plain one of ours, and the decision waits in [`Turns`] for the request that it makes of it; this way refusals are
//! answered in their order among pipelined requests, and after one nothing more is let through.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use bytes::{Buf, BytesMut};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::{Instant, Sleep, sleep_until};

use crate::front::checks::admit;
use crate::front::door::Door;
use crate::front::framing::Framing;
use crate::front::head::{Head, slots};
use crate::front::listen::Socket;
use crate::front::refusal::Refusal;
use crate::front::turns::{Decision, Turns};

/// What the library reads in place of a head that was refused.
const INSTEAD: &[u8] = b"GET / HTTP/1.1\r\n\r\n";

/// The same for a method whose answers have no body.
const INSTEAD_OF_HEAD: &[u8] = b"HEAD / HTTP/1.1\r\n\r\n";

/// How much is read from the socket at once.
const PIECE: usize = 8 * 1024;

/// The gate of one connection.
pub(crate) struct Gate {
    socket: Socket,
    door: Arc<Door>,
    turns: Arc<Turns>,
    stage: Stage,
    /// Came from the socket and was not let through yet.
    held: BytesMut,
    /// May be read by the library.
    let_through: BytesMut,
    clock: Pin<Box<Sleep>>,
}

#[derive(Clone, Copy, Debug)]
enum Stage {
    /// A head is awaited or has begun.
    Head(Since),
    /// So many bytes of the body are to come.
    Body(u64),
    /// A chunked body: only the library knows where it ends, so this is the last request of the connection.
    Rest,
    /// A request was refused.
    Refused,
    /// The answer is sent, and what still comes is thrown away.
    Leaving,
}

/// What was before the head that is awaited.
#[derive(Clone, Copy, Debug)]
enum Since {
    /// Nothing: the caller has connected.
    Connected,
    /// Another request.
    Request,
}

impl Gate {
    /// Stands between a socket and the library.
    pub(crate) fn new(socket: Socket, door: Arc<Door>, turns: Arc<Turns>) -> Self {
        let deadline = Instant::now() + door.bounds.header_time;
        Self {
            socket,
            door,
            turns,
            stage: Stage::Head(Since::Connected),
            held: BytesMut::new(),
            let_through: BytesMut::new(),
            clock: Box::pin(sleep_until(deadline)),
        }
    }

    /// Goes on with the next head, of which some may have come already.
    fn await_head(&mut self) {
        self.stage = Stage::Head(Since::Request);
        if self.held.is_empty() {
            self.wind(Instant::now() + self.door.bounds.idle_time);
        } else {
            self.wind(Instant::now() + self.door.bounds.header_time);
            self.judge();
        }
    }

    /// Reads on in a head. `Ready(false)` if the connection is to end without another word.
    fn poll_head(&mut self, cx: &mut Context<'_>, since: Since) -> Poll<io::Result<bool>> {
        let begins = self.held.is_empty();
        let room = self
            .door
            .bounds
            .header_bytes
            .saturating_sub(self.held.len());
        // What has come counts, however late a busy machine looks at it; so the clock is asked second.
        let Poll::Ready(count) = self.poll_fill(cx, room)? else {
            while self.clock.as_mut().poll(cx).is_ready() {
                if let Some(goes_on) = self.late(since) {
                    return Poll::Ready(Ok(goes_on));
                }
            }
            return Poll::Pending;
        };
        if count == 0 {
            return Poll::Ready(Ok(false));
        }
        if let (true, Since::Request) = (begins, since) {
            self.wind(Instant::now() + self.door.bounds.header_time);
        }
        self.judge();
        Poll::Ready(Ok(true))
    }

    /// Answers a head that takes too long; ends a connection that says nothing, unless the caller is still being answered: then the
    /// clock is wound again and there is nothing to return.
    fn late(&mut self, since: Since) -> Option<bool> {
        if !self.held.is_empty() {
            self.refuse(Refusal::HeadTooSlow);
            return Some(true);
        }
        let Since::Request = since else {
            return Some(false);
        };
        let deadline = self.turns.quiet_since() + self.door.bounds.idle_time;
        if deadline <= Instant::now() {
            return Some(false);
        }
        self.wind(deadline);
        None
    }

    /// Looks at what came of a head, and decides if that is all of it.
    fn judge(&mut self) {
        let mut slots = slots();
        let decision = match Head::parse(&self.held, &mut slots) {
            Ok(Some((length, head))) => admit(&self.door, &head).map(|admitted| (length, admitted)),
            Ok(None) if self.held.len() < self.door.bounds.header_bytes => return,
            Ok(None) if self.held.contains(&b'\n') => Err(Refusal::HeadTooLarge),
            Ok(None) => Err(Refusal::TargetTooLong),
            Err(refusal) => Err(refusal),
        };
        match decision {
            Ok((length, admitted)) => {
                self.stage = match admitted.framing {
                    Framing::Unsaid => Stage::Body(0),
                    Framing::Length(length) => Stage::Body(length),
                    Framing::Chunked => Stage::Rest,
                };
                self.let_through = self.held.split_to(length);
                self.turns.decide(Decision::Ok(admitted));
            }
            Err(refusal) => self.refuse(refusal),
        }
    }

    /// Notes a refusal and gives the library something to ask for it with.
    fn refuse(&mut self, refusal: Refusal) {
        let instead = if self.held.starts_with(b"HEAD ") {
            INSTEAD_OF_HEAD
        } else {
            INSTEAD
        };
        self.turns.decide(Decision::Err(refusal));
        self.let_through = BytesMut::from(instead);
        self.held.clear();
        self.stage = Stage::Refused;
    }

    /// Lets through what came of a body, or reads on. `Ready(false)` at the end of the connection.
    fn poll_body(&mut self, cx: &mut Context<'_>, left: u64) -> Poll<io::Result<bool>> {
        let most = usize::try_from(left).unwrap_or(usize::MAX);
        if self.held.is_empty() && ready!(self.poll_fill(cx, most))? == 0 {
            return Poll::Ready(Ok(false));
        }
        let now = most.min(self.held.len());
        self.let_through = self.held.split_to(now);
        if let Stage::Body(left) = &mut self.stage {
            *left -= now as u64;
        }
        Poll::Ready(Ok(true))
    }

    /// Reads at most so many bytes from the socket, and returns how many came.
    fn poll_fill(&mut self, cx: &mut Context<'_>, most: usize) -> Poll<io::Result<usize>> {
        let mut piece = [0; PIECE];
        let mut space = ReadBuf::new(&mut piece[..most.min(PIECE)]);
        ready!(Pin::new(&mut self.socket).poll_read(cx, &mut space))?;
        self.held.extend_from_slice(space.filled());
        Poll::Ready(Ok(space.filled().len()))
    }

    /// Takes leave of a caller that may still be sending. A socket that is closed with unread bytes is reset, and the caller may lose
    /// the answer with it.
    fn poll_leave(&mut self, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        while self.clock.as_mut().poll(cx).is_pending() {
            self.held.clear();
            if let Ok(0) | Err(_) = ready!(self.poll_fill(cx, PIECE)) {
                break;
            }
        }
        Poll::Ready(Ok(()))
    }

    fn wind(&mut self, deadline: Instant) {
        self.clock.as_mut().reset(deadline);
    }
}

impl AsyncRead for Gate {
    fn poll_read(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        out: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let gate = self.get_mut();
        while gate.let_through.is_empty() {
            let goes_on = match gate.stage {
                Stage::Head(since) => ready!(gate.poll_head(cx, since))?,
                Stage::Body(0) => {
                    gate.await_head();
                    true
                }
                Stage::Body(left) => ready!(gate.poll_body(cx, left))?,
                Stage::Rest => ready!(gate.poll_body(cx, u64::MAX))?,
                // An end here would make the library drop the answer that it is about to send; the answer closes the connection.
                Stage::Refused | Stage::Leaving => return Poll::Pending,
            };
            if !goes_on {
                return Poll::Ready(Ok(()));
            }
        }
        let now = gate.let_through.len().min(out.remaining());
        out.put_slice(&gate.let_through[..now]);
        gate.let_through.advance(now);
        Poll::Ready(Ok(()))
    }
}

impl AsyncWrite for Gate {
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
        if let Stage::Leaving = gate.stage {
            return gate.poll_leave(cx);
        }
        ready!(Pin::new(&mut gate.socket).poll_shutdown(cx))?;
        if let (Stage::Head(_) | Stage::Body(0), true) = (gate.stage, gate.held.is_empty()) {
            return Poll::Ready(Ok(()));
        }
        gate.stage = Stage::Leaving;
        gate.wind(Instant::now() + gate.door.bounds.header_time);
        gate.poll_leave(cx)
    }
}
