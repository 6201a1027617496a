//! What only a person can decide, and what becomes of it then.

use std::path::{Path, PathBuf};

use hashline_testing::disk::{Image, Offers};
use hashline_workspace::DiskNote;
use hashline_workspace::{ConflictChoice, InPlace, Recovered};

use crate::{
    ONE, TWO, TWO_IN_FOLDER, apply, before, broken_off, broken_off_from, in_folder, open, orphans,
    outcome, text,
};

/// A request that changes a file, removes one and makes one, in this order.
const THREE: &str = r#"{"files":[
    {"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]},
    {"path":"b","edits":[{"op":"delete_file"}]},
    {"path":"c","edits":[{"op":"create","content":"new\n"}]}]}"#;

/// Returns the disk after so many of the three were done.
fn three_after(swaps: usize) -> Image {
    let (call, nth) = match swaps {
        // The journal has its name.
        0 => ("link", 0),
        1 => ("exchange", 0),
        swaps => ("rename_new", swaps - 2),
    };
    broken_off_from(before(), THREE, InPlace::Never, call, nth)
}

#[test]
fn a_person_ends_a_conflict_and_nothing_is_thrown_away() {
    // After the first swap somebody writes the file that was swapped.
    let cases = [
        (ConflictChoice::KeepCurrent, "theirs\n", "old\n", &[][..]),
        (ConflictChoice::RestoreOld, "old\n", "old\n", &[]),
        (ConflictChoice::FinishNew, "theirs\n", "new\n", &["a"]),
    ];
    for (settle, a, b, gone) in cases {
        let mut image = broken_off(InPlace::Never, "exchange", 0);
        image.put(Path::new("a"), b"theirs\n");
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        let refused = apply(&workspace, TWO).expect_err("it waits for a person");
        assert_eq!(refused.code().as_str(), "recovery_conflict");
        let settled = workspace.recover(Some(settle)).expect("settled");
        assert!(
            matches!(&settled[..], [Recovered::Decided { paths, without }] if paths == &["a", "b"] && without == gone),
            "{settled:?}"
        );
        let tree = disk.now().seen().tree();
        assert_eq!(
            (text(&tree, "a"), text(&tree, "b")),
            (Some(a), Some(b)),
            "{settle:?}"
        );
        let everywhere: Vec<&str> = tree
            .values()
            .filter_map(|it| std::str::from_utf8(it.as_deref()?).ok())
            .collect();
        assert!(
            everywhere.contains(&"theirs\n"),
            "{settle:?} throws away what somebody wrote"
        );
        assert_eq!(
            workspace.recover(None).expect("nothing is left"),
            [Recovered::Nothing]
        );
    }
}

#[test]
fn a_conflict_over_a_file_written_in_place_ends_the_same_way() {
    // The writes: .gitignore, the journal, four copies, then the files themselves.
    let cases = [
        (ConflictChoice::KeepCurrent, "theirs\n", 0),
        (ConflictChoice::RestoreOld, "old\n", 1),
        (ConflictChoice::FinishNew, "new\n", 1),
    ];
    for (settle, a, kept) in cases {
        let mut image = broken_off(InPlace::Always, "write", 6);
        image.put(Path::new("a"), b"theirs\n");
        let (disk, workspace) = open(image, Offers::All, InPlace::Always);
        assert_eq!(
            apply(&workspace, TWO).expect_err("refused").code().as_str(),
            "recovery_conflict"
        );
        workspace.recover(Some(settle)).expect("settled");
        let tree = disk.now().seen().tree();
        assert_eq!(text(&tree, "a"), Some(a), "{settle:?}");
        let theirs = orphans(&tree)
            .iter()
            .filter(|text| **text == "theirs\n")
            .count();
        assert_eq!(theirs, kept, "{settle:?}");
        for bytes in ["old\n", "new\n", "theirs\n"] {
            let stands = text(&tree, "a") == Some(bytes);
            let kept = stands || orphans(&tree).contains(&bytes);
            assert!(kept, "{settle:?} throws {bytes:?} away");
        }
    }
}

#[test]
fn one_file_edits_go_on_beside_a_conflict_over_others() {
    let mut image = broken_off(InPlace::Never, "exchange", 0);
    image.put(Path::new("a"), b"theirs\n");
    image.put(Path::new("c"), b"old\n");
    image.put(Path::new("d"), b"old\n");
    let (_, workspace) = open(image, Offers::All, InPlace::Never);
    for request in [ONE, &TWO_IN_FOLDER.replace("d/a", "c").replace("d/b", "d")] {
        // About one of them, or one that needs a journal itself.
        let refused = apply(&workspace, request).expect_err("it waits for a person");
        assert_eq!(refused.code().as_str(), "recovery_conflict", "{request}");
    }
    let applied = outcome(&workspace, &ONE.replace("\"a\"", "\"c\""));
    applied.result.expect("it is about another file");
    assert!(matches!(&applied.notes[..], [DiskNote::Unsettled(paths)] if paths == &["a", "b"]));
    let read = workspace.read_all(&["a", "c"]).expect("read");
    assert!(!read.consistent && read.files.iter().all(Result::is_ok));
}

