//! The sandbox of the client: whether its own tools may write files now, as Codex says with every call.
//!
//! Codex 0.166.0 sends `{"sandbox_mode": "read-only"}`. Another form must not be taken for a sandbox that may write: one that names the read-only
//! sandbox counts as such, as text of JSON, as an object with a type, or under a similar key.

use serde_json::{Map, Value};

/// The key in `_meta` under which Codex describes the turn that a call belongs to.
const CODEX_TURN: &str = "x-codex-turn-metadata";
/// The keys under which a turn may name its sandbox, without case, `-` and `_`.
const SANDBOXES: [&str; 3] = ["sandboxmode", "sandboxpolicy", "sandbox"];
/// The keys under which a sandbox that is an object may say what it is.
const TYPES: [&str; 5] = ["type", "mode", "kind", "name", "policy"];

/// Returns whether the `_meta` of a call says that the client's own tools may not write now.
pub(crate) fn is_read_only(meta: &Map<String, Value>) -> bool {
    let turn = meta.get(CODEX_TURN).map(parsed);
    let turn = turn.as_ref().and_then(Value::as_object);
    turn.is_some_and(|turn| {
        let is_sandbox = |key: &str| SANDBOXES.contains(&plain(key).as_str());
        turn.iter()
            .any(|(key, value)| is_sandbox(key) && names_read_only(value))
    })
}

/// Returns whether a value is the name of the read-only sandbox, or an object that names it as its type.
fn names_read_only(value: &Value) -> bool {
    match parsed(value) {
        Value::String(name) => is_name(&name),
        Value::Object(fields) => fields.iter().any(|(key, value)| {
            let key = plain(key);
            let is_type = TYPES.contains(&key.as_str()) || SANDBOXES.contains(&key.as_str());
            // `{"read-only": {..}}` is how a type with fields may be written, `{"read_only": false}` is another thing.
            is_type && names_read_only(value) || is_name(&key) && *value != Value::Bool(false)
        }),
        _ => false,
    }
}

/// Returns the object that a text of JSON holds, or the value itself.
fn parsed(value: &Value) -> Value {
    let inner = value.as_str().map(serde_json::from_str::<Value>);
    let inner = inner.and_then(Result::ok);
    inner
        .filter(|inner| inner.is_object() || inner.is_string())
        .unwrap_or_else(|| value.clone())
}

fn is_name(text: &str) -> bool {
    plain(text) == "readonly"
}

/// Returns a name without case, `-` and `_`.
fn plain(name: &str) -> String {
    let letters = name.trim().chars().filter(|letter| !"-_".contains(*letter));
    letters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Map, Value, json};

    use super::{CODEX_TURN, is_read_only};

    fn meta(turn: Value) -> Map<String, Value> {
        Map::from_iter([(CODEX_TURN.to_owned(), turn)])
    }

    #[test]
    fn a_sandbox_that_names_read_only_in_whatever_form_is_read_only() {
        for sandbox in [
            json!("read-only"),
            json!("read_only"),
            json!("ReadOnly"),
            json!({"type": "read-only"}),
            json!({"mode": "read-only", "network_access": true}),
            json!({"policy": {"type": "readOnly"}}),
            json!({"read-only": {"network_access": false}}),
            json!({"read-only": null}),
            json!("{\"type\":\"read-only\"}"),
            json!("\"read-only\""),
        ] {
            for key in ["sandbox_mode", "sandbox_policy", "sandboxMode", "sandbox"] {
                let turn = json!({"turn_id": "1", key: sandbox});
                assert!(is_read_only(&meta(turn.clone())), "{turn}");
                assert!(
                    is_read_only(&meta(turn.to_string().into())),
                    "{turn} as text"
                );
            }
        }
    }

    #[test]
    fn any_other_sandbox_is_not() {
        for turn in [
            json!({"sandbox_mode": "workspace-write"}),
            json!({"sandbox_mode": "danger-full-access"}),
            json!({"sandbox_mode": {"type": "workspace-write", "writable_roots": ["/read-only"]}}),
            json!({"sandbox_mode": {"type": "workspace-write", "read_only": false}}),
            json!({"sandbox_mode": null, "title": "read-only"}),
            json!("read-only is what was asked for"),
            json!(7),
            json!(null),
        ] {
            assert!(!is_read_only(&meta(turn.clone())), "{turn}");
        }
        assert!(!is_read_only(&Map::new()));
    }
}
