//! Which files are looked at.

use std::fs;
use std::os::unix::fs::symlink;

use hashline_workspace::search::{Query, TypeChoice};
use hashline_workspace::{Settings, Workspace};

use super::{Tree, fixed, nobody, paths};

/// A tree with every kind of name; each file holds the word.
fn tree() -> Tree {
    let files = [
        "a.rs",
        "b.txt",
        "sub/c.rs",
        "sub/deep/d.py",
        "sub/deep/e.log",
        "ignored.log",
        "target/out.rs",
        ".hidden/f.rs",
        ".dotfile",
        "sub/kept.log",
        "sub-way.rs",
        "excluded.rs",
        "by-ignore.rs",
    ];
    let tree = Tree::new(&files.map(|name| (name, "word\n")));
    tree.write(".gitignore", "*.log\n/target/\n");
    tree.write("sub/.gitignore", "!kept.log\n");
    tree.write(".ignore", "by-ignore.rs\n");
    tree.write(".git/info/exclude", "excluded.rs\n");
    tree.write(".git/config", "word\n");
    tree.write(".hashline/journal", "word\n");
    tree.write("sub/.GIT/config", "word\n");
    tree.write(".hl-0123456789abcdef.new", "word\n");
    tree.write("sub/.hl-0123456789abcdef.old", "word\n");
    tree
}

#[test]
fn names_are_chosen_as_ripgrep_chooses_them() {
    type Change = fn(&mut Query);
    let usual = "a.rs b.txt sub-way.rs sub/c.rs sub/deep/d.py sub/kept.log";
    let cases: [(&str, Change, &str); 19] = [
        ("usual", |_| {}, usual),
        (
            "hidden",
            |q| q.hidden = true,
            ".dotfile .hidden/f.rs a.rs b.txt sub-way.rs sub/c.rs sub/deep/d.py sub/kept.log",
        ),
        (
            "no rules",
            |q| q.ignore_rules = false,
            "a.rs b.txt by-ignore.rs excluded.rs ignored.log sub-way.rs sub/c.rs sub/deep/d.py \
             sub/deep/e.log sub/kept.log target/out.rs",
        ),
        (
            "glob",
            |q| q.globs = vec!["*.rs".into()],
            "a.rs by-ignore.rs excluded.rs sub-way.rs sub/c.rs",
        ),
        (
            "glob in folder",
            |q| q.globs = vec!["sub/**/*.py".into()],
            "sub/deep/d.py",
        ),
        (
            "glob not",
            |q| q.globs = vec!["!*.rs".into()],
            "b.txt sub/deep/d.py sub/kept.log",
        ),
        (
            "glob but not",
            |q| q.globs = vec!["*.rs".into(), "!sub".into()],
            "a.rs by-ignore.rs excluded.rs sub-way.rs",
        ),
        (
            "glob of a hidden file",
            |q| q.globs = vec![".dot*".into()],
            ".dotfile",
        ),
        (
            "glob of git",
            |q| {
                q.globs = vec!["config".into()];
                q.hidden = true;
            },
            "",
        ),
        (
            "glob of staging",
            |q| {
                q.globs = vec![".hl-*".into()];
                q.hidden = true;
            },
            "",
        ),
        (
            "type",
            |q| q.types = vec![TypeChoice::Only("py".into())],
            "sub/deep/d.py",
        ),
        (
            "types",
            |q| {
                q.types = vec![
                    TypeChoice::Only("py".into()),
                    TypeChoice::Only("rust".into()),
                ];
            },
            "a.rs sub-way.rs sub/c.rs sub/deep/d.py",
        ),
        (
            "not type",
            |q| q.types = vec![TypeChoice::Except("rust".into())],
            "b.txt sub/deep/d.py sub/kept.log",
        ),
        (
            "folder",
            |q| q.paths = vec!["sub".into()],
            "sub/c.rs sub/deep/d.py sub/kept.log",
        ),
        (
            "folder with slash",
            |q| q.paths = vec!["sub/deep/".into()],
            "sub/deep/d.py",
        ),
        ("root", |q| q.paths = vec![".".into()], usual),
        (
            "ignored file named",
            |q| q.paths = vec!["ignored.log".into()],
            "ignored.log",
        ),
        (
            "ignored folder named",
            |q| q.paths = vec!["target".into()],
            "target/out.rs",
        ),
        (
            "overlapping paths",
            |q| {
                q.paths = ["sub", "sub/deep", "sub/deep/e.log", "sub/c.rs", "./sub"]
                    .map(String::from)
                    .to_vec();
            },
            "sub/c.rs sub/deep/d.py sub/deep/e.log sub/kept.log",
        ),
    ];
    let tree = tree();
    for (name, change, expected) in cases {
        let mut query = fixed("word");
        change(&mut query);
        let found = tree.search(&query);
        let expected: Vec<&str> = expected.split_whitespace().collect();
        assert_eq!(paths(&found), expected, "{name}");
        assert_eq!(found.totals.matches, expected.len(), "{name}");
        assert!(
            found.totals.skipped.is_empty(),
            "{name}: {:?}",
            found.skipped
        );
    }
}

