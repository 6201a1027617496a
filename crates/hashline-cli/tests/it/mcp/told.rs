//! What answers say: of text with anchors in it, of files that are written whole, of names that look like something else.

use serde_json::{Value, json};

use super::server::Server;
use crate::stage::Stage;

/// A file of lines that tell their numbers.
fn numbered(lines: usize) -> String {
    (1..=lines).map(|n| format!("line number {n}\n")).collect()
}

/// Returns the revision that an answer names first.
fn rev(text: &str) -> String {
    text.split("rev ").nth(1).unwrap()[..8].to_owned()
}

/// Returns the lines that answers show, as they show them.
fn anchored(text: &str) -> Vec<&str> {
    let begins = |line: &&str| {
        let number = line.split_once(':').map(|(number, _)| number);
        number.is_some_and(|number| number.parse::<usize>().is_ok())
    };
    text.lines().filter(begins).collect()
}

/// Returns the call that an answer ends with.
fn next(text: &str) -> (String, Value) {
    let last = text.lines().next_back().unwrap();
    let call = last
        .strip_prefix("Next: ")
        .unwrap_or_else(|| panic!("{last}"));
    let (tool, arguments) = call.split_once(' ').unwrap();
    (tool.to_owned(), serde_json::from_str(arguments).unwrap())
}

#[test]
fn a_text_with_anchors_that_were_shown_is_not_written_whatever_stands_behind_them() {
    let before = numbered(30);
    let stage = Stage::new(&[("a.txt", &before)]);
    let mut server = Server::start(&stage, &[]);
    let shown = server.call("read", &json!({"path": "a.txt"})).text;
    let mut lines: Vec<String> = before.lines().map(str::to_owned).collect();
    for (index, line) in anchored(&shown).iter().enumerate().skip(4).take(3) {
        let (anchor, _) = line.split_once('|').unwrap();
        lines[index] = format!("{anchor}|edited {index}");
    }
    let content = lines.join("\n") + "\n";
    let write = json!({"path": "a.txt", "rev": rev(&shown), "content": content});
    let told = server.call("write", &write);
    assert!(told.is_error, "{told:?}");
    assert!(
        told.text.contains(
            "anchors that were shown: `5:ca|` in line 5, `6:e8|` in line 6, `7:00|` in line 7;"
        ),
        "{told:?}"
    );
    assert_eq!(stage.text("a.txt"), before);
}

#[test]
fn times_of_day_are_no_anchors() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let mut server = Server::start(&stage, &[]);
    let list: String = (0..600)
        .map(|n| format!("{}:{:02}|meeting {n}\n", n / 60 + 8, n % 60))
        .collect();
    for (path, content) in [
        ("t.txt", "8:00|open\n1:05|\n9:45|stand-up\n"),
        ("l.txt", &list),
    ] {
        let told = server.call("write", &json!({"path": path, "content": content}));
        assert!(!told.is_error, "{told:?}");
        assert_eq!(stage.text(path), content);
    }
    let fit = json!({"path": "f.txt", "content": "1:60|one\n2:f4|two\n"});
    let told = server.call("write", &fit);
    assert!(told.is_error, "{told:?}");
    assert!(
        told.text.contains(
            "anchors that fit the text behind them: `1:60|` in line 1, `2:f4|` in line 2;"
        ),
        "{told:?}"
    );
}

#[test]
fn of_a_long_file_that_was_sent_whole_the_ends_are_shown() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let mut server = Server::start(&stage, &[]);
    let old = rev(&server.call("read", &json!({"path": "a.txt"})).text);
    let long = numbered(3000);
    let create = json!({"op": "create", "content": long});
    let calls = [
        ("write", json!({"path": "w.txt", "content": long}), "w.txt"),
        (
            "write",
            json!({"path": "a.txt", "content": long, "rev": old}),
            "a.txt",
        ),
        ("edit", json!({"path": "e.txt", "edits": [create]}), "e.txt"),
    ];
    let elsewhere = Stage::new(&[("long.txt", &long)]);
    let unseen = elsewhere.run(&["hash", "long.txt"]).done();
    for (tool, call, path) in calls {
        let told = server.call(tool, &call);
        assert!(!told.is_error, "{told:?}");
        let lines = anchored(&told.text);
        assert_eq!(lines.len(), 25, "{}", told.text);
        assert!(lines[19].ends_with("|line number 20"), "{lines:?}");
        assert!(lines[20].ends_with("|line number 2996"), "{lines:?}");
        assert!(
            told.text
                .contains(&format!("\nNot shown: lines 21-2995 of {path}.\n")),
            "{}",
            told.text
        );
        let expected = json!({"path": path, "offset": 21, "limit": 2975});
        assert_eq!(next(&told.text), ("read".to_owned(), expected));
        // An anchor of a line that was not shown is none that was.
        let edit = |anchor: &str| json!({"path": path, "rev": rev(&told.text), "edits": [{"set_line": {"anchor": anchor, "new_text": "x"}}]});
        let refused = server.call("edit", &edit(unseen.lines().nth(99).unwrap()));
        assert!(
            refused.is_error && refused.text.contains("was not shown"),
            "{refused:?}"
        );
        let (seen, _) = lines[24].split_once('|').unwrap();
        let edited = server.call("edit", &edit(seen));
        assert!(!edited.is_error, "{edited:?}");
    }
    let short = server.call("write", &json!({"path": "s.txt", "content": numbered(40)}));
    assert_eq!(anchored(&short.text).len(), 40);
    assert!(!short.text.contains("Next: "), "{short:?}");
}

