//! T22 for the service: tokens, the text of files and edits, and the environment are in no log and no state file.

use std::fs;
use std::path::{Path, PathBuf};

use hashline_testing::served::Signal;
use serde_json::json;

use super::{Place, first_anchor, post, read, replace};

const IN_FILE: &str = "quokka7f3a91";
const IN_EDIT: &str = "wombat91c2e4";
const IN_ENVIRONMENT: &str = "numbat5d8e07";

/// Returns the files below a folder that hold a word.
fn holding(folder: &Path, word: &str) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(holding(&path, word));
        } else {
            let bytes = fs::read(&path).unwrap();
            let mut parts = bytes.windows(word.len());
            let is_there = parts.any(|part| part == word.as_bytes());
            found.extend(is_there.then_some(path));
        }
    }
    found
}

#[test]
fn no_secret_is_in_a_log_or_a_state_file() {
    let place = Place::new(&[("f", &format!("{IN_FILE}\ntwo\n"))]);
    let workspace = format!("main={}", place.root().display());
    let options = place.options(&["--workspace", &workspace]);
    let options = options
        .with("SECRET", IN_ENVIRONMENT)
        .with("RUST_LOG", "trace");
    let server = options.with("RUST_BACKTRACE", "full").start().unwrap();
    let token = server.token("main").unwrap();
    let mut client = server.client("main").unwrap();
    read(&mut client, "f");
    let anchor = first_anchor(&mut client, "f");
    let stale = replace("f", "1:zzzz", IN_EDIT);
    for body in [
        &stale,
        &replace("f", &anchor, IN_EDIT),
        &replace(IN_EDIT, &anchor, IN_EDIT),
    ] {
        post(&mut client, "/api/sandbox/edit-file", body);
    }
    post(
        &mut client,
        "/api/sandbox/write-file",
        &json!({"path": "g", "content": IN_EDIT}),
    );
    post(&mut client, "/v1/search", &json!({"pattern": IN_FILE}));
    client
        .post("/v1/edit", &[], format!("{{\"{IN_EDIT}\":").as_bytes())
        .unwrap();
    server.client_with(IN_EDIT).get("/readyz", &[]).unwrap();
    server.signal(Signal::HUP).unwrap();
    let home = place.at("home");
    // The control: where the token is meant to be, it is found.
    let kept = holding(&home, &token);
    assert_eq!(kept.len(), 1, "{kept:?}");
    assert!(kept[0].ends_with(server_token_file(&kept[0])));
    assert!(server.end().unwrap().success());
    for word in [&token, IN_FILE, IN_EDIT, IN_ENVIRONMENT] {
        assert_eq!(holding(&home, word), [""; 0].map(PathBuf::from), "{word}");
    }
}

/// Returns the folder and name of a token's file.
fn server_token_file(path: &Path) -> PathBuf {
    Path::new("tokens").join(path.file_name().unwrap())
}
