//! One message, whichever way it came: read with care, or refused with what its sender needs to know.

use hashline_wire::request::{Limits, no_key_twice};
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use serde::Deserialize;
use serde_json::{Value, json};

/// Why something is no message, and to whom that is told.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) id: Option<RequestId>,
    pub(crate) why: ErrorData,
}

impl Refused {
    pub(crate) fn new(id: Option<RequestId>, why: ErrorData) -> Box<Self> {
        Box::new(Self { id, why })
    }
}

/// What can be made out of a message that cannot be read as a whole.
#[derive(Deserialize)]
struct Envelope {
    id: Option<RequestId>,
}

/// Reads a message; nothing if it is one that nobody knows and nobody waits for.
pub(crate) fn read(
    text: &[u8],
    limits: &Limits,
) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<Refused>> {
    let Ok(message) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(text) else {
        return not_a_message(text);
    };
    // Of two edits under one key one would be lost without a word.
    if let Err(bad) = no_key_twice(text, limits) {
        let envelope: Option<Envelope> = serde_json::from_slice(text).ok();
        let why = ErrorData::invalid_params(format!("nothing was done: {bad}"), None);
        return Err(Refused::new(envelope.and_then(|it| it.id), why));
    }
    Ok(Some(message))
}

/// Returns an error for whoever cannot be told which request is meant: the id is null, not absent.
pub(crate) fn to_nobody(why: &ErrorData) -> Value {
    json!({"jsonrpc": "2.0", "id": null, "error": why})
}

/// Says why a text is no message.
fn not_a_message<M>(text: &[u8]) -> Result<Option<M>, Box<Refused>> {
    let value = match serde_json::from_slice::<Value>(text) {
        Ok(value) => value,
        Err(why) => return Err(no_json(text, &why)),
    };
    let has = |key: &str| value.get(key).is_some();
    if has("method") && !has("id") {
        // A notification that nobody knows is passed over.
        return Ok(None);
    }
    let id = value.get("id").cloned();
    let id: Option<RequestId> = id.and_then(|id| serde_json::from_value(id).ok());
    let is_request = id.is_some() && value["jsonrpc"] == "2.0" && value["method"].is_string();
    let why = match &value {
        Value::Array(_) => {
            ErrorData::invalid_request("batches are not taken: one line, one message", None)
        }
        _ if is_request => ErrorData::invalid_params("params are an object", None),
        _ => ErrorData::invalid_request("this is no JSON-RPC 2.0 message", None),
    };
    Err(Refused::new(id, why))
}

/// Says why a text is no JSON that can be kept. What is passed over need not be Unicode, may be nested as deep as it likes and holds any
/// number, so the sender of such a message can still be told.
fn no_json(text: &[u8], why: &serde_json::Error) -> Box<Refused> {
    let text = str::from_utf8(text).unwrap_or_default();
    match serde_json::from_str::<Envelope>(text) {
        Ok(Envelope { id: Some(id) }) => {
            let why = format!("this message cannot be read: {why}");
            Refused::new(Some(id), ErrorData::invalid_request(why, None))
        }
        _ => {
            let why = ErrorData::new(ErrorCode::PARSE_ERROR, "this is not JSON", None);
            Refused::new(None, why)
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    fn refused(text: &str) -> Box<Refused> {
        match read(text.as_bytes(), &Limits::default()) {
            Err(refused) => refused,
            Ok(_) => panic!("it was read: {text}"),
        }
    }

    #[test]
    fn a_key_that_stands_twice_is_refused_and_its_sender_told() {
        let call = |arguments: &str| {
            format!(
                r#"{{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{{"name":"edit","arguments":{arguments}}}}}"#
            )
        };
        let twice = refused(&call(r#"{"edits":[{"a":1,"a":2}]}"#));
        assert_eq!(twice.id, Some(NumberOrString::Number(7)));
        assert!(twice.why.message.contains("twice"), "{twice:?}");
        let once = read(
            call(r#"{"edits":[{"a":1,"b":2}]}"#).as_bytes(),
            &Limits::default(),
        );
        assert!(once.is_ok_and(|message| message.is_some()));
    }

    #[test]
    fn whoever_sends_half_a_character_a_deep_nest_or_a_huge_number_is_told() {
        let half = r#"{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"\ud800"}}"#;
        let deep = format!(
            r#"{{"jsonrpc":"2.0","id":"x","method":"ping","params":{{"a":{}{}}}}}"#,
            "[".repeat(500),
            "]".repeat(500)
        );
        let huge = r#"{"jsonrpc":"2.0","id":"x","method":"ping","params":{"a":1e400}}"#;
        for (text, why) in [
            (half, "hex escape"),
            (&deep, "recursion limit"),
            (huge, "number out of range"),
        ] {
            let told = refused(text);
            assert!(told.why.message.contains(why), "{told:?}");
            assert_eq!(told.id, Some(NumberOrString::String("x".into())), "{text}");
            assert_eq!(told.why.code, ErrorCode::INVALID_REQUEST, "{text}");
        }
        assert_eq!(refused("{").why.code, ErrorCode::PARSE_ERROR);
    }
}
