//! What a dead process left, and what a person makes of it.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_core::Policy;
use hashline_core::disk_note::DiskNote;
use hashline_testing::disk::{Disk, Image, Meddling, Offers, Refusal, Saving, Tree};
use hashline_wire::{ParseOptions, parse};
use hashline_workspace::ledger::NoLedger;
use hashline_workspace::{
    Applied, Asking, InPlace, Limits, Mode, NotApplied, Recovered, Settings, Settle, Workspace,
};

const TWO: &str = r#"{"files":[{"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]},
    {"path":"b","edits":[{"op":"substitute","old":"old","new":"new"}]}]}"#;

fn before() -> Image {
    Image::with(&[("a", b"old\n"), ("b", b"old\n")])
}

fn open(image: Image, offers: Offers, in_place: InPlace) -> (Disk, Workspace<Disk>) {
    open_on(Disk::new(image, offers, Meddling::Nothing), in_place)
}

fn open_on(disk: Disk, in_place: InPlace) -> (Disk, Workspace<Disk>) {
    let settings = Settings {
        limits: Limits {
            lock_wait: Duration::ZERO,
            ..Limits::default()
        },
        in_place,
        lock_files: Some(PathBuf::from("/locks")),
        ..Settings::default()
    };
    let workspace = Workspace::on(disk.clone(), &[PathBuf::from("/")], settings);
    (disk, workspace.expect("the root is there"))
}

fn apply(workspace: &Workspace<Disk>, request: &str) -> Result<Applied, NotApplied> {
    let parsed = parse(request.as_bytes(), &ParseOptions::default()).expect("well-formed");
    let policy = Policy::new(parsed.dialect);
    let asking = Asking {
        session: None,
        policy: &policy,
        mode: Mode::Commit,
    };
    workspace.apply(parsed.request, &NoLedger, &asking)
}

/// Returns the disk as it is after the n-th call of this name of a request over two files.
fn broken_off(in_place: InPlace, call: &str, nth: usize) -> Image {
    let (disk, workspace) = open(before(), Offers::All, in_place);
    apply(&workspace, TWO).expect("it works when nothing goes wrong");
    let moments = disk.moments();
    let mut calls = moments.iter().filter(|moment| moment.call == call);
    calls.nth(nth).expect("the call is made").seen().clone()
}

fn text<'a>(tree: &'a Tree, path: &str) -> Option<&'a str> {
    let bytes = tree.get(Path::new(path))?.as_deref()?;
    std::str::from_utf8(bytes).ok()
}

fn orphans(tree: &Tree) -> Vec<&str> {
    let kept = tree
        .iter()
        .filter(|(path, _)| path.starts_with(".hashline/orphans"));
    kept.filter_map(|(_, bytes)| std::str::from_utf8(bytes.as_deref()?).ok())
        .collect()
}

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
fn a_journal_that_is_not_ours_is_put_aside_until_somebody_trusts_it() {
    let mut image = broken_off(InPlace::Never, "exchange", 0);
    image.change_mode(Path::new(".hashline/journal"), 0o644);
    // What lies beside it is no journal and hinders nobody.
    image.put(Path::new(".hashline/foreign/folder/file"), b"text");
    image.put(Path::new(".hashline/foreign/damaged"), b"text");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    assert_eq!(
        workspace.recover(None).expect("put aside"),
        [Recovered::Foreign]
    );
    let tree = disk.now().seen().tree();
    assert_eq!(
        (text(&tree, "a"), text(&tree, "b")),
        (Some("new\n"), Some("old\n"))
    );
    let trusted = workspace.trust().expect("taken as ours");
    assert!(matches!(&trusted[..], [Recovered::TakenBack(left)] if left.paths == ["a", "b"]));
    let tree = disk.now().seen().tree();
    assert_eq!(
        (text(&tree, "a"), text(&tree, "b")),
        (Some("old\n"), Some("old\n"))
    );
    assert_eq!(
        workspace.trust().expect("nothing is left"),
        [Recovered::Nothing]
    );
}

