//! ARCHITECTURE.md names files; each of them must be there.

use std::path::{Path, PathBuf};

#[test]
fn every_path_in_the_architecture_page_exists() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = std::fs::read_to_string(root.join("ARCHITECTURE.md")).expect("the page is there");
    // Every second part stands between backticks.
    let quoted = page.split('`').skip(1).step_by(2);
    let paths: Vec<&str> = quoted.filter(|quoted| is_path(quoted)).collect();
    assert!(paths.len() > 80, "only {} paths were found", paths.len());
    let missing: Vec<&&str> = paths
        .iter()
        .filter(|path| !place(&root, path).exists())
        .collect();
    assert!(missing.is_empty(), "not in the tree: {missing:?}");
}

fn is_path(quoted: &str) -> bool {
    let letters = |letter: char| letter.is_ascii_alphanumeric() || "/._-<>".contains(letter);
    quoted.contains('/') && quoted.chars().all(letters) && quoted != "crates/"
}

/// Returns where a path of the page is. The page leaves out `crates/hashline-`, and `<dialect>` stands for any file of the folder.
fn place(root: &Path, path: &str) -> PathBuf {
    let known = path.split('<').next().unwrap_or(path);
    let in_crate = root.join("crates").join(format!("hashline-{known}"));
    if in_crate.exists() {
        in_crate
    } else {
        root.join(known)
    }
}
