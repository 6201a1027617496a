//! Hostile files, callers and moments.

use std::fs::File;
use std::process::Stdio;
use std::thread;

use rustix::process::{Pid, Signal, kill_process};

use crate::stage::{HASHLINE, Stage, ran};

#[test]
fn huge_files_are_refused_or_read_in_part() {
    let stage = Stage::new(&[]);
    // Made of holes: nothing is written to the disk.
    let sparse = File::create(stage.path("sparse")).unwrap();
    sparse.set_len(1 << 40).unwrap();
    let long = "x".repeat(300 << 20);
    stage.write("long", &long);
    drop(long);
    stage.sh("yes '' | head -c 1073741824 > newlines").done();
    for (file, code) in [
        ("sparse", "too_large"),
        ("long", "too_large"),
        ("newlines", "too_large"),
    ] {
        let told = stage.run(&["read", file, "--json"]);
        assert_eq!(told.code, Some(2), "{file}");
        assert_eq!(told.json()["code"], code, "{file}: {}", told.out);
        let told = stage.run(&["read", file]);
        assert!(told.err.contains("higher `limits.file`"), "{}", told.err);
        assert!(told.out.is_empty());
    }
    let part = stage.run(&[
        "read",
        "newlines",
        "--start-line",
        "1000000000",
        "--lines",
        "2",
        "--set",
        "limits.file=2GiB",
    ]);
    assert_eq!(part.done(), "1000000000:05|\n1000000001:05|\n");
}

#[test]
fn a_gigabyte_of_newlines_is_no_request() {
    let stage = Stage::new(&[]);
    let told = stage.sh("head -c 1073741824 /dev/zero | tr '\\0' '\\n' | hashline apply --json");
    assert_eq!(told.code, Some(2));
    assert_eq!(told.json()["code"], "too_large", "{}", told.out);
}

