//! Everything below a folder, exactly: kinds, rights, owners, link targets, bytes, and whether a file is still the same file.
//!
//! Nothing is followed and nothing special is opened.

use std::collections::BTreeMap;
use std::fs::{self, Metadata};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The largest file whose bytes are compared; of larger ones the size is.
const LARGEST: u64 = 8 << 20;

/// What stands under a name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Thing {
    pub(super) kind: Kind,
    pub(super) mode: u32,
    pub(super) owner: (u32, u32),
    /// Which file it is, and when it was last written; nothing for folders, whose time changes with every name in them.
    same: Option<(u64, i64, i64)>,
}

/// What kind of thing it is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File(Vec<u8>),
    Large(u64),
    Link(PathBuf),
    Special(char),
}

/// Every name below a folder.
pub(super) type Exact = BTreeMap<PathBuf, Thing>;

/// Looks at everything below a folder, on its own file system and on those mounted in it.
pub(super) fn look(root: &Path) -> Exact {
    let mut found = Exact::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let Ok(facts) = fs::symlink_metadata(&path) else {
                continue;
            };
            if facts.is_dir() {
                open.push(path.clone());
            }
            let name = path.strip_prefix(root).unwrap_or(&path).to_path_buf();
            found.insert(name, thing(&path, &facts));
        }
    }
    found
}

/// Leaves out the journal's own folder, with what it always holds.
pub(super) fn without_area(mut found: Exact) -> Exact {
    found.remove(Path::new(".hashline"));
    found.remove(Path::new(".hashline/.gitignore"));
    found
}

/// Names what differs, in words.
pub(super) fn differences(before: &Exact, after: &Exact) -> Vec<String> {
    let names = before.keys().chain(after.keys());
    let mut differing: Vec<String> = names
        .filter(|name| before.get(*name) != after.get(*name))
        .map(|name| name.to_string_lossy().into_owned())
        .collect();
    differing.sort();
    differing.dedup();
    differing
}

fn thing(path: &Path, facts: &Metadata) -> Thing {
    let kind = facts.file_type();
    let same = (facts.ino(), facts.mtime(), facts.mtime_nsec());
    Thing {
        mode: facts.mode() & 0o7777,
        owner: (facts.uid(), facts.gid()),
        same: (!kind.is_dir()).then_some(same),
        kind: match () {
            () if kind.is_dir() => Kind::Folder,
            () if kind.is_symlink() => Kind::Link(fs::read_link(path).unwrap_or_default()),
            () if kind.is_file() && facts.len() > LARGEST => Kind::Large(facts.len()),
            () if kind.is_file() => Kind::File(fs::read(path).unwrap_or_default()),
            () if kind.is_fifo() => Kind::Special('p'),
            () if kind.is_socket() => Kind::Special('s'),
            () => Kind::Special('d'),
        },
    }
}
/// Returns whether some file below a folder, or some name, holds these bytes.
pub(super) fn holds(found: &Exact, word: &str) -> Vec<String> {
    let has = |bytes: &[u8]| {
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    };
    let holding = found.iter().filter(|(name, thing)| {
        let inside = matches!(&thing.kind, Kind::File(bytes) if has(bytes));
        inside || has(name.as_os_str().as_bytes())
    });
    holding
        .map(|(name, _)| name.to_string_lossy().into_owned())
        .collect()
}