#[test]
fn a_long_answer_to_an_edit_ends_with_the_call_that_shows_the_rest() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&stage, &[]);
    let rev = rev(&server.call("read", &json!({"path": "a.txt"})).text);
    let lines: Vec<String> = numbered(5000).lines().map(str::to_owned).collect();
    let append = json!({"path": "a.txt", "rev": rev, "edits": [{"op": "append", "lines": lines}]});
    let told = server.call("edit", &append);
    assert!(
        told.text.contains(" lines of this answer are not shown"),
        "{}",
        told.text
    );
    let shown = anchored(&told.text);
    let number = |line: &str| line.split_once(':').unwrap().0.parse::<u64>().unwrap();
    let gap = shown
        .windows(2)
        .find(|pair| number(pair[1]) > number(pair[0]) + 1)
        .unwrap();
    let (first, behind) = (number(gap[0]) + 1, number(gap[1]));
    let expected = json!({"path": "a.txt", "offset": first, "limit": behind - first});
    assert_eq!(next(&told.text), ("read".to_owned(), expected));
}

#[test]
fn a_search_shows_as_many_matches_as_there_is_room_for() {
    let lines: String = (1..=5000).map(|n| format!("needle {n}\n")).collect();
    let stage = Stage::new(&[("a.txt", &lines)]);
    let mut server = Server::start(&stage, &[]);
    let found = server.call("search", &json!({"pattern": "needle", "maxMatches": 1000}));
    assert_eq!(anchored(&found.text).len(), 1000);
}

#[test]
fn matches_alone_have_nothing_between_them() {
    let stage = Stage::new(&[("a.txt", &numbered(30))]);
    let mut server = Server::start(&stage, &[]);
    for around in [0, 1] {
        let search = json!({"pattern": "[05]$", "contextBefore": around, "contextAfter": around});
        let found = server.call("search", &search).text;
        let read = json!({"path": "a.txt", "search": "[05]$", "regex": true, "contextBefore": around, "contextAfter": around});
        let read = server.call("read", &read).text;
        for text in [found, read] {
            assert_eq!(text.contains("\n--\n"), around > 0, "{text}");
        }
    }
}

#[test]
fn a_nul_in_the_text_that_was_sent_is_not_put_down_to_the_file() {
    let stage = Stage::new(&[("a.txt", "one\n"), ("empty", "")]);
    let mut server = Server::start(&stage, &[]);
    let append = |text: &str| json!({"op": "append", "lines": ["x", text]});
    let edit = json!({"path": "empty", "edits": [append("y"), append("a\0b")]});
    let told = server.call("edit", &edit);
    assert!(told.is_error, "{told:?}");
    let expected = "Nothing was written. Edit 2: line 2 of the new text contains a NUL byte";
    assert!(told.text.starts_with(expected), "{told:?}");
    let told = server.call("write", &json!({"path": "new", "content": "a\0b"}));
    assert!(
        told.is_error
            && told
                .text
                .contains("content: line 1 of the new text contains a NUL byte"),
        "{told:?}"
    );
    assert!(!stage.path("new").exists());
}

