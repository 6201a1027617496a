//! What a dead process left, and what a person makes of it.

mod conflicts;
mod foreign;
mod leftovers;
mod overtaken;
mod refused;

use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_core::Policy;
use hashline_core::files::FilesEdited;
use hashline_core::policy::Mode;
use hashline_testing::disk::{Disk, Image, Meddling, Offers, Tree};
use hashline_wire::{ParseOptions, parse};
use hashline_workspace::DiskNote;
use hashline_workspace::ledger::NoLedger;
use hashline_workspace::{
    ApplyError, ApplyOptions, ApplyOutcome, InPlace, Limits, Recovered, Settings, Workspace,
};

const TWO: &str = r#"{"files":[{"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]},
    {"path":"b","edits":[{"op":"substitute","old":"old","new":"new"}]}]}"#;
const ONE: &str = r#"{"path":"a","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;

fn before() -> Image {
    Image::with(&[("a", b"old\n"), ("b", b"old\n")])
}

/// A request over two files in a folder, beside a third one that it is not about.
const TWO_IN_FOLDER: &str = r#"{"files":[
    {"path":"d/a","edits":[{"op":"substitute","old":"old","new":"new"}]},
    {"path":"d/b","edits":[{"op":"substitute","old":"old","new":"new"}]}]}"#;

fn in_folder() -> Image {
    Image::with(&[("a", b"old\n"), ("d/a", b"old\n"), ("d/b", b"old\n")])
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

fn apply(workspace: &Workspace<Disk>, request: &str) -> Result<FilesEdited, ApplyError> {
    outcome(workspace, request).result
}

fn outcome(workspace: &Workspace<Disk>, request: &str) -> ApplyOutcome {
    let parsed = parse(request.as_bytes(), &ParseOptions::default()).expect("well-formed");
    let policy = Policy::new(parsed.dialect);
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    workspace.apply(parsed.request, &NoLedger, &asking)
}

/// Returns the disk as it is after the n-th call of this name of a request over two files.
fn broken_off(in_place: InPlace, call: &str, nth: usize) -> Image {
    broken_off_from(before(), TWO, in_place, call, nth)
}

/// Does the same with another request, from another disk.
fn broken_off_from(
    before: Image,
    request: &str,
    in_place: InPlace,
    call: &str,
    nth: usize,
) -> Image {
    let (disk, workspace) = open(before, Offers::All, in_place);
    apply(&workspace, request).expect("it works when nothing goes wrong");
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
fn what_somebody_wrote_right_before_a_swap_comes_back_after_a_death() {
    let mut image = broken_off(InPlace::Never, "exchange", 0);
    let displaced = hashline_workspace::staging_name("a".as_ref());
    image.put(Path::new(&displaced), b"own\n");
    let (disk, workspace) = open(image, Offers::All, InPlace::Never);
    let recovered = workspace.recover(None).expect("nobody needs to decide");
    assert!(matches!(&recovered[..], [Recovered::RolledBack(_)]));
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
    let applied = outcome(&workspace, TWO);
    applied.result.expect("it is done anew");
    assert!(matches!(&applied.notes[..], [DiskNote::RolledBack(paths)] if paths == &["a", "b"]));
}

#[test]
fn a_refusal_says_so_too() {
    let (_, workspace) = open(
        broken_off(InPlace::Never, "exchange", 0),
        Offers::All,
        InPlace::Never,
    );
    let gone = r#"{"path":"gone","edits":[{"op":"substitute","old":"old","new":"new"}]}"#;
    let refused = outcome(&workspace, gone);
    let error = refused.result.expect_err("there is no such file");
    assert_eq!(error.code().as_str(), "file_not_found");
    assert!(matches!(&refused.notes[..], [DiskNote::RolledBack(paths)] if paths == &["a", "b"]));
}

#[test]
fn an_answer_says_where_locks_are_files() {
    let (_, workspace) = open(before(), Offers::Less, InPlace::Never);
    let applied = outcome(&workspace, TWO);
    applied.result.expect("it is done");
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
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    let refused = inner.apply(parsed.request, &NoLedger, &asking);
    assert_eq!(
        refused.result.expect_err("refused").code().as_str(),
        "recovery_conflict"
    );
    std::fs::remove_file(root.join(".hashline/journal")).expect("removed");
    assert!(inner.read("x").is_ok());
    assert!(!staged.exists(), "nobody needs it any more");
}
