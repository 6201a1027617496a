//! Odd places and names: links, folders that are gone, names that are no text, a program by another name.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;

use crate::stage::{HASHLINE, Stage, ran};

const APPEND: &str = r#"{"edits":[{"op":"append","lines":["more"]}]}"#;

#[test]
fn a_path_in_a_folder_that_is_not_there_is_not_there() {
    let stage = Stage::new(&[("project/.git/HEAD", "ref\n"), ("project/a.txt", "a\n")]);
    let nowhere = stage.path("nowhere/b.txt");
    let told = stage.sh(&format!(
        "cd project && hashline read a.txt {}",
        nowhere.display()
    ));
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.out.contains("1:"), "the other file is shown: {told:?}");
    assert!(told.err.contains("error: there is no file"), "{told:?}");
}

#[test]
fn a_path_through_a_link_that_a_person_types_is_followed() {
    let stage = Stage::new(&[
        ("w/.git/HEAD", "ref\n"),
        ("w/a.txt", "one\n"),
        ("else/b.txt", "two\n"),
    ]);
    stage.write("edits.json", APPEND);
    symlink("w", stage.path("wl")).unwrap();
    symlink(stage.path("else"), stage.path("w/out")).unwrap();
    let edits = stage.path("edits.json");
    let edits = edits.display();
    for script in [
        "hashline read $PWD/a.txt".to_owned(),
        "hashline search -l one $PWD/a.txt".to_owned(),
        "hashline search -l one $PWD".to_owned(),
        "hashline hash $PWD/a.txt".to_owned(),
        format!("hashline apply $PWD/a.txt --input {edits}"),
        // A folder behind a link is as good as one that is typed.
        "hashline read out/b.txt".to_owned(),
    ] {
        let told = stage.sh(&format!("cd wl; {script}"));
        assert_eq!(told.code, Some(0), "{script}: {told:?}");
        assert!(!told.out.is_empty(), "{script}");
    }
    assert_eq!(stage.text("w/a.txt"), "one\nmore\n");
    // A link at the end is followed to where one may go, and not elsewhere.
    symlink(stage.path("w/a.txt"), stage.path("w/link")).unwrap();
    let told = stage.sh("cd wl; hashline read link");
    assert_eq!(told.code, Some(0), "{told:?}");
    symlink(stage.path("else/b.txt"), stage.path("w/leak")).unwrap();
    let told = stage.sh("cd w; hashline read --json leak");
    assert_eq!(told.json()["code"], "outside_root", "{told:?}");
    // A request says nothing of the kind.
    let request = stage.path("wl/a.txt");
    let request = APPEND.replacen('{', &format!(r#"{{"path":{request:?},"#), 1);
    stage.write("w/strict.json", request);
    let told = stage.sh("cd w; hashline apply --json --input strict.json");
    assert_eq!(told.json()["code"], "outside_root", "{told:?}");
}

#[test]
fn without_a_working_directory_what_needs_none_works() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let whole = stage.path("a.txt");
    let gone = "mkdir gone && cd gone && rmdir ../gone && ";
    for command in [
        "echo '1:60|one' | hashline strip",
        "hashline schema",
        "hashline prompt",
        "hashline completions bash",
        "hashline man",
        "hashline --version",
        &format!("hashline read {}", whole.display()),
    ] {
        let told = stage.sh(&format!("{gone}{command}"));
        assert_eq!(told.code, Some(0), "{command}: {told:?}");
    }
    let told = stage.sh(&format!("{gone}hashline read a.txt"));
    assert_eq!(told.code, Some(2), "{told:?}");
    assert!(told.err.contains("working directory"), "{told:?}");
}

#[test]
fn a_folder_whose_name_is_no_text_can_be_searched() {
    let stage = Stage::new(&[("a.txt", "one\n")]);
    let folder = stage.root().join(OsStr::from_bytes(b"d\xff"));
    fs::create_dir(&folder).unwrap();
    fs::write(folder.join("b.txt"), "two\n").unwrap();
    let search = |args: &[&str]| {
        let mut command = stage.command(HASHLINE);
        command.current_dir(&folder).args(["search", "-l", "two"]);
        ran(command.args(args).output().unwrap())
    };
    assert_eq!(search(&[]).done(), "b.txt\n");
    assert_eq!(search(&["b.txt"]).done(), "b.txt\n");
    // Roots that were named are the only ones, as ever.
    let other = stage.path("other");
    fs::create_dir(&other).unwrap();
    let roots = format!("roots={}", other.display());
    let told = search(&["--set", &roots]);
    assert!(!told.err.contains("command line"), "{told:?}");
    assert_eq!((told.code, told.out.as_str()), (Some(2), ""), "{told:?}");
}

#[test]
fn names_and_counts_show_no_line() {
    let text = "alpha\nbeta\ngamma\ndelta\n";
    for (args, remembered) in [
        (&["search", "-c", "alpha"][..], false),
        (&["search", "-l", "alpha"], false),
        (&["search", "alpha"], true),
        (&["search", "-l", "alpha", "--json"], true),
    ] {
        let stage = Stage::new(&[("a.txt", text)]);
        stage.run(args).done();
        let anchors = stage.run(&["hash", "a.txt", "--set", "ledger.on=false"]);
        let first = anchors.done().lines().next().unwrap().to_owned();
        stage.write("a.txt", format!("new\n{text}"));
        let found = stage.run(&["verify", "a.txt", &first]).code == Some(0);
        assert_eq!(found, remembered, "{args:?}");
    }
}

#[test]
fn a_name_cannot_break_out_of_its_line() {
    let stage = Stage::new(&[("a\n--- b ---", "one\n"), ("c\u{1b}[31m", "one\n")]);
    let told = stage.run(&["read", "a\n--- b ---", "c\u{1b}[31m", "--header"]);
    assert!(told.out.contains("--- a\\n--- b --- ---\n"), "{told:?}");
    assert!(told.out.contains("--- c\\x1b[31m ---\n"), "{told:?}");
    for args in [
        &["search", "one"][..],
        &["search", "-l", "one"],
        &["search", "-c", "one"],
    ] {
        let out = stage.run(args).done();
        assert!(out.contains("a\\n--- b ---"), "{out}");
        assert!(!out.contains('\u{1b}') && !out.contains("\n---"), "{out}");
    }
}

#[test]
fn the_tour_goes_by_any_name_and_can_be_gone_on_with() {
    let stage = Stage::new(&[]);
    symlink(HASHLINE, stage.path("hl")).unwrap();
    let out = stage
        .sh("PATH=/usr/bin:/bin; ./hl tour --keep --json")
        .done();
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    let (folder, state) = (&told["folder"], &told["state_home"]);
    let (folder, state) = (folder.as_str().unwrap(), state.as_str().unwrap());
    // A revision of the tour is known there.
    let script = format!(
        "cd {folder} && export XDG_STATE_HOME={state} && hashline diff fleet.py --rev 6cddb524"
    );
    let known = stage.sh(&script);
    fs::remove_dir_all(std::path::Path::new(folder).parent().unwrap()).unwrap();
    assert_eq!(known.code, Some(0), "{known:?}");

    let out = stage.run(&["tour", "--keep"]).done();
    let line = |start: &str| {
        let mut lines = out
            .lines()
            .filter_map(|line| line.trim().strip_prefix(start));
        lines.next().unwrap().to_owned()
    };
    let folder = line("cd ");
    assert!(line("export XDG_STATE_HOME=").ends_with("/state"), "{out}");
    fs::remove_dir_all(std::path::Path::new(&folder).parent().unwrap()).unwrap();
}

#[test]
fn a_tour_that_goes_astray_says_so() {
    let stage = Stage::new(&[]);
    // A `sed` that does nothing: the conflict that is to be refused never comes.
    fs::create_dir(stage.path("bin")).unwrap();
    stage
        .sh("printf '#!/bin/sh\\ncat fleet.py\\n' > bin/sed; chmod +x bin/sed")
        .done();
    let told = stage.sh("PATH=$PWD/bin:$PATH hashline tour --json");
    assert_eq!(told.code, Some(2), "{told:?}");
    let answer = told.json();
    assert_eq!(answer["ok"], false);
    let message = answer["message"].as_str().unwrap();
    assert!(message.contains("step 6 of the tour"), "{message}");
}
