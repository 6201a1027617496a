//! Whether bytes that stood in a file are gone, and whether they may be.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use hashline_core::text::Revision;

use super::scene::{PLACES, beside, copies};
use crate::disk::Tree;

/// Under which names each content stands.
pub(super) type Contents = BTreeMap<Vec<u8>, Vec<PathBuf>>;

/// Sorts the files of a tree by what they hold.
pub(super) fn contents(tree: &Tree) -> Contents {
    let mut contents = Contents::new();
    for (path, file) in tree {
        if let Some(bytes) = file {
            let paths = contents.entry(bytes.clone()).or_default();
            paths.push(path.clone());
        }
    }
    contents
}

/// Lists what stood somewhere before and stands nowhere now.
pub(super) fn lost(before: &Tree, now: &Tree) -> Contents {
    let mut before = contents(before);
    let now = contents(now);
    before.retain(|bytes, _| !now.contains_key(bytes));
    before
}

/// Returns whether bytes belong to the machinery of a commit alone: a journal, or bytes that were still being written.
pub(super) fn is_machinery(paths: &[PathBuf]) -> bool {
    paths
        .iter()
        .all(|path| is_journal(path) || is_partial(path))
}

/// Returns whether only copies of what is overwritten hold some bytes. They lie in a folder of ours, under names that are nobody's else.
pub(super) fn is_copy(paths: &[PathBuf]) -> bool {
    paths.iter().all(|path| copies().any(|copy| copy == *path))
}

/// Returns whether a journal names bytes by their hash.
pub(super) fn is_named(journal: &[u8], bytes: &[u8]) -> bool {
    let hash = Revision::of(bytes).0.to_le_bytes();
    holds(journal, &hash)
}

/// Returns whether some bytes hold others.
pub(super) fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|part| part == wanted)
}

/// Returns whether bytes are what a file of one block holds when old bytes were being written over new ones, or new over old.
pub(super) fn is_torn(found: &[u8], tree: &Tree) -> bool {
    let copies: Vec<&Vec<u8>> = copies()
        .filter_map(|path| tree.get(&path)?.as_ref())
        .collect();
    let pairs = copies
        .iter()
        .flat_map(|one| copies.iter().map(move |two| (one, two)));
    let mut mixed = pairs.flat_map(|(one, two)| {
        let rest = two.get(one.len()..).unwrap_or_default();
        let zeros = vec![0; rest.len()];
        [[&one[..], rest].concat(), [&one[..], &zeros].concat()]
    });
    mixed.any(|mix| mix.starts_with(found))
}

fn is_journal(path: &Path) -> bool {
    let names = ["journal", "journal.done", "journal.tmp"];
    names
        .iter()
        .any(|name| path == Path::new(".hashline").join(name))
}

fn is_partial(path: &Path) -> bool {
    PLACES
        .iter()
        .any(|(dir, name)| path == Path::new(dir).join(beside(name, "tmp")))
}
