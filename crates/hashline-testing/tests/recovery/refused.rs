//! What the system refuses while something is settled or taken back.

use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use hashline_testing::disk::{Disk, Meddling, Offers, Refusal};
use hashline_workspace::{InPlace, Recovered};

use crate::{
    ONE, TWO, TWO_IN_FOLDER, apply, before, broken_off, broken_off_from, in_folder, open, open_on,
    text,
};

#[test]
fn a_journal_that_cannot_be_looked_at_is_not_taken_for_none() {
    let swapped = (InPlace::Never, broken_off(InPlace::Never, "exchange", 0));
    let written = (InPlace::Always, broken_off(InPlace::Always, "write", 6));
    let in_folder = broken_off_from(in_folder(), TWO_IN_FOLDER, InPlace::Never, "exchange", 0);
    for (in_place, image) in [swapped, written, (InPlace::Never, in_folder)] {
        let (disk, workspace) = open(image.clone(), Offers::All, in_place);
        apply(&workspace, ONE).expect("the other request is taken back first");
        for call in 3..disk.calls().len() {
            let (count, how) = (1, Refusal::Plainly);
            let refuse = Meddling::Refuse { call, count, how };
            let disk = Disk::new(image.clone(), Offers::All, refuse);
            let (disk, workspace) = open_on(disk, in_place);
            let answer = apply(&workspace, ONE);
            let code = answer.err().map(|error| error.code().as_str());
            assert!(matches!(code, None | Some("io")), "call {call}: {code:?}");
            let tree = disk.now().seen().tree();
            let waits = tree.contains_key(Path::new(".hashline/journal"));
            assert!(code.is_some() || !waits, "call {call}");
        }
    }
}

#[test]
fn what_was_never_overwritten_is_not_written_back() {
    // The journal has its name, then the four copies have theirs.
    let image = broken_off(InPlace::Always, "link", 4);
    let (disk, workspace) = open(image, Offers::All, InPlace::Always);
    let recovered = workspace.recover(None).expect("taken back");
    assert!(matches!(&recovered[..], [Recovered::RolledBack(_)]));
    assert!(!disk.calls().contains(&"write"), "{:?}", disk.calls());
}

#[test]
fn who_cannot_look_does_not_say_that_nothing_is_left() {
    for offers in [Offers::All, Offers::Less] {
        let (disk, workspace) = open(before(), offers, InPlace::Never);
        apply(&workspace, ONE).expect("it works when nothing happens");
        for from in 3..disk.calls().len() {
            let call = "stat_at";
            let refuse = Meddling::RefuseFrom { call, from };
            let (disk, workspace) = open_on(Disk::new(before(), offers, refuse), InPlace::Never);
            let answer = apply(&workspace, ONE);
            let tree = disk.now().seen().tree();
            let is_ours = |path: &PathBuf| path.to_string_lossy().starts_with(".hl-");
            let left = tree.keys().any(is_ours);
            let code = answer.err().map(|error| error.code().as_str());
            assert!(
                code != Some("io") || !left,
                "{offers:?}, from {from}: {tree:?}"
            );
        }
    }
}

#[test]
fn a_request_begins_only_if_as_many_files_can_be_opened_as_it_may_need() {
    let (disk, workspace) = open(before(), Offers::All, InPlace::Never);
    apply(&workspace, TWO).expect("it is done");
    let calls = disk.calls();
    let journal = calls.iter().position(|call| *call == "create_unnamed");
    let first = calls[..journal.expect("there is a journal")].split(|call| *call != "open_dir");
    assert_eq!(first.map(<[_]>::len).max(), Some(12));
}

#[test]
fn what_is_left_beside_a_file_is_said() {
    let refuse = |call| Meddling::RefuseAt {
        call,
        kind: ErrorKind::StorageFull,
    };
    let both = Meddling::All(vec![refuse("exchange"), refuse("unlink")]);
    let disk = Disk::new(before(), Offers::All, both);
    let (disk, workspace) = open_on(disk, InPlace::Never);
    let refused = apply(&workspace, ONE).expect_err("nothing works");
    assert_eq!(refused.code().as_str(), "needs_recovery");
    let tree = disk.now().seen().tree();
    let staged = hashline_workspace::staging_name("a".as_ref());
    assert!(tree.contains_key(Path::new(&staged)));
    assert_eq!(text(&tree, "a"), Some("old\n"));
}

#[test]
fn only_where_directories_cannot_be_locked_files_are() {
    for (kind, code) in [
        (ErrorKind::StorageFull, Some("io")),
        (ErrorKind::Unsupported, None),
    ] {
        let call = "try_lock";
        let disk = Disk::new(before(), Offers::All, Meddling::RefuseAt { call, kind });
        let (_, workspace) = open_on(disk, InPlace::Never);
        let refused = apply(&workspace, ONE)
            .err()
            .map(|refused| refused.code().as_str());
        assert_eq!(refused, code, "{kind:?}");
    }
}

#[test]
fn a_file_in_a_folder_that_takes_no_other_is_overwritten_where_that_is_allowed() {
    let edit = &ONE.replace("\"a\"", "\"d/a\"");
    for (mode, overwritten) in [(0o555, true), (0o755, false)] {
        let mut image = in_folder();
        image.change_mode(Path::new("d"), mode);
        let path = Path::new("d/a");
        let before = image.identity(path);
        let (disk, workspace) = open(image, Offers::All, InPlace::WhenNeeded);
        apply(&workspace, edit).expect("it is done");
        let now = disk.now();
        assert_eq!(now.seen().identity(path) == before, overwritten, "{mode:o}");
        assert_eq!(text(&now.seen().tree(), "d/a"), Some("new\n"));
    }
}

#[test]
fn who_recovers_and_cannot_look_does_not_say_that_there_was_nothing() {
    let image = broken_off(InPlace::Never, "exchange", 0);
    let (disk, workspace) = open(image.clone(), Offers::All, InPlace::Never);
    workspace.recover(None).expect("taken back");
    for call in 3..disk.calls().len() {
        let (count, how) = (1, Refusal::Plainly);
        let refuse = Meddling::Refuse { call, count, how };
        let disk = Disk::new(image.clone(), Offers::All, refuse);
        let (_, workspace) = open_on(disk, InPlace::Never);
        match workspace.recover(None).as_deref() {
            Ok([Recovered::RolledBack(_)]) => {}
            Ok(other) => panic!("call {call}: {other:?}"),
            Err(error) => assert_eq!(error.code().as_str(), "io", "call {call}"),
        }
    }
}
