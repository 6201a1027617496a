//! Requests worth breaking off.

use std::path::Path;

use super::tree::{self, Tree};

/// A tree, a request, and what the tree must be after it.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// What it shows.
    pub name: &'static str,
    /// The files before.
    pub before: &'static [(&'static str, &'static str)],
    /// The request.
    pub request: &'static str,
    /// The files after.
    pub after: &'static [(&'static str, &'static str)],
    /// Whether it is about one file only: then an orphan may be left.
    pub one_file: bool,
    /// Whether files are overwritten instead of replaced.
    pub in_place: bool,
    /// System calls that do not work, as `strace` says it.
    pub without: &'static [&'static str],
}

impl Scenario {
    /// Makes the tree as it is before the request.
    pub(super) fn set_up(&self, root: &Path) {
        tree::make(root, self.before);
    }

    /// Returns what the program is told to do with the request.
    pub(super) fn words(&self) -> &'static [&'static str] {
        if self.in_place {
            &["apply", "in-place"]
        } else {
            &["apply"]
        }
    }

    /// Returns both trees that may be found afterwards: the old and the new one.
    pub(super) fn allowed(&self, scratch: &Path) -> (Tree, Tree) {
        let at = scratch.join("expected");
        tree::make(&at, self.before);
        let old = tree::read(&at);
        tree::make(&at, self.after);
        // Folders are never removed with the last file in them.
        let mut new = tree::read(&at);
        for (name, found) in &old {
            if found.is_none() {
                new.insert(name.clone(), None);
            }
        }
        (old, new)
    }
}

const FIVE: Scenario = Scenario {
    name: "five entries",
    before: &[
        ("a/one", "one\n"),
        ("a/two", "two\n"),
        ("b/three", "three\n"),
        ("gone", "gone\n"),
    ],
    request: r#"{"files":[
        {"path":"a/one","edits":[{"op":"substitute","old":"one","new":"ONE"}]},
        {"path":"a/two","edits":[{"op":"substitute","old":"two","new":"TWO"}]},
        {"path":"b/three","edits":[{"op":"substitute","old":"three","new":"THREE"}]},
        {"path":"made","edits":[{"op":"create","content":"made\n"}]},
        {"path":"gone","edits":[{"op":"delete_file"}]}]}"#,
    after: &[
        ("a/one", "ONE\n"),
        ("a/two", "TWO\n"),
        ("b/three", "THREE\n"),
        ("made", "made\n"),
    ],
    one_file: false,
    in_place: false,
    without: &[],
};

const MOVE: Scenario = Scenario {
    name: "move",
    before: &[("from/file", "text\n"), ("to/other", "other\n")],
    request: r#"{"path":"from/file","edits":[{"op":"move","to_path":"to/file"}]}"#,
    after: &[("to/file", "text\n"), ("to/other", "other\n")],
    one_file: false,
    in_place: false,
    without: &[],
};

const FOLDERS: Scenario = Scenario {
    name: "new folders",
    before: &[("file", "text\n")],
    request: r#"{"files":[
        {"path":"x/y/new","edits":[{"op":"create","content":"new\n"}]},
        {"path":"file","edits":[{"op":"substitute","old":"text","new":"TEXT"}]}]}"#,
    after: &[("file", "TEXT\n"), ("x/y/new", "new\n")],
    one_file: false,
    in_place: false,
    without: &[],
};

const ONE: Scenario = Scenario {
    name: "one file",
    before: &[("dir/file", "one\ntwo\n")],
    request: r#"{"path":"dir/file","edits":[{"op":"substitute","old":"two","new":"deux"}]}"#,
    after: &[("dir/file", "one\ndeux\n")],
    one_file: true,
    in_place: false,
    without: &[],
};

const ONE_NEW: Scenario = Scenario {
    name: "one new file",
    before: &[("dir/other", "other\n")],
    request: r#"{"path":"dir/file","edits":[{"op":"create","content":"new\n"}]}"#,
    after: &[("dir/other", "other\n"), ("dir/file", "new\n")],
    one_file: true,
    in_place: false,
    without: &[],
};

/// A file of several blocks, so that a part of them can be new.
fn large_in_place() -> Scenario {
    let text = |first: &str, last: &str| -> &'static str {
        let middle = "a line that stays as it is\n".repeat(500);
        format!("{first}\n{middle}{last}\n").leak()
    };
    let file = |text: &'static str| -> &'static [(&'static str, &'static str)] {
        Box::leak(Box::new([("dir/file", text)]))
    };
    Scenario {
        name: "a large file, in place",
        before: file(text("first", "last")),
        request: r#"{"path":"dir/file","edits":[
            {"op":"substitute","old":"first","new":"the first of them"},
            {"op":"substitute","old":"last","new":"the last"}]}"#,
        after: file(text("the first of them", "the last")),
        one_file: false,
        in_place: true,
        without: &[],
    }
}

/// Lists the scenarios; the fallbacks are the same requests on a system that offers less.
#[must_use]
pub fn all() -> Vec<Scenario> {
    const LESS: &[&str] = &["renameat2:error=EINVAL", "openat2:error=ENOSYS"];
    let large = large_in_place();
    vec![
        large,
        FIVE,
        MOVE,
        FOLDERS,
        ONE,
        ONE_NEW,
        Scenario {
            name: "five entries, in place",
            in_place: true,
            ..FIVE
        },
        Scenario {
            name: "one file, in place",
            one_file: false,
            in_place: true,
            ..ONE
        },
        Scenario {
            name: "five entries, fallback",
            without: LESS,
            ..FIVE
        },
        Scenario {
            name: "one file, fallback",
            without: LESS,
            ..ONE
        },
    ]
}
