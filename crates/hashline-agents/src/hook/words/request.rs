//! Requests that a refusal shows: whole ones, which work when they are copied.

use hashline_core::scheme::Scheme;
use serde_json::{Value, json};

/// Stands for the revision that a reading names.
const REV: &str = "REV";
/// Stands for an anchor that a reading shows.
const ANCHOR: &str = "ANCHOR";
/// Stands for text.
pub(super) const TEXT: &str = "TEXT";

/// Returns a request that replaces a line, as a dialect writes it.
pub(super) fn edit(scheme: Scheme, path: &str) -> Value {
    match scheme {
        Scheme::Omp => {
            json!({"path": path, "rev": REV, "edits": [{"set_line": {"anchor": ANCHOR, "new_text": TEXT}}]})
        }
        Scheme::Push => {
            json!({"path": path, "rev": REV, "edits": [{"type": "replace_line", "ref": ANCHOR, "new_content": TEXT}]})
        }
        Scheme::Cowboy => {
            json!({"path": path, "rev": REV, "operations": [{"action": "replace", "start": ANCHOR, "content": TEXT}]})
        }
        Scheme::Openagent => {
            json!({"filePath": path, "rev": REV, "edits": [{"op": "replace", "pos": ANCHOR, "lines": [TEXT]}]})
        }
        Scheme::Pi => {
            json!({"patch": [{"op": "set_line", "path": path, "anchor": ANCHOR, "text": TEXT}], "revs": {path: REV}})
        }
        Scheme::Lean => {
            json!({"path": path, "rev": REV, "edits": [{"op": "replace", "at": ANCHOR, "lines": [TEXT]}]})
        }
    }
}

/// Returns a request that makes a file. Requests over files are the same in every dialect.
pub(super) fn create(path: &str) -> Value {
    over(path, &json!({"op": "create", "content": TEXT}))
}

/// Returns a request that deletes a file.
pub(super) fn delete(path: &str) -> Value {
    over(path, &json!({"op": "delete_file"}))
}

/// Returns a request that moves a file.
pub(super) fn relocate(path: &str, to: &str) -> Value {
    over(path, &json!({"op": "move", "to_path": to}))
}

/// Adds where the revision goes that a reading names: tools ask for it.
pub(super) fn with_rev(mut request: Value) -> Value {
    request["files"][0]["rev"] = REV.into();
    request
}

fn over(path: &str, edit: &Value) -> Value {
    json!({"files": [{"path": path, "edits": [edit]}]})
}