#[test]
fn what_is_no_file_is_refused_at_once() {
    let stage = Stage::new(&[("folder/a", "a\n")]);
    stage.sh("mkfifo pipe").done();
    for path in [
        "pipe",
        "folder",
        "/dev/zero",
        "/dev/tty",
        "/proc/self/mem",
        "/proc/kmsg",
    ] {
        let told = stage.run(&["read", path, "--json"]);
        assert_eq!(told.code, Some(2), "{path}: {told:?}");
        assert_eq!(told.json()["ok"], false, "{path}");
    }
    for path in ["pipe", "folder", "/dev/zero", "/proc/self/environ"] {
        let request = format!(r#"{{"path":"{path}","edits":[{{"op":"append","lines":["x"]}}]}}"#);
        let told = stage.feed(&["apply", "--json"], request.as_bytes());
        assert_eq!(told.code, Some(2), "{path}: {told:?}");
        assert_eq!(told.json()["written"], false, "{path}");
    }
}

#[test]
fn a_reader_that_is_gone_is_no_error() {
    let many: String = (0..200_000)
        .map(|number| format!("line {number}\n"))
        .collect();
    let stage = Stage::new(&[("many", &many)]);
    let told = stage.sh("{ hashline read many; echo \"code $?\" >&2; } | head -n 1");
    assert_eq!(told.out.lines().count(), 1);
    assert_eq!(told.err, "code 0\n");
    let told = stage
        .sh("{ hashline search line many --max-matches 0; echo \"code $?\" >&2; } | head -n 1");
    assert!(told.err.ends_with("code 0\n"), "{}", told.err);
    // Nobody listens from the start.
    let told = stage.sh("hashline read many >&-; echo code $?");
    assert_eq!(told.out, "code 0\n", "{told:?}");
    assert!(!told.err.contains("panic"), "{}", told.err);
}

#[test]
fn interrupted_at_any_moment_nothing_is_half_written() {
    let old: String = (0..3000).map(|number| format!("old {number}\n")).collect();
    let new = old.replace("old", "new");
    let files: Vec<String> = (0..4).map(|number| format!("f{number}")).collect();
    let stage = Stage::new(&[]);
    let edits: Vec<String> = files
        .iter()
        .map(|file| {
            format!(r#"{{"path":"{file}","edits":[{{"op":"substitute","old":"old","new":"new","all":true}}]}}"#)
        })
        .collect();
    stage.write(
        "request.json",
        format!(r#"{{"files":[{}]}}"#, edits.join(",")),
    );
    let (mut done, mut broken) = (0, 0);
    for moment in 0..60 {
        for file in &files {
            stage.write(file, &old);
        }
        let child = stage
            .command(HASHLINE)
            .args(["apply", "--input", "request.json", "--emit", "none"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let pid = Pid::from_child(&child);
        thread::sleep(std::time::Duration::from_micros(moment * 250));
        // It may be done already.
        let _ = kill_process(pid, Signal::INT);
        let told = ran(child.wait_with_output().unwrap());
        // The next command settles what was left, and says so.
        stage.run(&["recover"]).done();
        let texts: Vec<String> = files.iter().map(|file| stage.text(file)).collect();
        let all_new = texts.iter().all(|text| *text == new);
        let all_old = texts.iter().all(|text| *text == old);
        assert!(all_new || all_old, "moment {moment}: {told:?}");
        if told.code == Some(0) {
            assert!(all_new, "moment {moment}: what was answered is done");
            done += 1;
        } else {
            broken += 1;
        }
    }
    // Both were seen, else the moments were badly chosen. (They are chosen by how long the program takes, which nobody knows.)
    assert!(broken > 0, "{done} done, {broken} broken off");
}

#[test]
fn a_hundred_at_once_all_land() {
    let lines: Vec<String> = (0..100).map(|number| format!("line {number}")).collect();
    let stage = Stage::new(&[("book", &(lines.join("\n") + "\n"))]);
    let read = stage.run(&["read", "--header", "book"]).done();
    let rev = read.split("rev ").nth(1).unwrap()[..8].to_owned();
    let anchors: Vec<&str> = read
        .lines()
        .skip(1)
        .map(|line| line.split('|').next().unwrap())
        .collect();
    thread::scope(|scope| {
        for (index, anchor) in anchors.iter().enumerate() {
            let (stage, rev) = (&stage, &rev);
            scope.spawn(move || {
                let request = format!(
                    r#"{{"path":"book","rev":"{rev}","edits":[{{"set_line":{{"anchor":"{anchor}","new_text":"done {index}"}}}}]}}"#
                );
                let told = stage.feed(&["apply", "--emit", "none"], request.as_bytes());
                assert_eq!(told.code, Some(0), "{told:?}");
            });
        }
    });
    let expected: Vec<String> = (0..100).map(|number| format!("done {number}")).collect();
    assert_eq!(stage.text("book"), expected.join("\n") + "\n");
}

#[test]
fn nonsense_on_the_command_line_is_refused_in_words_and_as_an_object() {
    let stage = Stage::new(&[("a", "a\n")]);
    let cases: [&[&str]; 8] = [
        &["nothing"],
        &["read"],
        &["read", "a", "--start-line", "x"],
        &["read", "a", "--lines", "1", "--around", "1:aa"],
        &["apply", "--base64", "***"],
        &["apply", "--input", "nothing"],
        &["diff", "a", "--rev", "xyz"],
        &["read", "a", "--set", "contxt=3"],
    ];
    for args in cases {
        let told = stage.run(args);
        assert_eq!(told.code, Some(2), "{args:?}: {told:?}");
        assert!(
            told.err.contains("error: ") && told.out.is_empty(),
            "{args:?}: {told:?}"
        );
        let told = stage.run(&[args, &["--json"]].concat());
        assert_eq!(told.code, Some(2), "{args:?}");
        let answer = told.json();
        assert_eq!(answer["ok"], false, "{args:?}");
        assert!(
            answer["code"].is_string() && answer["message"].is_string(),
            "{answer}"
        );
    }
}

#[test]
fn what_cannot_be_remembered_is_said_once_and_fails_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let stage = Stage::new(&[("a", "a\n")]);
    stage.run(&["read", "a"]).done();
    let state = stage.path("../state/hashline");
    std::fs::set_permissions(&state, std::fs::Permissions::from_mode(0o777)).unwrap();
    for args in [
        &["read", "a"][..],
        &["read", "a", "--json"],
        &["read", "a", "--json", "--chunk-lines", "9"],
        &["hash", "a"],
        &["hash", "a", "--json"],
        &["verify", "a", "1:7f"],
        &["verify", "a", "1:7f", "--json"],
    ] {
        let told = stage.run(args);
        assert!(told.code.is_some_and(|code| code < 2), "{told:?}");
        let told_in = if args.contains(&"--json") {
            told.json()["state"].to_string()
        } else {
            told.err.clone()
        };
        assert_eq!(
            told_in.matches("Nothing shown is remembered").count(),
            1,
            "{told:?}"
        );
        let both = format!("{}{}", told.out, told.err);
        assert_eq!(both.matches("Nothing shown").count(), 1, "{told:?}");
    }
}
