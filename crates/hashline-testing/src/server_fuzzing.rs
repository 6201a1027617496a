//! Fuzz targets for the servers, the hook and the guard: any bytes in, and always a well-formed answer out.

use std::convert::Infallible;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpStream};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hashline_agents::guard::Guard;
use hashline_agents::hook::HookOptions;
use hashline_server::front::{
    AllowedOrigins, BearerToken, BindAddress, Front, HttpLimits, HttpRequest, ListenAddress, Routes,
};
use hashline_server::mcp::{ClientRoots, McpOptions, McpServer, SessionMode, serve_over};
use hashline_session::ServiceOptions;
use http::{Method, Response};
use http_body_util::Full;
use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};
use tokio::runtime::{Builder, Runtime};

/// Any text as a command line: the guard returns a verdict.
pub fn guard(data: &[u8]) {
    let command = String::from_utf8_lossy(data);
    let verdict = Guard::new(Path::new("/repo"), Path::new("/repo")).judge(&command);
    assert!(!verdict.name().is_empty());
}

/// Any bytes as the input of the hook: it answers, and blocks nothing that it cannot parse.
pub fn hook(data: &[u8]) {
    let answer = hashline_agents::hook::answer(data, &HookOptions::default());
    let understood = serde_json::from_slice::<Value>(data).is_ok_and(|value| value.is_object());
    assert!(understood || answer.out.is_none(), "{answer:?}");
}

/// Any bytes as the input of an initialized MCP server: every line of its output is a message.
pub fn line(data: &[u8]) {
    let (runtime, server) = serving();
    let output = runtime.block_on(async {
        let (mut client, inner) = duplex(1 << 20);
        let (input, output) = tokio::io::split(inner);
        let served = tokio::spawn(async move { serve_over(server, input, output).await });
        let begin = br#"{"jsonrpc":"2.0","id":"begin","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"fuzz","version":"1"}}}"#;
        let sent = [begin.as_slice(), b"\n", data, b"\n"].concat();
        // The output is read to its end even if the server closes early.
        let _ = client.write_all(&sent).await;
        let _ = client.shutdown().await;
        let mut output = Vec::new();
        let _ = client.read_to_end(&mut output).await;
        let _ = served.await;
        output
    });
    for line in output
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
    {
        let message: Value = match serde_json::from_slice(line) {
            Ok(message) => message,
            Err(error) => panic!("{error}: {}", String::from_utf8_lossy(line)),
        };
        assert_eq!(message["jsonrpc"], "2.0", "{message}");
    }
}

fn serving() -> (&'static Runtime, &'static McpServer) {
    static SERVING: OnceLock<(Runtime, McpServer, tempfile::TempDir)> = OnceLock::new();
    let (runtime, server, _) = SERVING.get_or_init(|| {
        let folder = tempfile::tempdir().expect("there is a temporary folder");
        std::fs::write(folder.path().join("a.txt"), "one\ntwo\n").expect("it can be written");
        let server = McpServer::open(McpOptions {
            service: ServiceOptions {
                roots: vec![folder.path().to_path_buf()],
                ..ServiceOptions::in_memory()
            },
            dialect: None,
            session: SessionMode::PerConnection,
            client_roots: ClientRoots::Narrow,
        });
        let server = server.expect("the folder can be opened");
        let runtime = Builder::new_current_thread().enable_all().build();
        (runtime.expect("threads can be had"), server, folder)
    });
    (runtime, server)
}

/// Any bytes as an HTTP request without the token: there is a response or the connection is closed, and the handler is not reached.
pub fn head(data: &[u8]) {
    static REACHED: AtomicUsize = AtomicUsize::new(0);
    static AT: OnceLock<std::net::SocketAddr> = OnceLock::new();
    let at = AT.get_or_init(|| listening(&REACHED));
    let Ok(mut stream) = TcpStream::connect(at) else {
        return;
    };
    // The server may close before all is sent.
    let _ = stream.write_all(data);
    let _ = stream.shutdown(Shutdown::Write);
    let mut output = Vec::new();
    let _ = stream.read_to_end(&mut output);
    assert!(
        output.is_empty() || output.starts_with(b"HTTP/1."),
        "{}",
        String::from_utf8_lossy(&output)
    );
    assert_eq!(
        REACHED.load(Ordering::Relaxed),
        0,
        "the handler was reached"
    );
}

fn listening(reached: &'static AtomicUsize) -> std::net::SocketAddr {
    let token = BearerToken::random().expect("there is randomness");
    let limits = HttpLimits {
        header_time: Duration::from_millis(200),
        body_time: Duration::from_millis(200),
        ..HttpLimits::default()
    };
    let front = Front::bind(
        BindAddress::Loopback(0),
        &token,
        limits,
        AllowedOrigins::none(),
    );
    let front = front.expect("there is a port");
    let at = match front.addresses() {
        [ListenAddress::Tcp(at), ..] => *at,
        other => panic!("{other:?}"),
    };
    let count = move |_: HttpRequest| async {
        reached.fetch_add(1, Ordering::Relaxed);
        Ok::<_, Infallible>(Response::new(Full::<bytes::Bytes>::default()))
    };
    let routes = Routes::new().at("/mcp", &[Method::POST, Method::GET], count);
    std::thread::spawn(move || {
        let runtime = Builder::new_current_thread().enable_all().build();
        let runtime = runtime.expect("threads can be had");
        let _ = runtime.block_on(front.serve(routes, std::future::pending()));
    });
    at
}
