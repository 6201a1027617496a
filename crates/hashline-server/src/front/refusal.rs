//! Why an HTTP request was refused, and the error response to it.
//!
//! Every refusal closes the connection, because it may be unclear where the refused request ends.

use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONNECTION, CONTENT_TYPE, WWW_AUTHENTICATE};
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;

/// Why an HTTP request was refused.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum HttpRefusal {
    /// The request head is not valid HTTP, or is ambiguous.
    Malformed(&'static str),
    /// The version is not HTTP/1.1.
    Version,
    /// The request line alone is longer than the limit for the whole head.
    TargetTooLong,
    /// The headers are too long or too many.
    HeadTooLarge,
    /// The headers did not arrive in time.
    HeadTooSlow,
    /// The path of the request has no route.
    NoRoute,
    /// The route accepts only these methods.
    Method(Vec<Method>),
    /// `Host` names another server.
    Host,
    /// The `Origin` is not in the allowed list.
    Origin,
    /// A browser sent the request for a page of another site (`Sec-Fetch-Site`).
    FetchSite,
    /// The bearer token is missing or wrong.
    Token,
    /// The body is not declared as JSON by `Content-Type`.
    ContentType,
    /// The length of the body is not declared.
    LengthMissing,
    /// The body is too long.
    BodyTooLarge,
    /// The body did not arrive in time.
    BodyTooSlow,
    /// All connections of the server are in use.
    Busy,
    /// The handler of the route failed or panicked.
    Internal,
}

impl HttpRefusal {
    /// Returns the HTTP status, the stable error code and the message of the response.
    #[rustfmt::skip]
    fn parts(&self) -> (u16, &'static str, &'static str) {
        match self {
            Self::Malformed(why) => (400, "bad_request", why),
            Self::Token => (401, "unauthorized", "Send the server's token as Authorization: Bearer TOKEN."),
            Self::Origin => (403, "wrong_origin", "Requests from this Origin are not accepted."),
            Self::FetchSite => (403, "cross_site", "Requests that a browser makes for another site are not accepted."),
            Self::NoRoute => (404, "not_found", "There is nothing at this path."),
            Self::Method(_) => (405, "method_not_allowed", "This path does not accept this method; Allow lists those it accepts."),
            Self::HeadTooSlow => (408, "timeout", "The headers did not arrive in time."),
            Self::BodyTooSlow => (408, "timeout", "The body did not arrive in time."),
            Self::LengthMissing => (411, "length_required", "Send Content-Length, or a chunked body."),
            Self::BodyTooLarge => (413, "too_large", "The body is too large."),
            Self::TargetTooLong => (414, "header_too_large", "The request line is too long."),
            Self::ContentType => (415, "bad_content_type", "Content-Type must be application/json."),
            Self::Host => (421, "wrong_host", "Host must be a loopback name with the port of this server."),
            Self::HeadTooLarge => (431, "header_too_large", "The headers are too long or too many."),
            Self::Internal => (500, "internal", "The server failed on this request."),
            Self::Busy => (503, "busy", "All connections are in use; close one or try again later."),
            Self::Version => (505, "bad_version", "Only HTTP/1.1 is supported."),
        }
    }

    fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.parts().0).expect("the table holds statuses")
    }

    /// Returns the HTTP response to the refused request.
    pub(crate) fn response(&self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body()));
        *response.status_mut() = self.status();
        let headers = response.headers_mut();
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
        response
    }

    /// Formats the JSON body of the response. The codes and messages are constants without characters that JSON would have to escape.
    fn body(&self) -> Bytes {
        let (_, code, message) = self.parts();
        format!("{{\"ok\":false,\"code\":\"{code}\",\"message\":\"{message}\"}}").into()
    }

    /// Returns the whole response as bytes, for a client whose connection is closed before hyper serves it.
    pub(crate) fn to_bytes(&self) -> Vec<u8> {
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
