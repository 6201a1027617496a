//! A server that answers every request with the same bytes: what HTTP alone costs, to compare the service with.

use std::convert::Infallible;
use std::io;
use std::net::{Ipv4Addr, TcpListener};
use std::thread;

use bytes::Bytes;
use http::Response;
use http_body_util::{BodyExt, Full};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;

use super::client::Address;

/// Starts a thread that answers every request with `body` until the process ends; returns where it listens.
///
/// # Errors
///
/// No port is free, or no thread can be started.
pub fn answer_with(body: Vec<u8>) -> io::Result<Address> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
    let address = Address::Tcp(listener.local_addr()?.to_string());
    listener.set_nonblocking(true)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let body = Bytes::from(body);
    thread::Builder::new()
        .name("bare".to_owned())
        .spawn(move || runtime.block_on(serve(listener, body)))?;
    Ok(address)
}

async fn serve(listener: TcpListener, body: Bytes) -> io::Result<()> {
    let listener = tokio::net::TcpListener::from_std(listener)?;
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let body = body.clone();
        let service = service_fn(move |request: http::Request<hyper::body::Incoming>| {
            let body = body.clone();
            async move {
                // A request must be read before the next one can come.
                let _ = request.into_body().collect().await;
                Ok::<_, Infallible>(Response::new(Full::new(body)))
            }
        });
        let connection = http1::Builder::new().serve_connection(TokioIo::new(stream), service);
        tokio::spawn(async move {
            let _ = connection.await;
        });
    }
}
