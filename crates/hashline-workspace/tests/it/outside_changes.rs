//! Changes of others that are noted, and which files an edit may write.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use hashline_core::scheme::Scheme;
use hashline_workspace::ledger::{DiskLedger, Ledger, LedgerLimits, ShownBy, ShownLines};
use hashline_workspace::{ScanLimits, Settings, Workspace};

struct Stage {
    folder: tempfile::TempDir,
    ledger: DiskLedger,
}

impl Stage {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let ledger = DiskLedger::new(folder.path().join("state"), LedgerLimits::default());
        Self { folder, ledger }
    }

    fn root(&self) -> PathBuf {
        let folder = self.folder.path().canonicalize().expect("it is there");
        folder.join("root")
    }

    fn write(&self, name: &str, text: &str) {
        let path = self.root().join(name);
        fs::create_dir_all(path.parent().expect("a file lies in a folder")).expect("made");
        fs::write(path, text).expect("it can be written");
    }

    fn workspace(&self) -> Workspace {
        Workspace::open(&[self.root()], Settings::default()).expect("the root is there")
    }

    fn show(&self, name: &str) {
        let read = self.workspace().read(name).expect("it can be read");
        let spans = [read.document.all()];
        let shows = ShownLines {
            session: None,
            scheme: Scheme::Omp,
            spans: &spans,
            cut: &[],
            tags: None,
            by: ShownBy::Read,
        };
        self.ledger.showed(&read.path, &read.document, &shows);
    }

    fn revisions(&self, name: &str) -> usize {
        let history = self.ledger.history(&self.root().join(name));
        history.recorded().len()
    }

    fn notice(&self, files: usize, names: usize) -> usize {
        self.workspace().notice_changes(
            &self.ledger,
            &ScanLimits {
                files,
                names,
                until: Instant::now() + Duration::from_secs(600),
            },
        )
    }
}

#[test]
fn files_on_record_are_noted_when_they_change_and_others_are_not() {
    let stage = Stage::new();
    for name in ["a.txt", "deep/er/b.txt", "c.txt"] {
        stage.write(name, "one\n");
    }
    stage.show("a.txt");
    stage.show("deep/er/b.txt");
    stage.write("deep/er/b.txt", "two\n");
    stage.write("c.txt", "two\n");
    assert_eq!(stage.notice(64, 1000), 1);
    let revisions = ["a.txt", "deep/er/b.txt", "c.txt"].map(|name| stage.revisions(name));
    assert_eq!(revisions, [1, 2, 0]);
    assert_eq!(stage.notice(64, 1000), 0, "nothing changed since");
}

#[test]
fn no_more_is_done_than_is_asked_for() {
    let stage = Stage::new();
    for name in ["a.txt", "b.txt", "node_modules/c.txt", "deep/d.txt"] {
        stage.write(name, "one\n");
        stage.show(name);
        stage.write(name, "two\n");
    }
    assert_eq!(stage.notice(0, 1000), 0);
    assert_eq!(stage.notice(64, 0), 0);
    assert_eq!(stage.notice(1, 1000), 1);
    assert_eq!(
        stage.notice(64, 1000),
        2,
        "what tools made is not looked at"
    );
    assert_eq!(stage.revisions("node_modules/c.txt"), 1);
}

#[test]
fn a_file_that_is_not_on_record_is_not_put_there() {
    let stage = Stage::new();
    stage.write("a.txt", "one\n");
    let workspace = stage.workspace();
    assert!(matches!(
        workspace.notice(&stage.ledger, "a.txt"),
        Ok(false)
    ));
    assert_eq!(stage.revisions("a.txt"), 0);
    assert!(workspace.notice(&stage.ledger, "none.txt").is_err());
}

#[test]
fn what_an_edit_may_write_is_told_without_reading_it() {
    let stage = Stage::new();
    stage.write("a.txt", "one\n");
    stage.write("twin.txt", "one\n");
    stage.write("../outside.txt", "one\n");
    let root = stage.root();
    fs::hard_link(root.join("twin.txt"), root.join("other.txt")).expect("linked");
    symlink("../outside.txt", root.join("out")).expect("linked");
    let workspace = stage.workspace();
    for (path, expected) in [
        ("a.txt", None),
        ("new/file.txt", None),
        (".git/config", Some("protected")),
        ("sub/.claude/settings.json", Some("protected")),
        ("twin.txt", Some("hardlinked")),
        ("out", Some("outside_root")),
        ("/etc/hosts", Some("outside_root")),
        ("../outside.txt", Some("bad_path")),
    ] {
        let code = workspace
            .may_write(path)
            .err()
            .map(|error| error.code().as_str());
        assert_eq!(code, expected, "{path}");
    }
}
