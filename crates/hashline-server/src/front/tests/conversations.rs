//! Tests with more than one exchange: streams, concurrent clients, disconnects, shutdown.

use std::convert::Infallible;
use std::sync::Mutex;
use std::sync::mpsc;
use std::time::Duration;

use ::bytes::Bytes;
use http::{Method, Response};
use http_body_util::{Full, StreamBody};
use hyper::body::Frame;

use super::server::Server;
use crate::front::{HttpLimits, HttpRequest, Routes};

/// Longer than the tight bounds of these tests by far. It only gives a fault the time to show; nothing is measured with it.
const LONG_AFTER: Duration = Duration::from_millis(400);

/// Returns a route that streams the messages of a channel, and the channel's sender.
fn events() -> (Routes, tokio::sync::mpsc::UnboundedSender<&'static str>) {
    let (sender, receiver) = tokio::sync::mpsc::unbounded_channel::<&'static str>();
    let receiver = std::sync::Arc::new(Mutex::new(Some(receiver)));
    let stream = move |_: HttpRequest| {
        let receiver = receiver.lock().expect("nobody panicked").take();
        let mut receiver = receiver.expect("one caller asks");
        let body = StreamBody::new(Received(Box::new(move |cx| receiver.poll_recv(cx))));
        async { Ok::<_, Infallible>(Response::new(body)) }
    };
    (Routes::new().at("/events", &[Method::GET], stream), sender)
}

type Poller =
    dyn FnMut(&mut std::task::Context<'_>) -> std::task::Poll<Option<&'static str>> + Send;

/// A stream of the messages received from a channel.
struct Received(Box<Poller>);

impl futures_core::Stream for Received {
    type Item = Result<Frame<Bytes>, Infallible>;

    fn poll_next(
        mut self: std::pin::Pin<&mut Self>,
        cx: &mut std::task::Context<'_>,
    ) -> std::task::Poll<Option<Self::Item>> {
        (self.0)(cx)
            .map(|event| event.map(|event| Ok(Frame::data(Bytes::from_static(event.as_bytes())))))
    }
}

#[test]
fn events_arrive_one_by_one_and_outlive_the_bound_on_silence() {
    let (routes, sender) = events();
    let soon = Duration::from_millis(20);
    let bounds = HttpLimits {
        idle_time: soon,
        body_time: soon,
        ..HttpLimits::default()
    };
    let server = Server::of(bounds, routes);
    let mut wire = server.connect();
    wire.send(server.good("GET", "/events", ""));
    wire.until(b"\r\n\r\n")
        .expect("the head comes before any event");
    for event in ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"] {
        std::thread::sleep(LONG_AFTER);
        sender.send(event).expect("the stream is open");
        wire.until(event.as_bytes())
            .expect("the event comes before the next is sent");
    }
    drop(sender);
    wire.until(b"0\r\n\r\n").expect("the stream ends");
}

#[test]
fn a_caller_that_goes_takes_the_work_for_it_along() {
    let (tell, told) = mpsc::channel();
    let tell = std::sync::Arc::new(Mutex::new(tell));
    let waits = move |_: HttpRequest| {
        let tell = tell.lock().expect("nobody panicked").clone();
        tell.send("begun").expect("the test waits");
        let guard = Tell(tell);
        async move {
            let _guard = guard;
            std::future::pending::<Result<Response<Full<Bytes>>, Infallible>>().await
        }
    };
    let routes = Routes::new().at("/waits", &[Method::POST], waits);
    let server = Server::of(HttpLimits::default(), routes);
    let mut wire = server.connect();
    wire.send(server.good("POST", "/waits", "{}"));
    assert_eq!(told.recv(), Ok("begun"));
    drop(wire);
    assert_eq!(told.recv(), Ok("dropped"));
}

