//! The target for paths: whatever a path is, it leads to the file that its names spell, or nowhere, and never outside.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use hashline_core::files::FileAction;
use hashline_core::policy::Mode;
use hashline_workspace::{Protection, Settings, Workspace};

use super::folder::Folder;
use super::{act, append, open};
use crate::disk::{Disk, Image, Meddling, Offers, Tree};
use crate::input::Input;

/// What stands in the files of the root, and in those outside.
const INSIDE: &[u8] = b"inside\n";
const OUTSIDE: &[u8] = b"outside\n";

thread_local! {
    static SCRATCH: Folder = Folder::made(plant);
}

/// So many folders are made on the way to a new file: the disk in memory keeps every state it was in, and more take too long.
const DEEPEST: usize = 32;

/// Parts of paths.
const PARTS: [&str; 32] = [
    "/",
    "/",
    "/",
    "/",
    "a",
    "b",
    "file",
    "dir",
    "..",
    ".",
    "//",
    "\0",
    " ",
    "~",
    "\\",
    "...",
    ".git",
    ".GIT",
    ".g\u{200c}it",
    ".git ",
    "git~1",
    "config",
    ".hashline",
    ".claude",
    "out",
    "loop",
    "to-git",
    "chain",
    "self",
    "etc",
    "é",
    "absolute",
];

/// Reads, tries to edit and creates at a path: on a disk in memory, where the answer is known, and on a tree with links.
///
/// # Panics
///
/// If the path leads elsewhere than its names spell, outside, or to what is protected.
pub fn path(data: &[u8]) {
    let root = SCRATCH.with(|scratch| scratch.path().join("root"));
    let path_text = spelled(data, &root);
    in_memory(&path_text);
    among_links(&path_text, &root);
}

fn spelled(data: &[u8], root: &Path) -> String {
    let mut input = Input(data);
    match input.below(8) {
        0 => String::from_utf8_lossy(input.0).into_owned(),
        1 => format!("{}/{}", root.display(), String::from_utf8_lossy(input.0)),
        2 => "n".repeat(input.below(256) + input.below(256)),
        3 => "long/".repeat(600 + input.below(256)) + "name",
        _ => {
            let count = 1 + input.below(9);
            (0..count).map(|_| input.pick(&PARTS)).collect()
        }
    }
}

fn in_memory(path_text: &str) {
    let image = Image::with(&[
        ("file", INSIDE),
        ("a/file", INSIDE),
        ("a/b/file", INSIDE),
        ("dir/a", INSIDE),
        (".git/config", INSIDE),
        (".claude/a", INSIDE),
    ]);
    let before = image.tree();
    let disk = Disk::new(image, Offers::All, Meddling::Nothing);
    let workspace = open(&disk);
    let expected = model(path_text, &before);
    let read = workspace.read(path_text).map(|read| read.path);
    match (&read, &expected) {
        (Ok(path), Ok((relative, Leads::File))) => assert_eq!(*path, Path::new("/").join(relative)),
        (Err(error), expected) => {
            assert_eq!(error.code().as_str(), read_code(expected), "{path_text:?}");
        }
        other => panic!("{path_text:?}: {other:?}"),
    }
    if path_text.split('/').count() > DEEPEST {
        return;
    }
    let made = act(
        &workspace,
        path_text,
        FileAction::Create("made\n".to_owned()),
        Mode::Write,
    );
    let expected = create_code(&expected);
    assert_eq!(made.err(), expected, "{path_text:?}");
    only_made(path_text, &before, &disk.now().seen().tree(), made.is_ok());
}

/// Where a path leads on a tree without links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Leads {
    File,
    Folder,
    Nowhere,
    /// Through a file.
    Blocked,
}

/// Says in a few lines where a path leads; nothing if it cannot name a file.
fn model(path_text: &str, tree: &Tree) -> Result<(PathBuf, Leads), &'static str> {
    let names: Vec<&str> = path_text.split('/').collect();
    let last = names.last().copied().unwrap_or_default();
    let wrong = path_text.len() > 4096
        || path_text.contains('\0')
        || ["", "."].contains(&last)
        || names.iter().any(|name| name.len() > 255 || *name == "..");
    if wrong {
        return Err("bad_path");
    }
    let names = names.iter().filter(|name| !["", "."].contains(name));
    let path: PathBuf = names.collect();
    let is_file = |path: &Path| matches!(tree.get(path), Some(Some(_)));
    let leads = match tree.get(&path) {
        Some(Some(_)) => Leads::File,
        Some(None) => Leads::Folder,
        None if path.ancestors().skip(1).any(is_file) => Leads::Blocked,
        None => Leads::Nowhere,
    };
    Ok((path, leads))
}

