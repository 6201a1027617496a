//! Requests are carried out whole or not at all.

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

use hashline_core::edit::{EditNo, Occurrences, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::policy::Policy;
use hashline_core::scheme::Scheme;
use hashline_core::text::{LineNo, Payload, RevPrefix};
use hashline_workspace::DiskNote;
use hashline_workspace::ledger::{MemoryLedger, ShownBy, ShownLines};
use hashline_workspace::{
    ApplyError, ApplyOptions, ApplyOutcome, CancelToken, HardLinks, InPlace, Limits,
    PROTECTED_NAMES, Settings, Workspace,
};

fn step(path: &str, action: FileAction) -> Step {
    Step {
        no: EditNo::from_index(0),
        path: path.to_owned(),
        action,
    }
}

fn request(steps: impl IntoIterator<Item = Step>) -> Request {
    let steps = steps.into_iter().enumerate().map(|(index, step)| Step {
        no: EditNo::from_index(index),
        ..step
    });
    Request {
        steps: steps.collect(),
        ..Request::default()
    }
}

fn substitute(path: &str, old: &str, new: &str) -> Step {
    step(
        path,
        FileAction::Edit(Operation::Substitute {
            old: old.to_owned(),
            new: new.to_owned(),
            count: Occurrences::One,
        }),
    )
}

fn answer(root: &Path, settings: Settings, request: Request) -> ApplyOutcome {
    let workspace = Workspace::open(&[root.to_path_buf()], settings).expect("the root is there");
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    workspace.apply(request, &MemoryLedger::default(), &asking)
}

fn apply_with(root: &Path, settings: Settings, request: Request) -> Result<(), ApplyError> {
    answer(root, settings, request).result.map(|_| ())
}

fn apply(root: &Path, request: Request) -> Result<(), ApplyError> {
    apply_with(root, Settings::default(), request)
}

/// Lists every file below a folder with its bytes; the journal's folder, once it is empty, aside.
fn tree(root: &Path) -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).expect("the folder is there") {
            let path = entry.expect("the entry can be read").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let name = path.strip_prefix(root).expect("it is below").to_path_buf();
                let text = fs::read_to_string(&path).expect("the file can be read");
                if name != Path::new(".hashline/.gitignore") {
                    found.push((name, text));
                }
            }
        }
    }
    found.sort();
    found
}

fn files(expected: &[(&str, &str)]) -> Vec<(PathBuf, String)> {
    let file = |(name, text): &(&str, &str)| (PathBuf::from(name), (*text).to_owned());
    expected.iter().map(file).collect()
}

#[test]
fn one_file_is_replaced_and_keeps_its_mode() {
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("a.txt");
    fs::write(&file, "one\ntwo\n").expect("written");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).expect("set");
    apply(dir.path(), request([substitute("a.txt", "two", "deux")])).expect("applied");
    assert_eq!(tree(dir.path()), files(&[("a.txt", "one\ndeux\n")]));
    let mode = fs::metadata(&file).expect("there").mode() & 0o7777;
    assert_eq!(mode, 0o640);
    assert!(!dir.path().join(".hashline").exists());
}

#[test]
fn several_files_change_together_with_new_folders_moves_and_deletions() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join("src")).expect("made");
    for (name, text) in [("src/a", "a\n"), ("src/b", "b\n"), ("c", "c\n")] {
        fs::write(dir.path().join(name), text).expect("written");
    }
    let steps = [
        substitute("src/a", "a", "A"),
        step("new/deep/d", FileAction::Create("d\n".to_owned())),
        step("src/b", FileAction::Move("moved/b".to_owned())),
        step("c", FileAction::Delete),
    ];
    apply(dir.path(), request(steps)).expect("applied");
    let expected = [("moved/b", "b\n"), ("new/deep/d", "d\n"), ("src/a", "A\n")];
    assert_eq!(tree(dir.path()), files(&expected));
}

#[test]
fn a_step_that_is_refused_leaves_every_file_as_it_was() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    fs::write(dir.path().join("b"), "b\n").expect("written");
    let steps = [substitute("a", "a", "A"), substitute("b", "nothing", "B")];
    let refused = apply(dir.path(), request(steps)).expect_err("refused");
    assert_eq!(refused.code().as_str(), "text_not_found");
    assert_eq!(tree(dir.path()), files(&[("a", "a\n"), ("b", "b\n")]));
}

