//! T4: a disk without room, without inodes, and a limit on the size of files.

use std::fs;
use std::path::Path;

use super::launch::Launch;
use super::machine::{Mount, why_no_mounts, why_not};
use super::trace::Run;
use super::tree::{self, Tree};
use super::{Bench, Row};

const PAGE: usize = 4096;
const FILLER: &str = "filler";

/// What there is too little of.
#[derive(Clone, Copy, Debug)]
enum Scarce {
    /// So many pages are free.
    Pages(usize),
    /// So many inodes are free.
    Inodes(usize),
    /// No file may have more bytes.
    FileSize(usize),
}

/// T4: with whatever room there is, a request is done wholly or not at all, and undoing it needs no room.
pub(super) fn no_room(bench: &Bench) -> Row {
    let mut row = Row::new("T4 full disk");
    let missing = why_no_mounts().or_else(|| why_not("prlimit"));
    if missing.is_some() {
        row.skipped.extend(missing);
        return row;
    }
    let pages = (0..=32).map(Scarce::Pages);
    let inodes = (0..=14).map(Scarce::Inodes);
    let sizes = [0, 1, 100, 300, 1000, 4095, 4096, 8000, 9000, 10_000, 12_287];
    let all: Vec<Scarce> = pages
        .chain(inodes)
        .chain(sizes.map(Scarce::FileSize))
        .chain([Scarce::FileSize(1 << 20)])
        .collect();
    for (want, scarce) in WANTS
        .iter()
        .flat_map(|want| all.iter().map(move |scarce| (want, scarce)))
    {
        row.cases += 1;
        let found = try_one(bench, want, *scarce);
        row.violations
            .extend(found.map(|what| format!("{}, {scarce:?}: {what}", want.name)));
        row.control += usize::from(writing_over_it_fails(bench, want, *scarce));
    }
    row
}

/// A request over files of a few pages each, so that the room runs out at many different points.
struct Want {
    name: &'static str,
    before: &'static [&'static str],
    request: &'static str,
    after: &'static [&'static str],
}

const WANTS: [Want; 2] = [
    Want {
        name: "several files",
        before: &["a/one", "a/two", "b/three", "gone"],
        request: r#"{"files":[
            {"path":"a/one","edits":[{"op":"substitute","old":"old","new":"new"}]},
            {"path":"a/two","edits":[{"op":"substitute","old":"old","new":"new"}]},
            {"path":"b/three","edits":[{"op":"substitute","old":"old","new":"new"}]},
            {"path":"c/made","edits":[{"op":"create","content":"made\n"}]},
            {"path":"gone","edits":[{"op":"delete_file"}]}]}"#,
        after: &["a/one", "a/two", "b/three"],
    },
    Want {
        name: "one file",
        before: &["a/one"],
        request: r#"{"path":"a/one","edits":[{"op":"substitute","old":"old","new":"new"}]}"#,
        after: &["a/one"],
    },
];

impl Want {
    fn make(&self, root: &Path, names: &[&str], word: &str) {
        let text = format!("{word}\n{}", "a line like any other\n".repeat(400));
        for name in names {
            let path = root.join(name);
            let parent = path.parent().expect("a file lies in a folder");
            fs::create_dir_all(parent).expect("there is room for the files of the case");
            fs::write(&path, &text).expect("there is room for the files of the case");
        }
    }

    /// Returns the tree before and the tree after.
    fn allowed(&self, bench: &Bench) -> (Tree, Tree) {
        let at = bench.scratch.join("expected");
        let read = |names: &[&str], word: &str| {
            let _ = fs::remove_dir_all(&at);
            self.make(&at, names, word);
            at.clone()
        };
        let old = tree::read(&read(self.before, "old"));
        let made = read(self.after, "new");
        if self.before.len() > 1 {
            fs::create_dir(made.join("c")).expect("the scratch folder can be written");
            fs::write(made.join("c/made"), "made\n").expect("the scratch folder can be written");
        }
        (old, tree::read(&made))
    }
}

