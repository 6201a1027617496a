//! Trees of files: made anew for every case, and compared byte for byte.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Every name below a folder: the bytes of a file, nothing for a folder.
pub(super) type Tree = BTreeMap<String, Option<Vec<u8>>>;

/// Makes a folder with these files, and nothing else.
pub(super) fn make(root: &Path, files: &[(&str, &str)]) {
    let _ = fs::remove_dir_all(root);
    fs::create_dir_all(root).expect("the scratch folder can be written");
    for (name, text) in files {
        let path = root.join(name);
        let parent = path.parent().expect("a file lies in a folder");
        fs::create_dir_all(parent).expect("the scratch folder can be written");
        fs::write(path, text).expect("the scratch folder can be written");
    }
}

/// Reads a folder. The journal's own folder counts as empty when nothing is left in it but what it always holds.
pub(super) fn read(root: &Path) -> Tree {
    let mut tree = all(root);
    tree.remove(".hashline");
    tree.remove(".hashline/.gitignore");
    tree
}

/// Reads what a recovery goes by. Journals count by their names: their bytes hold random numbers, and only complete ones are read.
pub(super) fn state(root: &Path) -> Tree {
    let mut tree = all(root);
    for (name, bytes) in &mut tree {
        if name.starts_with(".hashline/journal") {
            *bytes = None;
        }
    }
    tree
}

fn all(root: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut open = vec![root.to_path_buf()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).into_iter().flatten().flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap_or(&path);
            let name = name.to_string_lossy().into_owned();
            if path.is_dir() {
                tree.insert(name, None);
                open.push(path);
            } else {
                tree.insert(name, Some(fs::read(&path).unwrap_or_default()));
            }
        }
    }
    tree
}

/// Leaves out orphans: what a killed edit of one file may leave.
pub(super) fn without_orphans(mut tree: Tree) -> Tree {
    tree.retain(|name, _| !name.starts_with(".hashline/orphans"));
    tree
}
