//! Journals that are not ours.

use std::path::{Path, PathBuf};

use hashline_testing::disk::{Disk, Image, Meddling, Offers, Refusal};
use hashline_workspace::{InPlace, Recovered};

use crate::{TWO, apply, before, broken_off, broken_off_from, open, open_on, text};

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
    assert!(matches!(&trusted[..], [Recovered::RolledBack(paths)] if paths == &["a", "b"]));
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
fn whoever_trusts_takes_the_last_journal_that_was_put_aside() {
    let four = || {
        Image::with(&[
            ("a", b"old\n"),
            ("b", b"old\n"),
            ("c", b"old\n"),
            ("d", b"old\n"),
        ])
    };
    let others = TWO.replace("\"a\"", "\"c\"").replace("\"b\"", "\"d\"");
    let journal = |request: &str| {
        let image = broken_off_from(four(), request, InPlace::Never, "link", 0);
        let tree = image.tree();
        tree[Path::new(".hashline/journal")]
            .clone()
            .expect("a file")
    };
    let (first, last) = (journal(TWO), journal(&others));
    for (first_name, last_name) in [("x", "y"), ("y", "x")] {
        let mut image = four();
        let folder = Path::new(".hashline/foreign");
        image.put(&folder.join(first_name), &first);
        image.put(&folder.join(last_name), &last);
        let (_, workspace) = open(image, Offers::All, InPlace::Never);
        for paths in [["c", "d"], ["a", "b"]] {
            let trusted = workspace.trust().expect("taken as ours");
            assert!(
                matches!(&trusted[..], [Recovered::RolledBack(left)] if *left == paths),
                "{last_name}: {trusted:?}"
            );
        }
        assert_eq!(
            workspace.trust().expect("none is left"),
            [Recovered::Nothing]
        );
    }
}

#[test]
fn there_is_nothing_to_trust_where_nothing_was_put_aside() {
    let (_, workspace) = open(before(), Offers::All, InPlace::Never);
    apply(&workspace, TWO).expect("it is done");
    assert_eq!(
        workspace.trust().expect("none is there"),
        [Recovered::Nothing]
    );
}

#[test]
fn who_cannot_look_does_not_say_that_there_is_nothing_to_trust() {
    let aside = || {
        let mut image = broken_off(InPlace::Never, "exchange", 0);
        image.change_mode(Path::new(".hashline/journal"), 0o644);
        let (disk, workspace) = open(image, Offers::All, InPlace::Never);
        workspace.recover(None).expect("put aside");
        disk.now().seen().clone()
    };
    let (disk, workspace) = open(aside(), Offers::All, InPlace::Never);
    workspace.trust().expect("taken as ours");
    for call in 3..disk.calls().len() {
        let (count, how) = (1, Refusal::Plainly);
        let refuse = Meddling::Refuse { call, count, how };
        let (disk, workspace) = open_on(Disk::new(aside(), Offers::All, refuse), InPlace::Never);
        let trusted = workspace.trust();
        let code = trusted.as_ref().map_err(|error| error.code().as_str());
        assert!(
            matches!(
                code.map(Vec::as_slice),
                Ok([Recovered::RolledBack(_)]) | Err("io")
            ),
            "call {call}: {trusted:?}"
        );
        // Whatever went wrong, the next ones can do it.
        let (disk, workspace) = open(disk.now().seen().clone(), Offers::All, InPlace::Never);
        workspace.recover(None).expect("settled");
        workspace.trust().expect("settled");
        assert_eq!(
            text(&disk.now().seen().tree(), "a"),
            Some("old\n"),
            "call {call}"
        );
    }
}