#[test]
fn what_somebody_wrote_right_before_a_swap_comes_back_after_a_death() {
    let mut image = broken_off(InPlace::Never, "exchange", 0);
    let displaced = hashline_workspace::staging_name("a".as_ref());
    image.put(Path::new(&displaced), b"own\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let recovered = workspace.recover(None).expect("nobody needs to decide");
    assert!(matches!(&recovered[..], [Recovered::TakenBack(_)]));
    let tree = disk.now().seen().tree();
    assert_eq!(text(&tree, "a"), Some("own\n"));
    assert_eq!(text(&tree, "b"), Some("old\n"));
}

#[test]
fn an_answer_says_what_was_settled_before_it() {
    let (_, workspace) = open(
        broken_off(InPlace::Never, "exchange", 0),
        Offers::All,
        InPlace::Never,
    );
    let applied = apply(&workspace, TWO).expect("it is done anew");
    assert!(matches!(&applied.notes[..], [DiskNote::TakenBack(left)] if left.paths == ["a", "b"]));
}

#[test]
fn a_refusal_says_so_too() {
    let (_, workspace) = open(
        broken_off(InPlace::Never, "exchange", 0),
        Offers::All,
        InPlace::Never,
    );
    let gone = r#"{"path":"gone","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
    let refused = apply(&workspace, gone).expect_err("there is no such file");
    assert_eq!(refused.code(), "file_not_found");
    assert!(matches!(&refused.notes[..], [DiskNote::TakenBack(left)] if left.paths == ["a", "b"]));
}

#[test]
fn an_answer_says_where_locks_are_files() {
    let (_, workspace) = open(before(), Offers::Less, InPlace::Never);
    let applied = apply(&workspace, TWO).expect("it is done");
    assert_eq!(applied.notes, [DiskNote::AdvisoryLocks]);
}

#[test]
fn a_root_inside_another_leaves_alone_what_the_other_needs() {
    let disk = tempfile::tempdir().expect("a folder");
    let root = disk.path().canonicalize().expect("there");
    let sub = root.join("sub");
    std::fs::create_dir_all(root.join(".hashline")).expect("made");
    std::fs::create_dir(&sub).expect("made");
    std::fs::write(sub.join("x"), "old\n").expect("written");
    std::fs::write(root.join(".hashline/journal"), "of the outer root").expect("written");
    let staged = sub.join(hashline_workspace::staging_name("x".as_ref()));
    std::fs::write(&staged, "needed\n").expect("written");
    let inner = Workspace::open(std::slice::from_ref(&sub), Settings::default()).expect("open");
    assert!(inner.read("x").is_ok());
    assert!(staged.exists(), "reading moved it");
    let edit = r#"{"path":"x","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
    let parsed = parse(edit.as_bytes(), &ParseOptions::default()).expect("well-formed");
    let policy = Policy::new(parsed.dialect);
    let asking = Asking {
        session: None,
        policy: &policy,
        mode: Mode::Commit,
    };
    let refused = inner.apply(parsed.request, &NoLedger, &asking);
    assert_eq!(refused.expect_err("refused").code(), "recovery_conflict");
    std::fs::remove_file(root.join(".hashline/journal")).expect("removed");
    assert!(inner.read("x").is_ok());
    assert!(!staged.exists(), "nobody needs it any more");
}

#[test]
fn what_somebody_adds_before_a_file_is_overwritten_is_kept() {
    let (call, path) = ("link", PathBuf::from("a"));
    let disk = Disk::new(before(), Offers::All, Meddling::GrowAt { call, path });
    let (disk, workspace) = open_on(disk, InPlace::Always);
    assert_eq!(
        apply(&workspace, TWO).expect_err("overtaken twice").code(),
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
fn a_journal_with_a_second_name_is_not_ours() {
    let mut image = broken_off(InPlace::Never, "exchange", 0);
    let path = |name: &str| PathBuf::from(".hashline").join(name);
    image.link(&path("journal"), &path("copy"));
    let (_, workspace) = open(image, Offers::All, InPlace::Never);
    assert_eq!(
        workspace.recover(None).expect("put aside"),
        [Recovered::Foreign]
    );
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
        let answer = apply(&workspace, TWO);
        let refused = answer.as_ref().err().map(NotApplied::code);
        assert_eq!(refused, code, "{kind:?}");
        let tree = disk.now().seen().tree();
        let moved = answer.map_or_else(|_| Vec::new(), |applied| applied.notes);
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

#[test]
fn a_journal_that_cannot_be_looked_at_is_not_taken_for_none() {
    let edit = r#"{"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
    let swapped = (InPlace::Never, broken_off(InPlace::Never, "exchange", 0));
    let written = (InPlace::Always, broken_off(InPlace::Always, "write", 6));
    for (in_place, image) in [swapped, written] {
        let (disk, workspace) = open(image.clone(), Offers::All, in_place);
        apply(&workspace, edit).expect("the other request is taken back first");
        for call in 3..disk.calls().len() {
            let (count, how) = (1, Refusal::Plainly);
            let refuse = Meddling::Refuse { call, count, how };
            let disk = Disk::new(image.clone(), Offers::All, refuse);
            let (disk, workspace) = open_on(disk, in_place);
            let answer = apply(&workspace, edit);
            let code = answer.err().map(|error| error.code());
            assert!(matches!(code, None | Some("io")), "call {call}: {code:?}");
            let tree = disk.now().seen().tree();
            let waits = tree.contains_key(Path::new(".hashline/journal"));
            assert!(code.is_some() || !waits, "call {call}");
        }
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
