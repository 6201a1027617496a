//! Whole files of all kinds, written and read through seed 001's routes.

use std::os::unix::fs::symlink;

use hashline_core::scheme::sha256;
use serde_json::json;

use super::{Place, post, read};

const WRITE: &str = "/api/sandbox/write-file";

#[test]
fn whole_files_of_any_bytes_are_written_exactly() {
    let place = Place::new(&[]);
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    place.write("binary", b"\0\xff\0");
    place.write("utf16", b"\xff\xfea\0\n\0");
    place.write("crlf", b"a\r\nb\r\n");
    for (path, content, encoding, bytes) in [
        ("empty", "", None, &b""[..]),
        ("plain", "a\n", None, b"a\n"),
        ("no-newline", "a", None, b"a"),
        ("crlf", "x\ny\r\n", None, b"x\ny\r\n"),
        ("mark", "\u{feff}a\n", None, b"\xef\xbb\xbfa\n"),
        ("utf16", "b\n", None, b"b\n"),
        ("binary", "text\n", None, b"text\n"),
        ("bytes", "AP8K", Some("base64"), b"\0\xff\n"),
        ("plain", "AA==", Some("BASE64"), b"\0"),
        ("latin", "\u{e9}\n", Some("windows-1252"), b"\xe9\n"),
        ("deep/er/file", "x", None, b"x"),
    ] {
        let mut body = json!({"path": path, "content": content});
        if let Some(encoding) = encoding {
            body["encoding"] = encoding.into();
        }
        let (status, answer) = post(&mut client, WRITE, &body);
        assert_eq!(
            (status, answer["ok"].as_bool()),
            (200, Some(true)),
            "{path}: {answer}"
        );
        assert_eq!(answer["version"], sha256(bytes), "{path}");
        assert_eq!(answer["bytes"], bytes.len(), "{path}");
        assert_eq!(place.bytes(path), bytes, "{path}");
    }
}

#[test]
fn what_cannot_be_written_leaves_everything_as_it_was() {
    let place = Place::new(&[("f", "one\n")]);
    std::fs::write(place.at("outside"), "not ours\n").unwrap();
    symlink(place.at("outside"), place.root().join("link")).unwrap();
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    for (body, code) in [
        (json!({"path": "f", "content": "a\0b"}), "bad_request"),
        (
            json!({"path": "f", "content": "%", "encoding": "base64"}),
            "bad_request",
        ),
        (
            json!({"path": "f", "content": "a", "encoding": "none-such"}),
            "bad_request",
        ),
        (json!({"path": "f"}), "bad_request"),
        (json!({"path": ".git/config", "content": "x"}), "protected"),
        (
            json!({"path": ".GIT/hooks/pre-commit", "content": "x"}),
            "protected",
        ),
        (json!({"path": ".hashline/x", "content": "x"}), "protected"),
        (json!({"path": "../outside", "content": "x"}), "bad_path"),
        (json!({"path": "link", "content": "x"}), "outside_root"),
        (json!({"path": "", "content": "x"}), "bad_request"),
    ] {
        let (status, answer) = post(&mut client, WRITE, &body);
        assert_eq!(
            (status, answer["code"].as_str()),
            (200, Some(code)),
            "{body}: {answer}"
        );
    }
    let stale = json!({"path": "f", "content": "x", "expected_version": sha256(b"two\n")});
    let (status, answer) = post(&mut client, WRITE, &stale);
    assert_eq!((status, &answer["error"] == "STALE_FILE"), (200, true));
    assert_eq!(answer["current_version"], sha256(b"one\n"));
    assert_eq!(place.bytes("f"), b"one\n");
    assert_eq!(std::fs::read(place.at("outside")).unwrap(), b"not ours\n");
    let upper = sha256(b"one\n").to_uppercase();
    let fresh = json!({"path": "f", "content": "x", "expected_version": upper});
    assert_eq!(post(&mut client, WRITE, &fresh).1["ok"], true);
}

#[test]
fn a_file_is_written_through_a_link_inside_the_folder() {
    let place = Place::new(&[("f", "one\n")]);
    symlink("f", place.root().join("link")).unwrap();
    let server = place.serve(&[]);
    let mut client = server.client("main").unwrap();
    let version = sha256(b"one\n");
    let body = json!({"path": "link", "content": "two\n", "expected_version": version});
    assert_eq!(post(&mut client, WRITE, &body).1["ok"], true);
    assert_eq!(place.bytes("f"), b"two\n");
    assert!(place.root().join("link").is_symlink());
    assert_eq!(read(&mut client, "f").1["content"], "two");
}

#[test]
fn a_page_has_at_most_its_characters_blank_lines_and_long_ones_included() {
    let place = Place::new(&[
        ("blank", &"\n".repeat(50)),
        ("long", &format!("{}\nb\n", "x".repeat(100))),
    ]);
    let list = format!(
        "[[workspace]]\nname = \"w\"\nroot = \"{}\"\nread_chars = 10\n",
        place.root().display()
    );
    let server = place.serve_listed(&list);
    let mut client = server.client("w").unwrap();
    for (path, annotate, lines) in [("blank", false, 11), ("long", false, 1), ("long", true, 1)] {
        let body = json!({"path": path, "annotate": annotate});
        let (_, answer) = post(&mut client, "/api/sandbox/read-file", &body);
        let content = answer["content"].as_str().unwrap();
        assert_eq!(content.chars().count(), 10, "{path}: {answer}");
        assert_eq!(
            [&answer["truncated"], &answer["end_line"]],
            [&json!(true), &json!(lines)]
        );
    }
    // A line that was cut short is not one that was seen.
    let (_, answer) = post(
        &mut client,
        "/api/sandbox/read-file",
        &json!({"path": "long", "annotate": true}),
    );
    let content = answer["content"].as_str().unwrap();
    let anchor = content.split_once('|').unwrap().0;
    let (_, answer) = post(
        &mut client,
        "/api/sandbox/edit-file",
        &super::replace("long", anchor, "y"),
    );
    assert_eq!(answer["code"], "partly_shown", "{answer}");
}
