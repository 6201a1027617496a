//! Tests of the page's routes over real sockets: who may fetch what, and what a watcher is sent.

use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::oneshot;

use super::watchers::{Scope, Watchers};
use super::{ASSETS, event};
use crate::api::serve::routes;
use crate::api::{ApiOptions, ApiServer, Ui, WorkspaceOptions};
use crate::front::{AllowedOrigins, BindAddress, Front, HttpLimits, ListenAddress, TokenDigest};

/// Longer than any answer takes: a test that gets here hangs, and fails.
const HANGS: Duration = Duration::from_secs(60);
const ALPHA: &str = "alpha-token-alpha-token-alpha-token";
const BETA: &str = "beta-token-beta-token-beta-token-be";
const OPERATOR: &str = "operator-token-operator-token-opera";

/// A server with the workspaces `alpha` and `beta`, in a thread.
struct Served {
    at: SocketAddr,
    server: ApiServer,
    options: Vec<WorkspaceOptions>,
    folder: TempDir,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    fn with(ui: Ui) -> Self {
        let folder = TempDir::new().expect("there is room");
        let workspace = |name: &str, token: &str| {
            let root = folder.path().join(name);
            std::fs::create_dir(&root).expect("it is new");
            std::fs::write(root.join("a.txt"), "one\ntwo\n").expect("it is written");
            WorkspaceOptions::new(name, root, TokenDigest::of(token.as_bytes()))
        };
        let options = vec![workspace("alpha", ALPHA), workspace("beta", BETA)];
        let server = ApiServer::open(ApiOptions {
            workspaces: options.clone(),
            operator: Some(TokenDigest::of(OPERATOR.as_bytes())),
            ui,
            ..ApiOptions::default()
        });
        let server = server.expect("the folders can be served");
        let origins = match ui {
            Ui::On => AllowedOrigins::none().and_own(),
            Ui::Off => AllowedOrigins::none(),
        };
        let limits = HttpLimits {
            body_bytes: server.body_bytes(),
            ..HttpLimits::default()
        };
        let front = Front::bind(BindAddress::Loopback(0), server.tokens(), limits, origins);
        let front = front.expect("there is a port");
        let ListenAddress::Tcp(at) = front.addresses()[0] else {
            panic!("it has a port")
        };
        let (stop, stopped) = oneshot::channel::<()>();
        let serving = server.clone();
        let thread = std::thread::spawn(move || {
            let mut runtime = tokio::runtime::Builder::new_current_thread();
            let runtime = runtime.enable_all().build().expect("a runtime starts");
            let stopped = async {
                drop(stopped.await);
                serving.shut_down();
            };
            let served = runtime.block_on(front.serve(routes(&serving), stopped));
            served.expect("it serves");
        });
        Self {
            at,
            server,
            options,
            folder,
            stop: Some(stop),
            thread: Some(thread),
        }
    }

    /// Sends a request with these headers, and returns the connection.
    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.at).expect("the server accepts");
        stream.set_read_timeout(Some(HANGS)).expect("it can be set");
        let own = self.at.to_string();
        let has_host = headers.iter().any(|(name, _)| *name == "Host");
        let host = (!has_host).then_some(("Host", own.as_str()));
        let lines: String = host
            .iter()
            .chain(headers)
            .map(|(name, value)| format!("{name}: {value}\r\n"))
            .collect();
        let kind = match method {
            "GET" => String::new(),
            _ => format!(
                "Content-Type: application/json\r\nContent-Length: {}\r\n",
                body.len()
            ),
        };
        let request = format!("{method} {path} HTTP/1.1\r\n{lines}{kind}\r\n{body}");
        stream.write_all(request.as_bytes()).expect("it is read");
        stream
    }

    /// Sends a request and returns the status, the head and the body of the answer.
    fn ask(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        let headers = [headers, &[("Connection", "close")]].concat();
        let mut answer = String::new();
        let mut stream = self.send(method, path, &headers, body);
        // A refusal closes the connection, maybe before all of the request was read.
        let _ = stream.read_to_string(&mut answer);
        let (head, body) = answer.split_once("\r\n\r\n").expect("it has a head");
        let status = head.get(9..12).and_then(|digits| digits.parse().ok());
        (
            status.expect("it has a status"),
            head.to_owned(),
            body.to_owned(),
        )
    }

    fn get(&self, path: &str, headers: &[(&str, &str)]) -> u16 {
        self.ask("GET", path, headers, "").0
    }

    /// Carries out a call as an agent does, and returns its answer.
    fn call(&self, token: &str, path: &str, body: &Value) -> Value {
        let bearer = bearer(token);
        let (_, _, answer) = self.ask(
            "POST",
            path,
            &[("Authorization", &bearer)],
            &body.to_string(),
        );
        serde_json::from_str(&answer).expect("it is JSON")
    }

    /// Starts to watch.
    fn watch(&self, token: &str) -> Events {
        let bearer = bearer(token);
        let stream = self.send("GET", "/ui/events", &[("Authorization", &bearer)], "");
        let mut events = Events {
            stream,
            received: String::new(),
        };
        let hello = events.next().expect("the first event");
        assert_eq!(hello["kind"], "hello");
        events
    }

    fn stop(&mut self) {
        drop(self.stop.take());
        let thread = self.thread.take().map(JoinHandle::join);
        assert!(thread.is_none_or(|ended| ended.is_ok()), "it ends well");
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        drop(self.stop.take());
        let _ = self.thread.take().map(JoinHandle::join);
    }
}

