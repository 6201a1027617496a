//! Serving the API: from an HTTP request to the call that carries it out on a blocking thread, and back.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::{Duration, Instant};

use bytes::Bytes;
use hashline_workspace::CancelToken;
use http::header::{CONTENT_TYPE, HeaderValue};
use http::{Method, Response, StatusCode};
use http_body_util::{BodyExt, Full};

use crate::api::call::{Call, CallHeaders};
use crate::api::metrics::Arm;
use crate::api::reply::Reply;
use crate::api::routes::{ApiRoute, ROUTES};
use crate::api::ui;
use crate::api::workspaces::{ApiServer, ServedWorkspace, Shared, Ui};
use crate::api::{openapi, scrape};
use crate::front::{Caller, Front, FrontError, HttpRequest, Routes};
use crate::signals::{hang_ups, shutdown_signal};

type HttpResponse = Response<Full<Bytes>>;

/// How often what was counted is added to the counters in the state directory.
const SAVE_METRICS: Duration = Duration::from_secs(10);

/// Serves any number of clients until the process receives a signal to end; calls `ready` once that signal is handled, and `reload` whenever the process
/// is sent SIGHUP. On the signal to end, calls that have not begun to write are cancelled, and calls that have are finished.
///
/// # Errors
///
/// If no thread can be started, or the HTTP server cannot begin.
pub fn serve_api(
    server: &ApiServer,
    front: Front,
    ready: impl FnOnce(),
    reload: impl Fn() + Send + Sync + 'static,
) -> Result<(), FrontError> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .map_err(FrontError::Runtime)?;
    runtime.block_on(async {
        // Before `ready`: whoever starts the server may end it as soon as it is ready.
        let signal = shutdown_signal();
        let reloads = hang_ups(reload);
        ready();
        let saves = tokio::spawn(save_metrics(server.clone()));
        let stop = async {
            tokio::select! {
                () = signal => {}
                () = reloads => {}
            }
            server.shut_down();
        };
        let served = front.serve(routes(server), stop).await;
        saves.abort();
        server.save_metrics();
        served
    })
}

/// Adds what was counted to the counters in the state directory again and again.
async fn save_metrics(server: ApiServer) {
    loop {
        tokio::time::sleep(SAVE_METRICS).await;
        let server = server.clone();
        let _ = tokio::task::spawn_blocking(move || server.save_metrics()).await;
    }
}

/// Returns the routes of the server, with their handlers.
pub(super) fn routes(server: &ApiServer) -> Routes {
    let (mut routes, of_page) = match server.0.ui() {
        Ui::On => (ui::routes(&server.0), &ui::ROUTES[..]),
        Ui::Off => (Routes::new(), &[][..]),
    };
    for route in ROUTES.iter().chain(of_page) {
        let shared = Arc::clone(&server.0);
        routes = routes.at(route.path, &[Method::POST], move |request| {
            let shared = Arc::clone(&shared);
            async move {
                let reply = call(shared, route, request).await;
                Ok::<_, Infallible>(reply.into_response())
            }
        });
    }
    let document = Bytes::from(openapi::document().to_string());
    let shared = Arc::clone(&server.0);
    let measured = Arc::clone(&server.0);
    routes
        .at("/metrics", &[Method::GET], move |request: HttpRequest| {
            let shared = Arc::clone(&measured);
            async move { Ok::<_, Infallible>(metrics(shared, &request).await) }
        })
        .at("/openapi.json", &[Method::GET], move |_| {
            let document = document.clone();
            async move { Ok::<_, Infallible>(json(StatusCode::OK, document)) }
        })
        .at("/readyz", &[Method::GET], move |request: HttpRequest| {
            let shared = Arc::clone(&shared);
            async move { Ok::<_, Infallible>(readiness(&shared, &request)) }
        })
}

