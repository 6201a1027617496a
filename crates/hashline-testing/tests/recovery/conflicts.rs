//! What only a person can decide, and what becomes of it then.

use std::path::Path;

use hashline_core::disk_note::DiskNote;
use hashline_testing::disk::Offers;
use hashline_workspace::{InPlace, Recovered, Settle};

use crate::{
    TWO, TWO_IN_FOLDER, apply, before, broken_off, broken_off_from, in_folder, open, orphans, text,
};

#[test]
fn a_person_ends_a_conflict_and_nothing_is_thrown_away() {
    // After the first swap somebody writes the file that was swapped.
    let cases = [
        (Settle::KeepCurrent, "theirs\n", "old\n", &[][..]),
        (Settle::RestoreOld, "old\n", "old\n", &[]),
        (Settle::FinishNew, "theirs\n", "new\n", &["a"]),
    ];
    for (settle, a, b, gone) in cases {
        let mut image = broken_off(InPlace::Never, "exchange", 0);
        image.put(Path::new("a"), b"theirs\n");
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        let refused = apply(&workspace, TWO).expect_err("it waits for a person");
        assert_eq!(refused.code(), "recovery_conflict");
        let settled = workspace.recover(Some(settle)).expect("settled");
        assert!(
            matches!(&settled[..], [Recovered::Decided { left, without }] if left.paths == ["a", "b"] && without == gone),
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
        (Settle::KeepCurrent, "theirs\n", 0),
        (Settle::RestoreOld, "old\n", 1),
        (Settle::FinishNew, "new\n", 1),
    ];
    for (settle, a, kept) in cases {
        let mut image = broken_off(InPlace::Always, "write", 6);
        image.put(Path::new("a"), b"theirs\n");
        let (disk, workspace) = open(image, Offers::All, InPlace::Always);
        assert_eq!(
            apply(&workspace, TWO).expect_err("refused").code(),
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
    let (_, workspace) = open(image, Offers::All, InPlace::Never);
    let edit = r#"{"path":"c","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
    let applied = apply(&workspace, edit).expect("it is about another file");
    assert!(matches!(&applied.notes[..], [DiskNote::Unsettled(left)] if left.paths == ["a", "b"]));
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
        assert_eq!(refused.code(), "recovery_conflict", "{in_place:?}");
        let tree = disk.now().seen().tree();
        assert_eq!(text(&tree, "a"), Some("new\nmore\n"), "{in_place:?}");
    }
}

#[test]
fn a_decision_is_about_new_files_and_files_that_go_too() {
    const THREE: &str = r#"{"files":[
        {"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]},
        {"path":"b","edits":[{"op":"delete_file"}]},
        {"path":"c","edits":[{"op":"create","content":"new\n"}]}]}"#;
    let (old, new, theirs) = (Some("old\n"), Some("new\n"), Some("theirs\n"));
    let cases = [
        (Settle::KeepCurrent, [new, theirs, theirs], &[][..]),
        (Settle::RestoreOld, [old, old, None], &[]),
        (Settle::FinishNew, [new, None, theirs], &["c"]),
    ];
    for (settle, texts, gone) in cases {
        let mut image = broken_off_from(before(), THREE, InPlace::Never, "rename_new", 1);
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
fn what_is_gone_for_good_is_not_taken_back() {
    // The old bytes of the first file are gone, and it is new: the request is finished if the second one is new as well.
    let displaced = hashline_workspace::staging_name("a".as_ref());
    for (swaps, b, code) in [(2, "new\n", None), (1, "old\n", Some("recovery_conflict"))] {
        let mut image = broken_off(InPlace::Never, "exchange", swaps - 1);
        image.remove(Path::new(&displaced));
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        let recovered = workspace.recover(None);
        assert_eq!(recovered.err().map(|error| error.code()), code, "{swaps}");
        let tree = disk.now().seen().tree();
        let texts = (text(&tree, "a"), text(&tree, "b"));
        assert_eq!(texts, (Some("new\n"), Some(b)), "{swaps}");
    }
}

#[test]
fn a_file_in_the_place_of_a_folder_is_a_conflict() {
    let mut image = broken_off_from(in_folder(), TWO_IN_FOLDER, InPlace::Never, "exchange", 0);
    image.remove(Path::new("d"));
    image.put(Path::new("d"), b"theirs\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let refused = workspace.recover(None).expect_err("it waits for a person");
    assert_eq!(refused.code(), "recovery_conflict");
    assert_eq!(text(&disk.now().seen().tree(), "d"), Some("theirs\n"));
}