#[test]
fn a_file_that_cannot_be_replaced_is_refused_with_its_reason() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    for name in ["plain", "readonly", "setuid", "linked"] {
        fs::write(path(name), "x\n").expect("written");
    }
    let set = |name: &str, mode| {
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("set");
    };
    set("readonly", 0o444);
    set("setuid", 0o4755);
    fs::hard_link(path("linked"), path("second")).expect("linked");
    fs::create_dir(path("folder")).expect("made");
    fs::write(path("binary"), b"a\0b\n").expect("written");
    fs::write(path("utf32"), b"\xff\xfe\0\0a\0\0\0").expect("written");
    let cases = [
        ("readonly", "read_only"),
        ("setuid", "cannot_replace"),
        ("linked", "hardlinked"),
        ("folder", "not_a_file"),
        ("binary", "binary"),
        ("utf32", "encoding"),
        ("missing", "file_not_found"),
    ];
    for (name, code) in cases {
        let refused = apply(dir.path(), request([substitute(name, "x", "y")]));
        assert_eq!(
            refused.map_err(|error| error.code().as_str()),
            Err(code),
            "{name}"
        );
    }
    let settings = Settings {
        hard_links: HardLinks::Break,
        ..Settings::default()
    };
    apply_with(
        dir.path(),
        settings,
        request([substitute("linked", "x", "y")]),
    )
    .expect("applied");
    assert_eq!(
        fs::read_to_string(path("linked")).ok().as_deref(),
        Some("y\n")
    );
    assert_eq!(
        fs::read_to_string(path("second")).ok().as_deref(),
        Some("x\n")
    );
}

#[test]
fn a_leftover_of_a_dead_process_is_kept_and_the_answer_says_where() {
    let with_folder = |dir: &Path| drop(apply(dir, request([substitute("a", "a", "b")])));
    let without = |dir: &Path| fs::write(dir.join(".hashline"), "a file").expect("written");
    let cases = [
        (with_folder as fn(&Path), ".hashline/orphans"),
        (without, "sub"),
    ];
    for (prepare, kept_in) in cases {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir(dir.path().join("sub")).expect("made");
        fs::write(dir.path().join("sub/a"), "a\n").expect("written");
        fs::write(dir.path().join("a"), "a\n").expect("written");
        prepare(dir.path());
        let workspace =
            Workspace::open(&[dir.path().to_path_buf()], Settings::default()).expect("open");
        let name = hashline_workspace::staging_name("a".as_ref());
        let left = dir.path().join("sub").join(&name);
        fs::write(&left, "left\n").expect("written");
        let read = workspace.read_all(&["sub/a"]).expect("read");
        assert!(!left.exists());
        let Some(DiskNote::Orphaned(orphaned)) = read.notes.last() else {
            panic!("{:?}", read.notes);
        };
        let [kept] = &orphaned.kept[..] else {
            panic!("{orphaned:?}");
        };
        assert_eq!(Path::new(kept).parent(), Some(Path::new(kept_in)));
        assert_eq!(
            fs::read_to_string(dir.path().join(kept)).ok().as_deref(),
            Some("left\n")
        );
    }
}

#[test]
fn a_request_for_the_journals_own_folder_is_refused_and_waits_for_nobody() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    fs::create_dir(dir.path().join(".hashline")).expect("made");
    fs::write(dir.path().join(".hashline/.gitignore"), "*\n").expect("written");
    let steps = [
        step(".hashline/.gitignore", FileAction::Delete),
        step(".hashline/new", FileAction::Create(String::new())),
        step("a", FileAction::Move(".hashline/a".to_owned())),
        substitute(".hashline/.gitignore", "not there", "x"),
    ];
    for step in steps {
        let refused = apply(dir.path(), request([step])).expect_err("refused");
        assert_eq!(refused.code().as_str(), "protected");
    }
}

#[test]
fn a_file_that_moves_keeps_its_mode() {
    let dir = tempfile::tempdir().expect("a folder");
    let path = |name: &str| dir.path().join(name);
    for (name, mode) in [("secret", 0o600), ("script", 0o755)] {
        fs::write(path(name), "text\n").expect("written");
        fs::set_permissions(path(name), fs::Permissions::from_mode(mode)).expect("changed");
    }
    let steps = [
        step("secret", FileAction::Move("new/secret".to_owned())),
        substitute("script", "text", "TEXT"),
        step("script", FileAction::Move("run".to_owned())),
    ];
    apply(dir.path(), request(steps)).expect("applied");
    let mode = |name: &str| fs::metadata(path(name)).expect("there").mode() & 0o7777;
    assert_eq!((mode("new/secret"), mode("run")), (0o600, 0o755));
}

