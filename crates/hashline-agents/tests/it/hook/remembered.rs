//! What the hook writes down: lines that were shown can be edited, and changes of others are steps of their own.

use hashline_core::text::{RevPrefix, Revision};
use serde_json::{Value, json};

use super::stage::Stage;

fn after_read(session: &str, path: &str, first: usize, content: &str) -> Value {
    json!({
        "hook_event_name": "PostToolUse", "session_id": session, "cwd": "$ROOT", "tool_name": "Read",
        "tool_input": {"file_path": format!("$ROOT/{path}")},
        "tool_response": {"type": "text", "file": {
            "filePath": format!("$ROOT/{path}"), "content": content, "numLines": 0, "startLine": first, "totalLines": 0,
        }},
    })
}

fn after_shell() -> Value {
    json!({
        "hook_event_name": "PostToolUse", "session_id": "s", "cwd": "$ROOT", "tool_name": "Bash",
        "tool_input": {"command": "make format"}, "tool_response": {"stdout": ""},
    })
}

/// Returns the tags of the lines a client is given instead of its own.
fn tags(stage: &Stage, said: &Value) -> Option<Vec<String>> {
    let out = stage.hear(said).out?;
    let content = &out["hookSpecificOutput"]["updatedToolOutput"]["file"]["content"];
    let lines = content.as_str()?.split('\n');
    Some(
        lines
            .filter_map(|line| Some(line.split_once('|')?.0.to_owned()))
            .collect(),
    )
}

fn replace(path: &str, anchor: &str) -> Value {
    json!({"path": path, "edits": [{"set_line": {"anchor": anchor, "new_text": "changed"}}]})
}

#[test]
fn a_line_that_was_shown_is_edited_wherever_it_stands_now() {
    let stage = Stage::new();
    stage.write("a.txt", b"one\ntwo\nthree\nfour\n");
    let read = after_read("s", "a.txt", 1, "one\ntwo\nthree\nfour\n");
    let tags = tags(&stage, &read).unwrap();
    stage.write("a.txt", b"new\nnew\nnew\nnew\nnew\none\ntwo\nthree\nfour\n");
    let request = replace("a.txt", &format!("2:{}", tags[1]));
    assert_eq!(
        stage.apply("other", &request),
        Err("stale"),
        "another session saw nothing"
    );
    assert_eq!(stage.apply("s", &request), Ok(()));
    assert_eq!(
        stage.text("a.txt"),
        "new\nnew\nnew\nnew\nnew\none\nchanged\nthree\nfour\n"
    );
}

#[test]
fn only_the_lines_that_were_shown_are_written_down() {
    let stage = Stage::new();
    stage.write("a.txt", b"one\ntwo\nthree\nfour\n");
    let tags = tags(&stage, &after_read("s", "a.txt", 2, "two")).unwrap();
    assert_eq!(tags.len(), 1);
    stage.write("a.txt", b"0\n0\n0\n0\none\ntwo\nthree\nfour\n");
    let shown = replace("a.txt", &format!("2:{}", tags[0]));
    assert_eq!(
        stage.apply("s", &replace("a.txt", "1:60")),
        Err("stale"),
        "never shown"
    );
    assert_eq!(stage.apply("s", &shown), Ok(()));
}

#[test]
fn endings_marks_and_bytes_that_are_no_text_are_recognised() {
    for (path, first, content, expected) in [
        ("a.txt", 1, "one\ntwo\nthree\n", Some(3)),
        ("a.txt", 0, "one", Some(1)),
        ("a.txt", 2, "two\nthree\n", Some(2)),
        ("a.txt", 2, "two\nthree", Some(2)),
        ("crlf.txt", 1, "one\ntwo\n", Some(2)),
        ("crlf.txt", 1, "one\r\ntwo\r\n", Some(2)),
        ("bom.txt", 1, "one\ntwo", Some(2)),
        ("bom.txt", 1, "\u{feff}one\ntwo", Some(2)),
        ("bad.txt", 1, "one\n\u{fffd}\nthree\n", Some(3)),
        ("blank.txt", 1, "one\n\n", Some(3)),
        ("blank.txt", 2, "\n", Some(2)),
        ("blank.txt", 4, "four\n", Some(1)),
        // What follows is not what the file holds, or nothing at all.
        ("a.txt", 1, "one\ntwo\nthree\n\n", None),
        ("a.txt", 1, "one\ntwo", Some(2)),
        ("a.txt", 1, "one\ntwo... [truncated]", None),
        ("a.txt", 1, "one\ntw", None),
        ("a.txt", 2, "one\ntwo\n", None),
        ("a.txt", 9, "one", None),
        ("a.txt", 4, "", None),
        ("empty.txt", 1, "", None),
        ("none.txt", 1, "one", None),
        (".claude/settings.json", 1, "{}\n", None),
        ("../outside.txt", 1, "one\n", None),
    ] {
        let stage = Stage::new();
        stage.write("../outside.txt", b"one\n");
        let tags = tags(&stage, &after_read("s", path, first, content));
        assert_eq!(
            tags.map(|tags| tags.len()),
            expected,
            "{path} {first} {content:?}"
        );
    }
}

#[test]
fn nothing_is_written_down_of_lines_that_stay_as_they_are() {
    let stage = Stage::new().with("hook.read=off");
    assert_eq!(
        stage
            .hear(&after_read("s", "a.txt", 1, "one\ntwo\nthree\n"))
            .out,
        None
    );
    stage.write("a.txt", b"0\n0\n0\n0\none\ntwo\nthree\n");
    assert_eq!(stage.apply("s", &replace("a.txt", "2:f4")), Err("stale"));
}

/// A block is copied to the end, then the first one goes. Whoever sees only the outcome takes the copy for the block, moved.
#[test]
fn what_came_between_two_commands_is_no_single_step() {
    let lines = |name: &str| (1..=9).map(|n| format!("{name} {n}\n")).collect::<String>();
    let (head, block, tail) = (lines("head"), lines("block"), lines("tail"));
    let before = format!("{head}{block}{tail}");
    let copied = format!("{before}{block}");
    let gone = format!("{head}{tail}{block}");
    let outcome = |noticed: bool| {
        let stage = Stage::new();
        stage.write("f.txt", before.as_bytes());
        let tags = tags(&stage, &after_read("s", "f.txt", 1, &before)).unwrap();
        for text in [&copied, &gone] {
            stage.write("f.txt", text.as_bytes());
            if noticed {
                assert_eq!(
                    stage.hear(&after_shell()).out,
                    None,
                    "the model is told nothing"
                );
            }
        }
        stage.apply("s", &replace("f.txt", &format!("14:{}", tags[13])))
    };
    assert_eq!(outcome(false), Ok(()), "the copy is taken for the line");
    assert_eq!(outcome(true), Err("stale"), "the line is known to be gone");
}

#[test]
fn files_that_were_never_shown_are_not_written_down() {
    let stage = Stage::new();
    stage.hear(&after_read("s", "a.txt", 1, "one\ntwo\nthree\n"));
    let rev_of = |text: &str| RevPrefix::parse(&Revision::of(text.as_bytes()).short()).unwrap();
    let mut known = Vec::new();
    for path in ["a.txt", "crlf.txt"] {
        stage.write(path, b"other\n");
        stage.hear(&after_shell());
        stage.write(path, b"third\n");
        let service = stage.service();
        let since = service
            .session(None)
            .since(path, &rev_of("other\n"), Default::default());
        known.push(since.is_ok());
    }
    assert_eq!(known, [true, false]);
}
