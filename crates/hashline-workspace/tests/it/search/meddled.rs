//! What somebody else does between two calls of a search, at the very moment that matters.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::num::NonZeroUsize;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use hashline_core::edit::{EditNo, Occurrences, Operation};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_core::{Document, Policy};
use hashline_workspace::DiskNote;
use hashline_workspace::ledger::{Ledger, MemoryLedger};
use hashline_workspace::search::{Audience, Query};
use hashline_workspace::system::{DirEntry, FileAccess, Native, Share, Stat, System};
use hashline_workspace::{ApplyError, ApplyOptions, Limits, Settings, Workspace};

use super::{Tree, fixed, nobody};

/// The system we run on, with somebody who is told of some calls after they were made.
struct Meddled<'a>(&'a (dyn Fn(Call) + Sync));

/// The calls that somebody is told of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Call {
    /// A file was read to be searched.
    ReadInto,
    /// The name of a file was looked at.
    StatAt,
}

/// Hands calls on as they are.
macro_rules! hand_on {
    ($(fn $name:ident(&self $(, $arg:ident: $type:ty)*) -> $result:ty;)*) => {
        $(fn $name(&self $(, $arg: $type)*) -> $result { Native.$name($($arg),*) })*
    };
}

impl System for Meddled<'_> {
    type Dir = OwnedFd;
    type File = OwnedFd;

    fn read_into(
        &self,
        file: &OwnedFd,
        size: u64,
        most: u64,
        into: &mut Vec<u8>,
    ) -> io::Result<()> {
        let read = Native.read_into(file, size, most, into);
        (self.0)(Call::ReadInto);
        read
    }

    fn stat_at(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<Stat> {
        let stat = Native.stat_at(dir, name);
        (self.0)(Call::StatAt);
        stat
    }

    hand_on! {
        fn open_root(&self, path: &Path) -> io::Result<OwnedFd>;
        fn open_dir(&self, root: &OwnedFd, path: &Path) -> io::Result<OwnedFd>;
        fn open_child(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd>;
        fn open_file(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd>;
        fn open_to_overwrite(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<OwnedFd>;
        fn read_link(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<PathBuf>;
        fn stat(&self, file: &OwnedFd) -> io::Result<Stat>;
        fn stat_dir(&self, dir: &OwnedFd) -> io::Result<Stat>;
        fn path_of(&self, dir: &OwnedFd) -> io::Result<PathBuf>;
        fn entries(&self, dir: &OwnedFd) -> io::Result<Vec<DirEntry>>;
        fn read(&self, file: &OwnedFd, most: u64) -> io::Result<Vec<u8>>;
        fn create_unnamed(&self, dir: &OwnedFd, access: FileAccess) -> io::Result<OwnedFd>;
        fn create(&self, dir: &OwnedFd, name: &OsStr, access: FileAccess) -> io::Result<OwnedFd>;
        fn write(&self, file: &OwnedFd, bytes: &[u8]) -> io::Result<()>;
        fn copy_metadata(&self, from: &OwnedFd, to: &OwnedFd) -> io::Result<()>;
        fn link(&self, file: &OwnedFd, dir: &OwnedFd, name: &OsStr) -> io::Result<()>;
        fn link_name(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()>;
        fn rename(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()>;
        fn rename_new(&self, dir: &OwnedFd, name: &OsStr, to: &OwnedFd, new: &OsStr) -> io::Result<()>;
        fn exchange(&self, dir: &OwnedFd, name: &OsStr, other: &OsStr) -> io::Result<()>;
        fn unlink(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()>;
        fn make_dir(&self, dir: &OwnedFd, name: &OsStr, access: FileAccess) -> io::Result<()>;
        fn remove_dir(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<()>;
        fn sync(&self, file: &OwnedFd) -> io::Result<()>;
        fn sync_dir(&self, dir: &OwnedFd) -> io::Result<()>;
        fn try_lock(&self, dir: &OwnedFd, share: Share) -> io::Result<bool>;
        fn unlock(&self, dir: &OwnedFd) -> io::Result<()>;
        fn lock_file(&self, folder: &Path, name: &OsStr, share: Share) -> io::Result<Option<OwnedFd>>;
        fn is_remote(&self, dir: &OwnedFd) -> io::Result<bool>;
        fn can_replace(&self, dir: &OwnedFd, name: &OsStr) -> io::Result<bool>;
        fn read_at(&self, file: &OwnedFd, at: u64, into: &mut [u8]) -> io::Result<usize>;
        fn exists(&self, path: &Path) -> bool;
        fn user(&self) -> u32;
        fn random(&self) -> [u8; 16];
    }
}

fn open<'a>(tree: &Tree, meddle: &'a (dyn Fn(Call) + Sync)) -> Workspace<Meddled<'a>> {
    let roots = [tree.root().to_path_buf()];
    Workspace::on(Meddled(meddle), &roots, Settings::default()).expect("open")
}

#[test]
fn a_file_that_changes_while_it_is_read_is_read_again() {
    let tree = Tree::new(&[("a", "word\n")]);
    let reads = AtomicUsize::new(0);
    let change = |call| {
        if call == Call::ReadInto && reads.fetch_add(1, Ordering::Relaxed) == 0 {
            tree.write("a", "ward\nword\n");
        }
    };
    let found = open(&tree, &change)
        .search(
            &Query {
                paths: vec!["a".to_owned()],
                ..fixed("word")
            },
            &nobody(),
            None,
        )
        .expect("searched");
    let now = Document::new("ward\nword\n");
    assert_eq!(found.files[0].revision, now.revision());
    assert_eq!(
        found.files[0]
            .matching()
            .map(|number| number.get())
            .collect::<Vec<_>>(),
        [2]
    );
}

#[test]
fn a_file_that_never_rests_is_skipped() {
    let tree = Tree::new(&[("a", "word\n"), ("b", "word\n")]);
    let grow = |call| {
        if call == Call::ReadInto {
            let text = fs::read_to_string(tree.path("a")).expect("read");
            tree.write("a", format!("{text}more\n"));
        }
    };
    let found = open(&tree, &grow).search(
        &Query {
            threads: NonZeroUsize::new(1),
            paths: vec!["a".to_owned()],
            ..fixed("word")
        },
        &nobody(),
        None,
    );
    let found = found.expect("searched");
    assert!(found.files.is_empty());
    assert_eq!(found.skipped[0].code().as_str(), "unstable");
}

#[test]
fn a_file_too_large_to_be_kept_that_changed_after_it_was_searched_is_not_written_down() {
    let lines = "word and more of it\n".repeat((16 << 20) / 20 + 1);
    let tree = Tree::new(&[("a", &lines)]);
    let change = |call| {
        if call == Call::StatAt {
            tree.write("a", "another word\n");
        }
    };
    let ledger = MemoryLedger::default();
    let audience = Audience {
        ledger: Some(&ledger),
        seen: None,
        ..nobody()
    };
    let found = open(&tree, &change)
        .search(&fixed("word"), &audience, None)
        .expect("searched");
    assert_eq!(found.files[0].revision, Document::new(lines).revision());
    let history = ledger.history(&tree.root().canonicalize().expect("there").join("a"));
    assert!(history.recorded().is_empty());
}

#[test]
fn the_first_commit_over_several_files_during_a_search_is_noticed() {
    let tree = Tree::new(&[("a", "word\n")]);
    let commit = |call| {
        if call == Call::ReadInto {
            let made = fs::create_dir(tree.path(".hashline"));
            made.expect("it is made once");
        }
    };
    let found = open(&tree, &commit)
        .search(&fixed("word"), &nobody(), None)
        .expect("searched");
    assert!(!found.consistent);
}

/// Puts `new` for `old` into files, all in one request. Whoever holds a lock is not waited for.
fn commit(tree: &Tree, files: &[&str]) -> Result<(), ApplyError> {
    let step = |(index, file): (usize, &&str)| Step {
        no: EditNo::from_index(index),
        path: (*file).to_owned(),
        action: FileAction::Edit(Operation::Substitute {
            old: "old".to_owned(),
            new: "new".to_owned(),
            count: Occurrences::One,
        }),
    };
    let request = Request {
        steps: files.iter().enumerate().map(step).collect(),
        ..Request::default()
    };
    let settings = Settings {
        limits: Limits {
            lock_wait: Duration::ZERO,
            ..Limits::default()
        },
        ..Settings::default()
    };
    let policy = Policy::default();
    let asking = ApplyOptions {
        session: None,
        policy: &policy,
        mode: Mode::Write,
        cancel: None,
    };
    let workspace = Workspace::open(&[tree.root().to_path_buf()], settings).expect("open");
    let applied = workspace.apply(request, &MemoryLedger::default(), &asking);
    applied.result.map(|_| ())
}

#[test]
fn whoever_commits_during_a_search_does_not_wait_and_the_answer_says_so() {
    struct Case {
        /// What is committed while the second file is being read.
        files: &'static [&'static str],
        /// The versions that are found, whichever file was read first.
        found: &'static [&'static str],
        consistent: bool,
    }
    let cases = [
        Case {
            files: &[],
            found: &["word old", "word old"],
            consistent: true,
        },
        Case {
            files: &["c"],
            found: &["word old", "word old"],
            consistent: true,
        },
        Case {
            files: &["c", "d"],
            found: &["word old", "word old"],
            consistent: false,
        },
        Case {
            files: &["a", "b"],
            found: &["word new", "word old"],
            consistent: false,
        },
    ];
    for case in cases {
        let names = ["a", "b", "c", "d"];
        let tree = Tree::new(&names.map(|name| (name, "word old\n")));
        commit(&tree, &["c", "d"]).expect("the journal's folder is there");
        for name in ["c", "d"] {
            tree.write(name, "word old\n");
        }
        let reads = AtomicUsize::new(0);
        let committed = Mutex::new(None);
        let meddle = |call| {
            if call == Call::ReadInto && reads.fetch_add(1, Ordering::Relaxed) == 1 {
                *committed.lock().expect("whole") = Some(commit(&tree, case.files));
            }
        };
        let ledger = MemoryLedger::default();
        let audience = Audience {
            ledger: Some(&ledger),
            seen: None,
            ..nobody()
        };
        let query = Query {
            threads: NonZeroUsize::new(1),
            globs: vec!["[ab]".to_owned()],
            ..fixed("word")
        };
        let found = open(&tree, &meddle).search(&query, &audience, None);
        let found = found.expect("searched");
        let files = case.files;
        assert_eq!(*committed.lock().expect("whole"), Some(Ok(())), "{files:?}");
        assert_eq!(found.consistent, case.consistent, "{files:?}");
        let lines = found.files.iter().flat_map(|file| &file.lines);
        let mut texts: Vec<_> = lines.map(|line| &*line.line.text).collect();
        texts.sort_unstable();
        assert_eq!(texts, case.found, "{files:?}");
        for file in &found.files {
            let canonical = tree.root().canonicalize().expect("there").join(&file.path);
            let history = ledger.history(&canonical);
            let [recorded] = history.recorded() else {
                panic!("{files:?}: {} is written down once", file.path);
            };
            assert_eq!(recorded.revision, file.revision, "{files:?}");
            assert_eq!(recorded.showings.len(), 1, "{files:?}");
        }
    }
}

#[test]
fn a_search_says_what_it_found_of_a_broken_request() {
    let tree = Tree::new(&[("a", "word\n")]);
    tree.write(".hashline/journal", "damaged");
    let meddle = |_| {};
    let found = open(&tree, &meddle).search(&fixed("word"), &nobody(), None);
    let found = found.expect("searched");
    assert_eq!(found.notes, [DiskNote::ForeignJournal]);
    assert!(found.consistent, "the journal was put aside first");
    let again = tree.search(&fixed("word"));
    assert!(again.notes.is_empty() && again.consistent);
}