#[test]
fn a_journals_folder_that_is_none_keeps_nobody_from_reading_and_editing_one_file() {
    let dir = tempfile::tempdir().expect("a folder");
    let outside = tempfile::tempdir().expect("a folder");
    for name in ["a", "b"] {
        fs::write(dir.path().join(name), "a\n").expect("written");
    }
    std::os::unix::fs::symlink(outside.path(), dir.path().join(".hashline")).expect("linked");
    fs::write(outside.path().join("journal"), "anything").expect("written");
    let workspace =
        Workspace::open(&[dir.path().to_path_buf()], Settings::default()).expect("open");
    assert_eq!(workspace.read("a").expect("read").document.bytes(), b"a\n");
    apply(dir.path(), request([substitute("a", "a", "b")])).expect("applied");
    let both = request([substitute("a", "b", "c"), substitute("b", "a", "c")]);
    assert_eq!(
        apply(dir.path(), both)
            .expect_err("refused")
            .code()
            .as_str(),
        "io"
    );
    assert_eq!(fs::read_dir(outside.path()).expect("there").count(), 1);
}

#[test]
fn a_link_in_place_of_the_journal_is_put_aside_and_followed_by_nobody() {
    for name in ["journal", "journal.done"] {
        let dir = tempfile::tempdir().expect("a folder");
        for file in ["a", "b", "secret"] {
            fs::write(dir.path().join(file), "a\n").expect("written");
        }
        let both = || request([substitute("a", "a", "b"), substitute("b", "a", "b")]);
        apply(dir.path(), both()).expect("applied");
        let link = dir.path().join(".hashline").join(name);
        std::os::unix::fs::symlink("../secret", &link).expect("linked");
        let back = request([substitute("a", "b", "a"), substitute("b", "b", "a")]);
        apply(dir.path(), back).expect("applied");
        assert!(fs::symlink_metadata(&link).is_err(), "{name}");
        let kept = fs::read_dir(dir.path().join(".hashline/foreign")).expect("there");
        assert_eq!(kept.count(), 1, "{name}");
        assert_eq!(fs::read(dir.path().join("secret")).expect("there"), b"a\n");
    }
}

#[test]
fn a_reader_does_not_wait_for_somebody_who_is_at_work_on_several_files() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    let area = dir.path().join(".hashline");
    fs::create_dir(&area).expect("made");
    fs::write(area.join("journal"), "under way").expect("written");
    let worker = fs::File::open(&area).expect("open");
    rustix::fs::flock(&worker, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    let limits = Limits {
        lock_wait: Duration::ZERO,
        reader_wait: Duration::ZERO,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let workspace = Workspace::open(&[dir.path().to_path_buf()], settings.clone()).expect("open");
    assert!(!workspace.read("a").expect("read").consistent);
    let edit = request([substitute("a", "a", "b")]);
    let refused = apply_with(dir.path(), settings, edit).expect_err("refused");
    assert_eq!(refused.code().as_str(), "busy");
    drop(worker);
    assert!(workspace.read("a").expect("read").consistent);
    assert!(!area.join("journal").exists(), "it was none of ours");
}

#[test]
fn a_leftover_stays_where_somebody_elses_journal_may_need_it() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    let area = dir.path().join(".hashline");
    fs::create_dir(&area).expect("made");
    fs::set_permissions(&area, fs::Permissions::from_mode(0o777)).expect("changed");
    let left = dir
        .path()
        .join(hashline_workspace::staging_name("a".as_ref()));
    fs::write(&left, "left\n").expect("written");
    let refused = apply(dir.path(), request([substitute("a", "a", "b")]));
    assert_eq!(refused.expect_err("refused").code().as_str(), "io");
    assert_eq!(fs::read(&left).expect("there"), b"left\n");
}

