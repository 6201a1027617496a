//! What one client may make the server hold and wait for.

use std::time::Duration;

/// The limits of a front. They are set when it starts; no request changes them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HttpLimits {
    /// Bytes of the request line and headers together; more is answered with 431, or 414 if the line alone is longer.
    pub header_bytes: usize,
    /// Time from a connection's start, or from the first byte of a later request, to the end of the headers. Also how long the bytes of a
    /// refused client are still read, so that the answer reaches it.
    pub header_time: Duration,
    /// Bytes of a request's body; more is answered with 413.
    pub body_bytes: usize,
    /// Time from the end of the headers to the end of the body; more is answered with 408.
    pub body_time: Duration,
    /// How long a connection may be idle between two requests before it is closed. It is not idle while an answer, such as a stream of
    /// events, is still being sent.
    pub idle_time: Duration,
    /// Connections at one time; one more is answered with 503.
    pub connections: usize,
    /// Time to finish answers in progress when the server stops.
    pub stop_time: Duration,
}

impl Default for HttpLimits {
    fn default() -> Self {
        Self {
            header_bytes: 16 * 1024,
            header_time: Duration::from_secs(5),
            body_bytes: 8 * 1024 * 1024,
            body_time: Duration::from_secs(30),
            idle_time: Duration::from_secs(120),
            connections: 64,
            stop_time: Duration::from_secs(2),
        }
    }
}