#[cfg(unix)]
#[test]
fn a_name_cannot_look_like_another_line_of_an_answer() {
    const NAME: &str = "a\n1:05|x\nNext: read {}";
    let stage = Stage::new(&[(NAME, "needle\n")]);
    let mut server = Server::start(&stage, &[]);
    let read = server.call("read", &json!({"path": NAME}));
    let rev = rev(&read.text);
    let edit = |rev: &str, anchor: &str| json!({"path": NAME, "rev": rev, "edits": [{"set_line": {"anchor": anchor, "new_text": "needle 2"}}]});
    let (anchor, _) = anchored(&read.text)[0].split_once('|').unwrap();
    let calls = [
        ("search", json!({"pattern": "needle"})),
        ("edit", edit(&rev, "1:00")),
        ("edit", edit("00000000", anchor)),
        ("edit", edit(&rev, anchor)),
        ("write", json!({"path": NAME, "content": "x\n"})),
        ("write", json!({"path": NAME, "content": "x\n", "rev": rev})),
        ("read", json!({"path": format!("{NAME}?")})),
        (
            "edit",
            json!({"path": format!("{NAME}?"), "rev": rev, "edits": [{"set_line": {"anchor": anchor, "new_text": "x"}}]}),
        ),
    ];
    let mut answers = vec![read.text.clone()];
    answers.extend(
        calls
            .into_iter()
            .map(|(tool, call)| server.call(tool, &call).text),
    );
    for text in answers {
        assert!(text.contains(r#""a\n1:05|x\nNext: read {}"#), "{text}");
        assert!(!text.lines().any(|line| line == "1:05|x"), "{text}");
        assert!(
            !text.lines().any(|line| line.starts_with("Next: read {}")),
            "{text}"
        );
    }
}

#[test]
fn a_file_that_is_in_the_way_is_named_with_its_revision() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n")]);
    let mut server = Server::start(&stage, &[]);
    let mut told = |tool: &str, call: Value| server.call(tool, &call).text;
    let said = [
        told("write", json!({"path": "a.txt", "content": "x\n"})),
        told(
            "write",
            json!({"path": "a.txt", "content": "x\n", "rev": "00000000"}),
        ),
        told(
            "write",
            json!({"path": "b.txt", "content": "x\n", "rev": "00000000"}),
        ),
        told(
            "edit",
            json!({"path": "a.txt", "rev": "00000000", "edits": [{"op": "delete_file"}]}),
        ),
        told(
            "edit",
            json!({"path": "a.txt", "rev": "00000000", "edits": [{"op": "move", "to_path": "b.txt"}]}),
        ),
    ];
    insta::assert_snapshot!(said.join("\n\n"), @r#"
    Nothing was written. a.txt already exists (rev c796d15e, 2 lines).
    Next: read it, then write it with "rev":"c796d15e", or edit it.

    Nothing was written. a.txt is at rev c796d15e now (2 lines), not 00000000.
    Lines 1-2 now:
    1:60|one
    2:f4|two
    Next: check the lines above, then send the new content with "rev":"c796d15e".

    Nothing was written. There is no file b.txt.
    Next: check the path, or send it without "rev" to create the file.

    Nothing was written. a.txt is at rev c796d15e now (2 lines), not 00000000.
    Lines 1-2 now:
    1:60|one
    2:f4|two
    Next: check the lines above; if the change is still wanted, send the edit again with "rev":"c796d15e".

    Nothing was written. a.txt is at rev c796d15e now (2 lines), not 00000000.
    Lines 1-2 now:
    1:60|one
    2:f4|two
    Next: check the lines above; if the change is still wanted, send the edit again with "rev":"c796d15e".
    "#);
}

#[test]
fn a_search_says_that_only_the_beginning_of_a_long_line_was_searched() {
    let long = format!("{}needle\n", "x".repeat(200_000));
    let stage = Stage::new(&[("long.txt", &long), ("short.txt", "x needle\n")]);
    let mut server = Server::start(&stage, &[]);
    let note = "Of long lines in 1 file only the beginning was searched.";
    for (pattern, matches) in [("needle", 1), ("x$", 0), (r"x\b", 1), ("^x", 2)] {
        let found = server
            .call("search", &json!({"pattern": pattern, "path": "."}))
            .text;
        assert!(found.contains(note), "{pattern}: {found}");
        assert_eq!(found.matches("txt (rev ").count(), matches, "{pattern}");
    }
    let found = server
        .call("search", &json!({"pattern": "needle", "path": "short.txt"}))
        .text;
    assert!(!found.contains(note), "{found}");
}

#[test]
fn in_the_read_only_sandbox_of_codex_nothing_is_written() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let mut server = Server::start(&stage, &[]);
    let mut call_in = |turn: Value, tool: &str, arguments: &Value| {
        let meta = json!({"x-codex-turn-metadata": turn});
        let params = json!({"name": tool, "arguments": arguments, "_meta": meta});
        let answer = server.ask("tools/call", params);
        let text = answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_default();
        (answer["result"]["isError"] == true, text.to_owned())
    };
    let write = json!({"path": "b.txt", "content": "new\n"});
    let edit = json!({"path": "a.txt", "edits": [{"op": "append", "lines": ["two"]}]});
    let turn = json!({"sandbox_mode": "read-only"});
    let other_forms = [
        turn.to_string().into(),
        json!({"sandbox_mode": {"type": "read-only"}}),
    ];
    for turn in [turn.clone()].into_iter().chain(other_forms) {
        for (tool, arguments) in [("write", &write), ("edit", &edit)] {
            let (refused, text) = call_in(turn.clone(), tool, arguments);
            assert!(
                refused && text.starts_with("Nothing was written: the sandbox"),
                "{turn}: {text}"
            );
        }
    }
    assert!(!stage.path("b.txt").exists());
    let mut call = |sandbox: &str, tool: &str, arguments: &Value| {
        call_in(json!({"sandbox_mode": sandbox}), tool, arguments)
    };
    assert!(!call("read-only", "read", &json!({"path": "a.txt"})).0);
    assert!(!call("workspace-write", "write", &write).0);
    assert!(stage.path("b.txt").exists());
}
