//! Lines that are no messages, and messages that make no sense: each is answered for what it is, and the server goes on.

use serde_json::{Value, json};

use super::server::Server;
use crate::stage::Stage;

/// The longest line that is taken, its end included.
const LONGEST: usize = 8 << 20;

const NO_JSON: Answer = Answer::Error(-32700);
const NO_MESSAGE: Answer = Answer::Error(-32600);
const NO_METHOD: Answer = Answer::Error(-32601);
const NO_PARAMS: Answer = Answer::Error(-32602);

/// What is sent, and what is answered to whom.
struct Case {
    name: &'static str,
    line: Vec<u8>,
    answers: Vec<(Value, Answer)>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Answer {
    Result,
    Error(i64),
}

/// Nobody can be told whose it is.
fn nameless(name: &'static str, line: impl Into<Vec<u8>>, answer: Answer) -> Case {
    named(name, line, Value::Null, answer)
}

fn named(
    name: &'static str,
    line: impl Into<Vec<u8>>,
    id: impl Into<Value>,
    answer: Answer,
) -> Case {
    let line = line.into();
    let answers = vec![(id.into(), answer)];
    Case {
        name,
        line,
        answers,
    }
}

/// Nothing is answered.
fn ignored(name: &'static str, line: impl Into<Vec<u8>>) -> Case {
    let line = line.into();
    let answers = Vec::new();
    Case {
        name,
        line,
        answers,
    }
}

#[rustfmt::skip]
fn no_json() -> Vec<Case> {
    vec![
        nameless("words", "hello", NO_JSON),
        nameless("half an object", r#"{"jsonrpc":"2.0","id":1"#, NO_JSON),
        nameless("two messages on one line", r#"{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":2,"method":"ping"}"#, NO_JSON),
        nameless("a message and a word", r#"{"jsonrpc":"2.0","id":1,"method":"ping"} x"#, NO_JSON),
        nameless("single quotes", "{'jsonrpc':'2.0'}", NO_JSON),
        nameless("a comma too many", r#"{"jsonrpc":"2.0","id":1,"method":"ping",}"#, NO_JSON),
        nameless("not a number", r#"{"jsonrpc":"2.0","id":NaN,"method":"ping"}"#, NO_JSON),
        nameless("a NUL byte", "\0", NO_JSON),
        nameless("a NUL byte in a string", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\0ng\"}", NO_JSON),
        nameless("many NUL bytes", vec![0; 100_000], NO_JSON),
        nameless("invalid UTF-8", b"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xFF\xFE\"}".to_vec(), NO_JSON),
        named("half a surrogate pair", r#"{"jsonrpc":"2.0","id":74,"method":"\ud800"}"#, 74, NO_MESSAGE),
        nameless("UTF-16", "p\0i\0n\0g\0", NO_JSON),
        nameless("a control character", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"pi\x07ng\"}", NO_JSON),
        nameless("an HTTP request", "POST /mcp HTTP/1.1\r", NO_JSON),
        nameless("a header of another protocol", "Content-Length: 42\r", NO_JSON),
        nameless("lists a million deep", "[".repeat(1_000_000), NO_JSON),
        nameless("objects 100,000 deep", "{\"a\":".repeat(100_000), NO_JSON),
        named("a whole message 200 deep", deep(200), 7, NO_MESSAGE),
    ]
}

#[rustfmt::skip]
fn no_message() -> Vec<Case> {
    vec![
        nameless("a string", r#""ping""#, NO_MESSAGE),
        nameless("a number", "42", NO_MESSAGE),
        nameless("null", "null", NO_MESSAGE),
        nameless("an empty object", "{}", NO_MESSAGE),
        nameless("an empty batch", "[]", NO_MESSAGE),
        nameless("a batch", r#"[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]"#, NO_MESSAGE),
        named("no version", r#"{"id":100,"method":"ping"}"#, 100, NO_MESSAGE),
        named("an old version", r#"{"jsonrpc":"1.0","id":101,"method":"ping"}"#, 101, NO_MESSAGE),
        named("a version that is a number", r#"{"jsonrpc":2.0,"id":102,"method":"ping"}"#, 102, NO_MESSAGE),
        named("no method", r#"{"jsonrpc":"2.0","id":103}"#, 103, NO_MESSAGE),
        named("a method that is a number", r#"{"jsonrpc":"2.0","id":104,"method":5}"#, 104, NO_MESSAGE),
        nameless("an id that is null", r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is a fraction", r#"{"jsonrpc":"2.0","id":1.5,"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is too big", r#"{"jsonrpc":"2.0","id":18446744073709551615,"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is huge", r#"{"jsonrpc":"2.0","id":1e300,"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is an object", r#"{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is a list", r#"{"jsonrpc":"2.0","id":[1],"method":"ping"}"#, NO_MESSAGE),
        nameless("an id that is true", r#"{"jsonrpc":"2.0","id":true,"method":"tools/list"}"#, NO_MESSAGE),
        nameless("a line that is a byte too long", padded(LONGEST + 1, 105), NO_MESSAGE),
        nameless("a line of 9 MiB", padded(9 << 20, 105), NO_MESSAGE),
        nameless("9 MiB of nothing", vec![b' '; 9 << 20], NO_MESSAGE),
    ]
}

#[rustfmt::skip]
fn no_sense() -> Vec<Case> {
    vec![
        named("an unknown method", r#"{"jsonrpc":"2.0","id":110,"method":"files/burn"}"#, 110, NO_METHOD),
        named("an empty method", r#"{"jsonrpc":"2.0","id":111,"method":""}"#, 111, NO_METHOD),
        named("a method of the client", r#"{"jsonrpc":"2.0","id":112,"method":"roots/list"}"#, 112, NO_METHOD),
        named("an unknown tool", r#"{"jsonrpc":"2.0","id":113,"method":"tools/call","params":{"name":"bash","arguments":{}}}"#, 113, NO_PARAMS),
        named("a call of nothing", r#"{"jsonrpc":"2.0","id":114,"method":"tools/call","params":{}}"#, 114, NO_PARAMS),
        named("a call without params", r#"{"jsonrpc":"2.0","id":115,"method":"tools/call"}"#, 115, NO_PARAMS),
        named("a tool that is a number", r#"{"jsonrpc":"2.0","id":116,"method":"tools/call","params":{"name":5}}"#, 116, NO_PARAMS),
        named("arguments that are a string", r#"{"jsonrpc":"2.0","id":117,"method":"tools/call","params":{"name":"read","arguments":"a.txt"}}"#, 117, NO_PARAMS),
        named("arguments that are a list", r#"{"jsonrpc":"2.0","id":118,"method":"tools/call","params":{"name":"read","arguments":["a.txt"]}}"#, 118, NO_PARAMS),
        named("params that are a list", r#"{"jsonrpc":"2.0","id":119,"method":"tools/call","params":[1]}"#, 119, NO_PARAMS),
        named("a second initialize without params", r#"{"jsonrpc":"2.0","id":120,"method":"initialize"}"#, 120, NO_PARAMS),
        named("a call without arguments is the tool's to answer", r#"{"jsonrpc":"2.0","id":121,"method":"tools/call","params":{"name":"read"}}"#, 121, Answer::Result),
        named("arguments of wrong types are the tool's to answer", r#"{"jsonrpc":"2.0","id":122,"method":"tools/call","params":{"name":"edit","arguments":{"path":[],"rev":{},"edits":"x"}}}"#, 122, Answer::Result),
        named("arguments 100 deep are the tool's to answer", deep(100), 7, Answer::Result),
    ]
}

#[rustfmt::skip]
fn odd_but_right() -> Vec<Case> {
    vec![
        ignored("an empty line", ""),
        ignored("blanks", "  \t "),
        ignored("a lone carriage return", "\r"),
        ignored("a byte order mark alone", "\u{FEFF}"),
        ignored("a notification that nobody knows", r#"{"jsonrpc":"2.0","method":"notifications/nobody"}"#),
        ignored("a notification of wrong params", r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":{}}}"#),
        ignored("a notification without params", r#"{"jsonrpc":"2.0","method":"notifications/cancelled"}"#),
        ignored("a cancel of what never was", r#"{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":4711}}"#),
        ignored("a second notice of being ready", r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#),
        ignored("progress of nothing", r#"{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}"#),
        ignored("an answer to nothing", r#"{"jsonrpc":"2.0","id":130,"result":{}}"#),
        ignored("an error about nothing", r#"{"jsonrpc":"2.0","id":131,"error":{"code":1,"message":"x"}}"#),
        ignored("an error about nobody", r#"{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}"#),
        named("a byte order mark", "\u{FEFF}{\"jsonrpc\":\"2.0\",\"id\":140,\"method\":\"ping\"}", 140, Answer::Result),
        named("a line that ends as in DOS", "{\"jsonrpc\":\"2.0\",\"id\":141,\"method\":\"ping\"}\r", 141, Answer::Result),
        named("blanks around", " \t{ \"jsonrpc\" : \"2.0\" , \"id\" : 142 , \"method\" : \"ping\" }\t ", 142, Answer::Result),
        named("an id that is empty", r#"{"jsonrpc":"2.0","id":"","method":"ping"}"#, "", Answer::Result),
        named("an id that is negative", r#"{"jsonrpc":"2.0","id":-9223372036854775808,"method":"ping"}"#, i64::MIN, Answer::Result),
        named("an id that is big", r#"{"jsonrpc":"2.0","id":9223372036854775807,"method":"ping"}"#, i64::MAX, Answer::Result),
        named("an id of a megabyte", message(&"i".repeat(1 << 20).into()), "i".repeat(1 << 20), Answer::Result),
        named("fields that nobody knows", r#"{"jsonrpc":"2.0","id":143,"method":"ping","extra":[1,2],"params":{"x":null}}"#, 143, Answer::Result),
        named("the longest line", padded(LONGEST, 144), 144, Answer::Result),
        named("initialize again", r#"{"jsonrpc":"2.0","id":145,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}"#, 145, Answer::Result),
    ]
}

fn cases() -> Vec<Case> {
    let mut cases = no_json();
    cases.extend(no_message());
    cases.extend(no_sense());
    cases.extend(odd_but_right());
    cases
}

fn message(id: &Value) -> String {
    json!({"jsonrpc": "2.0", "id": id, "method": "ping"}).to_string()
}

/// A ping that makes a line of so many bytes, its end included.
fn padded(bytes: usize, id: i64) -> Vec<u8> {
    let mut line = message(&id.into()).into_bytes();
    line.resize(bytes - 1, b' ');
    line
}

/// A call whose arguments lie so deep.
fn deep(depth: usize) -> String {
    let (open, close) = ("[".repeat(depth), "]".repeat(depth));
    let head = r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read","arguments":{"path":"#;
    format!("{head}{open}{close}}}}}}}")
}

/// Says of each answer to whom it goes and what it is.
fn outcome(message: &Value) -> (Value, Answer) {
    let code = message["error"]["code"].as_i64();
    let answer = code.map_or(Answer::Result, Answer::Error);
    (message["id"].clone(), answer)
}

fn sorted(mut answers: Vec<(Value, Answer)>) -> Vec<String> {
    let told = |(id, answer): (Value, Answer)| {
        let id: String = id.to_string().chars().take(40).collect();
        format!("{id}: {answer:?}")
    };
    let mut told: Vec<String> = answers.drain(..).map(told).collect();
    told.sort();
    told
}

/// Sends lines, and says how they were answered until the server ended of itself.
fn answered(lines: &[&[u8]]) -> Vec<String> {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let mut server = Server::start(&stage, &[]);
    for line in lines {
        server.raw(line);
        server.raw(b"\n");
    }
    let still_there = server.call("read", &json!({"path": "a.txt"}));
    assert!(still_there.text.contains("|one"), "{still_there:?}");
    let ended = server.end();
    assert_eq!(ended.code, Some(0));
    sorted(ended.said.iter().map(outcome).collect())
}

#[test]
fn whatever_a_line_holds_is_answered_for_what_it_is() {
    for case in cases() {
        let answers = answered(&[&case.line]);
        assert_eq!(answers, sorted(case.answers), "{}", case.name);
    }
}

#[test]
fn one_connection_survives_all_of_them() {
    let cases = cases();
    assert!(cases.len() >= 40, "{}", cases.len());
    let lines: Vec<&[u8]> = cases.iter().map(|case| case.line.as_slice()).collect();
    let answers = answered(&lines);
    let wanted = cases.iter().flat_map(|case| case.answers.clone());
    assert_eq!(answers, sorted(wanted.collect()));
}

#[test]
fn no_refusal_is_lost_among_answers() {
    // Refusals and answers go out side by side: neither may cut the other off.
    let lines: Vec<String> = (1000..1600)
        .flat_map(|id| {
            let path = if id % 3 == 0 { "a.txt" } else { "none" };
            let call = super::server::called(id, "read", &json!({"path": path}));
            [call.to_string(), "no message".to_owned()]
        })
        .collect();
    let lines: Vec<&[u8]> = lines.iter().map(String::as_bytes).collect();
    let answers = answered(&lines);
    let refused = answers
        .iter()
        .filter(|one| one.as_str() == "null: Error(-32700)");
    assert_eq!(refused.count(), 600);
    assert_eq!(answers.len(), 1200);
}

#[test]
fn an_id_that_is_in_use_is_refused() {
    let stage = Stage::new(&[("a.txt", "one\n"), ("b.txt", "one\n")]);
    let mut server = Server::start(&stage, &[]);
    // A folder that is locked keeps the first call waiting.
    let lock = super::cancelled::lock(&stage.root());
    let write = |path: &str| json!({"path": path, "content": "new\n"});
    server.send(&super::server::called(50, "write", &write("c.txt")));
    server.send(&super::server::called(50, "write", &write("d.txt")));
    let refused = server.answer(&Value::Null);
    assert_eq!(outcome(&refused), (Value::Null, NO_MESSAGE));
    drop(lock);
    let done = super::server::told(&server.answer(&50.into()));
    assert!(!done.is_error, "{done:?}");
    assert!(server.end().said.is_empty());
    assert_eq!(stage.text("c.txt"), "new\n");
    assert!(!stage.path("d.txt").exists());
}
