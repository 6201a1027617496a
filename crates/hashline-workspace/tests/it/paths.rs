//! Nothing outside the roots is touched, whatever a path says.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use std::sync::atomic::{AtomicBool, Ordering};

use hashline_core::Policy;
use hashline_core::edit::{EditNo, Operation, Place};
use hashline_core::files::{FileAction, Request, Step};
use hashline_core::policy::Mode;
use hashline_workspace::ledger::MemoryLedger;
use hashline_workspace::{ApplyError, ApplyOptions, Settings, Workspace};

#[test]
fn relative_paths_begin_where_the_caller_stands() {
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().join("root");
    fs::create_dir_all(root.join("sub/deep")).expect("made");
    fs::create_dir(outer.path().join("elsewhere")).expect("made");
    for file in ["root/a", "root/sub/a", "root/sub/deep/a", "elsewhere/a"] {
        fs::write(outer.path().join(file), "text\n").expect("written");
    }
    let whole = root.join("a").display().to_string();
    let cases = [
        ("root", "a", Ok("a")),
        ("root/sub", "a", Ok("sub/a")),
        ("root/sub", "deep/a", Ok("sub/deep/a")),
        ("root/sub", whole.as_str(), Ok("a")),
        ("root/sub", "../a", Err("bad_path")),
        ("root/sub", ".git/a", Err("file_not_found")),
        ("elsewhere", "a", Err("outside_root")),
        ("elsewhere", whole.as_str(), Ok("a")),
    ];
    for (stands, path, expected) in cases {
        let workspace = Workspace::open(std::slice::from_ref(&root), Settings::default())
            .expect("open")
            .based(outer.path().join(stands));
        let read = workspace.read(path).map(|read| read.path);
        let expected = expected.map(|below| root.join(below));
        assert_eq!(
            read.map_err(|error| error.code().as_str()),
            expected,
            "{stands} {path}"
        );
    }
}

#[test]
fn every_way_out_is_refused() {
    let outer = tempfile::tempdir().expect("a folder");
    let root = outer.path().join("root");
    let evil = outer.path().join("root-evil");
    for dir in [&root, &evil, &root.join("sub")] {
        fs::create_dir(dir).expect("made");
    }
    fs::write(evil.join("secret"), "secret\n").expect("written");
    fs::write(root.join("sub/file"), "inside\n").expect("written");
    symlink(&evil, root.join("absolute")).expect("linked");
    symlink("../root-evil", root.join("upward")).expect("linked");
    symlink("../../root-evil/secret", root.join("sub/leak")).expect("linked");
    symlink("sub/file", root.join("fine")).expect("linked");
    symlink("../sub", root.join("sub/round")).expect("linked");
    symlink("loop", root.join("loop")).expect("linked");
    symlink("/proc/self/root", root.join("magic")).expect("linked");
    UnixListener::bind(root.join("socket")).expect("bound");
    rustix::fs::mknodat(
        rustix::fs::CWD,
        root.join("pipe"),
        rustix::fs::FileType::Fifo,
        rustix::fs::Mode::RUSR,
        0,
    )
    .expect("made");
    let workspace =
        Workspace::open(std::slice::from_ref(&root), Settings::default()).expect("open");
    let inside = format!("{}/sub/file", root.display());
    let sibling = format!("{}-evil/secret", root.display());
    let cases = [
        ("absolute/secret", "outside_root"),
        ("upward/secret", "outside_root"),
        ("sub/leak", "outside_root"),
        ("magic/etc/passwd", "outside_root"),
        ("../root-evil/secret", "bad_path"),
        (sibling.as_str(), "outside_root"),
        ("/etc/passwd", "outside_root"),
        ("loop", "bad_path"),
        ("loop/file", "bad_path"),
        ("sub/file/x", "bad_path"),
        ("sub", "not_a_file"),
        ("socket", "not_a_file"),
        ("pipe", "not_a_file"),
        ("nothing", "file_not_found"),
        ("nothing/at/all", "file_not_found"),
        ("sub/", "bad_path"),
        ("", "bad_path"),
    ];
    for (path, code) in cases {
        let found = workspace.read(path).map(|read| read.path);
        assert_eq!(
            found.map_err(|error| error.code().as_str()),
            Err(code),
            "{path:?}"
        );
    }
    for path in ["fine", "sub/round/file", "./sub/./file", inside.as_str()] {
        let read = workspace.read(path).expect("it is inside");
        assert_eq!(read.path, root.join("sub/file"), "{path}");
    }
}

