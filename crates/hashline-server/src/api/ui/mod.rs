//! The page for the person who watches agents work: its static files, and the stream of events that it shows.
//!
//! The static files are the same for everybody and hold no data, so they need no token. The page gets its token in the fragment of its URL, which browsers
//! never send, and sends it with every request for data. Nothing is stored: events go to those who watch at that moment (`watchers`), and the page keeps
//! them only as long as it is open.

mod event;
mod watchers;

#[cfg(test)]
mod tests;

use std::convert::Infallible;
use std::sync::Arc;

use bytes::Bytes;
use http::header::{
    CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, HeaderValue, REFERRER_POLICY,
};
use http::{Method, Response, StatusCode};
use http_body_util::{Either, Full};

use crate::api::openapi::{Answers, Asks};
use crate::api::routes::ApiRoute;
use crate::api::v1;
use crate::api::workspaces::Shared;
use crate::front::{Caller, HttpRequest, Routes};

pub(crate) use event::publish;
pub(crate) use watchers::Watchers;
use watchers::{EventStream, Scope};

/// What the page may do: load its own script, style sheet and icon, and send requests to its own server; nothing else, and no other page may frame it.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// The content type of a script.
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// A static file of the page.
struct Asset {
    path: &'static str,
    content_type: &'static str,
    content: &'static [u8],
}

/// The static files of the page.
const ASSETS: [Asset; 10] = [
    Asset {
        path: "/",
        content_type: "text/html; charset=utf-8",
        content: include_bytes!("assets/index.html"),
    },
    Asset {
        path: "/ui/app.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/app.js"),
    },
    Asset {
        path: "/ui/api.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/api.js"),
    },
    Asset {
        path: "/ui/dom.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/dom.js"),
    },
    Asset {
        path: "/ui/files.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/files.js"),
    },
    Asset {
        path: "/ui/live.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/live.js"),
    },
    Asset {
        path: "/ui/numbers.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/numbers.js"),
    },
    Asset {
        path: "/ui/request.js",
        content_type: SCRIPT,
        content: include_bytes!("assets/request.js"),
    },
    Asset {
        path: "/ui/app.css",
        content_type: "text/css; charset=utf-8",
        content: include_bytes!("assets/app.css"),
    },
    Asset {
        path: "/ui/icon.svg",
        content_type: "image/svg+xml",
        content: include_bytes!("assets/icon.svg"),
    },
];

/// The routes by which the page reads and edits. They are `/v1/read` and `/v1/edit`, but refusals have the status 200: browsers report every other status
/// as an error of the page.
pub(crate) static ROUTES: [ApiRoute; 2] = [
    ApiRoute {
        path: "/ui/read",
        name: "read",
        run: |call, body| v1::read(call, body).with_status(200),
        about: "Read a file for the page",
        asks: Asks::Read,
        answers: Answers::Read,
    },
    ApiRoute {
        path: "/ui/edit",
        name: "edit",
        run: |call, body| v1::edit(call, body).with_status(200),
        about: "Try or apply an edit for the page",
        asks: Asks::Edit,
        answers: Answers::Edit,
    },
];

/// The path of the stream of events.
const EVENTS: &str = "/ui/events";

/// Returns the routes of the page, without those by which it reads and edits.
pub(crate) fn routes(shared: &Arc<Shared>) -> Routes {
    let routes = ASSETS.iter().fold(Routes::new(), |routes, asset| {
        routes.open_at(asset.path, async |_| Ok::<_, Infallible>(file(asset)))
    });
    let shared = Arc::clone(shared);
    routes.at(EVENTS, &[Method::GET], move |request: HttpRequest| {
        let shared = Arc::clone(&shared);
        async move { Ok::<_, Infallible>(events(&shared, &request)) }
    })
}

/// Returns the response with a static file.
fn file(asset: &Asset) -> Response<Full<Bytes>> {
    let mut response = Response::new(Full::new(Bytes::from_static(asset.content)));
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_TYPE, asset.content_type),
        (CONTENT_SECURITY_POLICY, POLICY),
        (REFERRER_POLICY, "no-referrer"),
        (
            HeaderName::from_static("cross-origin-opener-policy"),
            "same-origin",
        ),
        (
            HeaderName::from_static("cross-origin-resource-policy"),
            "same-origin",
        ),
        // A newer server may have a newer page at the same address.
        (http::header::CACHE_CONTROL, "no-cache"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Starts a stream of the events that the caller may see.
fn events(shared: &Shared, request: &HttpRequest) -> Response<Either<EventStream, Full<Bytes>>> {
    let Some(scope) = scope(shared, request) else {
        let mut response = Response::new(Either::Right(Full::default()));
        *response.status_mut() = StatusCode::FORBIDDEN;
        return response;
    };
    let workspace = request.extensions().get::<Caller>();
    let workspace = workspace.and_then(|caller| shared.workspace_of(caller));
    let first = event::hello(workspace.as_deref(), &scope);
    let stream = shared.watchers.add(scope, first);
    let mut response = Response::new(Either::Left(stream));
    let stream = HeaderValue::from_static("text/event-stream");
    response.headers_mut().insert(CONTENT_TYPE, stream);
    response
}

/// Returns whose calls a caller may watch: the operator those of all workspaces, others those of their own.
fn scope(shared: &Shared, request: &HttpRequest) -> Option<Scope> {
    let caller = request.extensions().get::<Caller>()?;
    if shared.is_operator(caller) {
        return Some(Scope::All);
    }
    let workspace = shared.workspace_of(caller)?;
    Some(Scope::Workspace(workspace.options.name.clone()))
}
