//! What goes back to the caller: the handler's answer, without what this front never sends.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::header::{
    CACHE_CONTROL, CONNECTION, HeaderName, LOCATION, SERVER, SET_COOKIE, X_CONTENT_TYPE_OPTIONS,
};
use http::{HeaderValue, Response};
use http_body_util::BodyExt;
use http_body_util::combinators::UnsyncBoxBody;
use hyper::body::{Body, Frame, SizeHint};

use crate::front::refusal::Refusal;
use crate::front::turns::Turn;

/// Any error.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

/// The body of an answer, whole or a stream.
pub(crate) type Content = UnsyncBoxBody<Bytes, BoxError>;

/// What becomes of the connection after an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum After {
    /// The next request may come.
    GoOn,
    /// It is closed.
    Close,
}

/// The body of an answer, and the turn that ends with it.
pub(crate) struct Answer {
    content: Content,
    _turn: Option<Turn>,
}

/// Forgets the type of a body.
pub(crate) fn erase<B>(body: B) -> Content
where
    B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    body.map_err(Into::into).boxed_unsync()
}

/// Finishes an answer: no redirect, cookie, name of a server or leave for other sites gets out, whoever the handler is.
pub(crate) fn finish(
    mut answer: Response<Content>,
    after: After,
    turn: Option<Turn>,
) -> Response<Answer> {
    if answer.status().is_redirection() || answer.status().is_informational() {
        answer = Refusal::Internal.answer().map(erase);
    }
    let headers = answer.headers_mut();
    for name in [LOCATION, SERVER, SET_COOKIE] {
        headers.remove(name);
    }
    let for_sites: Vec<HeaderName> = headers
        .keys()
        .filter(|name| name.as_str().starts_with("access-control-"))
        .cloned()
        .collect();
    for name in for_sites {
        headers.remove(name);
    }
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers
        .entry(CACHE_CONTROL)
        .or_insert(HeaderValue::from_static("no-store"));
    if after == After::Close {
        headers.insert(CONNECTION, HeaderValue::from_static("close"));
    }
    answer.map(|content| Answer {
        content,
        _turn: turn,
    })
}

impl Body for Answer {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.content).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.content.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.content.size_hint()
    }
}
