//! Why a request was not handed on, and the answer to it.
//!
//! Every refusal closes the connection: what a refused caller sends next is of no interest, and where its request ends may be unclear.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;

/// Why a request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// The head is not HTTP, or says two different things.
    Malformed(&'static str),
    /// The version is not HTTP/1.1.
    Version,
    /// The line of the request is longer than all headers may be.
    TargetTooLong,
    /// The headers are too long or too many.
    HeadTooLarge,
    /// The headers did not end in time.
    HeadTooSlow,
    /// Nothing is served under the path.
    NoRoute,
    /// The path takes only these methods.
    Method(Vec<Method>),
    /// The caller looks for another server.
    Host,
    /// The caller is a page that is not listed.
    Origin,
    /// A browser says that another site asks.
    FetchSite,
    /// The token is missing or wrong.
    Token,
    /// The body is not said to be JSON.
    ContentType,
    /// The length of the body is not said.
    LengthMissing,
    /// The body is too long.
    BodyTooLarge,
    /// The body did not end in time.
    BodyTooSlow,
    /// All connections are taken.
    Busy,
    /// The handler failed.
    Internal,
}

impl Refusal {
    /// Returns the status, the stable code and the sentence of the answer.
    #[rustfmt::skip]
    fn told(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Malformed(why) => (400, "bad_request", why),
            Self::Token => (401, "unauthorized", "Send the server's token as Authorization: Bearer TOKEN."),
            Self::Origin => (403, "wrong_origin", "Requests from this Origin are not taken."),
            Self::FetchSite => (403, "cross_site", "Requests that another site makes through a browser are not taken."),
            Self::NoRoute => (404, "not_found", "Nothing is served under this path."),
            Self::Method(_) => (405, "method_not_allowed", "This path does not take this method; Allow lists those that it takes."),
            Self::HeadTooSlow => (408, "timeout", "The headers did not arrive in time."),
            Self::BodyTooSlow => (408, "timeout", "The body did not arrive in time."),
            Self::LengthMissing => (411, "length_required", "Send Content-Length, or a chunked body."),
            Self::BodyTooLarge => (413, "too_large", "The body is too large."),
            Self::TargetTooLong => (414, "header_too_large", "The request line is too long."),
            Self::ContentType => (415, "bad_content_type", "Content-Type must be application/json."),
            Self::Host => (421, "wrong_host", "Host must be a loopback name with the port of this server."),
            Self::HeadTooLarge => (431, "header_too_large", "The headers are too long or too many."),
            Self::Internal => (500, "internal", "The server failed on this request; it goes on."),
            Self::Busy => (503, "busy", "All connections are taken; close one or try again later."),
            Self::Version => (505, "bad_version", "Only HTTP/1.1 is spoken here."),
        }
    }

    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.told().0).expect("the table holds statuses")
    }

    /// Returns the answer.
    pub(crate) fn answer(&self) -> Response<Full<Bytes>> {
        let mut answer = Response::new(Full::new(self.body()));
        *answer.status_mut() = self.status();
        let headers = answer.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
        match self {
            Self::Token => {
                headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
            }
            Self::Method(allowed) => {
                headers.insert(ALLOW, list(allowed));
            }
            _ => {}
        }
        answer
    }

    /// Codes and sentences are ours and hold nothing that JSON would have to escape.
    fn body(&self) -> Bytes {
        let (_, code, message) = self.told();
        format!("{{\"ok\":false,\"code\":\"{code}\",\"message\":\"{message}\"}}").into()
    }

    /// Returns the answer as bytes, for a caller that gets no connection.
    pub(crate) fn raw(&self) -> Vec<u8> {
        let (status, body) = (self.status(), self.body());
        let head = format!(
            "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncache-control: no-store\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
            body.len()
        );
        [head.as_bytes(), &body].concat()
    }
}

fn list(methods: &[Method]) -> HeaderValue {
    let names: Vec<_> = methods.iter().map(Method::as_str).collect();
    HeaderValue::from_str(&names.join(", ")).expect("methods are tokens")
}
