//! Parsing of one JSON-RPC message, from stdio or HTTP.
//!
//! This parser is stricter than the protocol library: a duplicate key is refused, and invalid input is answered with an error that has the request's
//! id if the id can be parsed.

use hashline_wire::error::BadRequest;
use hashline_wire::request::{Limits, no_key_twice, not_too_many_lines};
use rmcp::model::{ErrorCode, ErrorData, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage};
use serde::Deserialize;
use serde_json::{Value, json};

/// The error message for a request whose id belongs to another request that is not answered yet.
pub(crate) const ID_IN_USE: &str = "a request with this id has no answer yet";

/// The error for input that is not a valid message, and the id of the request that it answers.
#[derive(Debug)]
pub(crate) struct BadMessage {
    pub(crate) id: Option<RequestId>,
    pub(crate) error: ErrorData,
}

impl BadMessage {
    /// Creates the error in a `Box`, because a `Result` with a large error is slower also when there is no error.
    pub(crate) fn new(id: Option<RequestId>, error: ErrorData) -> Box<Self> {
        Box::new(Self { id, error })
    }
}

/// The only part of a message that is parsed when the whole message is invalid.
#[derive(Deserialize)]
struct Envelope {
    id: Option<RequestId>,
}

/// Parses a JSON-RPC message. Returns `None` for unknown notifications.
pub(crate) fn parse(
    text: &[u8],
    limits: &Limits,
) -> Result<Option<RxJsonRpcMessage<RoleServer>>, Box<BadMessage>> {
    let not_done = |bad: BadRequest| {
        let envelope: Option<Envelope> = serde_json::from_slice(text).ok();
        let why = ErrorData::invalid_params(format!("nothing was done: {bad}"), None);
        BadMessage::new(envelope.and_then(|it| it.id), why)
    };
    // Before parsing: millions of empty lines take far more memory as JSON values than as text.
    not_too_many_lines(text, limits).map_err(not_done)?;
    let Ok(message) = serde_json::from_slice::<RxJsonRpcMessage<RoleServer>>(text) else {
        return not_a_message(text);
    };
    // JSON parsers keep the last of two equal keys, so one of two edits would be lost.
    no_key_twice(text, limits).map_err(not_done)?;
    Ok(Some(message))
}

/// Returns an error response for a request whose id is unknown: its id is null, whereas the library would omit it.
pub(crate) fn without_id(error: &ErrorData) -> Value {
    json!({"jsonrpc": "2.0", "id": null, "error": error})
}

/// Returns the error for a text that is not a valid message, or `None` for an unknown notification.
fn not_a_message<M>(text: &[u8]) -> Result<Option<M>, Box<BadMessage>> {
    let value = match serde_json::from_slice::<Value>(text) {
        Ok(value) => value,
        Err(why) => return Err(no_json(text, &why)),
    };
    let has = |key: &str| value.get(key).is_some();
    if has("method") && !has("id") {
        return Ok(None);
    }
    let id = value.get("id").cloned();
    let id: Option<RequestId> = id.and_then(|id| serde_json::from_value(id).ok());
    let is_request = id.is_some() && value["jsonrpc"] == "2.0" && value["method"].is_string();
    let why = match &value {
        Value::Array(_) => ErrorData::invalid_request(
            "batches are not supported: send one message at a time",
            None,
        ),
        _ if is_request => ErrorData::invalid_params("params must be an object", None),
        _ => ErrorData::invalid_request("this is not a JSON-RPC 2.0 message", None),
    };
    Err(BadMessage::new(id, why))
}

/// Returns the error for a text that serde cannot parse as a JSON value. `Envelope` skips all fields but the id, and skipped values may contain lone
/// surrogates, deep nesting and any number, so the error can still carry the id of the request.
fn no_json(text: &[u8], why: &serde_json::Error) -> Box<BadMessage> {
    let text = str::from_utf8(text).unwrap_or_default();
    match serde_json::from_str::<Envelope>(text) {
        Ok(Envelope { id: Some(id) }) => {
            let why = format!("this message cannot be read: {why}");
            BadMessage::new(Some(id), ErrorData::invalid_request(why, None))
        }
        _ => {
            let why = ErrorData::new(ErrorCode::PARSE_ERROR, "this is not JSON", None);
            BadMessage::new(None, why)
        }
    }
}

#[cfg(test)]
mod tests {
    use rmcp::model::NumberOrString;

    use super::*;

    fn refused(text: &str) -> Box<BadMessage> {
        match parse(text.as_bytes(), &Limits::default()) {
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
        assert!(twice.error.message.contains("twice"), "{twice:?}");
        let once = parse(
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
            assert!(told.error.message.contains(why), "{told:?}");
            assert_eq!(told.id, Some(NumberOrString::String("x".into())), "{text}");
            assert_eq!(told.error.code, ErrorCode::INVALID_REQUEST, "{text}");
        }
        assert_eq!(refused("{").error.code, ErrorCode::PARSE_ERROR);
    }
}
