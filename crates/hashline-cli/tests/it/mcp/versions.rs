//! The versions of the protocol.

use serde_json::{Value, json};

use super::server::{Server, told};
use crate::stage::Stage;

/// Those that begin with a handshake.
const WITH_HANDSHAKE: [&str; 4] = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"];
/// The one that has none.
const NEWEST: &str = "2026-07-28";

fn hello(version: &str) -> Value {
    json!({"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}})
}

fn stage() -> Stage {
    Stage::new(&[("a.txt", "one\n")])
}

#[test]
fn every_version_with_a_handshake_is_spoken() {
    for version in WITH_HANDSHAKE {
        let stage = stage();
        let mut server = Server::silent(&stage, &[]);
        let info = server.ask("initialize", hello(version));
        assert_eq!(info["result"]["protocolVersion"], version);
        assert_eq!(info["result"]["serverInfo"]["name"], "hashline");
        let read = server.call("read", &json!({"path": "a.txt"}));
        assert!(read.text.contains("|one"), "{version}: {read:?}");
    }
}

#[test]
fn a_version_that_nobody_knows_is_answered_with_one_that_is_known() {
    for version in ["1999-01-01", "2099-01-01", NEWEST, ""] {
        let stage = stage();
        let info = Server::silent(&stage, &[]).ask("initialize", hello(version));
        let known = info["result"]["protocolVersion"].as_str().unwrap();
        assert!(WITH_HANDSHAKE.contains(&known), "{version}: {info}");
    }
}

/// What each request carries where there is no handshake.
fn meta() -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": NEWEST,
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    })
}

#[test]
fn the_newest_version_needs_no_handshake() {
    let stage = stage();
    let mut server = Server::silent(&stage, &[]);
    let found = server.ask("server/discover", json!({"_meta": meta()}));
    let versions = found["result"]["supportedVersions"].as_array().unwrap();
    assert!(versions.contains(&NEWEST.into()), "{found}");
    assert!(
        found["result"]["instructions"]
            .as_str()
            .unwrap()
            .contains("`rev`")
    );
    let call = json!({"name": "read", "arguments": {"path": "a.txt"}, "_meta": meta()});
    let read = told(&server.ask("tools/call", call));
    assert!(read.text.contains("|one"), "{read:?}");
    let list = server.ask("tools/list", json!({"_meta": meta()}));
    assert_eq!(list["result"]["tools"].as_array().unwrap().len(), 4);
}