#[test]
fn a_leftover_gets_another_name_where_no_folder_can_be_made_for_it() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    fs::write(dir.path().join(".hashline"), "no folder").expect("written");
    let staged = hashline_workspace::staging_name("a".as_ref());
    fs::write(dir.path().join(&staged), "left\n").expect("written");
    let edit = request([substitute("a", "a", "b")]);
    let applied = answer(dir.path(), Settings::default(), edit);
    applied.result.expect("applied");
    let found = tree(dir.path());
    let texts: Vec<&str> = found.iter().map(|(_, text)| text.as_str()).collect();
    assert_eq!(texts, ["no folder", "left\n", "b\n"], "{found:?}");
    assert!(!dir.path().join(&staged).exists());
    let kept = applied.notes.iter().find_map(|note| match note {
        DiskNote::Orphaned(orphaned) => orphaned.kept.first(),
        _ => None,
    });
    let kept = dir.path().join(kept.expect("it is said"));
    assert_eq!(fs::read(kept).expect("it is there"), b"left\n");
}

#[test]
fn a_file_with_two_names_is_overwritten_where_that_is_allowed() {
    let dir = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
    fs::write(&one, "old\n").expect("written");
    fs::hard_link(&one, &two).expect("linked");
    let number = fs::metadata(&one).expect("there").ino();
    let settings = Settings {
        in_place: InPlace::WhenNeeded,
        ..Settings::default()
    };
    apply_with(
        dir.path(),
        settings,
        request([substitute("one", "old", "new")]),
    )
    .expect("done");
    for name in [&one, &two] {
        assert_eq!(fs::read_to_string(name).expect("there"), "new\n");
        assert_eq!(fs::metadata(name).expect("there").ino(), number);
    }
    let left = fs::read_dir(dir.path().join(".hashline")).expect("there");
    let left: Vec<_> = left.flatten().map(|entry| entry.file_name()).collect();
    assert_eq!(left, [".gitignore"], "the copies are gone");
}

#[test]
fn a_file_that_can_be_replaced_is_not_overwritten() {
    // One name only, or several that may go their own ways.
    let cases = [(HardLinks::Refuse, "other"), (HardLinks::Break, "file")];
    for (hard_links, linked) in cases {
        let dir = tempfile::tempdir().expect("a folder");
        let [file, other] = ["file", "other"].map(|name| dir.path().join(name));
        fs::write(&file, "old\n").expect("written");
        fs::write(&other, "old\n").expect("written");
        fs::hard_link(dir.path().join(linked), dir.path().join("second")).expect("linked");
        let number = fs::metadata(&file).expect("there").ino();
        let settings = Settings {
            in_place: InPlace::WhenNeeded,
            hard_links,
            ..Settings::default()
        };
        let edit = request([substitute("file", "old", "new")]);
        apply_with(dir.path(), settings, edit).expect("done");
        assert_ne!(fs::metadata(&file).expect("there").ino(), number);
        let second = fs::read_to_string(dir.path().join("second"));
        assert_eq!(second.expect("there"), "old\n");
    }
}

#[test]
fn the_ledger_knows_what_was_written_and_where_it_went() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "same\n".repeat(6)).expect("written");
    let root = [dir.path().to_path_buf()];
    let workspace = Workspace::open(&root, Settings::default()).expect("open");
    let ledger = MemoryLedger::default();
    let seen = workspace.read("a").expect("read").document;
    let shows = ShownLines {
        session: None,
        scheme: Scheme::Omp,
        spans: &[seen.all()],
        cut: &[],
        tags: None,
        by: ShownBy::Read,
    };
    workspace
        .showed(&ledger, "a", &seen, &shows)
        .expect("written down");
    // Every line reads like every other: only what was written down can tell where each of them is.
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    let replace = |path: &str, line: usize, text: &[&str]| {
        let number = LineNo::from_index(line - 1);
        let anchor = Scheme::Omp.anchor(number, Scheme::Omp.tag(b"same", number));
        let text = Payload::Lines(text.iter().map(|&line| line.to_owned()).collect());
        let edit = FileAction::Edit(Operation::replace_line(anchor, text));
        let mut request = request([step(path, edit)]);
        let rev = RevPrefix::from(seen.revision());
        request.revs.insert(path.to_owned(), rev);
        workspace.apply(request, &ledger, &asking).result
    };
    replace("a", 2, &["two", "two and a half"]).expect("applied");
    replace("a", 5, &["five"]).expect("the line is known");
    let moving = request([step("a", FileAction::Move("b".to_owned()))]);
    let moved = workspace.apply(moving, &ledger, &asking);
    moved.result.expect("moved");
    replace("b", 4, &["four"]).expect("the line is known under its new name");
    assert_eq!(
        fs::read_to_string(dir.path().join("b")).expect("there"),
        "same\ntwo\ntwo and a half\nsame\nfour\nfive\nsame\n"
    );
}