#[test]
fn what_is_never_searched_is_not_searched_when_it_is_named() {
    let tree = tree();
    symlink("/etc", tree.path("outside")).expect("linked");
    symlink("a.rs", tree.path("link.rs")).expect("linked");
    let cases = [
        (".git/config", "protected"),
        (".git", "protected"),
        ("sub/.GIT/config", "protected"),
        (".hashline", "protected"),
        (".hl-0123456789abcdef.new", "protected"),
        ("outside/passwd", "outside_root"),
        ("/etc/passwd", "outside_root"),
        ("../x", "bad_path"),
        ("nothing", "file_not_found"),
        ("nothing/at/all", "file_not_found"),
    ];
    for (path, code) in cases {
        let mut query = fixed("word");
        query.paths = vec![path.to_owned(), "a.rs".to_owned()];
        let found = tree.search(&query);
        assert_eq!(paths(&found), ["a.rs"], "{path}: the others are searched");
        let skipped = found.totals.skipped.into_iter();
        let codes: Vec<_> = skipped
            .map(|(code, count)| (code.as_str(), count))
            .collect();
        assert_eq!(codes, [(code, 1)], "{path}");
        assert_eq!(found.skipped[0].code().as_str(), code, "{path}");
    }
    let mut query = fixed("word");
    query.paths = vec!["link.rs".to_owned()];
    assert_eq!(
        paths(&tree.search(&query)),
        ["a.rs"],
        "a link inside is its target"
    );
}

#[test]
fn links_are_not_followed() {
    let outer = Tree::new(&[("secret/s.txt", "word\n"), ("root/in/a.txt", "word\n")]);
    symlink("../secret", outer.path("root/out")).expect("linked");
    symlink("..", outer.path("root/in/loop")).expect("linked");
    symlink("in/a.txt", outer.path("root/twin.txt")).expect("linked");
    symlink("../secret/s.txt", outer.path("root/leak.txt")).expect("linked");
    // Rules behind a link are somebody else's.
    fs::write(outer.path("secret/rules"), "*.txt\n").expect("written");
    symlink("../secret/rules", outer.path("root/.ignore")).expect("linked");
    let workspace = Workspace::open(&[outer.path("root")], Settings::default()).expect("open");
    let found = workspace
        .search(&fixed("word"), &nobody(), None)
        .expect("searched");
    assert_eq!(paths(&found), ["in/a.txt"]);
    assert!(found.skipped.is_empty(), "{:?}", found.skipped);
}

#[test]
fn a_second_root_is_searched_and_named_in_full() {
    let (one, two) = (
        Tree::new(&[("a.txt", "word\n")]),
        Tree::new(&[("b.txt", "word\n")]),
    );
    let roots = [one.root().to_path_buf(), two.root().to_path_buf()];
    let workspace = Workspace::open(&roots, Settings::default()).expect("open");
    let found = workspace
        .search(&fixed("word"), &nobody(), None)
        .expect("searched");
    let second = format!("{}/b.txt", two.root().display());
    assert_eq!(paths(&found), ["a.txt", second.as_str()]);
    let mut query = fixed("word");
    query.paths = vec![two.root().display().to_string()];
    let found = workspace.search(&query, &nobody(), None).expect("searched");
    assert_eq!(paths(&found), [second.as_str()]);
    assert_eq!(
        workspace.read(&second).expect("read").document.revision(),
        found.files[0].revision
    );
}

#[test]
fn a_root_has_the_name_it_was_given_and_its_real_one() {
    let tree = Tree::new(&[("real/a.txt", "word\n")]);
    symlink("real", tree.path("link")).expect("linked");
    let workspace = Workspace::open(&[tree.path("link")], Settings::default()).expect("open");
    let real = tree.path("real").canonicalize().expect("there");
    for name in [tree.path("link"), real] {
        let mut query = fixed("word");
        query.paths = vec![name.display().to_string()];
        let found = workspace.search(&query, &nobody(), None).expect("searched");
        assert_eq!(paths(&found), ["a.txt"], "{}", name.display());
    }
}

#[test]
fn rules_above_the_root_are_not_read_and_those_of_another_repository_do_not_count() {
    let tree = Tree::new(&[
        (".gitignore", "*.txt\n*.md\n"),
        ("root/a.txt", "word\n"),
        ("root/.gitignore", "*.rs\n"),
        ("root/b.rs", "word\n"),
        ("root/nested/.git/HEAD", "\n"),
        ("root/nested/c.rs", "word\n"),
        ("root/nested/d.txt", "word\n"),
        ("root/nested/.ignore", "*.txt\n"),
        ("root/bom/.gitignore", "\u{feff}x.c\n[bad\nz.c\n"),
        ("root/bom/x.c", "word\n"),
        ("root/bom/y.c", "word\n"),
        ("root/bom/z.c", "word\n"),
    ]);
    let workspace = Workspace::open(&[tree.path("root")], Settings::default()).expect("open");
    let found = workspace
        .search(&fixed("word"), &nobody(), None)
        .expect("searched");
    assert_eq!(paths(&found), ["a.txt", "bom/y.c", "nested/c.rs"]);
}

#[test]
fn paths_are_told_from_where_the_caller_stands() {
    let tree = tree();
    let root = tree.root().display().to_string();
    let whole = |below: &str| format!("{root}/{below}");
    let cases = [
        (
            "sub",
            vec!["."],
            vec![
                "c.rs".to_owned(),
                "deep/d.py".to_owned(),
                "kept.log".to_owned(),
            ],
        ),
        ("sub", vec!["./deep/"], vec!["deep/d.py".to_owned()]),
        ("sub", vec![root.as_str()], {
            let above = ["a.rs", "b.txt", "sub-way.rs"].map(whole);
            let below = ["c.rs", "deep/d.py", "kept.log"].map(str::to_owned);
            [above.to_vec(), below.to_vec()].concat()
        }),
    ];
    for (stands, named, expected) in cases {
        let mut query = fixed("word");
        query.paths = named.iter().map(|path| (*path).to_owned()).collect();
        let workspace = tree.workspace().based(tree.path(stands));
        let found = workspace.search(&query, &nobody(), None).expect("searched");
        assert_eq!(paths(&found), expected, "{named:?}");
        for file in &found.files {
            let read = workspace
                .read(&file.path)
                .expect("it can be read by that name");
            assert_eq!(read.document.revision(), file.revision);
        }
    }
}
