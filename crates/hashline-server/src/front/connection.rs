//! One caller, from its first byte to its last.

use std::convert::Infallible;
use std::sync::Arc;

use http::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::pin;
use tokio::sync::watch;
use tokio::time::timeout;

use crate::front::answer::{After, Answer, erase, finish};
use crate::front::body::whole;
use crate::front::checks::Admitted;
use crate::front::door::Door;
use crate::front::framing::Framing;
use crate::front::gate::Gate;
use crate::front::listen::Socket;
use crate::front::refusal::Refusal;
use crate::front::turns::{Decision, Turn, Turns};

/// Answers the requests of one caller, one after the other, until it goes or the server stops.
pub(crate) async fn converse(socket: Socket, door: Arc<Door>, mut stopping: watch::Receiver<()>) {
    let turns = Arc::new(Turns::new());
    let gate = Gate::new(socket, Arc::clone(&door), Arc::clone(&turns));
    let service = service_fn(move |request| {
        let begun = turns.begin();
        let door = Arc::clone(&door);
        async move { Ok::<_, Infallible>(answer(&door, begun, request).await) }
    });
    let connection = http1::Builder::new()
        .header_read_timeout(None)
        .serve_connection(TokioIo::new(gate), service);
    pin!(connection);
    // How a connection ended is between the caller and the system; there is nobody to tell.
    tokio::select! {
        _ = connection.as_mut() => return,
        _ = stopping.changed() => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}

/// Tells a caller that there is no room, and closes at once.
pub(crate) async fn turn_away(mut socket: Socket, door: &Door) {
    let told = async {
        socket.write_all(&Refusal::Busy.raw()).await?;
        socket.shutdown().await
    };
    // A new socket has room for the answer, so this waits for nothing.
    let _ = timeout(door.bounds.header_time, told).await;
    // What has come already is taken, or closing would reset the connection under the answer.
    let mut taken = [0; 4096];
    tokio::select! {
        biased;
        _ = socket.read(&mut taken) => {}
        () = std::future::ready(()) => {}
    }
}

/// Answers one request as it was decided.
async fn answer(
    door: &Door,
    begun: Option<(Decision, Turn)>,
    request: http::Request<Incoming>,
) -> Response<Answer> {
    let Some((decision, turn)) = begun else {
        // The library has made a request of what the gate never let through.
        return finish(Refusal::Internal.answer().map(erase), After::Close, None);
    };
    let whole = match decision {
        Ok(admitted) => whole(request, &door.bounds)
            .await
            .map(|whole| (admitted, whole)),
        Err(refusal) => Err(refusal),
    };
    match whole {
        Ok((Admitted { handler, framing }, request)) => {
            let after = match framing {
                Framing::Chunked => After::Close,
                Framing::Unsaid | Framing::Length(_) => After::GoOn,
            };
            finish(handler.handle(request).await, after, Some(turn))
        }
        Err(refusal) => finish(refusal.answer().map(erase), After::Close, Some(turn)),
    }
}
