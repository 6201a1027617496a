//! The walk takes the files that ripgrep's own walk takes, which opens paths instead of directories.

use std::path::Path;

use hashline_workspace::search::{Most, Query};
use ignore::WalkBuilder;
use ignore::overrides::OverrideBuilder;
use proptest::prelude::*;

use super::{Tree, paths, regex};

fn rule() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "a",
        "b/",
        "/a",
        "*.c",
        "!a.c",
        "!b",
        "a/b",
        "**/b",
        "a/**",
        "# no rule",
        "",
        ".h*",
        "!.h",
        "/b/*",
        "!/b/a.c",
        r"\!a",
    ])
    .prop_map(str::to_owned)
}

/// Where rules are written, and which.
fn rules() -> impl Strategy<Value = Vec<(String, Vec<String>)>> {
    let places = [
        ".gitignore",
        ".ignore",
        "a/.gitignore",
        "a/.ignore",
        "b/.gitignore",
        "b/a/.gitignore",
        ".git/info/exclude",
        "b/.git/info/exclude",
    ];
    let place = prop::sample::select(places.to_vec()).prop_map(str::to_owned);
    prop::collection::vec((place, prop::collection::vec(rule(), 1..4)), 0..5)
}

/// Lists the files that ripgrep's walk takes, in the order of their bytes.
fn library_walk(root: &Path, query: &Query) -> Vec<String> {
    let mut globs = OverrideBuilder::new(root);
    for glob in &query.globs {
        globs.add(glob).expect("a glob");
    }
    let mut walk = WalkBuilder::new(root);
    walk.parents(false)
        .git_global(false)
        .hidden(!query.hidden)
        .overrides(globs.build().expect("globs"));
    let entries = walk.build().map(|entry| entry.expect("it can be walked"));
    let files = entries.filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()));
    let name = |path: &Path| {
        path.strip_prefix(root)
            .expect("below")
            .to_string_lossy()
            .into_owned()
    };
    let mut names: Vec<String> = files.map(|entry| name(entry.path())).collect();
    names.retain(|name| !name.split('/').any(|part| part == ".git"));
    names.sort_unstable();
    names
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn the_walk_takes_what_the_library_takes(
        rules in rules(),
        globs in prop::collection::vec(prop::sample::select(vec!["*.c", "!*.c", "a/**", "!b", ".h", "b/*"]), 0..3),
        hidden in prop::bool::ANY,
    ) {
        // With a repository around, the library takes every `.gitignore`, as we always do.
        let tree = Tree::new(&[(".git/HEAD", "")]);
        for folder in ["", "a/", "b/", "a/b/", "b/a/", "b/b/a/", ".h/"] {
            for name in ["a.c", "b.d", ".hid", "!a"] {
                tree.write(&format!("{folder}{name}"), "x\n");
            }
        }
        for (place, rules) in &rules {
            tree.write(place, rules.join("\n"));
        }
        let query = Query {
            globs: globs.into_iter().map(str::to_owned).collect(),
            hidden,
            most: Most::everything(),
            ..regex("")
        };
        let found = tree.search(&query);
        // An empty file has no line, so it is searched and not shown: none is empty here, except for rules.
        let mut expected = library_walk(tree.root(), &query);
        expected.retain(|name| std::fs::metadata(tree.path(name)).is_ok_and(|file| file.len() > 0));
        prop_assert_eq!(paths(&found), expected);
    }
}