fn bearer(token: &str) -> String {
    format!("Bearer {token}")
}

/// The events that a watcher receives.
struct Events {
    stream: TcpStream,
    received: String,
}

impl Events {
    /// Returns the next event; `None` if the stream ends.
    fn next(&mut self) -> Option<Value> {
        loop {
            let found = self.received.find("data: ").and_then(|from| {
                let rest = self.received.get(from + "data: ".len()..)?;
                rest.find("\n\n").map(|length| (from, length))
            });
            if let Some((from, length)) = found {
                let from = from + "data: ".len();
                let event = serde_json::from_str(&self.received[from..from + length]);
                self.received.drain(..from + length);
                return Some(event.expect("it is JSON"));
            }
            // The last chunk of the answer; the connection may stay open.
            if self.received.ends_with("\r\n0\r\n\r\n") {
                return None;
            }
            let mut piece = [0; 4096];
            match self.stream.read(&mut piece).expect("it is in time") {
                0 => return None,
                count => self
                    .received
                    .push_str(std::str::from_utf8(&piece[..count]).expect("it is ASCII here")),
            }
        }
    }
}

#[test]
fn without_the_page_its_paths_do_not_exist() {
    let served = Served::with(Ui::Off);
    let token = bearer(ALPHA);
    let paths = ASSETS.iter().map(|asset| asset.path);
    for path in paths.chain(["/ui/events", "/ui/read", "/ui/edit", "/ui", "/ui/"]) {
        assert_eq!(
            served.get(path, &[("Authorization", &token)]),
            404,
            "{path}"
        );
    }
    let own = format!("http://{}", served.at);
    let status = served.get("/readyz", &[("Authorization", &token), ("Origin", &own)]);
    assert_eq!(status, 403, "its own origin is not accepted either");
}

#[test]
fn static_files_need_no_token_and_hold_no_data() {
    let served = Served::with(Ui::On);
    for asset in &ASSETS {
        let (status, head, body) = served.ask("GET", asset.path, &[], "");
        assert_eq!(status, 200, "{}", asset.path);
        assert_eq!(body.as_bytes(), asset.content, "{}", asset.path);
        let head = head.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; \
             form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
            "referrer-policy: no-referrer",
            "cross-origin-opener-policy: same-origin",
            "cross-origin-resource-policy: same-origin",
            "x-content-type-options: nosniff",
        ] {
            assert!(head.contains(header), "{}: {header} in {head}", asset.path);
        }
        for secret in [ALPHA, BETA, OPERATOR, "alpha", "a.txt"] {
            assert!(!body.contains(secret), "{}: {secret}", asset.path);
        }
    }
}

#[test]
fn the_page_is_one_document_without_inline_scripts_or_foreign_addresses() {
    for asset in &ASSETS {
        let text = std::str::from_utf8(asset.content).expect("it is text");
        let names = text.replace("http://www.w3.org/2000/svg", "");
        assert!(
            !names.contains("http://") && !names.contains("https://"),
            "{}",
            asset.path
        );
        for forbidden in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
            "localStorage",
            "sessionStorage",
            "document.cookie",
            "indexedDB",
            "style=",
            "onclick=",
        ] {
            assert!(!text.contains(forbidden), "{}: {forbidden}", asset.path);
        }
    }
}

