//! The paths of a server, the methods that each accepts, and the handler that answers.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::Poll;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Response};
use http_body_util::Full;
use hyper::body::Body;

use crate::front::refusal::HttpRefusal;
use crate::front::response::{BoxError, ResponseBody, boxed};

/// The path of the health check, which needs no token.
const HEALTH: &str = "/healthz";

/// A request as handlers receive it: with its complete body, and without the token.
pub type HttpRequest = http::Request<Full<Bytes>>;

/// The routes of a server. `GET /healthz` is always one of them.
pub struct Routes(Vec<Route>);

/// One path of a server, with its methods and its handler.
pub(crate) struct Route {
    path: String,
    pub(crate) methods: Vec<Method>,
    pub(crate) access: RouteAccess,
    pub(crate) handler: Handler,
}

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RouteAccess {
    /// Only clients that send the token.
    Token,
    /// Any client that passes the other checks.
    Anyone,
}

/// A function that answers complete requests. If a handler fails or panics, the client gets status 500.
pub(crate) type Handler =
    Arc<dyn Fn(HttpRequest) -> BoxFuture<Response<ResponseBody>> + Send + Sync>;

type BoxFuture<T> = Pin<Box<dyn Future<Output = T> + Send>>;

impl Routes {
    /// Creates routes with `GET /healthz` only.
    pub fn new() -> Self {
        let healthy = async |_: HttpRequest| {
            let body = Full::new(Bytes::from_static(b"{\"ok\":true}"));
            let mut response = Response::new(body);
            let json = HeaderValue::from_static("application/json");
            response.headers_mut().insert(CONTENT_TYPE, json);
            Ok::<_, Infallible>(response)
        };
        Self(Vec::new()).open_at(HEALTH, healthy)
    }

    /// Adds a path that anyone may `GET` without a token, for content that is the same for everybody and holds no data.
    #[must_use]
    pub fn open_at<F, R, B, E>(mut self, path: &str, handler: F) -> Self
    where
        F: Fn(HttpRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Response<B>, E>> + Send + 'static,
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        self = self.at(path, &[Method::GET], handler);
        if let Some(route) = self.0.last_mut() {
            route.access = RouteAccess::Anyone;
        }
        self
    }

    /// Adds a path, which is compared byte by byte, with its methods and the async function that handles its requests.
    ///
    /// If the function fails or panics, the client gets status 500. The function's future is dropped when the client disconnects.
    #[must_use]
    pub fn at<F, R, B, E>(mut self, path: &str, methods: &[Method], handler: F) -> Self
    where
        F: Fn(HttpRequest) -> R + Send + Sync + 'static,
        R: Future<Output = Result<Response<B>, E>> + Send + 'static,
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        self.0.push(Route {
            path: path.to_owned(),
            methods: methods.to_vec(),
            access: RouteAccess::Token,
            handler: Arc::new(move |request| {
                // A handler may also panic before it returns its future.
                let begun = catch_unwind(AssertUnwindSafe(|| handler(request)));
                Box::pin(async move {
                    let done = match begun {
                        Ok(response) => unless_panics(response).await,
                        Err(_) => None,
                    };
                    match done {
                        Some(Ok(response)) => response.map(boxed),
                        Some(Err(_)) | None => HttpRefusal::Internal.response().map(boxed),
                    }
                })
            }),
        });
        self
    }

    /// Returns the route of a path, if it has one.
    pub(crate) fn find(&self, path: &str) -> Option<&Route> {
        self.0.iter().find(|route| route.path == path)
    }
}

impl Default for Routes {
    fn default() -> Self {
        Self::new()
    }
}

impl Route {
    /// Returns whether the route accepts a method; method names are case-sensitive.
    pub(crate) fn takes(&self, method: &str) -> bool {
        self.methods.iter().any(|taken| taken.as_str() == method)
    }
}

/// Runs a future to its end; returns `None` if the future panics. A future that panicked is never polled again.
async fn unless_panics<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}
