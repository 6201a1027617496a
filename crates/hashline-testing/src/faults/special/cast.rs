//! The files of T13: how each is made, who asks, and the code for each way to ask.

use std::fs::{self, File, Permissions};
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::process::Command;

use rustix::fs::{CWD, FileType, Mode, makedev, mknodat};

use super::super::machine::Mount;

/// Somebody else than root.
const SOMEBODY: u32 = 1000;
/// A third person.
const THIRD: u32 = 1001;

/// Who starts the program.
#[derive(Clone, Copy, Debug)]
pub(super) enum User {
    Root,
    Other,
}

/// What keeps the scene standing; undone when it is dropped, the last one first.
pub(super) enum Resource {
    Mounted { _mount: Mount },
    Listening { _socket: UnixListener },
    Flagged(PathBuf),
}

/// One file, called `thing`, with `plain` and the folder `other` beside it.
pub(super) struct Special {
    pub(super) name: &'static str,
    pub(super) user: User,
    pub(super) ways: &'static [(&'static str, &'static str)],
    make: fn(&Path) -> Vec<Resource>,
}

impl Special {
    /// Makes the scene anew.
    pub(super) fn set_up(&self, root: &Path) -> Vec<Resource> {
        let fine = "the scratch folder can be written";
        let _ = fs::remove_dir_all(root);
        fs::create_dir_all(root.join("other")).expect(fine);
        fs::write(root.join("plain"), "plain\n").expect(fine);
        if matches!(self.user, User::Other) {
            for name in ["", "other", "plain"] {
                chown(root.join(name), Some(SOMEBODY), Some(SOMEBODY)).expect("root may");
            }
        }
        (self.make)(root)
    }
}

impl Drop for Resource {
    fn drop(&mut self) {
        if let Self::Flagged(path) = self {
            change_flag("-ia", path);
        }
    }
}

const NO_FILE: &[(&str, &str)] = &[
    ("read", "not_a_file"),
    ("edit", "not_a_file"),
    ("delete", "not_a_file"),
    ("move", "not_a_file"),
    ("onto", "not_a_file"),
];
const READ_ONLY: &[(&str, &str)] = &[
    ("read", "ok"),
    ("edit", "read_only"),
    ("delete", "read_only"),
    ("move", "read_only"),
    ("onto", "file_exists"),
];
const SYSTEM_REFUSES: &[(&str, &str)] = &[
    ("read", "ok"),
    ("edit", "io"),
    ("delete", "io"),
    ("move", "io"),
];
const TOO_LARGE: &[(&str, &str)] = &[
    ("read", "too_large"),
    ("edit", "too_large"),
    ("delete", "too_large"),
    ("move", "too_large"),
];
const CANNOT_REPLACE: &[(&str, &str)] = &[("read", "ok"), ("edit", "cannot_replace")];

/// Lists them.
pub(super) fn all() -> Vec<Special> {
    let special = |name, user, ways, make| Special {
        name,
        user,
        ways,
        make,
    };
    vec![
        special("a pipe", User::Root, NO_FILE, |root| {
            node(root, FileType::Fifo, 0)
        }),
        special("a socket", User::Root, NO_FILE, socket),
        special("a character device", User::Root, NO_FILE, |root| {
            node(root, FileType::CharacterDevice, makedev(1, 5))
        }),
        special("a block device", User::Root, NO_FILE, |root| {
            node(root, FileType::BlockDevice, makedev(7, 0))
        }),
        special("a folder", User::Root, NO_FILE, |root| {
            done(fs::create_dir(root.join("thing")))
        }),
        special("a link to a pipe", User::Root, NO_FILE, |root| {
            node(root, FileType::Fifo, 0);
            done(fs::rename(root.join("thing"), root.join("pipe")));
            done(symlink("pipe", root.join("thing")))
        }),
        special("a file of the kernel", User::Root, NO_FILE, pseudo_file),
        special("a terabyte of nothing", User::Root, TOO_LARGE, |root| {
            sparse(root, 1 << 40)
        }),
        special("a byte too large", User::Root, TOO_LARGE, |root| {
            sparse(root, (64 << 20) + 1)
        }),
        special("0444, asked by root", User::Root, READ_ONLY, |root| {
            file(root, 0o444, 0)
        }),
        special("0444, asked by its owner", User::Other, READ_ONLY, |root| {
            file(root, 0o444, SOMEBODY)
        }),
        special("0555, asked by root", User::Root, READ_ONLY, |root| {
            file(root, 0o555, 0)
        }),
        special("0000, asked by its owner", User::Other, NO_ACCESS, |root| {
            file(root, 0, SOMEBODY)
        }),
        special("immutable", User::Root, SYSTEM_REFUSES, |root| {
            flagged(root, "+i")
        }),
        special("append-only", User::Root, SYSTEM_REFUSES, |root| {
            flagged(root, "+a")
        }),
        special(
            "mounted by itself",
            User::Root,
            CANNOT_REPLACE,
            mounted_file,
        ),
        special("a read-only mount", User::Root, NO_WRITING, read_only_mount),
        special(
            "a read-only mount with a leftover",
            User::Root,
            &[("read", "ok")],
            read_only_leftover,
        ),
        special("somebody else's", User::Other, CANNOT_REPLACE, |root| {
            file(root, 0o644, THIRD)
        }),
        special(
            "somebody else's, for all to write",
            User::Other,
            CANNOT_REPLACE,
            |root| file(root, 0o666, THIRD),
        ),
        special(
            "in somebody else's folder",
            User::Other,
            CLOSED_FOLDER,
            |root| {
                done(chown(root, Some(THIRD), Some(THIRD)));
                file(root, 0o644, SOMEBODY)
            },
        ),
        special("with two names", User::Root, HARD_LINKED, |root| {
            file(root, 0o644, 0);
            done(fs::hard_link(root.join("thing"), root.join("second")))
        }),
        special(
            "in a folder that is mounted twice",
            User::Root,
            &[("both", "hardlinked"), ("create", "hardlinked")],
            folder_mounted_twice,
        ),
        special(
            "mounted over a second file",
            User::Root,
            &[("both", "hardlinked")],
            file_mounted_twice,
        ),
        special(
            "beside another file system",
            User::Root,
            &[("move", "bad_path"), ("both", "bad_path")],
            two_file_systems,
        ),
        special(
            "on another file system, with a leftover",
            User::Root,
            &[("edit", "ok")],
            leftover_elsewhere,
        ),
    ]
}

