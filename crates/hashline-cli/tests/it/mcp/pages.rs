//! The law of pages (M1 in `docs/mcp.md`): no answer is longer than what its client hands on whole, whatever the files are like.

use std::io::Write;
use std::process::Stdio;

use serde_json::{Value, json};

use super::server::{Server, Told};
use crate::stage::{HASHLINE, Stage};

/// What clients cut, by the name that they give themselves: the most bytes of an answer and of a refusal.
const CLIENTS: &[(&str, usize, usize)] = &[
    ("claude-code", 36_000, 10_000),
    ("codex-mcp-client", 36_000, 36_000),
    ("gemini-cli-mcp-client", 36_000, 36_000),
    ("opencode", 36_000, 36_000),
    ("nobody knows it", 36_000, 36_000),
];
/// No client takes more lines.
const MOST_LINES: usize = 1500;

/// Files that are hard to show, by name.
fn nasty() -> Vec<(&'static str, Vec<u8>)> {
    let many = |line: &str, count: usize| line.repeat(count).into_bytes();
    let mixed: String = (0..4000)
        .map(|n| match n % 5 {
            0 => "\n".to_owned(),
            1 => format!("fn f{n}() {{}}\n"),
            2 => "漢字仮名交じり文\n".repeat(2),
            3 => format!("{}\n", "🎉".repeat(n % 97)),
            _ => format!("\t\"{}\\\"\n", "x".repeat(n % 211)),
        })
        .collect();
    vec![
        ("short.txt", many("\n", 20_000)),
        ("words.txt", many("let abc = def(1, 2);\n", 9000)),
        ("cjk.txt", many("漢字仮名交じり文\n", 6000)),
        ("emoji.txt", many("🎉🎊🎉🎊\n", 6000)),
        (
            "bytes.txt",
            b"caf\xe9 \xc3\xa9 \xff\xfe\xfd and more\n".repeat(4000),
        ),
        ("latin.txt", b"caf\xe9 and more\n".repeat(4000)),
        (
            "long.txt",
            [many("one\n", 3), many("long ", 135_574), many("\ntwo\n", 1)].concat(),
        ),
        ("wide.txt", many(&("漢".repeat(12_000) + "\n"), 9)),
        ("mixed.txt", mixed.into_bytes()),
    ]
}

fn check(client: (&str, usize, usize), what: &str, told: &Told) {
    let (name, answer, refusal) = client;
    let most = if told.is_error { refusal } else { answer };
    let (text, bytes) = (&told.text, told.text.len());
    assert!(
        bytes <= most,
        "{name}, {what}: {bytes} bytes, at most {most}"
    );
    let lines = text.lines().count();
    assert!(lines <= MOST_LINES, "{name}, {what}: {lines} lines");
}

/// Returns the revision that an answer names, and the anchors of its lines.
fn anchors(text: &str) -> (String, Vec<String>) {
    let rev = text.split("rev ").nth(1).unwrap_or_default();
    let rev = rev.chars().take_while(char::is_ascii_hexdigit).collect();
    let anchored = |line: &str| {
        let (anchor, _) = line.split_once('|')?;
        anchor.contains(':').then(|| anchor.to_owned())
    };
    (rev, text.lines().filter_map(anchored).collect())
}

fn edit(path: &str, rev: &str, edits: Value) -> Value {
    json!({"path": path, "rev": rev, "edits": edits})
}

