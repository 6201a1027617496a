//! Requests with one byte changed: whatever is made of them, the handler is reached only where the answer says so.

use super::server::Server;
use crate::front::HttpLimits;

/// Bytes that mean something to a parser.
const MEANING: &[u8] = b"\0\r\n\t :;,/?#%\"0Aa\x7f\x80\xff";

/// Sends every version of a request with one byte replaced, and returns how often the answer was 200.
fn accepted(server: &Server, request: &str) -> usize {
    let mut accepted = 0;
    for at in 0..request.len() {
        for &byte in MEANING {
            let mut bytes = request.as_bytes().to_vec();
            bytes[at] = byte;
            let mut wire = server.connect();
            wire.send(bytes);
            // Where the change leaves the request without an end, this one ends it.
            wire.send("\r\n\r\n");
            accepted += usize::from(wire.answer().is_some_and(|answer| answer.status == 200));
        }
    }
    accepted
}

#[test]
fn no_changed_byte_opens_the_door_without_the_token() {
    let server = Server::with(HttpLimits::default());
    let request = format!(
        "GET /mcp HTTP/1.1\r\nHost: {}\r\nAuthorization: Bearer {}\r\n\r\n",
        server.tcp(),
        "0".repeat(64)
    );
    accepted(&server, &request);
    assert_eq!(server.reached.count(), 0);
}

#[test]
fn with_the_token_the_handler_is_reached_as_often_as_the_answer_says() {
    let server = Server::with(HttpLimits::default());
    let request = server.good("POST", "/mcp", "{}");
    let accepted = accepted(&server, &request);
    assert!(accepted > 0, "bytes of the body may change");
    assert_eq!(server.reached.count(), accepted);
}
