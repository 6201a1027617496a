//! What a dead process left beside a file.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hashline_testing::disk::{Disk, Image, Meddling, Offers, Refusal};
use hashline_workspace::DiskNote;
use hashline_workspace::{ApplyError, DiskFault, InPlace, Recovered};

use crate::{
    ONE, TWO, apply, before, broken_off, broken_off_from, open, open_on, orphans, outcome, text,
};

#[test]
fn a_leftover_is_carried_to_another_disk_and_the_answer_says_where_it_is() {
    let cases = [
        (ErrorKind::CrossesDevices, None),
        (ErrorKind::Unsupported, None),
        (ErrorKind::StorageFull, Some("io")),
    ];
    for (kind, code) in cases {
        let mut image = before();
        let names = ["a", "b"].map(|name| hashline_workspace::staging_name(name.as_ref()));
        for name in &names {
            image.put(Path::new(name), b"left\n");
        }
        let call = "rename_new";
        let disk = Disk::new(image, Offers::All, Meddling::RefuseAt { call, kind });
        let (disk, workspace) = open_on(disk, InPlace::Never);
        let answer = outcome(&workspace, TWO);
        let refused = answer.result.as_ref().err().map(ApplyError::code);
        assert_eq!(refused.map(|code| code.as_str()), code, "{kind:?}");
        let tree = disk.now().seen().tree();
        let moved = answer.result.map_or_else(|_| Vec::new(), |_| answer.notes);
        for note in &moved {
            let DiskNote::Orphaned(note) = note else {
                panic!("{note:?}");
            };
            let kept: Vec<_> = note.kept.iter().map(|path| text(&tree, path)).collect();
            assert_eq!(kept, [Some("left\n")], "{note:?}");
        }
        assert_eq!(moved.len(), if code.is_none() { 2 } else { 0 }, "{kind:?}");
        let stays = names.iter().any(|name| tree.contains_key(Path::new(name)));
        assert_eq!(stays, code.is_some(), "{kind:?}");
    }
}

/// Returns a disk with a leftover, and its path. No edit gives a file this name where names can change places.
fn with_leftover() -> (Image, PathBuf) {
    let staged = hashline_workspace::staging_name("a".as_ref());
    let displaced = PathBuf::from(staged.to_string_lossy().replace(".new", ".old"));
    let mut image = before();
    image.put(&displaced, b"left\n");
    (image, displaced)
}

/// Returns how many calls an edit beside a leftover makes.
fn calls(image: &Image) -> usize {
    let (disk, workspace) = open(image.clone(), Offers::All, InPlace::Never);
    apply(&workspace, ONE).expect("it works when nothing happens");
    disk.calls().len()
}

#[test]
fn a_leftover_that_somebody_removes_meanwhile_hinders_nobody() {
    let (image, path) = with_leftover();
    for call in 0..calls(&image) {
        let path = path.clone();
        let remove = Meddling::Remove { call, path };
        let disk = Disk::new(image.clone(), Offers::All, remove);
        let (disk, workspace) = open_on(disk, InPlace::Never);
        let answer = apply(&workspace, ONE);
        assert!(answer.is_ok(), "call {call}: {answer:?}");
        assert_eq!(text(&disk.now().seen().tree(), "a"), Some("new\n"));
    }
}

#[test]
fn a_leftover_is_not_passed_over_because_a_call_is_refused() {
    let (image, path) = with_leftover();
    for call in 3..calls(&image) {
        let (count, how) = (1, Refusal::Plainly);
        let refuse = Meddling::Refuse { call, count, how };
        let disk = Disk::new(image.clone(), Offers::All, refuse);
        let (disk, workspace) = open_on(disk, InPlace::Never);
        let answer = apply(&workspace, ONE);
        let tree = disk.now().seen().tree();
        let stays = text(&tree, &path.to_string_lossy()) == Some("left\n");
        let kept = orphans(&tree) == ["left\n"];
        match answer {
            Ok(_) => assert!(kept && !stays, "call {call}: {tree:?}"),
            Err(refused) => {
                // What the system said is passed on.
                let ApplyError::Disk(error) = refused else {
                    panic!("call {call}: {refused}");
                };
                let said =
                    matches!(&error.why, DiskFault::System { reason, .. } if reason == "refused");
                assert!(said, "call {call}: {error:?}");
                assert!(kept != stays, "call {call}: {tree:?}");
            }
        }
    }
}

#[test]
fn an_edit_of_another_file_cleans_up_what_is_done_or_was_never_begun() {
    let done = broken_off(InPlace::Never, "rename", 0);
    let mut unfinished = before();
    unfinished.put(Path::new(".hashline/journal.tmp"), b"half of it");
    for mut image in [done, unfinished] {
        image.put(Path::new("c"), b"old\n");
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        apply(&workspace, &ONE.replace("\"a\"", "\"c\"")).expect("it is done");
        let tree = disk.now().seen().tree();
        let is_ours = |path: &PathBuf| path.to_string_lossy().contains("journal");
        assert!(!tree.keys().any(is_ours), "{tree:?}");
    }
}

#[test]
fn what_somebody_wrote_into_what_was_displaced_is_kept() {
    let mut image = broken_off(InPlace::Never, "rename", 0);
    let displaced = hashline_workspace::staging_name("a".as_ref());
    image.put(Path::new(&displaced), b"own\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let recovered = workspace.recover(None).expect("it was done");
    assert!(matches!(&recovered[..], [Recovered::Finished(_)]));
    assert_eq!(orphans(&disk.now().seen().tree()), ["own\n"]);
}

#[test]
fn a_folder_that_was_made_stays_if_somebody_uses_it() {
    let create = r#"{"path":"x/y/new","edits":[{"op":"create","content":"new\n"}]}"#;
    // The journal's folder comes first.
    let mut image = broken_off_from(before(), create, InPlace::Never, "make_dir", 2);
    image.put(Path::new("x/theirs"), b"theirs\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let recovered = workspace.recover(None).expect("taken back");
    assert!(matches!(&recovered[..], [Recovered::RolledBack(_)]));
    let tree = disk.now().seen().tree();
    assert_eq!(text(&tree, "x/theirs"), Some("theirs\n"));
    assert!(!tree.contains_key(Path::new("x/y")));
}

#[test]
fn a_leftover_is_kept_beside_the_orphans_where_they_have_no_folder() {
    let (mut image, path) = with_leftover();
    image.put(Path::new(".hashline/orphans"), b"no folder");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let applied = outcome(&workspace, ONE);
    applied.result.expect("it is done");
    let [DiskNote::Orphaned(note)] = &applied.notes[..] else {
        panic!("{:?}", applied.notes);
    };
    let tree = disk.now().seen().tree();
    let kept: Vec<_> = note.kept.iter().map(|path| text(&tree, path)).collect();
    assert_eq!(kept, [Some("left\n")], "{note:?}");
    assert!(!tree.contains_key(&path));
}