/// Carries out a call, on a blocking thread.
async fn call(shared: Arc<Shared>, route: &'static ApiRoute, request: HttpRequest) -> Reply {
    let started = Instant::now();
    let (parts, body) = request.into_parts();
    let caller = parts.extensions.get::<Caller>();
    let Some(workspace) = caller.and_then(|caller| shared.workspace_of(caller)) else {
        let message = "This token gives access to no workspace; send that of a workspace.";
        return Reply::denied(403, "no_workspace", message);
    };
    let mut call_count = CallCount {
        workspace: Arc::clone(&workspace),
        route: route.name,
        arm: arm(&workspace, None),
        started,
    };
    let headers = match CallHeaders::of(&parts.headers) {
        Ok(headers) => headers,
        Err(message) => return call_count.record(Reply::denied(400, "bad_request", &message)),
    };
    call_count.arm = arm(&workspace, headers.task.as_deref());
    // The front hands over whole bodies, which cannot fail.
    let body = body.collect().await.map(|body| body.to_bytes());
    let body = body.unwrap_or_default();
    let stopping = shared.shutdown.cancelled();
    let permit = tokio::select! {
        biased;
        () = stopping => return call_count.record(Reply::stopping()),
        permit = Arc::clone(&shared.running).acquire_owned() => permit,
    };
    let cancel = Arc::<CancelToken>::default();
    // A client that is gone must not find its edit done.
    let guard = CancelOnDrop(Arc::clone(&cancel));
    let call = Call {
        workspace,
        headers,
        cancel: Arc::clone(&cancel),
    };
    let watched = Arc::clone(&shared);
    // One blocking hop for the whole call: nothing below this line is async.
    let counted = call_count.clone();
    let mut running = tokio::task::spawn_blocking(move || {
        let _permit = permit;
        let reply = (route.run)(&call, &body);
        ui::publish(&watched.watchers, route, &call, &body, &reply, started);
        // Here, so that a call whose client is gone by now is counted too.
        counted.record(reply)
    });
    let done = tokio::select! {
        done = &mut running => done,
        () = shared.shutdown.cancelled() => {
            cancel.cancel();
            running.await
        }
    };
    drop(guard);
    done.unwrap_or_else(|_| call_count.record(Reply::failed()))
}

/// What is known about a call before it is finished, to count it then.
#[derive(Clone)]
struct CallCount {
    workspace: Arc<ServedWorkspace>,
    route: &'static str,
    arm: Arm,
    started: Instant,
}

impl CallCount {
    /// Counts the call by its reply, and returns the reply.
    fn record(&self, reply: Reply) -> Reply {
        let took = self.started.elapsed();
        let metrics = &self.workspace.metrics;
        metrics.record(self.route, self.arm, took, &reply);
        reply
    }
}

/// Returns whether `edit-file` is on for a task.
fn arm(workspace: &ServedWorkspace, task: Option<&str>) -> Arm {
    let options = &workspace.options;
    Arm::of(options.edit_file.includes(&options.name, task))
}

/// Cancels a call when its client is gone. A call that has begun to write is finished all the same.
struct CancelOnDrop(Arc<CancelToken>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.cancel();
    }
}

/// Returns what was counted, as far as the caller may see it.
async fn metrics(shared: Arc<Shared>, request: &HttpRequest) -> HttpResponse {
    let caller = request.extensions().get::<Caller>().cloned();
    let write = move || caller.map(|caller| scrape::text(&shared, &caller));
    // With many workspaces this takes longer than other requests should wait.
    let text = tokio::task::spawn_blocking(write).await;
    let text = text.ok().flatten().unwrap_or_default();
    let mut response = json(StatusCode::OK, text.into());
    let media_type = HeaderValue::from_static(scrape::MEDIA_TYPE);
    response.headers_mut().insert(CONTENT_TYPE, media_type);
    response
}

/// Returns whether all workspaces can be used: their roots exist, and no interrupted commit waits for a person.
fn readiness(shared: &Shared, request: &HttpRequest) -> HttpResponse {
    let caller = request.extensions().get::<Caller>();
    let sees_all = caller.is_some_and(|caller| shared.is_operator(caller));
    let workspaces = shared.workspaces();
    let visible = workspaces
        .values()
        .filter(|one| sees_all || caller.is_some_and(|caller| *caller.0 == *one.options.name));
    let mut unready = Vec::new();
    for one in visible {
        if let Err(refusal) = one.service.pending() {
            let message = refusal.failure.what.join("; ");
            unready.push(serde_json::json!({"workspace": one.options.name, "code": refusal.code().as_str(), "message": message}));
        }
    }
    let status = if unready.is_empty() {
        StatusCode::OK
    } else {
        StatusCode::SERVICE_UNAVAILABLE
    };
    let answer = serde_json::json!({"ok": unready.is_empty(), "unready": unready});
    json(status, answer.to_string().into())
}

fn json(status: StatusCode, body: Bytes) -> HttpResponse {
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    let json = HeaderValue::from_static("application/json");
    response.headers_mut().insert(CONTENT_TYPE, json);
    response
}