#[test]
fn a_request_makes_so_many_folders_and_no_more() {
    for (depth, code) in [(256, None), (257, Some("too_many"))] {
        let dir = tempfile::tempdir().expect("a folder");
        let path = format!("{}file", "d/".repeat(depth));
        let content = "text\n".to_owned();
        let create = step(&path, FileAction::Create(content));
        let made = apply(dir.path(), request([create]));
        assert_eq!(
            made.err().map(|error| error.code().as_str()),
            code,
            "{depth}"
        );
        assert_eq!(dir.path().join(&path).exists(), code.is_none());
        assert!(dir.path().join("d").exists() == code.is_none(), "{depth}");
    }
}

#[test]
fn two_names_of_one_file_are_not_overwritten_in_one_request() {
    let dir = tempfile::tempdir().expect("a folder");
    let [one, two] = ["one", "two"].map(|name| dir.path().join(name));
    fs::write(&one, "old\nold too\n").expect("written");
    fs::hard_link(&one, &two).expect("linked");
    let settings = Settings {
        in_place: InPlace::WhenNeeded,
        ..Settings::default()
    };
    let both = request([
        substitute("one", "old\n", "new\n"),
        substitute("two", "old too", "new too"),
    ]);
    let refused = apply_with(dir.path(), settings, both).expect_err("refused");
    assert_eq!(refused.code().as_str(), "hardlinked");
    assert_eq!(fs::read_to_string(&one).expect("there"), "old\nold too\n");
}

#[test]
fn a_root_below_a_protected_name_is_the_persons_choice() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().join(".claude/worktrees/w");
    fs::create_dir_all(&root).expect("made");
    fs::write(root.join("a"), "old\n").expect("written");
    let absolute = root.join("a").to_string_lossy().into_owned();
    apply(&root, request([substitute(&absolute, "old", "new")])).expect("done");
    assert_eq!(fs::read_to_string(root.join("a")).expect("there"), "new\n");
}

/// Another path of a file in the root: spelled differently, absolute, or through a symbolic link to the file or its folder.
#[cfg(unix)]
#[test]
fn two_paths_of_one_file_must_name_the_same_revision() {
    let dir = tempfile::tempdir().expect("a folder");
    let root = dir.path().canonicalize().expect("there");
    std::os::unix::fs::symlink(".", root.join("dir")).expect("linked");
    std::os::unix::fs::symlink("a", root.join("link")).expect("linked");
    let absolute = root.join("a").to_string_lossy().into_owned();
    let now = hashline_core::Document::new("old\nmore\n").revision();
    let (long, short) = (now.to_string(), now.short());
    let wrong = "deadbeef".to_owned();
    let other_end = format!("{short}{}", "0".repeat(24));
    // The `rev` of `a`, that of its other path, and the code.
    let cases: [(Option<&String>, Option<&String>, Option<&str>); 8] = [
        (None, None, None),
        (Some(&short), Some(&long), None),
        (Some(&long), Some(&short), None),
        (Some(&short), None, Some("bad_request")),
        (None, Some(&short), Some("bad_request")),
        (Some(&short), Some(&wrong), Some("bad_request")),
        (Some(&long), Some(&other_end), Some("bad_request")),
        (Some(&wrong), Some(&wrong), Some("unknown_rev")),
    ];
    for other in ["./a", ".//a", &absolute, "link", "dir/a"] {
        for (own, others, code) in cases {
            fs::write(root.join("a"), "old\nmore\n").expect("written");
            let mut both = request([
                substitute("a", "old", "new"),
                substitute(other, "more", "x"),
            ]);
            for (path, digits) in [("a", own), (other, others)] {
                let rev = digits.map(|digits| RevPrefix::parse(digits).expect("digits"));
                both.revs.extend(rev.map(|rev| (path.to_owned(), rev)));
            }
            let done = apply(&root, both);
            let refused = done.as_ref().err().map(|refused| refused.code().as_str());
            assert_eq!(refused, code, "{other} {own:?} {others:?}");
            let now = fs::read_to_string(root.join("a")).expect("there");
            let expected = if code.is_none() {
                "new\nx\n"
            } else {
                "old\nmore\n"
            };
            assert_eq!(now, expected, "{other} {own:?} {others:?}");
        }
    }
}

