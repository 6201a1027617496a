//! Conditions on versions, for which tasks edits are on, and what roles see.

use hashline_core::scheme::sha256;
use serde_json::json;

use super::{Place, first_anchor, post, post_with, replace};

const READ: &str = "/api/sandbox/read-file";
const EDIT: &str = "/api/sandbox/edit-file";
const WRITE: &str = "/api/sandbox/write-file";

#[test]
fn a_file_that_the_caller_has_is_not_sent_again() {
    let place = Place::new(&[("f", "one\n")]);
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    let version = format!("\"{}\"", sha256(b"one\n"));
    let weak = format!("W/{version}");
    let several = format!("\"x\", {version}");
    for route in [READ, "/v1/read"] {
        for (condition, expected) in [
            (version.as_str(), 304),
            (&weak, 304),
            (&several, 304),
            ("*", 304),
            ("\"x\"", 200),
            ("x", 400),
        ] {
            let headers = [("If-None-Match", condition)];
            let response = post_with(&mut client, route, &headers, &json!({"path": "f"}));
            assert_eq!(response.status, expected, "{route} {condition}");
            let etag = response.header("etag");
            assert_eq!(etag, (expected != 400).then_some(version.as_str()));
            assert_eq!(response.body.is_empty(), expected == 304);
        }
    }
}

#[test]
fn a_change_is_made_only_over_a_version_that_is_named() {
    let (old, other) = (sha256(b"one\n"), sha256(b"two\n"));
    let [quoted, upper] = [&old, &old.to_uppercase()].map(|version| format!("\"{version}\""));
    let several = format!("\"{other}\", {quoted}");
    let weak = format!("W/{quoted}");
    let missing = format!("\"{other}\"");
    for (condition, file, expected) in [
        (quoted.as_str(), "f", 200),
        (&upper, "f", 200),
        (&several, "f", 200),
        ("*", "f", 200),
        (&weak, "f", 412),
        (&missing, "f", 412),
        (&several, "missing", 412),
        ("*", "missing", 412),
        ("nonsense", "f", 400),
    ] {
        // Every name that a path may have in a request means the same file.
        for key in ["path", "file_path", "filePath"] {
            let place = Place::new(&[("f", "one\n")]);
            let server = place.serve(&[]);
            let mut client = server.client("main").unwrap();
            let anchor = first_anchor(&mut client, "f");
            let headers = [("If-Match", condition)];
            let named = |mut body: serde_json::Value| {
                let path = body["path"].take();
                body.as_object_mut().unwrap().shift_remove("path");
                body[key] = path;
                body
            };
            let edit = named(replace(file, &anchor, "new"));
            let response = post_with(&mut client, EDIT, &headers, &edit);
            assert_eq!(response.status, expected, "edit {key} {condition} {file}");
            let changed = expected == 200;
            assert_eq!(place.bytes("f") == b"new\n", changed);
            if changed {
                let etag = format!("\"{}\"", sha256(b"new\n"));
                assert_eq!(response.header("etag"), Some(etag.as_str()));
            }
            assert!(!place.root().join("missing").exists());
        }
        let place = Place::new(&[("f", "one\n")]);
        let server = place.serve(&[]);
        let mut client = server.client("main").unwrap();
        let headers = [("If-Match", condition)];
        let write = json!({"path": file, "content": "all new\n"});
        for route in [WRITE, "/v1/write"] {
            place.write("f", b"one\n");
            let response = post_with(&mut client, route, &headers, &write);
            assert_eq!(
                response.status,
                expected,
                "{route} {condition} {file}: {}",
                response.json()
            );
            assert_eq!(place.bytes("f") == b"all new\n", expected == 200);
            assert!(!place.root().join("missing").exists());
        }
    }
}

#[test]
fn a_file_that_must_not_exist_is_only_created() {
    let place = Place::new(&[("f", "one\n")]);
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    for route in [WRITE, "/v1/write"] {
        let headers = [("If-None-Match", "*")];
        let there = json!({"path": "f", "content": "x\n"});
        assert_eq!(
            post_with(&mut client, route, &headers, &there).status,
            412,
            "{route}"
        );
        let new = json!({"path": format!("new/{}", route.len()), "content": "x\n"});
        assert_eq!(
            post_with(&mut client, route, &headers, &new).status,
            200,
            "{route}"
        );
    }
    assert_eq!(place.bytes("f"), b"one\n");
}

#[test]
fn a_refusal_for_a_version_shows_the_lines_as_they_are() {
    let place = Place::new(&[("f", "one\ntwo\n")]);
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    let anchor = first_anchor(&mut client, "f");
    place.write("f", b"new\ntwo\n");
    let headers = [("If-Match", "\"0\"")];
    let edit = replace("f", &anchor, "x");
    let response = post_with(&mut client, "/v1/edit", &headers, &edit);
    let answer = response.json();
    assert_eq!(
        (response.status, answer["code"].as_str()),
        (412, Some("stale_file"))
    );
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("|new"), "{message}");
}

#[test]
fn edits_are_on_for_the_tasks_of_the_rollout() {
    for (edit_file, task, on) in [
        ("on", None, true),
        ("off", Some("t"), false),
        ("100%", Some("t"), true),
        ("100%", None, false),
        ("0", Some("t"), false),
    ] {
        let place = Place::new(&[("f", "one\n")]);
        let root = place.root();
        let list = format!(
            "[[workspace]]\nname = \"w\"\nroot = \"{}\"\nedit_file = \"{edit_file}\"\n",
            root.display()
        );
        let server = place.serve_listed(&list);
        let mut client = server.client("w").unwrap();
        let anchor = first_anchor(&mut client, "f");
        let headers: Vec<(&str, &str)> = task
            .map(|task| ("Hashline-Task", task))
            .into_iter()
            .collect();
        let response = post_with(&mut client, EDIT, &headers, &replace("f", &anchor, "x"));
        let answer = response.json();
        assert_eq!(
            (response.status, answer["ok"].as_bool()),
            (200, Some(on)),
            "{edit_file}"
        );
        if !on {
            assert_eq!(
                [&answer["error"], &answer["use"]],
                ["edit_disabled", "write-file"]
            );
            let not_json = client.post(EDIT, &headers, b"{").unwrap();
            assert_eq!(not_json.status, 400);
        }
        let write = json!({"path": "f", "content": "y\n"});
        assert_eq!(post(&mut client, WRITE, &write).1["ok"], true);
    }
}

#[test]
fn a_coder_is_shown_anchors_and_an_orchestrator_is_not() {
    let place = Place::new(&[("f", "one\n")]);
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    for (role, annotate, push, ours) in [
        (None, None, false, true),
        (Some("coder"), None, true, true),
        (Some("orchestrator"), None, false, false),
        (Some("coder"), Some(false), false, false),
        (Some("orchestrator"), Some(true), true, true),
    ] {
        let headers: Vec<(&str, &str)> = role
            .map(|role| ("Hashline-Role", role))
            .into_iter()
            .collect();
        let mut body = json!({"path": "f"});
        if let Some(annotate) = annotate {
            body["annotate"] = annotate.into();
        }
        let answer = post_with(&mut client, READ, &headers, &body).json();
        assert_eq!(answer["content"] != "one", push, "{role:?} {annotate:?}");
        let answer = post_with(&mut client, "/v1/read", &headers, &body).json();
        assert_eq!(answer["lines"][0] != "one", ours, "{role:?} {annotate:?}");
    }
    let response = post_with(
        &mut client,
        READ,
        &[("Hashline-Role", "boss")],
        &json!({"path": "f"}),
    );
    assert_eq!(response.status, 400);
}