/// Sends a message when it is dropped.
struct Tell(mpsc::Sender<&'static str>);

impl Drop for Tell {
    fn drop(&mut self) {
        let _ = self.0.send("dropped");
    }
}

#[test]
fn one_connection_too_many_is_turned_away_and_the_others_are_served() {
    let server = Server::with(HttpLimits::default());
    let mut callers: Vec<_> = (0..64).map(|_| server.connect()).collect();
    for caller in &mut callers {
        caller.send(server.health());
        assert_eq!(caller.answer().map(|answer| answer.status), Some(200));
    }
    for request in [String::new(), server.good("POST", "/mcp", "{}")] {
        let mut late = server.connect();
        late.send(request);
        let answer = late.answer().expect("it is told");
        assert_eq!(
            (answer.status, answer.json()["code"].as_str()),
            (503, Some("busy"))
        );
        assert!(late.rest().is_empty(), "and closed");
    }
    assert_eq!(server.reached.count(), 0);
    callers[0].send(server.good("POST", "/mcp", "{}"));
    assert_eq!(callers[0].answer().map(|answer| answer.status), Some(200));
    callers.pop();
    // The place is free as soon as the server has seen the end, which it does at a time of its own.
    while server.ask(server.health()).status == 503 {}
}

#[test]
fn the_answer_to_a_large_body_that_is_refused_arrives() {
    let server = Server::with(HttpLimits::default());
    let head = format!(
        "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: 4000000\r\n\r\n",
        server.tcp()
    );
    let mut wire = server.connect();
    wire.send(head);
    wire.send(vec![b'a'; 4_000_000]);
    assert_eq!(wire.answer().map(|answer| answer.status), Some(401));
    assert_eq!(server.reached.count(), 0);
}

#[test]
fn a_request_in_pieces_is_one_request() {
    let server = Server::with(HttpLimits::default());
    let mut wire = server.connect();
    for byte in server.good("POST", "/mcp", "{\"a\":1}").bytes() {
        wire.send([byte]);
    }
    assert_eq!(wire.answer().map(|answer| answer.status), Some(200));
    assert_eq!(server.reached.count(), 1);
}

#[test]
fn a_large_body_arrives_whole() {
    let lengths = async |request: HttpRequest| {
        use http_body_util::BodyExt;
        let body = request.into_body().collect().await?.to_bytes();
        let right = body.iter().all(|&byte| byte == b'a');
        let told = format!("{{\"length\":{},\"right\":{right}}}", body.len());
        Ok::<_, Infallible>(Response::new(Full::new(Bytes::from(told))))
    };
    let server = Server::of(
        HttpLimits::default(),
        Routes::new().at("/length", &[Method::POST], lengths),
    );
    let answer = server.ask(server.good("POST", "/length", &"a".repeat(8 * 1024 * 1024)));
    assert_eq!(
        answer.json(),
        serde_json::json!({"length": 8 * 1024 * 1024, "right": true})
    );
}

#[test]
fn a_refused_head_gets_no_body() {
    let server = Server::with(HttpLimits::default());
    let mut wire = server.connect();
    wire.send(format!(
        "HEAD /mcp HTTP/1.1\r\nHost: {}\r\n\r\n",
        server.tcp()
    ));
    let head = wire.until(b"\r\n\r\n").expect("there is an answer");
    assert!(head.starts_with(b"HTTP/1.1 405 "));
    assert!(wire.rest().is_empty());
}

#[test]
fn the_next_head_has_its_own_time() {
    let bounds = HttpLimits {
        header_time: Duration::from_millis(50),
        ..HttpLimits::default()
    };
    let server = Server::with(bounds);
    // A machine that stalls between the two steps of the first request is told so, and the test begins again.
    let (mut wire, first) = std::iter::repeat_with(|| {
        let mut wire = server.connect();
        wire.send(server.good("GET", "/mcp", ""));
        let first = wire.answer().map(|answer| answer.status);
        (wire, first)
    })
    .find(|(_, first)| *first == Some(200))
    .expect("it goes on for ever");
    assert_eq!(first, Some(200));
    std::thread::sleep(LONG_AFTER);
    wire.send("GET /healthz");
    assert_eq!(wire.answer().map(|answer| answer.status), Some(408));
    assert!(wire.rest().is_empty());
}

#[test]
fn without_the_token_a_connection_ends_with_the_time_for_the_first_head() {
    let time = Duration::from_secs(1);
    let server = Server::with(HttpLimits {
        header_time: time,
        ..HttpLimits::default()
    });
    let in_time = |begun: std::time::Instant| assert!(begun.elapsed() < 60 * time, "it hangs");
    // Silent after its first request.
    let begun = std::time::Instant::now();
    let mut silent = server.connect();
    silent.send(server.health());
    assert_eq!(silent.answer().map(|answer| answer.status), Some(200));
    assert!(silent.rest().is_empty(), "it is closed");
    in_time(begun);
    // One request after the other.
    let begun = std::time::Instant::now();
    let mut busy = server.connect();
    loop {
        busy.send(server.health());
        if busy.answer().is_none() {
            break;
        }
        in_time(begun);
    }
    // Whoever has the token stays.
    let mut known = server.connect();
    for _ in 0..2 {
        known.send(server.good("GET", "/mcp", ""));
        assert_eq!(known.answer().map(|answer| answer.status), Some(200));
        std::thread::sleep(time + LONG_AFTER);
    }
}

#[test]
fn stopping_closes_what_is_idle_at_once_and_cuts_off_what_does_not_end() {
    let (routes, sender) = events();
    let hour = Duration::from_secs(3600);
    let mut server = Server::of(
        HttpLimits {
            stop_time: hour,
            ..HttpLimits::default()
        },
        routes,
    );
    let mut idle = server.connect();
    idle.send(server.health());
    assert_eq!(idle.answer().map(|answer| answer.status), Some(200));
    server.stop();
    assert!(idle.rest().is_empty(), "it is closed");
    drop(sender);

    let (routes, _sender) = events();
    let soon = Duration::from_millis(20);
    let mut server = Server::of(
        HttpLimits {
            stop_time: soon,
            ..HttpLimits::default()
        },
        routes,
    );
    let mut listening = server.connect();
    listening.send(server.good("GET", "/events", ""));
    listening.until(b"\r\n\r\n").expect("the stream begins");
    server.stop();
    listening.rest();
}

#[test]
fn an_answer_under_way_is_finished_when_the_server_stops() {
    let (begun, begins) = mpsc::channel();
    let begun = Mutex::new(begun);
    let (go, goes) = tokio::sync::watch::channel(false);
    let slow = std::sync::Arc::new(move |_: HttpRequest| {
        begun
            .lock()
            .expect("nobody panicked")
            .send(())
            .expect("the test waits");
        let mut goes = goes.clone();
        async move {
            let _ = goes.wait_for(|go| *go).await;
            Ok::<_, Infallible>(Response::new(Full::new(Bytes::from_static(b"{}"))))
        }
    });
    let slow = move |request| slow(request);
    let hour = Duration::from_secs(3600);
    let routes = Routes::new().at("/slow", &[Method::POST], slow);
    let mut server = Server::of(
        HttpLimits {
            stop_time: hour,
            ..HttpLimits::default()
        },
        routes,
    );
    let mut wire = server.connect();
    wire.send(server.good("POST", "/slow", "{}"));
    begins.recv().expect("the handler is reached");
    let stopping = std::thread::spawn(move || server.stop());
    go.send(true).expect("the handler waits");
    assert_eq!(wire.answer().map(|answer| answer.status), Some(200));
    stopping.join().expect("it stops");
}
