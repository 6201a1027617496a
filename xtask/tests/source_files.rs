//! `docs/files.md` lists every source file with the first sentence of its documentation; it must be complete and current.
//!
//! `HASHLINE_BLESS=1 cargo test -p xtask --test source_files` writes the page.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders with source files, in the order of ARCHITECTURE.md.
const FOLDERS: [&str; 12] = [
    "crates/hashline-core",
    "crates/hashline-reference",
    "crates/hashline-wire",
    "crates/hashline-workspace",
    "crates/hashline-session",
    "crates/hashline-agents",
    "crates/hashline-server",
    "crates/hashline-cli",
    "crates/hashline-testing",
    "crates/hashline-bench",
    "xtask",
    "fuzz",
];

const HEAD: &str = "# Every Rust file in one line

This page is for finding the file that you want to change: each file with the first sentence of its documentation. It is generated;
`HASHLINE_BLESS=1 cargo test -p xtask --test source_files` writes it. [ARCHITECTURE.md](../ARCHITECTURE.md) has the overview. As there, paths leave out
`crates/hashline-`.
";

#[test]
fn the_list_of_files_is_current() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let page = root.join("docs/files.md");
    let list = list(&root);
    if std::env::var_os("HASHLINE_BLESS").is_some() {
        fs::write(&page, &list).expect("the page can be written");
    }
    let written = fs::read_to_string(&page).unwrap_or_default();
    assert!(
        written == list,
        "docs/files.md is out of date; write it with HASHLINE_BLESS=1"
    );
}

fn list(root: &Path) -> String {
    let mut page = HEAD.to_owned();
    for folder in FOLDERS {
        let name = folder.trim_start_matches("crates/hashline-");
        let folder = root.join(folder);
        let _ = write!(page, "\n## {name}\n\n| file | what it is |\n|---|---|\n");
        let mut files = Vec::new();
        for part in ["src", "tests", "fuzz_targets"] {
            collect(&folder.join(part), &mut files);
        }
        for file in files {
            let path = file.strip_prefix(&folder).expect("it is inside");
            let sentence = first_sentence(&fs::read_to_string(&file).expect("it is text"));
            assert!(!sentence.is_empty(), "{} has no `//!`", file.display());
            let _ = writeln!(page, "| `{name}/{}` | {sentence} |", path.display());
        }
    }
    page
}

/// Adds all Rust files below a folder, in alphabetical order, a module's own file first.
fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let entries = fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort_by_key(|path| (path.file_name() != Some("mod.rs".as_ref()), path.clone()));
    for path in paths {
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension() == Some("rs".as_ref()) {
            files.push(path);
        }
    }
}

/// Returns the first sentence of the `//!` comment at the top of a file, in one line of a Markdown table.
fn first_sentence(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix("//!"));
    let paragraph: Vec<&str> = lines
        .map(str::trim)
        .take_while(|line| !line.is_empty())
        .collect();
    let paragraph = paragraph.join(" ");
    let end = paragraph.find(". ").map_or(paragraph.len(), |at| at + 1);
    paragraph[..end].replace('|', "\\|")
}
