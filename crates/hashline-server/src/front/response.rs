//! The response that goes back to the client: the handler's, without headers that the front never sends.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONNECTION, HeaderName, LOCATION, SERVER, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Response, StatusCode};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Frame, SizeHint};

use crate::front::pending::RequestGuard;
use crate::front::refusal::HttpRefusal;

/// A boxed error of any type.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The body of a response, complete or streamed.
pub(crate) type ResponseBody = UnsyncBoxBody<Bytes, BoxError>;

/// Whether the connection is kept or closed after a response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Connection {
    /// The connection is kept for the next request.
    KeepAlive,
    /// The connection is closed.
    Close,
}

/// The body of a response, with a guard: when the body is dropped, its request counts as done.
pub(crate) struct GuardedBody {
    body: ResponseBody,
    _guard: Option<RequestGuard>,
}

/// Boxes a body, to erase its type.
pub(crate) fn boxed<B>(body: B) -> ResponseBody
where
    B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    body.map_err(Into::into).boxed_unsync()
}

/// Finishes a response: removes redirects, cookies, the server name and CORS headers, whatever the handler set.
pub(crate) fn finish(
    mut response: Response<ResponseBody>,
    connection: Connection,
    guard: Option<RequestGuard>,
) -> Response<GuardedBody> {
    let status = response.status();
    let redirects = status.is_redirection() && status != StatusCode::NOT_MODIFIED;
    if redirects || status.is_informational() {
        response = HttpRefusal::Internal.response().map(boxed);
    }
    let headers = response.headers_mut();
    for name in [LOCATION, SERVER, SET_COOKIE] {
        headers.remove(name);
    }
    let cors: Vec<HeaderName> = headers
        .keys()
        .filter(|name| name.as_str().starts_with("access-control-"))
        .cloned()
        .collect();
    for name in cors {
        headers.remove(name);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if connection == Connection::Close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    response.map(|body| GuardedBody {
        body,
        _guard: guard,
    })
}

impl Body for GuardedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