#[test]
fn no_answer_is_longer_than_what_its_client_hands_on() {
    for &client in CLIENTS {
        let stage = Stage::new(&[]);
        let mut server = Server::silent(&stage, &[]);
        server.shake_hands_as(client.0, &json!({}));
        let mut call = |what: &str, tool: &str, arguments: &Value| {
            let told = server.call(tool, arguments);
            check(client, what, &told);
            told
        };
        let files = nasty();
        for (path, bytes) in &files {
            std::fs::write(stage.path(path), bytes).unwrap();
        }
        for (path, _) in &files {
            let (rev, shown) = anchors(&call(path, "read", &json!({"path": path})).text);
            call(
                path,
                "read",
                &json!({"path": path, "offset": 2, "limit": 100_000}),
            );
            let around = json!({"path": path, "search": "e", "contextBefore": 9, "contextAfter": 9, "maxMatches": 1000});
            call(path, "read", &around);
            call(
                path,
                "search",
                &json!({"pattern": ".", "path": path, "maxMatches": 1000}),
            );
            let stale: Vec<Value> = (1..=300)
                .map(|n| json!({"set_line": {"anchor": format!("{n}:00"), "new_text": "x"}}))
                .collect();
            call(path, "edit", &edit(path, &rev, stale.into()));
            call(
                path,
                "write",
                &json!({"path": path, "rev": "00000000", "content": "x"}),
            );
            let last = shown.last().unwrap();
            let changed = json!([
                {"set_line": {"anchor": shown[0], "new_text": "changed\n".repeat(3000), "unseen": true}},
                {"insert_after": {"anchor": last, "text": if *path == "latin.txt" { "x" } else { "漢" }.repeat(30_000)}},
            ]);
            let told = call(path, "edit", &edit(path, &rev, changed));
            assert!(!told.is_error, "{path}: {}", told.text);
        }
        let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
        call("all files", "read", &json!({"paths": paths}));
        let missing: Vec<String> = (0..250)
            .map(|n| format!("{n}/{}", "m".repeat(200)))
            .collect();
        call("missing files", "read", &json!({"paths": missing}));
        call(
            "everywhere",
            "search",
            &json!({"pattern": ".", "maxMatches": 1000}),
        );
        let pattern = format!("(e|{})", "p".repeat(3900));
        call("a long pattern", "search", &json!({"pattern": pattern}));
        let unknown: serde_json::Map<String, Value> =
            (0..3000).map(|n| (format!("field{n}"), json!(1))).collect();
        call("unknown fields", "read", &Value::Object(unknown));
        let content = "漢字\n".repeat(20_000);
        call(
            "a new file",
            "write",
            &json!({"path": "new.txt", "content": content}),
        );
    }
}

#[test]
fn a_line_that_an_edit_shows_only_in_part_does_not_count_as_shown() {
    let long = format!("one\n{}\nthree\n", "long ".repeat(100_000));
    let stage = Stage::new(&[("a.txt", &long)]);
    let mut server = Server::start(&stage, &[]);
    let one = server.call("read", &json!({"path": "a.txt", "limit": 1}));
    let (rev, shown) = anchors(&one.text);
    let changed = json!([{"set_line": {"anchor": shown[0], "new_text": "uno"}}]);
    let told = server.call("edit", &edit("a.txt", &rev, changed));
    assert!(told.text.contains("more bytes of this line are not shown"));
    let (rev, shown) = anchors(&told.text);
    let second = json!([{"set_line": {"anchor": shown[1], "new_text": "x"}}]);
    let told = server.call("edit", &edit("a.txt", &rev, second));
    assert!(told.is_error, "{}", told.text);
    assert!(told.text.contains("only a part of the line"));
    let meant = json!([{"set_line": {"anchor": shown[1], "new_text": "x", "unseen": true}}]);
    let told = server.call("edit", &edit("a.txt", &rev, meant));
    assert!(!told.is_error, "{}", told.text);
}

#[test]
fn the_key_page_sets_another_size() {
    let words = "let abc = def(1, 2);\n".repeat(9000);
    let stage = Stage::new(&[("a.txt", &words)]);
    let mut server = Server::start(&stage, &["--set", "page=9000"]);
    let told = server.call("read", &json!({"path": "a.txt"}));
    assert!(
        (5000..=9000).contains(&told.text.len()),
        "{}",
        told.text.len()
    );
    let mut server = Server::start(&stage, &["--set", "page=90000"]);
    let told = server.call("read", &json!({"path": "a.txt"}));
    assert!(
        (60_000..=90_000).contains(&told.text.len()),
        "{}",
        told.text.len()
    );
}

