//! A front that runs in a thread, with a handler that counts how often it is reached.

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::JoinHandle;

use ::bytes::Bytes;
use http::{Method, Response};
use http_body_util::Full;
use tokio::sync::oneshot;

use super::wire::{Answer, Wire};
use crate::front::checks::Check;
use crate::front::{
    AllowedOrigins, BearerToken, BindAddress, Front, HttpLimits, HttpRequest, ListenAddress, Routes,
};

/// The only allowed origin.
pub(super) const LISTED: &str = "https://listed.example";

/// A running HTTP front.
pub(super) struct Server {
    pub(super) at: Vec<ListenAddress>,
    pub(super) token: BearerToken,
    pub(super) reached: Reached,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

/// How often the handler was reached.
#[derive(Clone, Default)]
pub(super) struct Reached(Arc<AtomicUsize>);

impl Reached {
    /// Returns how often the handler was reached.
    pub(super) fn count(&self) -> usize {
        self.0.load(Ordering::SeqCst)
    }
}

impl Server {
    /// Serves on loopback with the usual routes.
    pub(super) fn with(bounds: HttpLimits) -> Self {
        Self::without(bounds, None)
    }

    /// Like `with`, but one check is left out.
    pub(super) fn without(bounds: HttpLimits, skipped: Option<Check>) -> Self {
        let reached = Reached::default();
        let routes = usual(&reached);
        Self::start(BindAddress::Loopback(0), bounds, skipped, routes, reached)
    }

    /// Starts a server with the default routes at another address.
    pub(super) fn on(place: BindAddress) -> Self {
        let reached = Reached::default();
        let routes = usual(&reached);
        Self::start(place, HttpLimits::default(), None, routes, reached)
    }

    /// Starts a server with other routes.
    pub(super) fn of(bounds: HttpLimits, routes: Routes) -> Self {
        Self::start(
            BindAddress::Loopback(0),
            bounds,
            None,
            routes,
            Reached::default(),
        )
    }

    fn start(
        place: BindAddress,
        bounds: HttpLimits,
        skipped: Option<Check>,
        routes: Routes,
        reached: Reached,
    ) -> Self {
        let token = BearerToken::random().expect("there is randomness");
        let origins = AllowedOrigins::listed([LISTED]).expect("it is an origin");
        let mut front = Front::bind(place, &token, bounds, origins).expect("the place is free");
        front.skipped = skipped;
        let at = front.addresses().to_vec();
        let (stop, stopped) = oneshot::channel();
        let thread = std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build().expect("a runtime starts");
            let stopped = async { drop(stopped.await) };
            runtime
                .block_on(front.serve(routes, stopped))
                .expect("it serves");
        });
        Self {
            at,
            token,
            reached,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Returns the first address.
    pub(super) fn tcp(&self) -> SocketAddr {
        match self.at[0] {
            ListenAddress::Tcp(at) => at,
            ListenAddress::UnixSocket(_) => panic!("this server has no port"),
        }
    }

    /// Opens a connection to the server.
    pub(super) fn connect(&self) -> Wire<std::net::TcpStream> {
        Wire::to(self.tcp())
    }

    /// Returns a request that passes all checks.
    pub(super) fn good(&self, method: &str, path: &str, body: &str) -> String {
        let (at, token) = (self.tcp(), self.token.reveal());
        let kind = "Content-Type: application/json\r\n";
        let length = body.len();
        format!(
            "{method} {path} HTTP/1.1\r\nHost: {at}\r\nAuthorization: Bearer {token}\r\n{kind}Content-Length: {length}\r\n\r\n{body}"
        )
    }

    /// Returns a health check request.
    pub(super) fn health(&self) -> String {
        format!("GET /healthz HTTP/1.1\r\nHost: {}\r\n\r\n", self.tcp())
    }

    /// Sends one request on a new connection and returns the response.
    pub(super) fn ask(&self, request: impl AsRef<[u8]>) -> Answer {
        let mut wire = self.connect();
        wire.send(request);
        wire.answer().expect("there is an answer")
    }

    /// Stops the server and waits until it has stopped.
    pub(super) fn stop(&mut self) {
        drop(self.stop.take());
        if let Some(thread) = self.thread.take() {
            assert!(thread.join().is_ok(), "the server panicked");
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.stop();
        }
    }
}

/// The default routes: `/mcp` as in the MCP server, `/change` for POST only, and faulty handlers.
fn usual(reached: &Reached) -> Routes {
    let counted = {
        let reached = reached.clone();
        move |request: HttpRequest| {
            reached.0.fetch_add(1, Ordering::SeqCst);
            assert!(
                !request.headers().contains_key("authorization"),
                "the token got through"
            );
            async { Ok::<_, Infallible>(ok()) }
        }
    };
    Routes::new()
        .at(
            "/mcp",
            &[Method::GET, Method::POST, Method::DELETE],
            counted.clone(),
        )
        .at("/change", &[Method::POST], counted)
        .at("/panics", &[Method::POST], panics)
        .at("/fails", &[Method::POST], async |_| {
            Err::<Response<Full<Bytes>>, _>("no")
        })
        .at("/talks", &[Method::GET], async |_| {
            Ok::<_, Infallible>(talkative())
        })
        .at("/redirects", &[Method::GET], async |_| {
            Ok::<_, Infallible>(redirect())
        })
}

fn ok() -> Response<Full<Bytes>> {
    Response::new(Full::new(Bytes::from_static(b"{\"ok\":true}")))
}

async fn panics(_: HttpRequest) -> Result<Response<Full<Bytes>>, Infallible> {
    panic!("as it was asked to")
}

fn talkative() -> Response<Full<Bytes>> {
    let mut answer = ok();
    for (name, value) in [
        ("server", "hyper"),
        ("set-cookie", "a=b"),
        ("access-control-allow-origin", "*"),
        ("access-control-allow-headers", "authorization"),
        ("location", "https://evil.example"),
    ] {
        let value = http::HeaderValue::from_static(value);
        answer.headers_mut().insert(name, value);
    }
    answer
}

fn redirect() -> Response<Full<Bytes>> {
    let mut answer = talkative();
    *answer.status_mut() = http::StatusCode::FOUND;
    answer
}
