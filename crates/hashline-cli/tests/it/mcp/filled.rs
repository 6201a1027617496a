//! What models fill in, name otherwise, or put beside the edits.

use serde_json::json;

use super::server::Server;
use crate::stage::Stage;

#[test]
fn what_models_fill_in_or_name_otherwise_is_understood() {
    let stage = Stage::new(&[("a.txt", "one\n"), ("b.txt", "two\n")]);
    let mut server = Server::start(&stage, &[]);
    let told = server.call("read", &json!({"paths": "[\"a.txt\",\"b.txt\"]"}));
    assert!(!told.is_error, "{}", told.text);
    assert!(
        told.text.contains("one") && told.text.contains("two"),
        "{}",
        told.text
    );
    assert!(told.text.contains("send the list itself"), "{}", told.text);
    let told = server.call(
        "read",
        &json!({"file_path": "a.txt", "offset": 1.0, "paths": []}),
    );
    assert!(
        told.text.contains("file_path is called `path` here"),
        "{}",
        told.text
    );
    let all = json!({
        "path": "new.txt", "rev": "", "files": [], "dry_run": false,
        "edits": [{"op": "create", "content": "three\n"}],
    });
    let told = server.call("edit", &all);
    assert!(!told.is_error, "{}", told.text);
    let told = server.call(
        "write",
        &json!({"filePath": "other.txt", "content": "x", "rev": ""}),
    );
    assert!(!told.is_error, "{}", told.text);
    let told = server.call("edit", &json!({
        "path": "a.txt", "edits": [{"op": "append", "lines": ["x"]}], "old_string": "one", "new_string": "ONE",
    }));
    assert!(told.is_error, "{}", told.text);
    assert!(
        told.text.starts_with("Nothing was written"),
        "{}",
        told.text
    );
}