#[test]
fn data_needs_a_token() {
    let served = Served::with(Ui::On);
    let wrong = bearer("wrong-token-wrong-token-wrong-token");
    assert_eq!(served.get("/ui/events", &[]), 401);
    let headers = [("Authorization", &*wrong)];
    assert_eq!(served.get("/ui/events", &headers), 401);
    for path in ["/ui/read", "/ui/edit", "/v1/read"] {
        assert_eq!(served.ask("POST", path, &[], "{}").0, 401, "{path}");
        let in_address = format!("{path}?token={ALPHA}");
        assert_ne!(
            served.ask("POST", &in_address, &[], "{}").0,
            200,
            "{in_address}"
        );
    }
}

#[test]
fn only_the_page_s_own_origin_is_accepted() {
    let served = Served::with(Ui::On);
    let token = bearer(ALPHA);
    let own = format!("http://{}", served.at);
    let other_port = format!("http://127.0.0.1:{}", served.at.port() ^ 1);
    let asked = |path: &str, headers: &[(&str, &str)]| {
        let headers = [headers, &[("Authorization", &*token)]].concat();
        served.ask("POST", path, &headers, r#"{"path":"a.txt"}"#).0
    };
    assert_eq!(asked("/ui/read", &[("Origin", &own)]), 200);
    for other in [
        "null",
        "http://127.0.0.1",
        "https://evil.example",
        &other_port,
        &format!("{own}.evil.example"),
    ] {
        assert_eq!(asked("/ui/read", &[("Origin", other)]), 403, "{other}");
        assert_eq!(served.get("/", &[("Origin", other)]), 403, "{other}");
        assert_eq!(
            served.get(
                "/ui/events",
                &[("Origin", other), ("Authorization", &token)]
            ),
            403,
            "{other}"
        );
    }
    for site in ["cross-site", "same-site"] {
        assert_eq!(
            asked("/ui/read", &[("Sec-Fetch-Site", site)]),
            403,
            "{site}"
        );
        assert_eq!(
            served.get("/ui/app.js", &[("Sec-Fetch-Site", site)]),
            403,
            "{site}"
        );
    }
    assert_eq!(
        served.ask("OPTIONS", "/ui/read", &[("Origin", &own)], "").0,
        405
    );
}

#[test]
fn a_name_that_points_here_from_elsewhere_is_refused() {
    let served = Served::with(Ui::On);
    let rebound = format!("evil.example:{}", served.at.port());
    let origin = format!("http://{rebound}");
    for path in ["/", "/ui/app.js", "/ui/events"] {
        let headers = [("Host", &*rebound), ("Origin", &*origin)];
        assert_eq!(served.get(path, &headers), 421, "{path}");
    }
}

#[test]
fn a_watcher_sees_an_edit_with_its_diff() {
    let served = Served::with(Ui::On);
    let mut events = served.watch(ALPHA);
    let read = served.call(ALPHA, "/v1/read", &json!({"path": "a.txt"}));
    let line = read["lines"][1].as_str().expect("it is shown");
    let anchor = line.split('|').next().expect("it has an anchor");
    let edit =
        json!({"path": "a.txt", "edits": [{"set_line": {"anchor": anchor, "new_text": "2"}}]});
    let mut preview = edit.clone();
    preview["dry_run"] = true.into();
    for body in [&preview, &edit, &edit] {
        served.call(ALPHA, "/v1/edit", body);
    }
    served.call(ALPHA, "/v1/read", &json!({"path": "none.txt"}));
    let seen = events.next().expect("the read");
    assert_eq!(
        (&seen["route"], &seen["path"], &seen["verdict"]),
        (&json!("read"), &json!("a.txt"), &json!("done"))
    );
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n";
    for is_dry in [true, false] {
        let seen = events.next().expect("the edit");
        assert_eq!(
            (&seen["dry_run"], &seen["files"][0]["diff"]),
            (&json!(is_dry), &json!(diff))
        );
        assert!(seen["ms"].as_f64().is_some_and(|ms| ms > 0.0));
    }
    let seen = events.next().expect("the stale one");
    assert_eq!(
        (&seen["verdict"], &seen["code"], &seen["status"]),
        (&json!("refused"), &json!("stale"), &json!(409))
    );
    assert!(
        seen["message"]
            .as_str()
            .is_some_and(|text| text.contains("is gone"))
    );
    let seen = events.next().expect("the missing file");
    assert_eq!(
        (&seen["code"], &seen["path"]),
        (&json!("file_not_found"), &json!("none.txt"))
    );
}

#[test]
fn the_page_reads_and_edits_as_agents_do_but_refusals_are_no_errors_of_http() {
    let served = Served::with(Ui::On);
    let token = bearer(ALPHA);
    let asked = |path: &str| {
        let body = r#"{"path":"none.txt","edits":[{"set_line":{"anchor":"1:aa","new_text":""}}]}"#;
        served.ask("POST", path, &[("Authorization", &token)], body)
    };
    let (status, _, answer) = asked("/v1/edit");
    assert_eq!(status, 404);
    assert_eq!(asked("/ui/edit").0, 200);
    assert_eq!(asked("/ui/edit").2, answer);
}

#[test]
fn a_token_shows_its_own_workspace_and_the_operator_s_all() {
    let served = Served::with(Ui::On);
    let (mut alpha, mut all) = (served.watch(ALPHA), served.watch(OPERATOR));
    served.call(BETA, "/v1/read", &json!({"path": "a.txt"}));
    served.call(ALPHA, "/v1/read", &json!({"path": "a.txt"}));
    assert_eq!(alpha.next().expect("its own")["workspace"], "alpha");
    assert_eq!(all.next().expect("the first")["workspace"], "beta");
    assert_eq!(all.next().expect("the second")["workspace"], "alpha");
}

#[test]
fn streams_end_when_workspaces_are_replaced_and_when_the_server_stops() {
    let mut served = Served::with(Ui::On);
    let mut first = served.watch(ALPHA);
    let mut options = served.options.clone();
    options[0].token = TokenDigest::of(b"another-token-another-token-another");
    served.server.replace(options).expect("they can be served");
    assert_eq!(first.next(), None, "the token is not accepted any more");
    assert_eq!(
        served.get("/ui/events", &[("Authorization", &bearer(ALPHA))]),
        401
    );
    let mut second = served.watch(BETA);
    served.stop();
    assert_eq!(second.next(), None);
    assert!(served.folder.path().is_dir());
}

#[test]
fn a_long_diff_is_cut_at_a_line_and_says_so() {
    let served = Served::with(Ui::On);
    let mut events = served.watch(ALPHA);
    let content = "a line of a file that is long\n".repeat(10_000);
    let written = served.call(
        ALPHA,
        "/v1/write",
        &json!({"path": "long.txt", "content": content}),
    );
    assert_eq!(written["ok"], true);
    let seen = events.next().expect("the write");
    let file = &seen["files"][0];
    let diff = file["diff"].as_str().expect("it is shown");
    assert!(
        diff.len() <= 64 << 10 && diff.ends_with("is long\n"),
        "{} bytes",
        diff.len()
    );
    assert_eq!(file["added"], 10_000);
    let whole =
        content.len() + 10_000 + "--- a/long.txt\n+++ b/long.txt\n@@ -0,0 +1,10000 @@\n".len();
    assert_eq!(file["diff_cut"], whole - diff.len());
}

#[test]
fn who_does_not_keep_up_is_told_how_much_was_lost() {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build();
    runtime.expect("a runtime starts").block_on(async {
        let watchers = Arc::new(Watchers::default());
        let mut stream = watchers.add(Scope::Workspace("a".into()), event::missed(0));
        for _ in 0..100 {
            assert!(watchers.watch("a"));
            watchers.send("a", &event::missed(0));
            watchers.send("b", &event::missed(0));
        }
        assert!(!watchers.watch("b"));
        watchers.disconnect();
        let mut received = Vec::new();
        while let Some(frame) = http_body_util::BodyExt::frame(&mut stream).await {
            let data = frame
                .expect("it cannot fail")
                .into_data()
                .expect("it is data");
            received.push(String::from_utf8(data.to_vec()).expect("it is text"));
        }
        // Of 101 events 64 had room; those of the other workspace do not count.
        assert!(received[0].contains("\"count\":37"), "{}", received[0]);
        assert_eq!(received.len(), 65);
    });
}