/// Runs the request where there is too little of something; tells what went wrong, if anything.
fn try_one(bench: &Bench, want: &Want, scarce: Scarce) -> Option<String> {
    let (old, new) = want.allowed(bench);
    let disk = disk(bench, want, scarce);
    let found = || {
        let mut found = tree::read(&disk.at);
        found.remove(FILLER);
        found
    };
    let run = launch(bench, &disk.at, scarce).run(["apply"], want.request);
    let now = found();
    let typed = ["ok", "io"].contains(&run.outcome());
    if !typed {
        return Some(format!("it says {:?}", run.text.trim()));
    }
    let right = if run.outcome() == "ok" { &new } else { &old };
    if now != *right {
        return Some(format!("it says {:?}, and that is not so", run.text.trim()));
    }
    let _ = fs::remove_file(disk.at.join(FILLER));
    again(bench, &disk, want, &run)
        .and_then(|run| (found() != new).then(|| format!("with room again it says {:?}", run.text)))
}

/// Runs it once more with room enough, if it was refused and room can be made.
fn again(bench: &Bench, disk: &Mount, want: &Want, first: &Run) -> Option<Run> {
    let root = Launch::new(bench, &disk.at);
    let inodes = rustix::fs::statvfs(&disk.at).is_ok_and(|room| room.f_ffree < 20);
    (first.outcome() != "ok" && !inodes).then(|| root.run(["apply"], want.request))
}

fn launch<'a>(bench: &'a Bench, root: &'a Path, scarce: Scarce) -> Launch<'a> {
    let launch = Launch::new(bench, root);
    match scarce {
        Scarce::FileSize(most) => launch.through(&["prlimit", &format!("--fsize={most}")]),
        Scarce::Pages(_) | Scarce::Inodes(_) => launch,
    }
}

/// Makes a disk with the files of the case and hardly anything else: large enough for them and 32 free pages.
fn disk(bench: &Bench, want: &Want, scarce: Scarce) -> Mount {
    let at = bench.scratch.join("disk");
    let inodes = match scarce {
        Scarce::Inodes(free) => free + used_inodes(want),
        Scarce::Pages(_) | Scarce::FileSize(_) => 1000,
    };
    let disk = Mount::memory(&at, &format!("size=256k,nr_inodes={inodes}"));
    want.make(&at, want.before, "old");
    if let Scarce::Pages(free) = scarce {
        let room = rustix::fs::statvfs(&at).expect("the disk can be asked");
        let pages = usize::try_from(room.f_bavail).expect("the disk is small");
        let filler = vec![0; pages.saturating_sub(free) * PAGE];
        fs::write(at.join(FILLER), filler).expect("there is room for the filler");
    }
    disk
}

/// Counts the inodes of a case's files and folders, that of the disk included.
fn used_inodes(want: &Want) -> usize {
    let folders: std::collections::BTreeSet<_> = want
        .before
        .iter()
        .filter_map(|name| Path::new(name).parent())
        .collect();
    let root_is_one = usize::from(!folders.contains(Path::new("")));
    want.before.len() + folders.len() + root_is_one
}

/// The control: the same change by writing over the file.
fn writing_over_it_fails(bench: &Bench, want: &Want, scarce: Scarce) -> bool {
    let (old, new) = want.allowed(bench);
    let disk = disk(bench, want, scarce);
    let file = disk.at.join(want.before[0]);
    let text = fs::read_to_string(&file).unwrap_or_default();
    // Longer by a page, as edits go.
    let longer = format!("{}{}", text.replace("old", "new"), "x".repeat(PAGE));
    let written = fs::write(&file, longer);
    let name = want.before[0];
    let now = tree::read(&disk.at).remove(name);
    written.is_err() && now != old.get(name).cloned() && now != new.get(name).cloned()
}
