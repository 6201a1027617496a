//! Nothing outside the roots is touched, whatever a path says.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;

use hashline_workspace::{Settings, Workspace};

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
        assert_eq!(found.map_err(|error| error.code()), Err(code), "{path:?}");
    }
    for path in ["fine", "sub/round/file", "./sub/./file", inside.as_str()] {
        let read = workspace.read(path).expect("it is inside");
        assert_eq!(read.path, root.join("sub/file"), "{path}");
    }
}
