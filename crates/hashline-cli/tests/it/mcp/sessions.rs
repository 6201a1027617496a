//! Whose anchors count, what must be said with an edit, what is said beside an answer, and how a long one is marked.

use serde_json::{Value, json};

use super::server::{Server, told};
use crate::stage::Stage;

const BOOK: &str = "one\ntwo\nthree\nfour\nfive\n";

/// Calls `read` with something beside its arguments; returns the whole result.
fn read(server: &mut Server, meta: &Value) -> Value {
    let params = json!({"name": "read", "arguments": {"path": "book.txt"}, "_meta": meta});
    server.ask("tools/call", params)["result"].take()
}

#[test]
fn a_call_may_name_the_session_that_is_shown_the_lines() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let mut server = Server::start(&stage, &[]);
    read(&mut server, &json!({"hashline/session": "mine"}));
    let anchors = stage.run(&["hash", "book.txt", "--session", "x"]).done();
    let fourth = anchors.lines().nth(3).unwrap();
    stage.write("book.txt", format!("new\n{BOOK}"));
    let verify = |session: &str| {
        let args = ["verify", "book.txt", fourth, "--session", session];
        stage.run(&args).code
    };
    assert_eq!(verify("mine"), Some(0));
    assert_eq!(verify("another"), Some(1));
}

#[test]
fn a_connection_is_a_session_unless_one_is_named() {
    for (args, theirs) in [(&[][..], Some(1)), (&["--session", "mine"], Some(0))] {
        let stage = Stage::new(&[("book.txt", BOOK)]);
        let mut server = Server::start(&stage, args);
        read(&mut server, &json!({}));
        let anchors = stage.run(&["hash", "book.txt", "--session", "x"]).done();
        let fourth = anchors.lines().nth(3).unwrap();
        stage.write("book.txt", format!("new\n{BOOK}"));
        let verify = ["verify", "book.txt", fourth, "--session", "mine"];
        assert_eq!(stage.run(&verify).code, theirs, "{args:?}");
    }
}

#[test]
fn a_long_answer_is_marked_and_a_short_one_is_not() {
    let long: String = (0..80).map(|n| format!("{n}\n")).collect();
    for (text, mark) in [(long.as_str(), json!(true)), (BOOK, Value::Null)] {
        let stage = Stage::new(&[("book.txt", text)]);
        let mut server = Server::start(&stage, &[]);
        let result = read(&mut server, &json!({}));
        assert_eq!(result["_meta"]["hashline/collapse"], mark);
    }
}

#[test]
fn a_refusal_begins_with_itself_even_where_nothing_can_be_remembered() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    // A file where the folder of all that is remembered should be.
    std::fs::create_dir(stage.home().join("state")).unwrap();
    std::fs::write(stage.home().join("state/hashline"), "").unwrap();
    let mut server = Server::start(&stage, &[]);
    let edit = json!({"path": "book.txt", "rev": "00000000", "edits": [{"set_line": {"anchor": "1:00", "new_text": "x"}}]});
    let id = server.begin("edit", &edit);
    let told = told(&server.answer(&id.into()));
    assert!(told.is_error, "{told:?}");
    assert!(told.text.starts_with("Nothing was written"), "{told:?}");
    assert!(told.text.contains("Note: "), "{told:?}");
    assert!(!told.text.contains(".."), "{told:?}");
}

#[test]
fn a_file_is_moved_or_deleted_only_as_it_was_read() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let mut server = Server::start(&stage, &[]);
    let shown = read(&mut server, &json!({}));
    let text = shown["content"][0]["text"].as_str().unwrap();
    let rev = &text.split("rev ").nth(1).unwrap()[..8];
    stage.write("book.txt", "precious\n");
    let operations = [
        json!({"op": "delete_file"}),
        json!({"op": "move", "to_path": "other.txt"}),
    ];
    for operation in operations {
        for rev in [json!(rev), json!("deadbeef"), Value::Null] {
            let edit = json!({"path": "book.txt", "rev": rev, "edits": [operation]});
            let told = server.call("edit", &edit);
            assert!(told.is_error, "{edit}: {told:?}");
            assert!(told.text.starts_with("Nothing was written"), "{told:?}");
        }
    }
    assert_eq!(stage.text("book.txt"), "precious\n");
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let mut server = Server::start(&stage, &[]);
    let new = json!({"path": "new.txt", "content": "a\0b"});
    let told = server.call("write", &new);
    assert!(
        told.is_error && told.text.starts_with("Nothing was written"),
        "{told:?}"
    );
    assert!(!stage.path("new.txt").exists());
}

