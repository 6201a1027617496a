//! Arguments at their edges: what they mean together, and where they contradict each other or the request.

use std::io::{Seek, SeekFrom, Write};
use std::os::unix::net::UnixStream;
use std::process::Stdio;

use crate::stage::{HASHLINE, Stage, ran};

const APPEND: &str = r#"{"path":"a.txt","edits":[{"op":"append","lines":["more"]}]}"#;

fn stage() -> Stage {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n"), ("b.txt", "b\n")]);
    stage.write("append.json", APPEND);
    stage
}

#[test]
fn a_command_line_that_contradicts_the_request_is_refused() {
    let stage = stage();
    let rev = stage.run(&["read", "--json", "a.txt"]).json()["rev"].clone();
    let rev = rev.as_str().unwrap();
    let with_rev = APPEND.replacen('{', &format!(r#"{{"rev":"{rev}","#), 1);
    let several = r#"{"files":[{"path":"b.txt","edits":[{"op":"append","lines":["x"]}]}]}"#;
    let refused: [(&[&str], &str); 4] = [
        (&["apply", "b.txt"], APPEND),
        (&["apply", "none/a.txt"], APPEND),
        (&["apply", "a.txt"], several),
        (&["apply", "--rev", "deadbeef"], &with_rev),
    ];
    for (args, request) in refused {
        let told = stage.feed(args, request.as_bytes());
        assert_eq!(told.code, Some(2), "{args:?}: {told:?}");
        assert!(told.err.contains("the caller names"), "{told:?}");
        let json = stage.feed(&[args, &["--json"]].concat(), request.as_bytes());
        assert_eq!(json.json()["code"], "bad_request");
        assert_eq!(json.json()["written"], false);
    }
    assert_eq!(stage.text("a.txt"), "one\ntwo\n");
    assert_eq!(stage.text("b.txt"), "b\n");
    let whole = stage.path("a.txt");
    let agreeing: [&[&str]; 4] = [
        &["apply", "a.txt"],
        &["apply", "./a.txt"],
        &["apply", whole.to_str().unwrap()],
        &["apply", "--rev", &format!("{rev}00")[..9]],
    ];
    for args in agreeing {
        stage.write("a.txt", "one\ntwo\n");
        let request = match args.contains(&"--rev") {
            // Nobody has shown such a revision, but it contradicts nothing.
            true => &with_rev,
            false => APPEND,
        };
        let told = stage.feed(args, request.as_bytes());
        assert!(!told.err.contains("the caller names"), "{told:?}");
    }
}

#[test]
fn a_descriptor_is_read_where_it_stands() {
    let stage = stage();
    stage.write("request.json", format!("no request\n{APPEND}"));
    // A shell reads the first line, the program the rest.
    let told = stage.sh("exec 7< request.json; read -r line <&7; hashline apply --fd 7");
    assert_eq!(told.code, Some(0), "{told:?}");
    assert_eq!(stage.text("a.txt"), "one\ntwo\nmore\n");
    stage.write("a.txt", "one\ntwo\n");
    let mut file = std::fs::File::open(stage.path("request.json")).unwrap();
    file.seek(SeekFrom::Start(11)).unwrap();
    let mut command = stage.command(HASHLINE);
    let told = command.args(["apply", "--fd", "0"]).stdin(file).output();
    assert_eq!(ran(told.unwrap()).code, Some(0));
    assert_eq!(stage.text("a.txt"), "one\ntwo\nmore\n");

    let (mut ours, theirs) = UnixStream::pair().unwrap();
    ours.write_all(APPEND.as_bytes()).unwrap();
    drop(ours);
    let mut command = stage.command(HASHLINE);
    let socket = std::os::fd::OwnedFd::from(theirs);
    let told = command
        .args(["apply", "--fd", "0"])
        .stdin(Stdio::from(socket))
        .output();
    assert_eq!(ran(told.unwrap()).code, Some(0));
    assert_eq!(stage.text("a.txt"), "one\ntwo\nmore\nmore\n");
    let told = stage.run(&["apply", "--fd", "77"]);
    assert_eq!(told.code, Some(2));
    assert!(told.err.contains("descriptor 77"), "{told:?}");
}

#[test]
fn ranges_at_their_edges() {
    let stage = stage();
    let most = usize::MAX.to_string();
    let told = stage.run(&["read", "a.txt", "--start-line", "2", "--lines", &most]);
    assert_eq!(told.done(), "2:f4|two\n");
    for args in [
        &["read", "a.txt", "--start-line", "0"][..],
        &["read", "a.txt", "--start-line", "2", "--end-line", "1"],
        &["apply", "-C", "51"],
        &["verify", "a.txt", "1:60", "-C", "51"],
        &["hash", "a.txt", "--rolling", "2..1"],
        &["hash", "a.txt", "--rolling", "0..1"],
    ] {
        let told = stage.run(args);
        assert_eq!(told.code, Some(2), "{args:?}: {told:?}");
        assert!(told.err.contains("error: "), "{told:?}");
    }
    let told = stage.run(&["read", "--header", "a.txt", "--start-line", "3"]);
    assert!(told.out.ends_with(", no lines of 2)\n"), "{told:?}");
    assert!(told.err.contains("there is no line 3"), "{told:?}");
    let told = stage.run(&["read", "--header", "a.txt", "--lines", "0"]);
    assert!(told.out.ends_with(", no lines of 2)\n"), "{told:?}");
    assert_eq!(told.err, "");
}

#[test]
fn a_range_that_is_hashed_by_anchors_must_land() {
    let stage = stage();
    let hash = |range: &str| stage.run(&["hash", "a.txt", "--rolling", range]);
    let whole = hash("1..2").done();
    assert_eq!(hash("1:60..2:f4").done(), whole);
    assert_eq!(hash("1..2:f4").done(), whole);
    for (range, code) in [
        ("1:00..2:f4", "stale"),
        ("1:60..2:00", "stale"),
        ("1..9", "out_of_range"),
        ("1:60..9:00", "out_of_range"),
    ] {
        let told = hash(range);
        assert_eq!(told.code, Some(1), "{range}: {told:?}");
        assert!(told.out.is_empty() && told.err.contains(">>> "), "{told:?}");
        let json = stage.run(&["hash", "a.txt", "--json", "--rolling", range]);
        assert_eq!(json.json()["code"], code, "{range}");
    }
}

#[test]
fn matches_that_are_cut_off_are_told() {
    let stage = Stage::new(&[
        ("many", &"hit\n".repeat(201)),
        ("few", &"hit\n".repeat(200)),
    ]);
    let told = stage.run(&["read", "--header", "many", "--search", "hit"]);
    assert!(
        told.out.contains("the first 200 matching of 201"),
        "{told:?}"
    );
    assert!(
        told.err.contains("only the first 200 matching lines"),
        "{told:?}"
    );
    let json = stage
        .run(&["read", "--json", "many", "--search", "hit"])
        .json();
    assert_eq!(json["more"], true, "{json}");
    assert_eq!(json["matches"], 200);
    let told = stage.run(&["read", "--header", "few", "--search", "hit", "-C", "1"]);
    assert!(told.out.contains(", 200 matching of 200"), "{told:?}");
    assert_eq!(told.err, "");
    let json = stage
        .run(&["read", "--json", "few", "--search", "hit"])
        .json();
    assert_eq!(json.get("more"), None);
}

#[test]
fn chunks_are_objects_like_others() {
    let stage = Stage::new(&[("a.txt", "one\ntwo\n"), ("empty.txt", "")]);
    let args = ["read", "a.txt", "--json", "--chunk-lines", "3"];
    assert_eq!(stage.run(&args).json()["ok"], true);
    let args = ["read", "empty.txt", "--json", "--chunk-lines", "3"];
    let empty = stage.run(&args).json();
    assert_eq!(empty["ok"], true, "{empty}");
    assert_eq!(empty["total_lines"], 0);
    assert_eq!(empty["lines"].as_array().unwrap().len(), 0);
}

#[test]
fn around_shows_as_much_in_a_refusal() {
    let text: String = (1..=40).map(|number| format!("line {number}\n")).collect();
    let stage = Stage::new(&[("a.txt", &text)]);
    let shown = |context: &str| {
        let told = stage.run(&["read", "a.txt", "--around", "20:zz", "-C", context]);
        assert_eq!(told.code, Some(1), "{told:?}");
        told.err.matches("|line ").count()
    };
    assert_eq!((shown("0"), shown("1"), shown("9")), (1, 3, 19));
    // What a refusal shows can be used, although the file changes then.
    let anchors = stage.run(&["hash", "a.txt", "--set", "ledger.on=false"]);
    let anchors = anchors.done();
    stage.write("a.txt", format!("new\n{text}"));
    let verify = |line: usize| {
        let anchor = anchors.lines().nth(line - 1).unwrap();
        stage.run(&["verify", "a.txt", anchor]).code
    };
    assert_eq!((verify(20), verify(31)), (Some(0), Some(1)));
}
