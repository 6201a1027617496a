//! Which paths exist, which methods they take, and who answers.

use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};

use bytes::Bytes;
use http::{Method, Response};
use http_body_util::Full;
use hyper::body::Body;
use tower_service::Service;

use crate::front::answer::{BoxError, Content, erase};
use crate::front::body::Request;
use crate::front::refusal::Refusal;

/// The path that says whether the server lives. It needs no token.
const HEALTH: &str = "/healthz";

/// The paths of a server. `GET /healthz` is always among them.
pub struct Routes(Vec<Route>);

/// One path.
pub(crate) struct Route {
    path: String,
    pub(crate) methods: Vec<Method>,
    pub(crate) access: Access,
    pub(crate) handler: Arc<dyn Handler>,
}

/// Who may ask.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Whoever has the token.
    Token,
    /// Anyone who got so far.
    Anyone,
}

/// Answers whole requests. Whatever happens in it, there is an answer.
pub(crate) trait Handler: Send + Sync {
    fn handle(&self, request: Request) -> Pin<Box<dyn Future<Output = Response<Content>> + Send>>;
}

impl Routes {
    /// Makes routes with `GET /healthz` alone.
    pub fn new() -> Self {
        let healthy = answering(async |_: Request| {
            let body = Full::new(Bytes::from_static(b"{\"ok\":true}"));
            Ok::<_, Infallible>(Response::new(body))
        });
        Self(Vec::new()).with(HEALTH, &[Method::GET], Access::Anyone, healthy)
    }

    /// Adds a path, to be matched letter by letter, with its methods and the service that takes them.
    ///
    /// A service that fails or panics is answered for with 500. Its future is dropped when the caller goes away.
    #[must_use]
    pub fn at<S, B>(self, path: &str, methods: &[Method], service: S) -> Self
    where
        S: Service<Request, Response = Response<B>, Future: Send> + Clone + Send + Sync + 'static,
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        self.with(path, methods, Access::Token, service)
    }

    /// Returns the route of a path.
    pub(crate) fn find(&self, path: &str) -> Option<&Route> {
        self.0.iter().find(|route| route.path == path)
    }

    fn with<S, B>(mut self, path: &str, methods: &[Method], access: Access, service: S) -> Self
    where
        S: Service<Request, Response = Response<B>, Future: Send> + Clone + Send + Sync + 'static,
        B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
    {
        self.0.push(Route {
            path: path.to_owned(),
            methods: methods.to_vec(),
            access,
            handler: Arc::new(Answered(service)),
        });
        self
    }
}

impl Default for Routes {
    fn default() -> Self {
        Self::new()
    }
}

impl Route {
    /// Returns whether the route takes a method. Methods are told apart by case.
    pub(crate) fn takes(&self, method: &str) -> bool {
        self.methods.iter().any(|taken| taken.as_str() == method)
    }
}

/// Makes a service of an async function.
pub fn answering<F>(answer: F) -> Answering<F> {
    Answering(answer)
}

/// A service that is an async function.
#[derive(Clone, Copy, Debug)]
pub struct Answering<F>(F);

impl<F, R, B, E> Service<Request> for Answering<F>
where
    F: Fn(Request) -> R,
    R: Future<Output = Result<Response<B>, E>>,
{
    type Response = Response<B>;
    type Error = E;
    type Future = R;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), E>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request) -> R {
        (self.0)(request)
    }
}

/// A service behind a barrier.
struct Answered<S>(S);

impl<S, B> Handler for Answered<S>
where
    S: Service<Request, Response = Response<B>, Future: Send> + Clone + Send + Sync + 'static,
    B: Body<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    fn handle(&self, request: Request) -> Pin<Box<dyn Future<Output = Response<Content>> + Send>> {
        let mut service = self.0.clone();
        Box::pin(async move {
            let answered = barrier(async move {
                poll_fn(|cx| service.poll_ready(cx)).await?;
                service.call(request).await
            });
            match answered.await {
                Some(Ok(answer)) => answer.map(erase),
                Some(Err(_)) | None => Refusal::Internal.answer().map(erase),
            }
        })
    }
}

/// Runs a future; `None` if it panics. Only what the request brought is lost then: services are cloned for each.
async fn barrier<F: Future>(future: F) -> Option<F::Output> {
    let mut future = pin!(future);
    poll_fn(|cx| {
        let polled = catch_unwind(AssertUnwindSafe(|| future.as_mut().poll(cx)));
        polled.map_or(Poll::Ready(None), |polled| polled.map(Some))
    })
    .await
}
