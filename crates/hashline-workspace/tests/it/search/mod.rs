//! Search: what is looked at, what matches, what is shown, and that its anchors work.

mod bytes;
mod limits;
mod meddled;
mod model;
mod names;
mod races;
mod shown;
mod walks;

use std::fs;
use std::path::{Path, PathBuf};

use hashline_core::scheme::Scheme;
use hashline_workspace::search::found::{Found, Role};
use hashline_workspace::search::{Audience, Pattern, Query};
use hashline_workspace::{Settings, Workspace};

/// A folder with files, made for one test.
struct Tree(tempfile::TempDir);

impl Tree {
    fn new(files: &[(&str, &str)]) -> Self {
        let tree = Self(tempfile::tempdir().expect("a folder"));
        for (name, text) in files {
            tree.write(name, text);
        }
        tree
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn root(&self) -> &Path {
        self.0.path()
    }

    fn write(&self, name: &str, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("made");
        fs::write(path, bytes).expect("written");
    }

    fn workspace(&self) -> Workspace {
        Workspace::open(&[self.root().to_path_buf()], Settings::default()).expect("open")
    }

    fn search(&self, query: &Query) -> Found {
        self.workspace()
            .search(query, &nobody(), None)
            .expect("searched")
    }
}

/// Shows to a caller of whom nothing is written down.
fn nobody() -> Audience<'static> {
    Audience {
        scheme: Scheme::Omp,
        session: None,
        ledger: None,
        seen: None,
    }
}

fn fixed(text: &str) -> Query {
    Query::new(Pattern::Fixed(text.to_owned()))
}

fn regex(source: &str) -> Query {
    Query::new(Pattern::Regex(source.to_owned()))
}

/// Lists the files that are shown.
fn paths(found: &Found) -> Vec<&str> {
    found.files.iter().map(|file| file.path.as_str()).collect()
}

/// Spells what is shown: the paths, the lines by number and text, `>` before those that match, `--` between blocks.
fn spelled(found: &Found) -> String {
    let mut out = String::new();
    for file in &found.files {
        out.push_str(&format!("{}\n", file.path));
        for (index, block) in file.blocks().enumerate() {
            if index > 0 {
                out.push_str("--\n");
            }
            for line in block {
                let mark = match line.role {
                    Role::Match => '>',
                    Role::Context => ' ',
                };
                out.push_str(&format!("{mark}{} {}\n", line.line.number, line.line.text));
            }
        }
    }
    out
}
