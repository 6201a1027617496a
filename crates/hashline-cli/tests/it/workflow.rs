//! Seed 000's workflow by shell alone: read, edit, stale, retry; every way to hand in a request; two agents at once; exit codes.

use std::{fs, thread};

use crate::stage::Stage;

const BOOK: &str = "alpha\nbeta\ngamma\ndelta\nepsilon\nzeta\neta\ntheta\n";

#[test]
fn read_edit_stale_retry_by_shell_alone() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let script = r#"
set -eu
anchor=$(hashline read book.txt | grep '|beta$' | cut -d'|' -f1)
printf '{"path":"book.txt","edits":[{"set_line":{"anchor":"%s","new_text":"BETA"}}]}' "$anchor" | hashline apply > answer
grep -q '|BETA$' answer
# The same edit again names a line that is gone.
set +e
printf '{"path":"book.txt","edits":[{"set_line":{"anchor":"%s","new_text":"beta!"}}]}' "$anchor" | hashline apply > out 2> err
code=$?
set -e
test $code -eq 1
test ! -s out
# What standard error hands out is enough to try again.
fresh=$(grep '^>>> ' err | cut -d' ' -f2 | cut -d'|' -f1)
rev=$(sed -n 's/.*"rev":"\([0-9a-f]*\)".*/\1/p' err)
printf '{"path":"book.txt","rev":"%s","edits":[{"set_line":{"anchor":"%s","new_text":"beta!"}}]}' "$rev" "$fresh" | hashline apply --emit none
"#;
    let told = stage.sh(script).done();
    assert!(
        told.starts_with("Applied 1 edit to book.txt (+1 -1)"),
        "{told}"
    );
    assert_eq!(stage.text("book.txt"), BOOK.replace("beta", "beta!"));
}

#[test]
fn a_request_is_taken_from_everywhere_and_nothing_in_it_is_run() {
    let text = "never run `rm -rf /`; $(touch evil) 'quoted' \\\\ end";
    let request = serde_json::json!({
        "path": "book.txt",
        "edits": [{"set_line": {"anchor": "1:7d", "new_text": text}}],
    });
    let stage = Stage::new(&[("book.txt", BOOK)]);
    let anchors = stage.run(&["hash", "book.txt"]).done();
    let anchor = anchors.lines().next().unwrap();
    let request = request.to_string().replace("1:7d", anchor);
    stage.write("request.json", &request);
    let ways = [
        "hashline apply < request.json",
        "hashline apply --input request.json",
        "hashline apply --input - < request.json",
        "mkfifo pipe; cat request.json > pipe & hashline apply --input pipe; wait; rm pipe",
        "hashline apply --base64 \"$(base64 -w0 request.json)\"",
        "hashline apply --base64 \"$(base64 -w0 request.json | tr '+/' '-_' | tr -d =)\"",
        "hashline apply --fd 7 7< request.json",
        "cat request.json | hashline apply --fd 0",
        "hashline apply <<'EOF'\n$REQUEST\nEOF",
    ];
    for way in ways {
        stage.write("book.txt", BOOK);
        let way = way.replace("$REQUEST", &request);
        let told = stage.sh(&way);
        assert_eq!(told.code, Some(0), "{way}: {told:?}");
        let expected = BOOK.replacen("alpha", text, 1);
        assert_eq!(stage.text("book.txt"), expected, "{way}");
        assert!(!stage.path("evil").exists(), "{way}");
    }
}