#[test]
fn what_somebody_only_adds_to_a_file_is_a_conflict_too() {
    let swapped = (InPlace::Never, broken_off(InPlace::Never, "exchange", 0));
    let written = (InPlace::Always, broken_off(InPlace::Always, "write", 6));
    for (in_place, mut image) in [swapped, written] {
        image.put(Path::new("a"), b"new\nmore\n");
        let (disk, workspace) = open(image, Offers::All, in_place);
        let refused = workspace.recover(None).expect_err("it waits for a person");
        assert_eq!(refused.code().as_str(), "recovery_conflict", "{in_place:?}");
        let tree = disk.now().seen().tree();
        assert_eq!(text(&tree, "a"), Some("new\nmore\n"), "{in_place:?}");
    }
}

#[test]
fn a_decision_is_about_new_files_and_files_that_go_too() {
    let (old, new, theirs) = (Some("old\n"), Some("new\n"), Some("theirs\n"));
    let cases = [
        (ConflictChoice::KeepCurrent, [new, theirs, theirs], &[][..]),
        (ConflictChoice::RestoreOld, [old, old, None], &[]),
        (ConflictChoice::FinishNew, [new, None, theirs], &["c"]),
    ];
    for (settle, texts, gone) in cases {
        let mut image = three_after(3);
        for name in ["b", "c"] {
            image.put(Path::new(name), b"theirs\n");
        }
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        let settled = workspace.recover(Some(settle)).expect("settled");
        assert!(
            matches!(&settled[..], [Recovered::Decided { without, .. }] if without == gone),
            "{settled:?}"
        );
        let tree = disk.now().seen().tree();
        let found = ["a", "b", "c"].map(|name| text(&tree, name));
        assert_eq!(found, texts, "{settle:?}");
        let stands = texts.iter().filter(|text| **text == theirs).count();
        let kept = orphans(&tree)
            .iter()
            .filter(|text| Some(**text) == theirs)
            .count();
        assert_eq!(
            stands + kept,
            2,
            "{settle:?} throws away what somebody wrote"
        );
        let names = ["a", "b", "c"].map(|name| hashline_workspace::staging_name(name.as_ref()));
        let left = names.iter().any(|name| tree.contains_key(Path::new(name)));
        assert!(!left, "{settle:?}: {tree:?}");
    }
}

#[test]
fn what_stands_there_decides_what_becomes_of_a_request() {
    const FOLDER: &[u8] = b"a folder";
    let staged = |name: &str| PathBuf::from(hashline_workspace::staging_name(name.as_ref()));
    let plain = |name: &str| PathBuf::from(name);
    let (old, new, theirs, own) = (
        Some("old\n"),
        Some("new\n"),
        Some("theirs\n"),
        Some("own\n"),
    );
    let bytes = |text: Option<&'static str>| text.map(str::as_bytes);
    let (finished, taken_back) = (Ok("finished"), Ok("taken back"));
    let conflict = Err("recovery_conflict");
    // How many of the three were done, what somebody did then, what came of it, and what the files hold.
    let cases = [
        (3, vec![], finished, [new, None, new]),
        (2, vec![], taken_back, [old, old, None]),
        // Written right before the swap: it comes back, and all else with it.
        (
            3,
            vec![(staged("a"), bytes(own))],
            taken_back,
            [own, old, None],
        ),
        (
            3,
            vec![(staged("b"), bytes(own))],
            taken_back,
            [old, own, None],
        ),
        (
            2,
            vec![(plain("c"), bytes(theirs))],
            taken_back,
            [old, old, theirs],
        ),
        // Nothing is staged yet: what stands there is none of ours.
        (
            0,
            vec![(plain("c"), bytes(theirs))],
            taken_back,
            [old, old, theirs],
        ),
        // What was displaced is gone for good: there is no way but forward.
        (3, vec![(staged("a"), None)], finished, [new, None, new]),
        (2, vec![(staged("a"), None)], conflict, [new, None, None]),
        (3, vec![(plain("c"), None)], taken_back, [old, old, None]),
        // Written since.
        (
            3,
            vec![(plain("a"), bytes(theirs))],
            conflict,
            [theirs, None, new],
        ),
        (
            3,
            vec![(plain("b"), bytes(theirs))],
            conflict,
            [new, theirs, new],
        ),
        (
            3,
            vec![(plain("c"), bytes(theirs))],
            conflict,
            [new, None, theirs],
        ),
        (3, vec![(plain("a"), None)], conflict, [None, None, new]),
        (
            3,
            vec![(plain("a"), Some(FOLDER))],
            conflict,
            [None, None, new],
        ),
        (
            3,
            vec![(staged("c"), bytes(own))],
            conflict,
            [new, None, new],
        ),
        // Both.
        (
            3,
            vec![(staged("a"), bytes(own)), (plain("a"), bytes(theirs))],
            conflict,
            [theirs, None, new],
        ),
        (
            3,
            vec![(staged("b"), bytes(own)), (plain("b"), bytes(theirs))],
            conflict,
            [new, theirs, new],
        ),
    ];
    for (swaps, done, outcome, texts) in cases {
        let mut image = three_after(swaps);
        for (path, bytes) in &done {
            image.remove(path);
            match bytes {
                None => {}
                Some(bytes) if *bytes == FOLDER => image.put(&path.join("file"), b"text"),
                Some(bytes) => image.put(path, bytes),
            }
        }
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        let recovered = match workspace.recover(None).as_deref() {
            Ok([Recovered::Finished(_)]) => Ok("finished"),
            Ok([Recovered::RolledBack(_)]) => Ok("taken back"),
            Ok(other) => panic!("{other:?}"),
            Err(error) => Err(error.code().as_str()),
        };
        assert_eq!(recovered, outcome, "{swaps} {done:?}");
        let tree = disk.now().seen().tree();
        let found = ["a", "b", "c"].map(|name| text(&tree, name));
        assert_eq!(found, texts, "{swaps} {done:?}");
    }
}