#[test]
fn what_apply_answers_in_words_is_a_page() {
    let long = format!("one\n{}\nthree\n", "漢".repeat(226_000));
    let stage = Stage::new(&[("a.txt", &long)]);
    let request = |number: u32| json!({"path": "a.txt", "edits": [{"set_line": {"anchor": format!("{number}:00"), "new_text": "x"}}]});
    let created = json!({"files": [{"path": "b.txt", "edits": [{"op": "create", "content": "é\n".repeat(30_000)}]}]});
    for request in [request(1), request(2), created] {
        let mut child = stage
            .command(HASHLINE)
            .args(["apply", "--answer", "words"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(request.to_string().as_bytes()).unwrap();
        drop(input);
        let answer = child.wait_with_output().unwrap().stdout;
        assert!(
            !answer.is_empty() && answer.len() <= 36_000,
            "{}",
            answer.len()
        );
    }
}

/// What plugins pass on to their models.
#[test]
fn the_page_of_the_program_is_that_of_the_tool_and_nothing_else_counts_as_shown() {
    let stage = Stage::new(&[]);
    let files = nasty();
    for (path, bytes) in &files {
        stage.write(path, bytes);
    }
    let mut server = Server::silent(&stage, &[]);
    server.shake_hands_as("nobody", &json!({}));
    let paths: Vec<&str> = files.iter().map(|(path, _)| *path).collect();
    for path in &paths {
        let search = ["--search=o", "--max-matches=900", "-C1"];
        for (args, asked) in [
            (&[][..], json!({"path": path})),
            (
                &["--start-line=2", "--lines=9000"],
                json!({"path": path, "offset": 2, "limit": 9000}),
            ),
            (
                &search,
                json!({"path": path, "search": "o", "maxMatches": 900, "contextBefore": 1, "contextAfter": 1}),
            ),
        ] {
            let page = stage.run(&[&["read", "--page", path], args].concat());
            let told = server.call("read", &asked).text;
            // The tool names the arguments of the next call in the order in which they were sent.
            let (lines, next) = told.rsplit_once("\nNext: ").unwrap_or((&told, ""));
            assert!(page.out.starts_with(lines), "{path} {args:?}");
            assert_eq!(page.out.contains("\nNext: "), !next.is_empty(), "{path}");
        }
    }
    let all = stage
        .run(&[&["read", "--page"][..], &paths].concat())
        .done();
    assert!(all.contains("\nNot shown, there is no room: "));
    let none = stage.run(&["read", "--page", "none.txt"]);
    assert_eq!(
        none.out,
        "There is no file none.txt.\nNext: check the path.\n"
    );
    assert_eq!(none.code, Some(2));

    let page = stage
        .run(&["read", "--session=p", "--page", "words.txt"])
        .done();
    let found = stage.run(&[
        "read",
        "--session=p",
        "--page",
        "words.txt",
        "--start-line=8000",
        "--lines=1",
    ]);
    let (rev, shown) = anchors(&page);
    let far = anchors(&found.done()).1.remove(0);
    let over = json!([{"replace_lines": {"start_anchor": shown.last(), "end_anchor": far, "new_text": "x"}}]);
    let request = edit("words.txt", &rev, over).to_string();
    let refused = stage.feed(&["apply", "--session=p", "--json"], request.as_bytes());
    assert_eq!(refused.json()["code"], "unseen", "{}", refused.out);

    let page = stage
        .run(&[
            "read",
            "--session=p",
            "--page",
            "long.txt",
            "--start-line=4",
        ])
        .done();
    let (rev, shown) = anchors(&page);
    let whole = json!([{"set_line": {"anchor": shown[0], "new_text": "x"}}]);
    let request = edit("long.txt", &rev, whole).to_string();
    let refused = stage.feed(&["apply", "--session=p", "--json"], request.as_bytes());
    assert_eq!(refused.json()["code"], "partly_shown", "{}", refused.out);
}