#[test]
fn a_revision_of_a_file_that_no_step_names_is_checked() {
    let dir = tempfile::tempdir().expect("a folder");
    for name in ["a", "b"] {
        fs::write(dir.path().join(name), "old\n").expect("written");
    }
    for (path, code) in [("b", "stale"), ("c", "file_not_found")] {
        let mut edit = request([substitute("a", "old", "new")]);
        let rev = RevPrefix::parse("deadbeef").expect("digits");
        edit.revs.insert(path.to_owned(), rev);
        let refused = apply(dir.path(), edit).expect_err("refused");
        assert_eq!(refused.code().as_str(), code);
    }
    assert_eq!(
        fs::read_to_string(dir.path().join("a")).expect("there"),
        "old\n"
    );
}

#[test]
fn a_request_may_say_what_it_knows_of_a_file_that_it_may_not_write() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::create_dir(dir.path().join(".vscode")).expect("made");
    for name in ["a", ".vscode/file"] {
        fs::write(dir.path().join(name), "old\n").expect("written");
    }
    let workspace =
        Workspace::open(&[dir.path().to_path_buf()], Settings::default()).expect("open");
    let read = workspace.read(".vscode/file").expect("read").document;
    let mut edit = request([substitute("a", "old", "new")]);
    let rev = RevPrefix::from(read.revision());
    edit.revs.insert(".vscode/file".to_owned(), rev);
    apply(dir.path(), edit).expect("nothing there is written");
}

#[test]
fn what_lies_in_the_journals_folder_is_moved_by_nobody_who_reads() {
    let dir = tempfile::tempdir().expect("a folder");
    let area = dir.path().join(".hashline");
    fs::create_dir(&area).expect("made");
    let copy = area.join(hashline_workspace::staging_name("0.old".as_ref()));
    fs::write(&copy, "old\n").expect("written");
    let workspace = Workspace::open(&[dir.path().to_path_buf()], Settings::default());
    assert!(workspace.expect("open").read(".hashline/0.old").is_err());
    assert!(copy.exists());
}

#[test]
fn a_request_over_files_that_are_too_large_together_is_refused() {
    // The files have 8 bytes, the second request makes 10 of them.
    for (total, new, expected) in [
        (8, "A", None),
        (7, "A", Some("too_large")),
        (10, "AAA", None),
        (9, "AAA", Some("too_large")),
    ] {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("a"), "a 1\n").expect("written");
        fs::write(dir.path().join("b"), "b 1\n").expect("written");
        let settings = Settings {
            limits: Limits {
                total,
                ..Limits::default()
            },
            ..Settings::default()
        };
        let steps = [substitute("a", "a", new), substitute("b", "b", "B")];
        let applied = apply_with(dir.path(), settings, request(steps));
        let code = applied
            .as_ref()
            .err()
            .map(|refused| refused.code().as_str());
        assert_eq!(code, expected, "{total}");
        let a = format!("{new} 1\n");
        let expected = match code {
            None => files(&[("a", &a), ("b", "B 1\n")]),
            Some(_) => files(&[("a", "a 1\n"), ("b", "b 1\n")]),
        };
        assert_eq!(tree(dir.path()), expected, "{total}");
    }
}

#[test]
fn what_could_not_be_read_again_is_not_written() {
    let limits = Limits {
        file: 64,
        line: 16,
        ..Limits::default()
    };
    let fine = "0123456789abcdef\n".repeat(3);
    let long = "0123456789abcdefg\n";
    let large = "0123456789abcde\n".repeat(5);
    let create = |text: &str| step("new", FileAction::Create(text.to_owned()));
    let cases = [
        (create(&fine), None),
        (create(long), Some("line_too_long")),
        (create(&large), Some("too_large")),
        (substitute("a", "one", &fine), None),
        (substitute("a", "one", long), Some("line_too_long")),
        (substitute("a", "one", &large), Some("too_large")),
    ];
    for (step, expected) in cases {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("a"), "one\n").expect("written");
        let before = tree(dir.path());
        let settings = Settings {
            limits,
            ..Settings::default()
        };
        let path = step.path.clone();
        let applied = apply_with(dir.path(), settings.clone(), request([step]));
        let code = applied.err().map(|error| error.code().as_str());
        assert_eq!(code, expected, "{path}");
        if expected.is_some() {
            assert_eq!(tree(dir.path()), before, "{path}");
        } else {
            let workspace = Workspace::open(&[dir.path().to_path_buf()], settings);
            workspace
                .expect("open")
                .read(&path)
                .expect("it can be read");
        }
    }
}