fn read_code(expected: &Result<(PathBuf, Leads), &'static str>) -> &'static str {
    match expected {
        Err(code) => code,
        Ok((_, Leads::File)) => "ok",
        Ok((_, Leads::Folder)) => "not_a_file",
        Ok((_, Leads::Nowhere)) => "file_not_found",
        Ok((_, Leads::Blocked)) => "bad_path",
    }
}

fn create_code(expected: &Result<(PathBuf, Leads), &'static str>) -> Option<&'static str> {
    match expected {
        Err(code) => Some(code),
        Ok((_, Leads::Blocked)) => Some("bad_path"),
        Ok((path, _)) if Protection::default().covers(path) => Some("protected"),
        Ok((_, Leads::File)) => Some("file_exists"),
        Ok((_, Leads::Folder)) => Some("not_a_file"),
        Ok((_, Leads::Nowhere)) => None,
    }
}

/// Nothing changed but the file that was made, the folders on its way and our own.
fn only_made(path_text: &str, before: &Tree, now: &Tree, made: bool) {
    let path: PathBuf = path_text
        .split('/')
        .filter(|name| !["", "."].contains(name))
        .collect();
    let way: BTreeSet<&Path> = path.ancestors().collect();
    let names: BTreeSet<&PathBuf> = before.keys().chain(now.keys()).collect();
    for name in names {
        let ours = name.starts_with(".hashline") || (made && way.contains(name.as_path()));
        assert!(
            ours || before.get(name) == now.get(name),
            "{path_text:?} changed {name:?}"
        );
    }
}

/// Makes a root with links of every kind, and what lies beside it.
fn plant(scratch: &Path) -> std::io::Result<()> {
    let root = scratch.join("root");
    for folder in ["a/b", "dir", ".git"] {
        fs::create_dir_all(root.join(folder))?;
    }
    fs::create_dir_all(scratch.join("outside"))?;
    for file in ["file", "a/file", "a/b/file", "dir/a", ".git/config"] {
        fs::write(root.join(file), INSIDE)?;
    }
    for file in ["file", "a", "config"] {
        fs::write(scratch.join("outside").join(file), OUTSIDE)?;
    }
    let links = [
        ("out", "../outside"),
        ("a/out", "../../outside/file"),
        ("absolute", "/etc/hostname"),
        ("loop", "loop"),
        ("self", "."),
        ("to-git", ".git"),
        ("chain", "a/chain"),
        ("a/chain", "../file"),
        ("dir/b", "../a"),
        ("dir/out", "../self/out/file"),
    ];
    for (name, target) in links {
        symlink(target, root.join(name))?;
    }
    Ok(())
}

fn among_links(path_text: &str, root: &Path) {
    let opened = Workspace::open(&[root.to_path_buf()], Settings::default());
    let workspace = opened.expect("the root is there");
    match workspace.read(path_text) {
        Ok(read) => {
            assert_eq!(read.document.bytes(), INSIDE, "{path_text:?}");
            assert!(read.path.starts_with(root), "{path_text:?}");
            let real = fs::canonicalize(&read.path);
            assert_eq!(real.ok().as_ref(), Some(&read.path), "{path_text:?}");
        }
        Err(error) => {
            let known = ["bad_path", "outside_root", "file_not_found", "not_a_file"];
            assert!(
                known.contains(&error.code().as_str()),
                "{path_text:?}: {error:?}"
            );
        }
    }
    // Only tried: the tree is for all inputs.
    let edited = act(&workspace, path_text, append("more"), Mode::DryRun);
    let real = workspace.read(path_text).ok().map(|read| read.path);
    if let Some(real) = real.filter(|_| edited.is_ok()) {
        assert!(!real.starts_with(root.join(".git")), "{path_text:?}");
    }
}
