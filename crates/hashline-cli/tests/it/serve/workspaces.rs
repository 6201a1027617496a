//! Workspaces and their tokens: who reaches what, how a running server is told of others, proxies, sockets and other paths of a root.

use std::fs;
use std::os::unix::fs::DirBuilderExt;
use std::thread;
use std::time::Duration;

use hashline_testing::served::{Address, Server, Signal, token_digest};
use serde_json::json;

use super::{Place, first_anchor, post, post_with, read, replace};

const TOKEN_A: &str = "the-token-of-a-with-enough-characters";
const TOKEN_B: &str = "the-token-of-b-with-enough-characters";
const TOKEN_C: &str = "the-token-of-c-with-enough-characters";

fn entry(name: &str, root: &str, token: &str, more: &str) -> String {
    let digest = token_digest(token);
    format!(
        "[[workspace]]\nname = \"{name}\"\nroot = \"{root}\"\ntoken_sha256 = \"{digest}\"\n{more}\n"
    )
}

fn two() -> (Place, String) {
    let place = Place::new(&[]);
    for name in ["a", "b"] {
        fs::create_dir(place.at(name)).unwrap();
        fs::write(place.at(name).join("f"), format!("of {name}\n")).unwrap();
    }
    let list = entry("a", "a", TOKEN_A, "") + &entry("b", "b", TOKEN_B, "");
    (place, list)
}