#[test]
fn a_file_with_too_many_lines_for_its_size_is_not_written() {
    let dir = tempfile::tempdir().expect("a folder");
    let most = (3 << 20) * 16 / 15;
    for (lines, expected) in [(most, None), (most + 1, Some("too_large"))] {
        let make = request([step("new", FileAction::Create("\n".repeat(lines)))]);
        let applied = apply(dir.path(), make);
        let code = applied.err().map(|error| error.code().as_str());
        assert_eq!(code, expected, "{lines}");
        assert_eq!(dir.path().join("new").exists(), expected.is_none());
        let _ = fs::remove_file(dir.path().join("new"));
    }
}

#[test]
fn files_that_version_control_and_agents_obey_are_refused() {
    let paths = [
        ".hg/hgrc",
        ".svn/entries",
        ".jj/repo/config.toml",
        ".sl/config",
        ".bzr/branch/branch.conf",
        "_darcs/prefs/defaults",
        ".pijul/config",
        ".windsurfrules",
        ".roomodes",
        ".goosehints",
        ".amp/settings.json",
        ".augment/rules/a.md",
        ".trae/rules/a.md",
        ".factory/settings.json",
        ".openhands/setup.sh",
        ".vs/tasks.vs.json",
        ".config/mise/config.toml",
        ".git-hooks/pre_commit/x.rb",
    ];
    for path in paths {
        let dir = tempfile::tempdir().expect("a folder");
        let make = request([step(path, FileAction::Create("x\n".to_owned()))]);
        let refused = apply(dir.path(), make).expect_err("refused");
        assert_eq!(refused.code().as_str(), "protected", "{path}");
    }
    // Only a service runs these, and people edit them every day.
    for path in [".github/workflows/ci.yml", ".gitignore", ".hgignore"] {
        let dir = tempfile::tempdir().expect("a folder");
        let make = request([step(path, FileAction::Create("x\n".to_owned()))]);
        apply(dir.path(), make).expect("written");
    }
}

#[test]
fn a_read_moves_only_what_can_be_a_leftover_of_ours() {
    let name = hashline_workspace::staging_name("a".as_ref());
    let makes: [fn(&Path); 3] = [
        |at| fs::create_dir(at).expect("made"),
        |at| std::os::unix::fs::symlink("a", at).expect("linked"),
        |at| {
            fs::write(at, "theirs\n").expect("written");
            // Only root can give a file away; for others it is a leftover of their own.
            if std::os::unix::fs::chown(at, Some(1234), None).is_err() {
                fs::remove_file(at).expect("removed");
                fs::create_dir(at).expect("made");
            }
        },
    ];
    for make in makes {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("a"), "a\n").expect("written");
        let theirs = dir.path().join(&name);
        make(&theirs);
        let workspace = Workspace::open(&[dir.path().to_path_buf()], Settings::default());
        let read = workspace.expect("open").read_all(&["a"]).expect("read");
        assert!(read.files[0].is_ok());
        assert!(theirs.symlink_metadata().is_ok(), "it is where it was");
        assert_eq!(read.notes, []);
        assert!(!dir.path().join(".hashline").exists());
        // An edit needs the name, and keeps what has it.
        apply(dir.path(), request([substitute("a", "a", "b")])).expect("applied");
        assert!(theirs.symlink_metadata().is_err(), "it is kept elsewhere");
    }
}

#[test]
fn every_guarded_name_is_refused_until_the_person_unlocks_it() {
    for row in PROTECTED_NAMES {
        let dir = tempfile::tempdir().expect("a folder");
        let name = row.name.replace('*', "some");
        for path in [name.clone(), format!("sub/{name}/file")] {
            let make = || request([step(&path, FileAction::Create("x\n".to_owned()))]);
            let refused = apply(dir.path(), make()).expect_err("refused");
            assert_eq!(refused.code().as_str(), "protected", "{path}");
            assert!(!dir.path().join(&path).exists(), "{path}");
            let mut settings = Settings::default();
            settings.protection.unlocked = vec![row.name.to_owned()];
            apply_with(dir.path(), settings, make()).expect("unlocked");
            assert!(dir.path().join(&path).exists(), "{path}");
        }
    }
}