#[test]
fn a_key_that_stands_twice_loses_no_edit() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let mut server = Server::start(&stage, &[]);
    let edits = r#"[{"op":"append","lines":["a"],"lines":["b"]}]"#;
    let call = format!(
        r#"{{"jsonrpc":"2.0","id":70,"method":"tools/call","params":{{"name":"edit","arguments":{{"path":"book.txt","edits":{edits}}}}}}}"#
    );
    server.raw(format!("{call}\n").as_bytes());
    let answer = server.answer(&70.into());
    assert_eq!(answer["error"]["code"], -32602, "{answer}");
    assert_eq!(stage.text("book.txt"), BOOK);
}

/// Reads the current anchor of a line, and the revision that stands for its file, out of a refusal.
fn handed(text: &str, line: &str, path: &str) -> (String, String) {
    let shown = text
        .lines()
        .find(|shown| shown.ends_with(&format!("|{line}")));
    let anchor = shown.and_then(|shown| shown.split('|').next());
    let rev = text.split("\"rev\":\"").find(|part| {
        let entry = part.split_once("\" in the entry of ");
        entry.is_some_and(|(_, rest)| rest.starts_with(path))
    });
    let found = anchor.zip(rev);
    let (anchor, rev) = found.unwrap_or_else(|| panic!("nothing for {path}: {text}"));
    (anchor.to_owned(), rev[..8].to_owned())
}

#[test]
fn a_refusal_of_several_files_is_recovered_from_at_once() {
    let stage = Stage::new(&[("a.txt", "a one\na two\n"), ("b.txt", "b one\nb two\n")]);
    let mut server = Server::start(&stage, &[]);
    let entry = |path: &str, (anchor, rev): &(String, String)| {
        let edit = json!({"set_line": {"anchor": anchor, "new_text": format!("{path} done")}});
        json!({"path": path, "rev": rev, "edits": [edit]})
    };
    let paths = ["a.txt", "b.txt"];
    let shown = paths.map(|path| {
        let read = server.call("read", &json!({"path": path})).text;
        let rev = read.split("rev ").nth(1).unwrap()[..8].to_owned();
        let anchor = read.lines().nth(2).unwrap().split('|').next().unwrap();
        entry(path, &(anchor.to_owned(), rev))
    });
    stage.write("a.txt", "a one\na 2\n");
    stage.write("b.txt", "b one\nb 2\n");
    let refused = server.call("edit", &json!({"files": shown}));
    assert!(refused.is_error, "{refused:?}");
    let fresh = [("a.txt", "a 2"), ("b.txt", "b 2")]
        .map(|(path, line)| entry(path, &handed(&refused.text, line, path)));
    let done = server.call("edit", &json!({"files": fresh}));
    assert!(!done.is_error, "{done:?}");
    assert_eq!(stage.text("a.txt"), "a one\na.txt done\n");
    assert_eq!(stage.text("b.txt"), "b one\nb.txt done\n");
}

#[test]
fn a_refusal_of_a_long_range_shows_what_changed_in_it_and_not_the_rest() {
    let lines: Vec<String> = (1..=3000).map(|n| format!("line {n}\n")).collect();
    let stage = Stage::new(&[("long.txt", lines.concat().as_str())]);
    let mut server = Server::start(&stage, &[]);
    let ends = [
        "{\"path\":\"long.txt\",\"offset\":100,\"limit\":1}",
        "{\"path\":\"long.txt\",\"offset\":2900,\"limit\":1}",
    ];
    let shown = ends.map(|read| {
        server
            .call("read", &serde_json::from_str(read).unwrap())
            .text
    });
    let anchors = shown
        .each_ref()
        .map(|text| text.lines().nth(1).unwrap().split('|').next().unwrap());
    let rev = &shown[0].split("rev ").nth(1).unwrap()[..8];
    let mut changed = lines.clone();
    changed[1499] = "somebody's\n".to_owned();
    stage.write("long.txt", changed.concat());
    let range = json!({"start_anchor": anchors[0], "end_anchor": anchors[1], "new_text": "x"});
    let edit = json!({"path": "long.txt", "rev": rev, "edits": [{"replace_lines": range}]});
    let refused = server.call("edit", &edit);
    assert!(
        refused.is_error && refused.text.contains("|somebody's\n"),
        "{refused:?}"
    );
    assert!(refused.text.lines().count() < 60, "{refused:?}");
    assert_eq!(stage.text("long.txt"), changed.concat());
}