const NO_WRITING: &[(&str, &str)] = &[
    ("read", "ok"),
    ("edit", "read_only"),
    ("delete", "read_only"),
    ("move", "read_only"),
];
/// What needs the journal's folder cannot make it there.
const CLOSED_FOLDER: &[(&str, &str)] = &[
    ("read", "ok"),
    ("edit", "cannot_replace"),
    ("delete", "io"),
    ("move", "io"),
];
const NO_ACCESS: &[(&str, &str)] = &[("read", "io"), ("edit", "io"), ("delete", "io")];
const HARD_LINKED: &[(&str, &str)] = &[
    ("read", "ok"),
    ("edit", "hardlinked"),
    ("delete", "hardlinked"),
    ("move", "hardlinked"),
];

fn done(result: std::io::Result<()>) -> Vec<Resource> {
    result.expect("the scene can be set");
    Vec::new()
}

fn file(root: &Path, mode: u32, owner: u32) -> Vec<Resource> {
    let thing = root.join("thing");
    done(fs::write(&thing, "text\n"));
    done(chown(&thing, Some(owner), Some(owner)));
    done(fs::set_permissions(&thing, Permissions::from_mode(mode)))
}

fn node(root: &Path, kind: FileType, device: u64) -> Vec<Resource> {
    let mode = Mode::from_raw_mode(0o644);
    mknodat(CWD, root.join("thing"), kind, mode, device).expect("root may make devices");
    Vec::new()
}

fn socket(root: &Path) -> Vec<Resource> {
    // The name of a socket is short; the way to it need not be.
    let at = std::env::temp_dir().join(format!("hashline-{}.sock", std::process::id()));
    let _ = fs::remove_file(&at);
    let socket = UnixListener::bind(&at).expect("a socket can be made");
    done(fs::rename(&at, root.join("thing")));
    vec![Resource::Listening { _socket: socket }]
}

fn sparse(root: &Path, size: u64) -> Vec<Resource> {
    let made = File::create(root.join("thing"));
    done(made.and_then(|file| file.set_len(size)))
}

fn pseudo_file(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    let of_the_kernel = Path::new("/proc/sys/kernel/ostype");
    mounted(Mount::again(of_the_kernel, &root.join("thing")))
}

fn mounted(mount: Mount) -> Vec<Resource> {
    vec![Resource::Mounted { _mount: mount }]
}

fn mounted_file(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    done(fs::write(root.join("other/shown"), "text\n"));
    mounted(Mount::again(&root.join("other/shown"), &root.join("thing")))
}

/// The root is mounted again on its own folder `other`: `other/thing` is `thing`.
fn folder_mounted_twice(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    mounted(Mount::again(root, &root.join("other")))
}

fn file_mounted_twice(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    let second = root.join("other/thing");
    done(fs::write(&second, "text\n"));
    mounted(Mount::again(&root.join("thing"), &second))
}

fn read_only_mount(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    mounted(Mount::again(root, root).read_only())
}

fn read_only_leftover(root: &Path) -> Vec<Resource> {
    leave_something(root);
    read_only_mount(root)
}

fn leave_something(dir: &Path) {
    let staged = hashline_workspace::staging_name("thing".as_ref());
    done(fs::write(dir.join(staged), "left\n"));
}

fn two_file_systems(root: &Path) -> Vec<Resource> {
    file(root, 0o644, 0);
    let kept = mounted(Mount::memory(&root.join("other"), "size=1m"));
    done(fs::write(root.join("other/thing"), "text\n"));
    kept
}

/// A link leads to a file on another file system, beside which something was left.
fn leftover_elsewhere(root: &Path) -> Vec<Resource> {
    let kept = mounted(Mount::memory(&root.join("other"), "size=1m"));
    done(fs::write(root.join("other/thing"), "text\n"));
    leave_something(&root.join("other"));
    done(symlink("other/thing", root.join("thing")));
    kept
}

fn flagged(root: &Path, flag: &str) -> Vec<Resource> {
    file(root, 0o644, 0);
    let thing = root.join("thing");
    change_flag(flag, &thing);
    vec![Resource::Flagged(thing)]
}

fn change_flag(flag: &str, path: &Path) {
    let _ = Command::new("chattr").arg(flag).arg(path).output();
}