/// Lets a server read its workspaces again, and waits until it says what came of it.
fn reload(server: &Server, place: &Place, list: &str, says: &str) {
    fs::write(place.at("workspaces.toml"), list).unwrap();
    let before = server.log().len();
    server.signal(Signal::HUP).unwrap();
    while !server.log()[before..].contains(says) {
        thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn a_token_selects_its_workspace_and_reaches_no_other() {
    let (place, list) = two();
    let server = place.serve_listed(&list);
    let operator = server.token("").unwrap();
    for (token, content) in [(TOKEN_A, "of a"), (TOKEN_B, "of b")] {
        let mut client = server.client_with(token);
        assert_eq!(read(&mut client, "f").1["content"], content);
        for outside in ["../a/f", "../b/f", place.at("a/f").to_str().unwrap()] {
            let (status, answer) = read(&mut client, outside);
            let is_own = outside.starts_with('/') && token == TOKEN_A;
            assert_eq!((status, &answer["ok"] == true), (200, is_own), "{answer}");
        }
    }
    let body = json!({"path": "f"});
    for (token, status, code) in [
        (operator.as_str(), 403, "no_workspace"),
        (TOKEN_C, 401, "unauthorized"),
        ("", 401, "unauthorized"),
    ] {
        let (found, answer) = post(&mut server.client_with(token), "/v1/read", &body);
        assert_eq!((found, answer["code"].as_str()), (status, Some(code)));
    }
    let ready = server.client_with(&operator).get("/readyz", &[]).unwrap();
    assert_eq!((ready.status, ready.json()["ok"] == true), (200, true));
}

#[test]
fn a_sandbox_that_is_named_is_that_of_the_token() {
    let (place, list) = two();
    let server = place.serve_listed(&list);
    let mut client = server.client_with(TOKEN_A);
    let anchor = first_anchor(&mut client, "f");
    let inside = |name: &str| json!({"tool": "sandbox_edit_file", "args": {"path": "f", "edits": [], "sandbox_id": name}});
    for (path, body, expected) in [
        (
            "/api/sandbox/read-file",
            json!({"path": "f", "sandbox_id": "a"}),
            200,
        ),
        (
            "/api/sandbox/read-file",
            json!({"path": "f", "sandbox_id": "b"}),
            403,
        ),
        (
            "/api/sandbox/read-file",
            json!({"path": "f", "sandbox_id": 1}),
            403,
        ),
        (
            "/api/sandbox/read-file",
            json!({"path": "f", "sandbox_id": null}),
            200,
        ),
        ("/api/sandbox/edit-file", inside("a"), 200),
        ("/api/sandbox/edit-file", inside("b"), 403),
        ("/v1/read", json!({"path": "f", "sandbox_id": "a"}), 200),
        ("/v1/read", json!({"path": "f", "sandbox_id": "b"}), 403),
    ] {
        assert_eq!(post(&mut client, path, &body).0, expected, "{path} {body}");
    }
    let mut both = inside("b");
    both["sandbox_id"] = "a".into();
    assert_eq!(post(&mut client, "/api/sandbox/edit-file", &both).0, 403);
    let (_, answer) = post(
        &mut client,
        "/api/sandbox/edit-file",
        &replace("f", &anchor, "x"),
    );
    assert_eq!(answer["ok"], true);
}

#[test]
fn workspaces_come_and_go_while_the_server_runs() {
    let (place, list) = two();
    let server = place.serve_listed(&list);
    let status = |token| read(&mut server.client_with(token), "f").0;
    assert_eq!([TOKEN_A, TOKEN_B, TOKEN_C].map(status), [200, 200, 401]);
    let third = entry("c", "b", TOKEN_C, "");
    let without_a = entry("b", "b", TOKEN_B, "") + &third;
    reload(&server, &place, &without_a, "2 are served");
    assert_eq!([TOKEN_A, TOKEN_B, TOKEN_C].map(status), [401, 200, 200]);
    for broken in [
        "nonsense".to_owned(),
        entry("b", "missing", TOKEN_A, ""),
        entry("a", "a", TOKEN_A, "") + &entry("b", "b", TOKEN_A, ""),
        entry("a/b", "a", TOKEN_A, ""),
    ] {
        reload(&server, &place, &broken, "served as before");
        assert_eq!([TOKEN_A, TOKEN_B, TOKEN_C].map(status), [401, 200, 200]);
    }
    reload(&server, &place, &list, "2 are served");
    assert_eq!([TOKEN_A, TOKEN_B, TOKEN_C].map(status), [200, 200, 401]);
}

#[test]
fn two_servers_of_one_person_have_tokens_of_their_own() {
    let place = Place::new(&[("f", "one\n")]);
    let (one, two) = (place.serve(&[]), place.serve(&[]));
    assert_ne!(one.token("main").unwrap(), two.token("main").unwrap());
    for server in [&one, &two] {
        assert_eq!(read(&mut server.client("main").unwrap(), "f").0, 200);
    }
}

#[test]
fn a_proxy_may_name_its_host_and_nobody_else() {
    let place = Place::new(&[("f", "one\n")]);
    let behind = |address| ["--proxy", address, "--proxy-host", "sandbox.example"];
    for (args, host, expected) in [
        (&behind("127.0.0.1")[..], "sandbox.example", 200),
        (&behind("127.0.0.1"), "Sandbox.Example", 200),
        (&behind("127.0.0.1"), "other.example", 421),
        (&behind("10.0.0.1"), "sandbox.example", 421),
        (&[], "sandbox.example", 421),
    ] {
        let server = place.serve(args);
        let mut client = server.client("main").unwrap();
        let body = json!({"path": "f"});
        let response = post_with(&mut client, "/v1/read", &[("Host", host)], &body);
        assert_eq!(response.status, expected, "{args:?} {host}");
        assert_eq!(read(&mut server.client("main").unwrap(), "f").0, 200);
    }
}

#[test]
fn a_socket_serves_as_an_address_does() {
    let place = Place::new(&[("f", "one\n")]);
    let folder = place.at("private");
    fs::DirBuilder::new().mode(0o700).create(&folder).unwrap();
    let socket = folder.join("s");
    let server = place.serve(&["--socket", socket.to_str().unwrap()]);
    assert_eq!(server.address(), &Address::Unix(socket.clone()));
    assert_eq!(
        read(&mut server.client("main").unwrap(), "f").1["content"],
        "one"
    );
    assert_eq!(read(&mut server.client_with("x"), "f").0, 401);
    assert!(server.end().unwrap().success());
    assert!(!socket.exists());
}

#[test]
fn a_root_may_be_known_by_another_path() {
    let (place, _) = two();
    let list = entry("a", "a", TOKEN_A, "as = \"/workspace\"");
    let server = place.serve_listed(&list);
    let mut client = server.client_with(TOKEN_A);
    for (path, ok) in [
        ("/workspace/f", true),
        ("f", true),
        ("/workspace/../workspace/f", false),
        ("/workspace/../b/f", false),
        ("/workspace2/f", false),
        ("/workspace", false),
        ("/etc/passwd", false),
    ] {
        let (status, answer) = read(&mut client, path);
        assert_eq!(
            (status, answer["ok"].as_bool()),
            (200, Some(ok)),
            "{path}: {answer}"
        );
    }
    let write = json!({"path": "/workspace/new/g", "content": "x\n"});
    assert_eq!(
        post(&mut client, "/api/sandbox/write-file", &write).1["ok"],
        true
    );
    assert_eq!(fs::read(place.at("a/new/g")).unwrap(), b"x\n");
}