#[test]
fn without_a_root_every_path_is_outside() {
    let workspace = Workspace::open(&[], Settings::default()).expect("open");
    let read = workspace.read("file").map(|read| read.path);
    assert_eq!(
        read.map_err(|error| error.code().as_str()),
        Err("outside_root")
    );
}

#[test]
fn nothing_outside_is_touched_while_a_folder_and_a_link_change_places() {
    const TRIES: usize = 3_000;
    let outer = tempfile::tempdir().expect("a folder");
    let (root, evil) = (outer.path().join("root"), outer.path().join("evil"));
    fs::create_dir_all(root.join("folder")).expect("made");
    fs::create_dir(&evil).expect("made");
    fs::write(root.join("folder/file"), "inside 0\n").expect("written");
    fs::write(evil.join("file"), "inside 0\nsecret\n").expect("written");
    symlink(&evil, root.join("link")).expect("linked");
    let stop = AtomicBool::new(false);
    let (folder, link) = (root.join("folder"), root.join("link"));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                let cwd = rustix::fs::CWD;
                let flags = rustix::fs::RenameFlags::EXCHANGE;
                rustix::fs::renameat_with(cwd, &folder, cwd, &link, flags).expect("exchanged");
            }
        });
        let settings = Settings::default();
        let workspace = Workspace::open(std::slice::from_ref(&root), settings).expect("open");
        let policy = Policy::default();
        let asking = ApplyOptions {
            session: None,
            policy: &policy,
            mode: Mode::Write,
            cancel: None,
        };
        let mut landed = 0;
        for turn in 0..TRIES {
            let path = if turn % 2 == 0 {
                "folder/file"
            } else {
                "link/file"
            };
            if let Ok(read) = workspace.read(path) {
                assert!(!read.document.bytes().ends_with(b"secret\n"), "{turn}");
            }
            let edit = Operation::Insert {
                place: Place::End,
                text: format!("turn {turn}").into(),
            };
            let step = Step {
                no: EditNo::from_index(0),
                path: path.to_owned(),
                action: FileAction::Edit(edit),
            };
            let request = Request {
                steps: vec![step],
                ..Request::default()
            };
            let done = workspace.apply(request, &MemoryLedger::default(), &asking);
            landed += usize::from(done.result.is_ok());
        }
        stop.store(true, Ordering::Relaxed);
        assert!(landed > 0, "no edit landed: the race was never won");
    });
    let outside = fs::read_to_string(evil.join("file")).expect("there");
    assert_eq!(outside, "inside 0\nsecret\n");
    assert_eq!(fs::read_dir(&evil).expect("there").count(), 1);
}

#[test]
fn a_link_is_never_taken_for_the_file_it_leads_to_when_that_would_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path();
    fs::create_dir(root.join("sub")).expect("made");
    fs::write(root.join("sub/file"), "text\n").expect("written");
    symlink("sub/file", root.join("link")).expect("linked");
    let workspace = Workspace::open(&[root.to_path_buf()], Settings::default()).expect("open");
    let ledger = MemoryLedger::default();
    for action in [FileAction::Delete, FileAction::Move("moved".to_owned())] {
        let step = Step {
            no: EditNo::from_index(0),
            path: "link".to_owned(),
            action,
        };
        let request = Request {
            steps: vec![step],
            ..Request::default()
        };
        let asking = ApplyOptions {
            policy: &Policy::default(),
            session: None,
            mode: Mode::Write,
            cancel: None,
        };
        let refused = workspace
            .apply(request, &ledger, &asking)
            .result
            .expect_err("refused");
        let ApplyError::Disk(error) = refused else {
            panic!("the path is at fault");
        };
        assert_eq!(error.code().as_str(), "bad_path");
    }
    assert_eq!(
        fs::read_to_string(root.join("link")).expect("there"),
        "text\n"
    );
}