#[test]
fn a_file_that_is_overwritten_is_found_again_or_it_is_a_conflict() {
    // Both copies are complete, and the first file is written.
    for put in [None, Some("a/file")] {
        let mut image = broken_off(InPlace::Always, "write", 6);
        image.remove(Path::new("a"));
        if let Some(path) = put {
            image.put(Path::new(path), b"theirs\n");
        }
        let (disk, workspace) = open(image, Offers::All, InPlace::Always);
        let refused = workspace.recover(None).expect_err("it waits for a person");
        assert_eq!(refused.code().as_str(), "recovery_conflict", "{put:?}");
        workspace
            .recover(Some(ConflictChoice::RestoreOld))
            .expect("settled");
        let tree = disk.now().seen().tree();
        assert_eq!(text(&tree, "a"), Some("old\n"), "{put:?}");
        assert_eq!(orphans(&tree).contains(&"theirs\n"), put.is_some());
    }
}

#[test]
fn a_decision_leaves_alone_what_was_never_begun() {
    const IN_TWO_FOLDERS: &str = r#"{"files":[
        {"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]},
        {"path":"d/a","edits":[{"op":"substitute","old":"old","new":"new"}]}]}"#;
    let cases = [
        (ConflictChoice::KeepCurrent, &["d/a"][..]),
        (ConflictChoice::RestoreOld, &["d/a"]),
        (ConflictChoice::FinishNew, &["a", "d/a"]),
    ];
    for (settle, gone) in cases {
        // The journal is written, and no copy yet.
        let mut image = broken_off_from(in_folder(), IN_TWO_FOLDERS, InPlace::Always, "link", 0);
        image.remove(Path::new("d"));
        let (disk, workspace) = open(image, Offers::All, InPlace::Always);
        let refused = workspace.recover(None).expect_err("a folder is gone");
        assert_eq!(refused.code().as_str(), "recovery_conflict");
        let settled = workspace.recover(Some(settle)).expect("settled");
        assert!(
            matches!(&settled[..], [Recovered::Decided { without, .. }] if without == gone),
            "{settled:?}"
        );
        let tree = disk.now().seen().tree();
        assert_eq!(text(&tree, "a"), Some("old\n"), "{settle:?}");
        assert!(orphans(&tree).is_empty(), "{settle:?}: {tree:?}");
    }
}

#[test]
fn a_file_in_the_place_of_a_folder_is_a_conflict() {
    let mut image = broken_off_from(in_folder(), TWO_IN_FOLDER, InPlace::Never, "exchange", 0);
    image.remove(Path::new("d"));
    image.put(Path::new("d"), b"theirs\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let refused = workspace.recover(None).expect_err("it waits for a person");
    assert_eq!(refused.code().as_str(), "recovery_conflict");
    assert_eq!(text(&disk.now().seen().tree(), "d"), Some("theirs\n"));
}

#[test]
fn a_file_that_cannot_be_read_is_a_conflict() {
    let swapped = (InPlace::Never, broken_off(InPlace::Never, "exchange", 0));
    let written = (InPlace::Always, broken_off(InPlace::Always, "write", 6));
    for (in_place, mut image) in [swapped, written] {
        image.change_mode(Path::new("a"), 0o200);
        let (_, workspace) = open(image, Offers::All, in_place);
        let refused = workspace.recover(None).expect_err("it waits for a person");
        assert_eq!(refused.code().as_str(), "recovery_conflict", "{in_place:?}");
    }
}
