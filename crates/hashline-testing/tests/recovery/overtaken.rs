//! What somebody else does while a request is under way.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use hashline_testing::disk::{Disk, Image, Meddling, Offers, Refusal, Saving};
use hashline_workspace::{ApplyError, DiskError, DiskFault, InPlace};

use crate::{ONE, TWO, apply, before, open, open_on, text};

#[test]
fn what_somebody_adds_before_a_file_is_overwritten_is_kept() {
    let (call, path) = ("link", PathBuf::from("a"));
    let disk = Disk::new(before(), Offers::All, Meddling::GrowAt { call, path });
    let (disk, workspace) = open_on(disk, InPlace::Always);
    assert_eq!(
        apply(&workspace, TWO)
            .expect_err("overtaken twice")
            .code()
            .as_str(),
        "stale"
    );
    let tree = disk.now().seen().tree();
    assert!(text(&tree, "a").is_some_and(|text| text.starts_with("old\nmore\n")));
    assert_eq!(text(&tree, "b"), Some("old\n"));
}

#[test]
fn a_file_put_in_the_place_of_ours_is_no_trouble_of_the_system() {
    // Names that cannot change places leave one moment, between the last look and the renaming, that nobody can close.
    for (offers, most) in [(Offers::All, 0), (Offers::Less, 1)] {
        let edit = r#"{"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
        let (disk, workspace) = open(before(), offers, InPlace::Never);
        apply(&workspace, edit).expect("it works when nothing happens");
        let mut lost = 0;
        for call in 0..disk.calls().len() {
            let (path, bytes) = (PathBuf::from("a"), b"old\ntheirs\n".to_vec());
            let saving = Saving::Anew;
            let replace = Meddling::Write {
                call,
                path,
                bytes,
                saving,
            };
            let (disk, workspace) = open_on(Disk::new(before(), offers, replace), InPlace::Never);
            let answer = apply(&workspace, edit);
            assert!(answer.is_ok(), "{offers:?}, call {call}: {answer:?}");
            let tree = disk.now().seen().tree();
            let kept = text(&tree, "a").is_some_and(|text| text.ends_with("theirs\n"));
            lost += usize::from(!kept);
        }
        assert!(lost <= most, "{offers:?}: {lost}");
    }
}

#[test]
fn a_folder_that_somebody_makes_meanwhile_stays_theirs() {
    let create = r#"{"path":"x/y/new","edits":[{"op":"create","content":"new\n"}]}"#;
    let (disk, workspace) = open(before(), Offers::All, InPlace::Never);
    apply(&workspace, create).expect("it works when nothing happens");
    for call in 0..disk.calls().len() {
        let path = PathBuf::from("x");
        let make = Meddling::MakeDir { call, path };
        let (disk, workspace) = open_on(Disk::new(before(), Offers::All, make), InPlace::Never);
        let answer = apply(&workspace, create);
        assert!(answer.is_ok(), "call {call}: {answer:?}");
        let moments = disk.moments();
        let seen = moments.iter().map(|it| it.seen().identity(Path::new("x")));
        let folders: BTreeSet<_> = seen.flatten().collect();
        assert_eq!(folders.len(), 1, "call {call}: it was removed");
    }
}

#[test]
fn whoever_makes_the_journals_folder_first_hinders_nobody() {
    let (disk, workspace) = open(before(), Offers::All, InPlace::Never);
    apply(&workspace, TWO).expect("it works when nothing happens");
    for call in 0..disk.calls().len() {
        let path = PathBuf::from(".hashline/.gitignore");
        let bytes = b"*\n".to_vec();
        let saving = Saving::Over;
        let write = Meddling::Write {
            call,
            path,
            bytes,
            saving,
        };
        let (_, workspace) = open_on(Disk::new(before(), Offers::All, write), InPlace::Never);
        let answer = apply(&workspace, TWO);
        assert!(answer.is_ok(), "call {call}: {answer:?}");
    }
}

#[test]
fn who_is_overtaken_is_shown_the_lines_of_the_file_it_is_about() {
    let lines = |edited: usize| -> String {
        let line = |line| {
            if line == edited {
                "old\n".to_owned()
            } else {
                format!("{line}\n")
            }
        };
        (0..40).map(line).collect()
    };
    for (path, shown) in [("a", 3), ("b", 30)] {
        let image = Image::with(&[("a", lines(3).as_bytes()), ("b", lines(30).as_bytes())]);
        let grow = Meddling::GrowAt {
            call: "link",
            path: PathBuf::from(path),
        };
        let (_, workspace) = open_on(Disk::new(image, Offers::All, grow), InPlace::Never);
        let refused = apply(&workspace, TWO).expect_err("overtaken twice");
        let ApplyError::Disk(DiskError { path: about, why }) = refused else {
            panic!("{refused}");
        };
        let DiskFault::Changed(now) = why else {
            panic!("{why:?}");
        };
        assert_eq!(about.as_deref(), Some(path));
        let spans = now.map(|now| now.spans).unwrap_or_default();
        let [span] = &spans[..] else {
            panic!("{path}: {spans:?}");
        };
        assert!(
            span.start() <= shown && shown < span.end(),
            "{path}: {span:?}"
        );
        assert!(span.end() - span.start() < 20, "{path}: {span:?}");
    }
}

#[test]
fn what_somebody_writes_is_kept_when_a_call_is_refused_as_well() {
    for offers in [Offers::All, Offers::Less] {
        let (disk, workspace) = open(before(), offers, InPlace::Never);
        apply(&workspace, ONE).expect("it works when nothing happens");
        let calls = disk.calls().len();
        for (call, later) in (3..calls).flat_map(|call| (0..4).map(move |later| (call, later))) {
            let write = Meddling::Write {
                call,
                path: PathBuf::from("a"),
                bytes: b"old\ntheirs\n".to_vec(),
                saving: Saving::Over,
            };
            let refuse = Meddling::Refuse {
                call: call + later,
                count: 1,
                how: Refusal::Plainly,
            };
            let disk = Disk::new(before(), offers, Meddling::All(vec![write, refuse]));
            let (disk, workspace) = open_on(disk, InPlace::Never);
            let answer = apply(&workspace, ONE);
            let (disk, workspace) = open(disk.now().seen().clone(), offers, InPlace::Never);
            workspace.read("a").expect("it can be read");
            let mut tree = disk.now().seen().tree();
            if offers == Offers::All {
                // In steps, it may end among the orphans.
                tree.retain(|path, _| path == Path::new("a"));
            }
            let is_theirs = |bytes: &Vec<u8>| bytes.ends_with(b"theirs\n");
            let kept = tree.values().flatten().any(is_theirs);
            assert!(kept, "{offers:?} {call} {later}: {answer:?} {tree:?}");
        }
    }
}
