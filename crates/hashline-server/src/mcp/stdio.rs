//! The server over standard input and output, or any other two streams.

use std::io;

use rmcp::service::serve_server;
use rmcp::transport::stdio_pipes;
use tokio::io::{AsyncRead, AsyncWrite};

use crate::mcp::line::Lines;
use crate::mcp::runtime;
use crate::mcp::server::Server;

/// How a server came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The client is gone, and every request was answered before.
    Served,
    /// The client went before it had said what it wants.
    NeverBegun,
}

/// Serves one client over standard input and output until it is gone. Work that has begun is brought to its end.
///
/// # Errors
///
/// If no thread can be started.
pub fn serve_stdio(server: &Server) -> io::Result<Ended> {
    runtime::start()?.block_on(async {
        let (input, output) = stdio_pipes();
        Ok(serve_over(server, input, output).await)
    })
}

/// Serves one client over two streams, one message a line, until the first ends.
pub async fn serve_over<R, W>(server: &Server, input: R, output: W) -> Ended
where
    R: AsyncRead + Unpin + Send + 'static,
    W: AsyncWrite + Unpin + Send + 'static,
{
    let client = server.client();
    let lines = Lines::new(input, output, server.limits(), client.roots_changes());
    match serve_server(client, lines).await {
        Ok(running) => {
            // However it ended, the client is gone.
            let _ = running.waiting().await;
            Ended::Served
        }
        Err(_) => Ended::NeverBegun,
    }
}
