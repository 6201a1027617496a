//! Tests of the HTTP front over raw sockets, because a client library would not send most of these requests.
//!
//! These tests lie inside the crate because some leave a check out to see that it is needed, which nobody else must be able to do.

mod bytes;
mod cases;
mod control;
mod conversations;
mod hostile;
mod places;
mod server;
#[cfg(unix)]
mod sockets;
#[cfg(unix)]
mod tokens;
mod wire;
