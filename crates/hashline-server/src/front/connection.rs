//! One client connection, from its first byte to its last.

use std::convert::Infallible;
use std::sync::Arc;

use http::Response;
use http::header::AUTHORIZATION;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::pin;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::front::checks::Admitted;
use crate::front::gate::RequestGate;
use crate::front::head::BodyFraming;
use crate::front::listen::Socket;
use crate::front::pending::{CheckResult, PendingRequests, RequestGuard};
use crate::front::proxies::Peer;
use crate::front::refusal::HttpRefusal;
use crate::front::response::{Connection, GuardedBody, boxed, finish};
use crate::front::routes::HttpRequest;
use crate::front::serve::{FrontState, HttpLimits};

/// Answers the requests of one connection, one after the other, until the client disconnects or the server stops.
pub(crate) async fn serve_connection(
    socket: Socket,
    peer: Peer,
    front: Arc<FrontState>,
    mut stopping: watch::Receiver<()>,
) {
    let pending = Arc::new(PendingRequests::new());
    let gate = RequestGate::new(socket, peer, Arc::clone(&front), Arc::clone(&pending));
    let service = service_fn(move |request| {
        let begun = pending.begin();
        let front = Arc::clone(&front);
        async move { Ok::<_, Infallible>(respond(&front, begun, request).await) }
    });
    let connection = http1::Builder::new()
        // The gate has its own time limit for heads, and answers a slow one.
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(gate), service);
    pin!(connection);
    // Errors are the client's affair, and there is no log to write them to.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Responds to a new client that all connections are in use (503), and closes its connection at once.
pub(crate) async fn reject(mut socket: Socket, front: &FrontState) {
    let written = async {
        socket.write_all(&HttpRefusal::Busy.to_bytes()).await?;
        socket.shutdown().await
    };
    // A new socket has room for the response, so this does not wait.
    let _ = timeout(front.limits.header_time, written).await;
    // What has arrived already is read, or closing would reset the connection and the response be lost.
    let mut arrived = [0; 4096];
    tokio::select! {
        biased;
        _ = socket.read(&mut arrived) => {}
        () = std::future::ready(()) => {}
    }
}

/// Responds to one request: with the handler's response if the checks admitted it, else with their refusal.
async fn respond(
    front: &FrontState,
    begun: Option<(CheckResult, RequestGuard)>,
    request: http::Request<Incoming>,
) -> Response<GuardedBody> {
    let Some((checked, guard)) = begun else {
        // hyper has parsed a request that the gate did not pass to it.
        let response = HttpRefusal::Internal.response().map(boxed);
        return finish(response, Connection::Close, None);
    };
    let complete = match checked {
        Ok(admitted) => read_body(request, &front.limits)
            .await
            .map(|request| (admitted, request)),
        Err(refusal) => Err(refusal),
    };
    match complete {
        Ok((
            Admitted {
                handler,
                framing,
                caller,
                ..
            },
            mut request,
        )) => {
            if let Some(caller) = caller {
                request.extensions_mut().insert(caller);
            }
            let connection = match framing {
                BodyFraming::Chunked => Connection::Close,
                BodyFraming::Missing | BodyFraming::Length(_) => Connection::KeepAlive,
            };
            finish(handler(request).await, connection, Some(guard))
        }
        Err(refusal) => {
            let response = refusal.response().map(boxed);
            finish(response, Connection::Close, Some(guard))
        }
    }
}

/// Reads the body of a request within the limits; a body that is cut off, too long or too slow never reaches a handler.
async fn read_body(
    request: http::Request<Incoming>,
    limits: &HttpLimits,
) -> Result<HttpRequest, HttpRefusal> {
    let (mut parts, body) = request.into_parts();
    // A handler that does not see the token cannot leak it.
    parts.headers.remove(AUTHORIZATION);
    let collect = Limited::new(body, limits.body_bytes).collect();
    match timeout(limits.body_time, collect).await {
        Ok(Ok(body)) => Ok(http::Request::from_parts(parts, Full::new(body.to_bytes()))),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(HttpRefusal::BodyTooLarge),
        Ok(Err(_)) => Err(HttpRefusal::Malformed(
            "The body is cut off or its chunks are malformed.",
        )),
        Err(_) => Err(HttpRefusal::BodyTooSlow),
    }
}