#[test]
fn a_guarded_name_is_refused_by_what_is_said_and_by_where_it_leads() {
    let dir = tempfile::tempdir().expect("a folder");
    for folder in ["plain", ".vscode"] {
        fs::create_dir(dir.path().join(folder)).expect("made");
    }
    std::os::unix::fs::symlink(".vscode", dir.path().join("link")).expect("linked");
    std::os::unix::fs::symlink("plain", dir.path().join(".cursor")).expect("linked");
    let cases = [
        ("link/file", Some("protected")),
        (".cursor/file", Some("protected")),
        ("plain/file", None),
    ];
    for (path, code) in cases {
        let make = request([step(path, FileAction::Create("x\n".to_owned()))]);
        let made = apply(dir.path(), make);
        assert_eq!(
            made.err().map(|error| error.code().as_str()),
            code,
            "{path}"
        );
    }
}

#[test]
fn who_comes_second_waits_until_the_first_is_done() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("a"), "a\n").expect("written");
    let first = fs::File::open(dir.path()).expect("open");
    rustix::fs::flock(&first, rustix::fs::FlockOperation::LockExclusive).expect("locked");
    let settings = Settings {
        limits: Limits {
            lock_wait: Duration::from_secs(600),
            request_time: Duration::from_secs(600),
            ..Limits::default()
        },
        ..Settings::default()
    };
    std::thread::scope(|scope| {
        let edit = request([substitute("a", "a", "b")]);
        let second = scope.spawn(|| apply_with(dir.path(), settings, edit));
        // However long this is, the edit is made: it only makes it likely that somebody waited.
        std::thread::sleep(Duration::from_millis(100));
        assert!(!second.is_finished(), "it did not wait");
        drop(first);
        second.join().expect("no panic").expect("applied");
    });
}

/// Sends two requests, over one file and over two, to a caller's word that may have been said already.
fn taken_back(stop: &CancelToken, meanwhile: impl Fn(&Path)) -> Vec<Option<&'static str>> {
    let steps = [
        substitute("a", "one", "eins"),
        substitute("b", "one", "eins"),
    ];
    let requests = [request(steps[..1].to_vec()), request(steps.to_vec())];
    let answers = requests.into_iter().map(|request| {
        let dir = tempfile::tempdir().expect("a folder");
        fs::write(dir.path().join("a"), "one\n").expect("written");
        fs::write(dir.path().join("b"), "one\n").expect("written");
        meanwhile(dir.path());
        let roots = [dir.path().to_path_buf()];
        let workspace = Workspace::open(&roots, Settings::default()).expect("open");
        let policy = Policy::default();
        let asking = ApplyOptions {
            session: None,
            policy: &policy,
            mode: Mode::Write,
            cancel: Some(stop),
        };
        let ledger = MemoryLedger::default();
        let done = workspace.apply(request, &ledger, &asking);
        let code = done.result.err().map(|refused| refused.code().as_str());
        let is_old = tree(dir.path()) == files(&[("a", "one\n"), ("b", "one\n")]);
        assert_eq!(is_old, code.is_some(), "{code:?}");
        code
    });
    answers.collect()
}

#[test]
fn a_request_that_is_taken_back_in_time_writes_nothing() {
    let stop = CancelToken::default();
    assert_eq!(taken_back(&stop, |_| {}), [None, None]);
    stop.cancel();
    let cancelled = Some("cancelled");
    assert_eq!(taken_back(&stop, |_| {}), [cancelled, cancelled]);
}

#[test]
fn who_waits_for_a_lock_hears_that_it_is_taken_back() {
    let stop = CancelToken::default();
    // Held by the test for as long as it lives; without the word it would be `busy`, and only after ten seconds.
    let held = std::sync::Mutex::new(Vec::new());
    let codes = std::thread::scope(|scope| {
        let (begun, begins) = std::sync::mpsc::channel();
        let stop = &stop;
        let held = &held;
        let waiting = scope.spawn(move || {
            taken_back(stop, |dir| {
                let folder = fs::File::open(dir).expect("the folder can be opened");
                folder.lock().expect("it can be locked");
                held.lock().expect("nobody panics").push(folder);
                begun.send(()).expect("the test waits");
            })
        });
        begins.recv().expect("it begins");
        stop.cancel();
        waiting.join().expect("it ends")
    });
    assert_eq!(codes, [Some("cancelled"), Some("cancelled")]);
}
