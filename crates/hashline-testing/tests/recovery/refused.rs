//! What the system refuses while something is settled or taken back.

use std::path::{Path, PathBuf};

use hashline_testing::disk::{Disk, Meddling, Offers, Refusal};
use hashline_workspace::{InPlace, Recovered};

use crate::{
    ONE, TWO, TWO_IN_FOLDER, apply, before, broken_off, broken_off_from, in_folder, open, open_on,
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
            let code = answer.err().map(|error| error.code());
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
    assert!(matches!(&recovered[..], [Recovered::TakenBack(_)]));
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
            let code = answer.err().map(|error| error.code());
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