#[test]
fn blank_lines_and_empty_files_can_be_written() {
    let cases = [
        // Seed 000's field notes: a blank line could not be inserted.
        (
            r#"[{"insert_after":{"anchor":"@1","text":""}}]"#,
            "one\n\ntwo\n",
        ),
        (
            r#"[{"op":"insert_after","at":"@1","lines":[""]}]"#,
            "one\n\ntwo\n",
        ),
        (r#"[{"op":"replace","at":"@1","lines":[""]}]"#, "\ntwo\n"),
        (
            r#"[{"op":"insert_before","at":"@1","lines":["zero"]}]"#,
            "zero\none\ntwo\n",
        ),
        (r#"[{"op":"prepend","lines":["zero"]}]"#, "zero\none\ntwo\n"),
        (
            r#"[{"op":"append","lines":["three"]}]"#,
            "one\ntwo\nthree\n",
        ),
    ];
    for (edits, expected) in cases {
        let stage = Stage::new(&[("a.txt", "one\ntwo\n"), ("empty", "")]);
        let anchors = stage.run(&["hash", "a.txt"]).done();
        let edits = edits.replace("@1", anchors.lines().next().unwrap());
        let request = format!(r#"{{"path":"a.txt","edits":{edits}}}"#);
        let told = stage.feed(&["apply"], request.as_bytes());
        assert_eq!(told.code, Some(0), "{edits}: {told:?}");
        assert_eq!(stage.text("a.txt"), expected, "{edits}");
        let request = r#"{"path":"empty","edits":[{"op":"append","lines":["first"]}]}"#;
        stage.feed(&["apply"], request.as_bytes()).done();
        assert_eq!(stage.text("empty"), "first");
    }
}

#[test]
fn two_agents_at_once_lose_nothing() {
    let lines: Vec<String> = (1..=40).map(|number| format!("line {number}")).collect();
    let book = lines.join("\n") + "\n";
    let stage = Stage::new(&[("book.txt", &book)]);
    let read = stage.run(&["read", "--header", "book.txt"]).done();
    let rev = read.split("rev ").nth(1).unwrap()[..8].to_owned();
    let anchors: Vec<String> = read
        .lines()
        .skip(1)
        .map(|line| line.split('|').next().unwrap().to_owned())
        .collect();
    thread::scope(|scope| {
        for agent in 0..2 {
            let (stage, anchors, rev) = (&stage, &anchors, &rev);
            scope.spawn(move || {
                for (index, anchor) in anchors.iter().enumerate().skip(agent * 20).take(20) {
                    let request = serde_json::json!({
                        "path": "book.txt",
                        "rev": rev,
                        "edits": [{"set_line": {"anchor": anchor, "new_text": format!("agent {agent}: {index}")}}],
                    });
                    let told = stage.feed(&["apply", "--emit", "none"], request.to_string().as_bytes());
                    assert_eq!(told.code, Some(0), "{told:?}");
                }
            });
        }
    });
    let expected: Vec<String> = (0..40)
        .map(|index| format!("agent {}: {index}", index / 20))
        .collect();
    assert_eq!(stage.text("book.txt"), expected.join("\n") + "\n");
}

#[test]
fn sessions_are_kept_apart() {
    let stage = Stage::new(&[("book.txt", BOOK)]);
    stage.run(&["read", "book.txt", "--session", "one"]).done();
    let anchors = stage.run(&["hash", "book.txt", "--session", "two"]).done();
    let fourth = anchors.lines().nth(3).unwrap();
    stage.write("book.txt", format!("new\n{BOOK}"));
    let verify = |session: &str| {
        stage
            .run(&["verify", "book.txt", fourth, "--session", session])
            .code
    };
    assert_eq!(verify("one"), Some(0));
    // A session that was never shown the line has only its number and tag, which name another line now.
    assert_eq!(verify("three"), Some(1));
    assert_eq!(stage.run(&["verify", "book.txt", fourth]).code, Some(0));
}

#[test]
fn what_is_printed_without_the_lines_does_not_count_as_shown() {
    let (stage, anchors) = only_ends_shown();
    stage.run(&["hash", "a.txt"]).done();
    // Of a range that lands, only the first line is printed.
    let one = format!("{0}..{0}", anchors[0]);
    stage.run(&["verify", "a.txt", &one, &anchors[1]]).done();
    let told = replace_between(&stage, &anchors);
    assert_eq!(told["code"], "unseen", "{told}");
}

#[test]
fn verify_refuses_lines_that_an_edit_would_refuse_and_shows_them_once() {
    for json in [false, true] {
        let (stage, anchors) = only_ends_shown();
        let range = anchors.join("..");
        let verify = || match json {
            false => stage.run(&["verify", "a.txt", &range]),
            true => stage.run(&["verify", "--json", "a.txt", &range]),
        };
        let told = verify();
        assert_eq!(told.code, Some(1), "{told:?}");
        let said = if json { &told.out } else { &told.err };
        for text in [
            "lines 19-21 of the range",
            "|line 19",
            "|line 20",
            "|line 21",
        ] {
            assert!(said.contains(text), "{text}: {told:?}");
        }
        if json {
            assert_eq!(told.json()["code"], "unseen", "{told:?}");
            assert_eq!(told.json()["anchors"][0]["code"], "unseen", "{told:?}");
        } else {
            assert!(said.contains("count as shown now"), "{told:?}");
        }
        // What it showed counts as shown: it and an edit agree again.
        assert_eq!(verify().code, Some(0));
        assert_eq!(replace_between(&stage, &anchors)["ok"], true);
    }
}

#[test]
fn verify_refuses_a_line_that_was_shown_only_in_part() {
    let (stage, anchors) = long_line_shown_in_part();
    let anchor = &anchors[LONG];
    let refused = stage.run(&["verify", "--json", "a.txt", anchor]);
    assert_eq!(refused.json()["code"], "partly_shown", "{refused:?}");
    // It printed the whole line.
    let found = stage.run(&["verify", "a.txt", anchor]);
    assert_eq!(found.code, Some(0), "{}", found.err);
}

#[test]
fn a_line_shown_in_part_is_refused_under_every_name_of_its_file() {
    let rename = |stage: &Stage| fs::rename(stage.path("a.txt"), stage.path("b.txt")).unwrap();
    let copy = |stage: &Stage| _ = fs::copy(stage.path("a.txt"), stage.path("b.txt")).unwrap();
    let read_again = |stage: &Stage| {
        rename(stage);
        let args = ["read", "b.txt", "--start-line=1", "--lines=1"];
        stage.run(&args).done();
    };
    let over_another = |stage: &Stage| {
        stage.write("b.txt", "other\n");
        stage.run(&["read", "b.txt"]).done();
        rename(stage);
    };
    let change = |stage: &Stage, name: &str, from: &str, to: &str| {
        let text = fs::read_to_string(stage.path(name)).unwrap();
        stage.write(name, text.replace(from, to));
    };
    let changed_after = |stage: &Stage| {
        rename(stage);
        change(stage, "b.txt", "line 2\n", "line two\n");
    };
    let original_changed = |stage: &Stage| {
        copy(stage);
        change(stage, "a.txt", "line 2\n", "line two\n");
        stage.run(&["read", "a.txt", "--lines=3"]).done();
    };
    let ways: [&dyn Fn(&Stage); 6] = [
        &rename,
        &copy,
        &read_again,
        &over_another,
        &changed_after,
        &original_changed,
    ];
    for (way, elsewhere) in ways.iter().enumerate() {
        let (stage, anchors) = long_line_shown_in_part();
        elsewhere(&stage);
        assert_eq!(
            replace_line(&stage, &anchors[LONG])["code"],
            "partly_shown",
            "{way}"
        );
        // Other lines are checked by number and tag, as in any file without a record. An edit under the new name is no way around.
        let told = replace_line(&stage, &anchors[LONG + 15]);
        assert_eq!(told["files"][0]["unrecorded"][0], 1, "{way}: {told}");
        // The refusal showed the whole line.
        assert_eq!(replace_line(&stage, &anchors[LONG])["ok"], true, "{way}");
    }
    let (stage, anchors) = long_line_shown_in_part();
    rename(&stage);
    assert_eq!(replace_line(&stage, &anchors[LONG + 15])["ok"], true);
    assert_eq!(replace_line(&stage, &anchors[LONG])["code"], "partly_shown");
}

/// The index of the line that is shown only in part.
const LONG: usize = 20;

/// Returns a folder with a file of which one line was shown only in part, and the anchors of all its lines.
fn long_line_shown_in_part() -> (Stage, Vec<String>) {
    let mut lines: Vec<String> = (1..=40).map(|line| format!("line {line}")).collect();
    lines[LONG] = "long ".repeat(20_000);
    let stage = Stage::new(&[("a.txt", &(lines.join("\n") + "\n"))]);
    let mut anchors = Vec::new();
    // A page ends before a line that is too long for it, and begins with one that it cuts.
    for start in [1, LONG + 1, LONG + 2] {
        let start = format!("--start-line={start}");
        let page = stage.run(&["read", "--page", "a.txt", &start]).done();
        let lines = page.lines().filter_map(|line| line.split_once('|'));
        anchors.extend(lines.map(|(anchor, _)| anchor.to_owned()));
    }
    assert_eq!(anchors.len(), 40);
    (stage, anchors)
}

/// Replaces one line of the second file.
fn replace_line(stage: &Stage, anchor: &str) -> serde_json::Value {
    let edit = serde_json::json!({"op": "replace", "at": anchor, "lines": ["x"]});
    let request = serde_json::json!({"path": "b.txt", "edits": [edit]}).to_string();
    stage.feed(&["apply", "--json"], request.as_bytes()).json()
}

/// Returns a folder with a file of which two lines were shown, and their anchors.
fn only_ends_shown() -> (Stage, [String; 2]) {
    let text: String = (1..=40).map(|line| format!("line {line}\n")).collect();
    let stage = Stage::new(&[("a.txt", &text)]);
    let ends = stage.run(&["search", "line (18|22)$", "a.txt"]).done();
    let anchors = ends.lines().filter_map(|line| line.split_once('|'));
    let mut anchors = anchors.map(|(anchor, _)| anchor.to_owned());
    let ends = [(); 2].map(|()| anchors.next().expect("two lines are shown"));
    (stage, ends)
}

/// Replaces the lines from one anchor to the other.
fn replace_between(stage: &Stage, anchors: &[String; 2]) -> serde_json::Value {
    let edit = serde_json::json!({"path": "a.txt", "edits": [{"replace_lines": {
        "start_anchor": anchors[0], "end_anchor": anchors[1], "new_text": "x"}}]});
    let told = stage.feed(&["apply", "--json"], edit.to_string().as_bytes());
    told.json()
}

#[test]
fn exit_codes_say_what_became_of_a_request() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n"), ("bin", "a\0b")]);
    let apply = |request: &str, args: &[&str]| {
        let told = stage.feed(&[&["apply"], args].concat(), request.as_bytes());
        let json = stage.feed(&[&["apply", "--json"], args].concat(), request.as_bytes());
        assert_eq!(told.code, json.code, "{request}");
        (told.code.unwrap(), json.json())
    };
    let cases = [
        (
            r#"{"path":"a.txt","edits":[{"op":"substitute","old":"one","new":"one"}]}"#,
            &[][..],
            0,
            None,
        ),
        (
            r#"{"path":"a.txt","edits":[{"set_line":{"anchor":"1:00","new_text":"x"}}]}"#,
            &[],
            1,
            Some("stale"),
        ),
        (
            r#"{"path":"a.txt","edits":[{"set_line":{"anchor":"9:00","new_text":"x"}}]}"#,
            &[],
            1,
            Some("out_of_range"),
        ),
        (
            r#"{"path":"a.txt","rev":"00000000","edits":[{"op":"append","lines":["x"]}]}"#,
            &[],
            1,
            Some("unknown_rev"),
        ),
        (
            r#"{"operation":"edit","path":"a.txt","file_hash":"00","edits":[{"op":"replace_text","old":"one","new":"x"}]}"#,
            &["--dialect", "push"],
            2,
            Some("bad_request"),
        ),
        (
            r#"{"path":"a.txt","edits":[{"set_line":{"anchor":"x","new_text":"x"}}]}"#,
            &[],
            2,
            Some("bad_anchor"),
        ),
        (
            r#"{"path":"a.txt","edits":[{"op":"substitute","old":"zzz","new":"x"}]}"#,
            &[],
            2,
            Some("text_not_found"),
        ),
        (
            r#"{"path":"none","edits":[{"op":"append","lines":["x"]}]}"#,
            &[],
            2,
            Some("file_not_found"),
        ),
        (
            r#"{"path":"bin","edits":[{"op":"append","lines":["x"]}]}"#,
            &[],
            2,
            Some("binary"),
        ),
        (
            r#"{"path":"../a","edits":[{"op":"append","lines":["x"]}]}"#,
            &[],
            2,
            Some("bad_path"),
        ),
        (
            r#"{"path":"/etc/passwd","edits":[{"op":"append","lines":["x"]}]}"#,
            &[],
            2,
            Some("outside_root"),
        ),
        (
            r#"{"path":".git/config","edits":[{"op":"create","content":"x"}]}"#,
            &[],
            2,
            Some("protected"),
        ),
        ("{", &[], 2, Some("bad_request")),
        ("", &[], 2, Some("bad_request")),
    ];
    for (request, args, code, name) in cases {
        let (found, answer) = apply(request, args);
        assert_eq!(found, code, "{request}: {answer}");
        assert_eq!(answer["ok"], name.is_none(), "{request}: {answer}");
        assert_eq!(
            answer.get("code").and_then(|code| code.as_str()),
            name,
            "{request}: {answer}"
        );
        if name.is_some() {
            assert_eq!(answer["written"], false, "{request}");
        }
    }
    assert_eq!(stage.text("a.txt"), "one\ntwo\n");
}

#[test]
fn what_is_shown_is_remembered_and_what_is_not_is_not() {
    let append = r#"{"path":"book.txt","edits":[{"op":"append","lines":["iota"]}]}"#;
    let cases: [(&[&str], bool); 6] = [
        (&["read", "book.txt"], true),
        (&["read", "book.txt", "--comment"], true),
        (&["read", "book.txt", "--plain"], false),
        (&["apply"], true),
        (&["apply", "--emit", "none"], false),
        (&["apply", "--dry-run", "--emit", "window"], false),
    ];
    for (args, remembered) in cases {
        let stage = Stage::new(&[("book.txt", BOOK)]);
        stage.feed(args, append.as_bytes()).done();
        let anchors = ["hash", "book.txt", "--set", "ledger.on=false"];
        let anchors = stage.run(&anchors).done();
        let last = anchors.lines().last().unwrap();
        stage.write("book.txt", format!("new\n{}", stage.text("book.txt")));
        // Known, it is found where it is now; else its number names another line.
        let found = stage.run(&["verify", "book.txt", last]).code == Some(0);
        assert_eq!(found, remembered, "{args:?}");
    }
}
