//! The folders of a client narrow what may be touched, and never widen it.

use serde_json::{Value, json};

use super::server::{Server, Told, told};
use crate::stage::Stage;

fn stage() -> Stage {
    Stage::new(&[("a/one.txt", "one\n"), ("b/two.txt", "two\n")])
}

fn uri(stage: &Stage, folder: &str) -> String {
    let folder = stage.root().canonicalize().unwrap().join(folder);
    format!("file://{}", folder.display())
}

/// A client that has folders, once it is asked.
fn connected(stage: &Stage) -> Server {
    let mut server = Server::silent(stage, &[]);
    server.shake_hands(&json!({"roots": {"listChanged": true}}));
    server
}

/// Calls a tool as a client that is asked for its folders meanwhile.
fn call_from(server: &mut Server, roots: &[String], tool: &str, arguments: &Value) -> Told {
    let id = server.begin(tool, arguments);
    let asked = server.wanted("roots/list");
    let roots: Vec<Value> = roots.iter().map(|uri| json!({"uri": uri})).collect();
    server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": {"roots": roots}}));
    told(&server.answer(&id.into()))
}

fn read(path: &str) -> Value {
    json!({"path": path})
}

fn changed(server: &mut Server) {
    server.send(&json!({"jsonrpc": "2.0", "method": "notifications/roots/list_changed"}));
}

#[test]
fn only_the_folders_of_the_client_are_touched() {
    let stage = stage();
    let mut server = connected(&stage);
    let root = stage.root().canonicalize().unwrap();
    let inside = root.join("a/one.txt").display().to_string();
    let outside = root.join("b/two.txt").display().to_string();
    let told = call_from(&mut server, &[uri(&stage, "a")], "read", &read(&inside));
    assert!(told.text.contains("|one"), "{told:?}");
    let told = server.call("read", &read(&outside));
    assert!(told.is_error && told.text.contains("outside"), "{told:?}");
    let new = json!({"path": root.join("b/new.txt"), "content": "x"});
    let told = server.call("write", &new);
    assert!(
        told.is_error && told.text.starts_with("Nothing was written"),
        "{told:?}"
    );
    assert!(!stage.path("b/new.txt").exists());
    let found = server.call("search", &json!({"pattern": "."}));
    assert!(
        found.text.contains("one.txt") && !found.text.contains("two.txt"),
        "{found:?}"
    );
}

#[test]
fn folders_that_changed_are_asked_for_again() {
    let stage = stage();
    let mut server = connected(&stage);
    let two = stage
        .root()
        .canonicalize()
        .unwrap()
        .join("b/two.txt")
        .display()
        .to_string();
    let told = call_from(&mut server, &[uri(&stage, "a")], "read", &read(&two));
    assert!(told.is_error, "{told:?}");
    changed(&mut server);
    let told = call_from(&mut server, &[uri(&stage, "b")], "read", &read(&two));
    assert!(told.text.contains("|two"), "{told:?}");
}

#[test]
fn folders_outside_widen_nothing() {
    let stage = stage();
    let above = format!(
        "file://{}",
        stage
            .root()
            .canonicalize()
            .unwrap()
            .parent()
            .unwrap()
            .display()
    );
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(elsewhere.path().join("secret.txt"), "secret\n").unwrap();
    let secret = elsewhere
        .path()
        .canonicalize()
        .unwrap()
        .join("secret.txt")
        .display()
        .to_string();
    let other = format!(
        "file://{}",
        elsewhere.path().canonicalize().unwrap().display()
    );

    let mut server = connected(&stage);
    let told = call_from(&mut server, &[above], "read", &read("a/one.txt"));
    assert!(told.text.contains("|one"), "{told:?}");
    let mut server = connected(&stage);
    for roots in [
        vec![other.clone()],
        vec!["https://example.com/".to_owned()],
        vec![uri(&stage, "none")],
    ] {
        let told = call_from(&mut server, &roots, "read", &read(&secret));
        assert!(told.is_error && !told.text.contains("|secret"), "{told:?}");
        let told = server.call("write", &json!({"path": "a/new.txt", "content": "x"}));
        assert!(told.is_error, "{told:?}");
        assert!(told.text.starts_with("Nothing was written"), "{told:?}");
        changed(&mut server);
    }
    assert!(!stage.path("a/new.txt").exists());
}

#[test]
fn a_client_that_does_not_say_which_folders_are_its_own_touches_nothing_until_it_does() {
    let stage = stage();
    let mut server = connected(&stage);
    let write = json!({"path": stage.path("a/new.txt"), "content": "x"});
    let id = server.begin("write", &write);
    // It is asked, and says nothing.
    let asked = server.wanted("roots/list");
    let told = told(&server.answer(&id.into()));
    assert!(told.is_error, "{told:?}");
    assert!(told.text.starts_with("Nothing was written"), "{told:?}");
    assert!(told.text.contains("roots"), "{told:?}");
    // What it says too late is not taken for the answer to the next question.
    let late = json!({"roots": [{"uri": uri(&stage, "b")}]});
    server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "result": late}));
    let told = call_from(&mut server, &[uri(&stage, "a")], "write", &write);
    assert!(!told.is_error, "{told:?}");
    assert_eq!(stage.text("a/new.txt"), "x");
}

#[test]
fn a_client_that_fails_to_say_touches_nothing_and_one_that_knows_no_folders_has_none() {
    let stage = stage();
    for (code, opens) in [(-32000, false), (-32603, false), (-32601, true)] {
        let mut server = connected(&stage);
        let id = server.begin("read", &read("b/two.txt"));
        let asked = server.wanted("roots/list");
        let error = json!({"code": code, "message": "no"});
        server.send(&json!({"jsonrpc": "2.0", "id": asked["id"], "error": error}));
        let told = told(&server.answer(&id.into()));
        assert_eq!(told.text.contains("|two"), opens, "{code}: {told:?}");
        assert_eq!(told.is_error, !opens, "{code}: {told:?}");
    }
}

#[test]
fn a_client_without_folders_has_those_of_the_person() {
    let stage = stage();
    let mut server = connected(&stage);
    let told = call_from(&mut server, &[], "read", &read("b/two.txt"));
    assert!(told.text.contains("|two"), "{told:?}");
}
