//! Nothing outside is seen while folders and links change places, and files change while they are searched.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use hashline_core::Policy;
use hashline_core::edit::{EditNo, Occurrences, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_workspace::ledger::NoLedger;
use hashline_workspace::{ApplyOptions, Durability, Limits, Settings, Workspace};

use super::{Tree, fixed, nobody, paths};

#[test]
fn nothing_outside_is_found_while_a_folder_and_a_link_change_places() {
    const TRIES: usize = 1_000;
    let outer = Tree::new(&[
        ("root/folder/sub/file", "word inside\n"),
        ("evil/sub/file", "word secret\n"),
    ]);
    outer.write("evil/sub/other", "word secret\n");
    outer.write("evil/.ignore", "file\n");
    symlink("../evil", outer.path("root/link")).expect("linked");
    let (folder, link) = (outer.path("root/folder"), outer.path("root/link"));
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let (cwd, flags) = (rustix::fs::CWD, rustix::fs::RenameFlags::EXCHANGE);
                rustix::fs::renameat_with(cwd, &folder, cwd, &link, flags).expect("exchanged");
            }
        });
        let workspace = Workspace::open(&[outer.path("root")], Settings::default()).expect("open");
        let mut seen = 0;
        for turn in 0..TRIES {
            let mut query = fixed("word");
            if turn % 2 == 0 {
                query.paths = vec!["folder".to_owned(), "link".to_owned()];
            }
            let found = workspace.search(&query, &nobody(), None).expect("searched");
            for line in found.files.iter().flat_map(|file| &file.lines) {
                assert_eq!(line.line.text, "word inside", "{turn}");
            }
            assert!(
                paths(&found).iter().all(|path| path.ends_with("/sub/file")),
                "{turn}"
            );
            seen += found.totals.matches;
        }
        stop.store(true, Ordering::Relaxed);
        assert!(seen > 0, "nothing was found: the race was never won");
    });
}

#[test]
fn every_answer_is_of_one_version_of_a_file_that_is_replaced_all_the_time() {
    const TRIES: usize = 300;
    let text = |mark: char| format!("word {mark}\n").repeat(4000);
    let tree = Tree::new(&[("a", &text('a'))]);
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for turn in 0_usize.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                let mark = if turn.is_multiple_of(2) { 'b' } else { 'a' };
                fs::write(tree.path("a.tmp"), text(mark)).expect("written");
                fs::rename(tree.path("a.tmp"), tree.path("a")).expect("renamed");
            }
        });
        let revisions = ['a', 'b'].map(|mark| hashline_core::Document::new(text(mark)).revision());
        for _ in 0..TRIES {
            let mut query = fixed("word");
            query.paths = vec!["a".to_owned()];
            let found = tree.search(&query);
            for file in &found.files {
                let version = revisions
                    .iter()
                    .position(|&revision| revision == file.revision);
                let mark = ["word a", "word b"][version.expect("one of the two")];
                assert!(file.lines.iter().all(|line| line.line.text == mark));
                assert_eq!(file.matches, 4000);
            }
        }
        stop.store(true, Ordering::Relaxed);
    });
}

#[test]
fn whoever_commits_several_files_meanwhile_is_noticed() {
    let tree = Tree::new(&[("a", "word\n")]);
    let limits = Limits {
        reader_wait: Duration::ZERO,
        ..Limits::default()
    };
    let settings = Settings {
        limits,
        ..Settings::default()
    };
    let workspace = Workspace::open(&[tree.root().to_path_buf()], settings).expect("open");
    let consistent = || {
        let found = workspace.search(&fixed("word"), &nobody(), None);
        found.expect("searched").consistent
    };
    assert!(consistent(), "nobody ever committed several files");
    fs::create_dir(tree.path(".hashline")).expect("made");
    fs::set_permissions(tree.path(".hashline"), fs::Permissions::from_mode(0o700)).expect("set");
    assert!(consistent(), "nobody holds the lock");
    let area = fs::File::open(tree.path(".hashline")).expect("open");
    area.lock_shared().expect("locked");
    assert!(consistent(), "another reader holds the lock");
    area.unlock().expect("unlocked");
    area.lock().expect("locked");
    assert!(!consistent(), "a writer holds the lock");
    area.unlock().expect("unlocked");
    assert!(
        consistent(),
        "the search gave its own lock back, and so did the writer"
    );
}

/// Gives two files the same new number, in one request.
fn count_on(workspace: &Workspace, from: usize) {
    let step = |(index, path): (usize, &str)| Step {
        no: EditNo::from_index(index),
        path: path.to_owned(),
        action: FileAction::Edit(Operation::Substitute {
            old: format!("turn {from}."),
            new: format!("turn {}.", from + 1),
            count: Occurrences::One,
        }),
    };
    let request = Request {
        steps: ["a/file", "z/file"]
            .into_iter()
            .enumerate()
            .map(step)
            .collect(),
        ..Request::default()
    };
    let asking = ApplyOptions {
        session: None,
        policy: &Policy::default(),
        mode: Mode::Write,
        cancel: None,
    };
    let applied = workspace.apply(request, &NoLedger, &asking);
    applied.result.expect("nobody holds it up");
}

#[test]
fn half_of_a_request_is_never_said_to_be_consistent() {
    const TRIES: usize = 120;
    let tree = Tree::new(&[("a/file", "turn 0.\n"), ("z/file", "turn 0.\n")]);
    for filler in 0..2000 {
        tree.write(&format!("m{}/{filler}", filler % 40), "nothing\n");
    }
    let settings = Settings {
        durability: Durability::Fast,
        ..Settings::default()
    };
    let stop = AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let roots = [tree.root().to_path_buf()];
            let workspace = Workspace::open(&roots, settings).expect("open");
            for turn in 0.. {
                if stop.load(Ordering::Relaxed) {
                    break;
                }
                count_on(&workspace, turn);
                // Now and then there is time for a search.
                if turn % 8 == 0 {
                    std::thread::sleep(Duration::from_millis(60));
                }
            }
        });
        let workspace = tree.workspace();
        let mut wrong = 0;
        for _ in 0..TRIES {
            let found = workspace.search(&fixed("turn"), &nobody(), None);
            let found = found.expect("searched");
            let mut lines = found.files.iter().flat_map(|file| &file.lines);
            let (a, z) = (lines.next(), lines.next());
            let same = a.map(|line| &line.line.text) == z.map(|line| &line.line.text);
            wrong += usize::from(!same && found.consistent);
        }
        stop.store(true, Ordering::Relaxed);
        assert_eq!(wrong, 0, "of {TRIES} searches");
    });
}
